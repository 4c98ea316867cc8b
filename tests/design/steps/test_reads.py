"""Reads: whatever a step asks, pages of any size are the whole answer, and nothing is asked for twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.design.steps.errors import WrongCursor
from tablewright.design.steps.model import NOW, PAUSE, Bucket, Demand, Expression, Merge, Read, Slot, Unfold
from tablewright.design.steps.reads import read_number, read_page
from tests.design.steps.memory import UNEXPIRED, Memory, stored

if TYPE_CHECKING:
    from tests.design.steps.memory import Item

STORED = stored()


def under(*parts: Any) -> Expression:
    return Expression("#pk = :v0", {"#pk": "pk"}, {":v0": parts})


def pages(memory: Memory, steps: tuple[Read, ...], inputs: dict[str, Any], size: int) -> list[Item]:
    found: list[Item] = []
    cursor: str | None = None
    while True:
        page = memory.drive(read_page(STORED, steps, inputs, size, cursor))
        assert len(page.items) <= size
        found += page.items
        cursor = page.cursor
        if cursor is None:
            return found


LIST = Read(operation="Query", table="t", condition=under("L#", Slot("list")))
SHARDS = Read(operation="Query", table="t", condition=under("S#", Slot("_shard")), shards=3)
VALUES = Read(
    operation="Query", table="t", condition=under("V#", Slot("status")), for_each={"status": ("new", "open", "done")}
)
BUCKETS = Read(
    operation="Query",
    table="t",
    condition=under("B#", Slot("_bucket")),
    for_each={"_bucket": ()},
    bucket=Bucket("at", 7),
)
BEHIND = Read(operation="BatchGetItem", table="t", key={"pk": ("I#", Slot("id")), "sk": "I"}, keys_from=0)
EACH = Read(operation="Query", table="t", condition=under("C#", Slot("id")), keys_from=0)
ONE = Read(operation="GetItem", table="t", key={"pk": ("I#", Slot("name")), "sk": "I"})
MAPS = Read(operation="Query", table="t", condition=under("L#", Slot("list")), unfold=Unfold("inside", "Part"))
INPUTS = {"list": "a", "from": "2026-01-15", "to": "2026-03-02"}
PARTITIONS = {
    "list": ((LIST,), ["L#a"]),
    "shards": ((SHARDS,), ["S#0", "S#1", "S#2"]),
    "values": ((VALUES,), ["V#new", "V#open", "V#done"]),
    "buckets": ((BUCKETS,), ["B#2026-01", "B#2026-02", "B#2026-03"]),
}
NUMBERED = st.sets(st.integers(0, 40), max_size=25)
SIZES = st.integers(1, 6)


@pytest.mark.parametrize("name", PARTITIONS)
@given(numbers=NUMBERED, size=SIZES, page=SIZES, backwards=st.booleans())
def test_partitions_are_merged(name: str, numbers: set[int], size: int, page: int, backwards: bool) -> None:
    (step,), places = PARTITIONS[name]
    items = [{"pk": places[number % len(places)], "sk": f"{number:02d}"} for number in numbers]
    memory = Memory([*items, {"pk": "elsewhere", "sk": "00"}], page)
    steps = (replace(step, backwards=backwards),)
    wanted = sorted(items, key=lambda each: each["sk"], reverse=backwards)
    assert memory.drive(read_page(STORED, steps, INPUTS)).items == wanted
    assert pages(memory, steps, INPUTS, size) == wanted
    cut = memory.drive(read_page(STORED, (replace(steps[0], limit=size),), INPUTS))
    assert cut.items == wanted[:size]
    assert (cut.cursor is None) or len(cut.items) == size


@given(numbers=NUMBERED, gone=NUMBERED, size=SIZES, processed=SIZES)
def test_items_behind_keys_come_in_their_order(numbers: set[int], gone: set[int], size: int, processed: int) -> None:
    keys = [{"pk": "L#a", "sk": f"{number:02d}", "id": number} for number in sorted(numbers)]
    whole = [{"pk": f"I#{text(number)}", "sk": "I", "n": number} for number in sorted(numbers - gone)]
    memory = Memory([*keys, *whole], 3, processed)
    assert memory.drive(read_page(STORED, (LIST, BEHIND), INPUTS)).items == whole
    assert pages(memory, (LIST, BEHIND), INPUTS, size) == whole


def text(number: int) -> str:
    return f"1{number * 10**6:026d}"


def test_keys_that_were_not_processed_are_asked_for_after_a_pause() -> None:
    keys = [{"pk": "L#a", "sk": f"{number}", "id": number} for number in range(3)]
    memory = Memory([*keys, *({"pk": f"I#{text(number)}", "sk": "I"} for number in range(3))], processed=1)
    assert len(memory.drive(read_page(STORED, (LIST, BEHIND), INPUTS)).items) == 3
    actions = [each.action for requests in memory.asked for each in requests]
    assert actions == ["Query", "BatchGetItem", PAUSE, "BatchGetItem", PAUSE, "BatchGetItem"]


NAMED = replace(BEHIND, counts_gone=True)


@given(
    named=st.lists(st.integers(0, 6), max_size=12),
    there=st.sets(st.integers(0, 6)),
    size=SIZES,
    page=SIZES,
    most=st.none() | st.integers(1, 8),
)
def test_what_entries_name(named: list[int], there: set[int], size: int, page: int, most: int | None) -> None:
    """In their order, twice where it is named twice; one that is gone counts for the limit and for pages."""
    entries = [{"pk": "L#a", "sk": f"{at:02d}", "id": number} for at, number in enumerate(named)]
    items = {number: {"pk": f"I#{text(number)}", "sk": "I"} for number in sorted(there)}
    memory = Memory([*entries, *items.values()], page)
    steps = (replace(LIST, limit=most), NAMED)
    wanted = [items[number] for number in named[:most] if number in items]
    assert memory.drive(read_page(STORED, steps, INPUTS)).items == wanted
    assert pages(memory, steps, INPUTS, size) == [items[number] for number in named if number in items]


def test_what_entries_name_is_asked_for_once_and_no_further_than_the_limit() -> None:
    entries = [{"pk": "L#a", "sk": f"{at:03d}", "id": at // 2} for at in range(400)]
    memory = Memory(entries, processed=60)
    first = memory.drive(read_page(STORED, (replace(LIST, limit=150), NAMED), INPUTS))
    assert (first.items, first.cursor is None) == ([], False)  # all of them are gone, and the list goes on
    sent = [each for requests in memory.asked for each in requests]
    assert [each.action for each in sent] == ["Query", "BatchGetItem", "BatchGetItem"]
    assert [len(each.params["RequestItems"]["t"]["Keys"]) for each in sent[1:]] == [50, 25]


def test_what_no_key_can_hold_names_nothing() -> None:
    entries = [{"pk": "L#a", "sk": f"{at}", "id": value} for at, value in enumerate(["", "x", ""])]
    memory = Memory([*entries, {"pk": "I#x", "sk": "I"}])
    found = memory.drive(read_page(STORED, (replace(LIST, limit=2), NAMED), INPUTS))
    assert found.items == [{"pk": "I#x", "sk": "I"}]
    assert memory.drive(read_page(STORED, (LIST, NAMED), INPUTS)).items == found.items


@given(counts=st.lists(st.integers(0, 4), max_size=6), size=SIZES, page=SIZES, most=st.none() | st.integers(1, 4))
def test_what_belongs_to_every_item_found(counts: list[int], size: int, page: int, most: int | None) -> None:
    outer = [{"pk": "L#a", "sk": f"{at}", "id": at} for at in range(len(counts))]
    inner = [[{"pk": f"C#{text(at)}", "sk": f"{number}"} for number in range(count)] for at, count in enumerate(counts)]
    steps = (replace(LIST, limit=most), EACH)
    memory = Memory([*outer, *(each for part in inner for each in part)], page)
    wanted = [each for part in inner[:most] for each in part]
    assert memory.drive(read_page(STORED, steps, INPUTS)).items == wanted
    assert pages(memory, steps, INPUTS, size) == wanted


@given(counts=st.lists(st.integers(0, 4), max_size=5), size=SIZES, holder=st.booleans())
def test_entries_of_maps(counts: list[int], size: int, holder: bool) -> None:
    holders = [
        {"pk": "L#a", "sk": f"{at}", "inside": {str(number): {"n": number} for number in range(count)}}
        for at, count in enumerate(counts)
    ]
    step = replace(MAPS, unfold=Unfold("inside", "Part", holder), demands=(Demand("n", "<", (Slot("most"),)),))
    wanted: list[Item] = []
    for each in holders:
        wanted += [{"pk": "L#a", "sk": each["sk"]}] if holder else []
        wanted += [{"n": n, "type": "Part"} for n in range(len(each["inside"])) if n < 3]
    inputs = {**INPUTS, "most": 3}
    assert Memory(holders, 2).drive(read_page(STORED, (step,), inputs)).items == wanted
    assert pages(Memory(holders, 2), (step,), inputs, size) == wanted


@given(numbers=NUMBERED, size=SIZES)
def test_joined_items_complete_those_that_are_shown(numbers: set[int], size: int) -> None:
    shown = [{"pk": "L#a", "sk": f"{number:02d}", "id": number} for number in sorted(numbers)]
    details = [{"pk": f"I#{text(n)}", "sk": "I", "more": n, "id": "hidden"} for n in numbers if n % 2]
    steps = (LIST, replace(BEHIND, joins=True))
    wanted = [{"more": each["id"], **each} if each["id"] % 2 else each for each in shown]
    memory = Memory([*shown, *details])
    assert memory.drive(read_page(STORED, steps, INPUTS)).items == wanted
    assert pages(memory, steps, INPUTS, size) == wanted


@given(first=st.integers(0, 5), second=st.integers(0, 5), size=SIZES)
def test_steps_that_both_answer_come_one_after_the_other(first: int, second: int, size: int) -> None:
    counts = {"L#a": first, "S#0": second}
    items = [{"pk": pk, "sk": f"{at}"} for pk, count in counts.items() for at in range(count)]
    steps = (LIST, replace(SHARDS, shards=1, condition=under("S#0")))
    assert pages(Memory(items, 2), steps, INPUTS, size) == items


# ---- lists with limits ----------------------------------------------------------------------------------------------

REST = replace(LIST, condition=under("R#", Slot("list")))


def numbered(pk: str, count: int) -> list[Item]:
    return [{"pk": pk, "sk": f"{at:02d}", "id": at} for at in range(count)]


@given(first=st.integers(0, 7), second=st.integers(0, 7), limit=SIZES, page=SIZES)
def test_a_step_that_continues_fills_up_the_list(first: int, second: int, limit: int, page: int) -> None:
    whole = [*numbered("L#a", first), *numbered("R#a", second)]
    steps = (replace(LIST, limit=limit), replace(REST, limit=limit, continues=True))
    memory = Memory(whole, page)
    assert memory.drive(read_page(STORED, steps, INPUTS)).items == whole[:limit]
    asked = [each.params for requests in memory.asked for each in requests]
    rest = [each["Limit"] for each in asked if each["ExpressionAttributeValues"][":v0"] == "R#a"]
    assert rest[:1] == ([limit - first] if first < limit else [])
    assert pages(memory, steps, INPUTS, limit) == whole


@given(first=st.integers(0, 5), second=st.integers(0, 9), limit=SIZES)
def test_keys_of_a_list_in_two_steps_are_fetched_in_its_order(first: int, second: int, limit: int) -> None:
    keys = [*numbered("L#a", first), *({**each, "id": each["id"] + 50} for each in numbered("R#a", second))]
    whole = [{"pk": f"I#{text(each['id'])}", "sk": "I"} for each in keys]
    steps = (
        replace(LIST, limit=limit),
        BEHIND,
        replace(REST, limit=limit),
        replace(BEHIND, keys_from=2, continues=True),
    )
    memory = Memory([*keys, *whole], 3)
    assert memory.drive(read_page(STORED, steps, INPUTS)).items == whole[:limit]
    assert pages(memory, steps, INPUTS, limit) == whole


@given(parents=st.integers(0, 3), children=st.integers(0, 9), limit=SIZES, size=SIZES)
def test_a_limit_counts_the_items_of_its_own_step(parents: int, children: int, limit: int, size: int) -> None:
    above, below = numbered("R#a", parents), numbered("L#a", children)
    memory = Memory([*above, *below], 4)
    steps = (REST, replace(LIST, limit=limit))
    page = memory.drive(read_page(STORED, steps, INPUTS))
    assert page.items == [*above, *below[:limit]]
    again = memory.drive(read_page(STORED, steps, INPUTS, size, page.cursor)) if page.cursor else None
    assert (again.items if again else []) == below[limit : limit + size]
    smaller = memory.drive(read_page(STORED, steps, INPUTS, size))
    assert smaller.items == [*above, *below[:size]]


RANKED = st.lists(st.none() | st.integers(0, 6), max_size=8)


@given(
    one=RANKED, other=RANKED, limit=SIZES, page=SIZES, size=SIZES, backwards=st.booleans(), absent_first=st.booleans()
)
def test_lists_are_merged_in_their_order(
    one: list[int | None],
    other: list[int | None],
    limit: int,
    page: int,
    size: int,
    backwards: bool,
    absent_first: bool,
) -> None:
    lacking = 9 if absent_first == backwards else -1  # what lacks a rank sorts as if it had this one

    def ranked(pk: str, ranks: list[int | None]) -> list[Item]:
        items = [{"pk": pk, "id": at} | ({} if rank is None else {"rank": rank}) for at, rank in enumerate(ranks)]
        return [{**each, "sk": f"{each.get('rank', lacking) + 1:02d}{each['id']}"} for each in items]

    items = [*ranked("L#a", one), *ranked("R#a", other)]
    merge = Merge(("rank",), absent_first=absent_first)
    steps = (replace(LIST, backwards=backwards), replace(REST, backwards=backwards, merges=merge))
    wanted = sorted((each.get("rank", lacking) for each in items), reverse=backwards)
    memory = Memory(items, page)
    cut = tuple(replace(each, limit=limit) for each in steps)
    found = memory.drive(read_page(STORED, cut, INPUTS)).items
    assert [each.get("rank", lacking) for each in found] == wanted[:limit]
    whole = pages(memory, steps, INPUTS, size)
    assert [each.get("rank", lacking) for each in whole] == wanted
    assert sorted(map(repr, whole)) == sorted(map(repr, items))


# ---- what has expired -----------------------------------------------------------------------------------------------

FRESH = replace(LIST, unexpired="until", filter=Expression(UNEXPIRED, {"#until": "until"}, {":v1": Slot(NOW)}), limit=2)


def expiring(*times: int | None) -> list[Item]:
    return [
        {"pk": "L#a", "sk": f"{at:02d}", "id": at} | ({} if until is None else {"until": until})
        for at, until in enumerate(times)
    ]


@given(times=st.lists(st.none() | st.integers(90, 110), max_size=12), size=SIZES, page=SIZES)
def test_what_has_expired_is_left_out_and_the_query_goes_on(times: list[int | None], size: int, page: int) -> None:
    items = expiring(*times)
    wanted = [each for each in items if each.get("until", 101) > 100]
    memory = Memory(items, page)
    steps = (replace(FRESH, limit=size),)
    found = memory.drive(read_page(STORED, steps, INPUTS, now=100))
    assert found.items == wanted[:size]
    while found.cursor is not None:
        wanted = wanted[size:]
        found = memory.drive(read_page(STORED, steps, INPUTS, after=found.cursor, now=100))
        assert found.items == wanted[:size]
    assert {each.params["Limit"] for requests in memory.asked for each in requests} == {size}


def test_items_at_hand_are_left_out_by_the_client() -> None:
    whole = [
        {"pk": f"I#{text(at)}", "sk": "I", **({} if until is None else {"until": until})}
        for at, until in enumerate((None, 100, 101))
    ]
    memory = Memory([*whole, *numbered("L#a", 3)])
    behind = replace(BEHIND, unexpired="until")
    assert memory.drive(read_page(STORED, (LIST, behind), INPUTS, now=100)).items == [whole[0], whole[2]]
    one = replace(ONE, unexpired="until")
    assert memory.drive(read_page(STORED, (one,), {"name": text(1)}, now=99)).items == [whole[1]]
    assert memory.drive(read_page(STORED, (one,), {"name": text(1)}, now=100)).items == []
    assert memory.drive(read_number(STORED, (LIST, behind), INPUTS, "count", now=101)) == 1


def test_entries_of_maps_expire_by_themselves() -> None:
    holder = {"pk": "L#a", "sk": "1", "until": 100, "inside": {"a": {"n": 1, "until": 100}, "b": {"n": 2}}}
    step = replace(MAPS, unfold=Unfold("inside", "Part", with_holder=True), unexpired="until")
    assert Memory([holder]).drive(read_page(STORED, (step,), INPUTS, now=100)).items == [{"n": 2, "type": "Part"}]
    assert len(Memory([holder]).drive(read_page(STORED, (step,), INPUTS, now=99)).items) == 3


# ---- many items by their ids ----------------------------------------------------------------------------------------

MANY = Read(operation="BatchGetItem", table="t", key={"pk": ("I#", Slot("id")), "sk": "I"}, each="ids")


@given(ids=st.lists(st.integers(0, 30), max_size=250), there=NUMBERED, size=SIZES, processed=st.integers(1, 200))
def test_items_come_in_the_order_of_their_ids(ids: list[int], there: set[int], size: int, processed: int) -> None:
    items = {number: {"pk": f"I#{text(number)}", "sk": "I", "n": number} for number in there}
    memory = Memory(items.values(), processed=processed)
    inputs = {"ids": [{"id": number} for number in ids]}
    wanted = [items[number] for number in ids if number in items]
    assert memory.drive(read_page(STORED, (MANY,), inputs)).items == wanted
    assert pages(memory, (MANY,), inputs, size) == wanted


def test_a_hundred_different_keys_are_one_request() -> None:
    inputs = {"ids": [{"id": number} for number in range(250)]}
    memory = Memory([])
    assert memory.drive(read_page(STORED, (MANY,), inputs)).items == []
    sizes = [len(each.params["RequestItems"]["t"]["Keys"]) for requests in memory.asked for each in requests]
    assert sizes == [100, 100, 50]


# ---- single items ---------------------------------------------------------------------------------------------------


def test_an_item_is_found_by_its_whole_key_or_not_at_all() -> None:
    memory = Memory([{"pk": "I#x", "sk": "I", "n": 1}])
    assert memory.drive(read_page(STORED, (ONE,), {"name": "x"})).items == [{"pk": "I#x", "sk": "I", "n": 1}]
    assert memory.drive(read_page(STORED, (ONE,), {"name": "y"})).items == []
    demanding = replace(ONE, demands=(Demand("n", "=", (2,)),))
    assert memory.drive(read_page(STORED, (demanding,), {"name": "x"})).items == []
    with pytest.raises(ValueError, match="no value for name"):
        memory.drive(read_page(STORED, (ONE,), {}))


def test_requests_say_what_the_step_says() -> None:
    step = replace(
        LIST,
        index="gsi1",
        filter=Expression("#n > :v1", {"#n": "n"}, {":v1": Slot("least")}),
        projection=Expression("#n, #pk, #sk", {"#n": "n", "#pk": "pk", "#sk": "sk"}),
        backwards=True,
        consistent=True,
        limit=5,
        sends_limit=False,
    )
    places = {"t/gsi1": STORED.places["t"]}
    (request,) = next(read_page(replace(STORED, places=places), (step,), {"list": "a", "least": 3}))
    assert request.action == "Query"
    assert request.params == {
        "TableName": "t",
        "IndexName": "gsi1",
        "KeyConditionExpression": "#pk = :v0",
        "FilterExpression": "#n > :v1",
        "ProjectionExpression": "#n, #pk, #sk",
        "ScanIndexForward": False,
        "ConsistentRead": True,
        "ExpressionAttributeNames": {"#pk": "pk", "#n": "n", "#sk": "sk"},
        "ExpressionAttributeValues": {":v0": "L#a", ":v1": 3},
    }


def test_a_cursor_serves_its_own_question_only() -> None:
    memory = Memory([{"pk": "L#a", "sk": "1"}, {"pk": "L#a", "sk": "2"}])
    cursor = memory.drive(read_page(STORED, (LIST,), INPUTS, 1)).cursor
    for inputs, after in (({**INPUTS, "list": "b"}, cursor), (INPUTS, "nonsense"), (INPUTS, "bnVsbA==")):
        with pytest.raises(WrongCursor):
            memory.drive(read_page(STORED, (LIST,), inputs, 1, after))


@pytest.mark.parametrize(
    ("what", "some", "none"), [("count", 3, 0), ("sum", 5, 0), ("max", 4, None), ("min", 1, None), ("total", 4, 0)]
)
def test_numbers_of_some_items_and_of_none(what: Any, some: Any, none: Any) -> None:
    items = [{"pk": "L#a", "sk": "1", "n": 4}, {"pk": "L#a", "sk": "2"}, {"pk": "L#a", "sk": "3", "n": 1}]
    assert Memory(items).drive(read_number(STORED, (LIST,), INPUTS, what, "n")) == some
    assert Memory([]).drive(read_number(STORED, (LIST,), INPUTS, what, "n")) == none
