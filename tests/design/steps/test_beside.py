"""A parent beside its list is not counted, and lists that are beside each other are asked for at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from tablewright.design.steps.model import PAUSE, Expression, Read, Slot
from tablewright.design.steps.reads import read_page
from tests.design.steps.memory import Memory, stored

if TYPE_CHECKING:
    from tests.design.steps.memory import Item

STORED = stored()
INPUTS = {"list": "a"}


def under(*parts: Any) -> Expression:
    return Expression("#pk = :v0", {"#pk": "pk"}, {":v0": parts})


LIST = Read(operation="Query", table="t", condition=under("L#", Slot("list")))
BEHIND = Read(operation="BatchGetItem", table="t", key={"pk": ("I#", Slot("id")), "sk": "I"}, keys_from=0)
BESIDE = replace(LIST, backwards=True, limit=3, beside="Parent", entities=("Parent", "Child"))


@given(
    numbers=st.sets(st.integers(0, 40), max_size=25),
    is_there=st.booleans(),
    limit=st.integers(1, 6),
    page=st.integers(1, 6),
)
def test_what_is_beside_a_list_is_not_counted(numbers: set[int], is_there: bool, limit: int, page: int) -> None:
    children = [{"pk": "L#a", "sk": f"{number:02d}", "type": "Child"} for number in sorted(numbers, reverse=True)]
    parent = [{"pk": "L#a", "sk": "~", "type": "Parent"}] if is_there else []
    memory = Memory([*children, *parent], page)
    steps = (replace(BESIDE, limit=limit),)
    found: list[Item] = []
    cursor: str | None = None
    while True:
        answer = memory.drive(read_page(STORED, steps, INPUTS, None, cursor))
        wanted = limit + (is_there and not found)
        assert len(answer.items) == wanted or (answer.cursor is None and len(answer.items) < wanted)
        found += answer.items
        cursor = answer.cursor
        if cursor is None:
            break
    assert found == [*parent, *children]


def test_a_query_from_the_beginning_asks_for_one_more() -> None:
    items = [{"pk": "L#a", "sk": f"{number}", "type": "Child"} for number in range(9)]
    memory = Memory([*items, {"pk": "L#a", "sk": "~", "type": "Parent"}])
    first = memory.drive(read_page(STORED, (BESIDE,), INPUTS))
    memory.drive(read_page(STORED, (BESIDE,), INPUTS, None, first.cursor))
    assert [each.params["Limit"] for requests in memory.asked for each in requests] == [4, 3]


def test_lists_with_limits_of_their_own_are_asked_for_at_once() -> None:
    items = [{"pk": f"L#{name}", "sk": f"{number}"} for name in "ab" for number in range(5)]
    memory = Memory([*items, {"pk": "I#a", "sk": "I"}], page=2)
    other = replace(LIST, condition=under("L#", Slot("other")), limit=5)
    one = Read(operation="GetItem", table="t", key={"pk": ("I#", Slot("list")), "sk": "I"})
    steps = (one, replace(LIST, limit=3), other)
    found = memory.drive(read_page(STORED, steps, {**INPUTS, "other": "b"})).items
    assert [(each["pk"], each["sk"]) for each in found] == [
        ("I#a", "I"),
        *(("L#a", f"{number}") for number in range(3)),
        *(("L#b", f"{number}") for number in range(5)),
    ]
    asked = [[each.action for each in requests] for requests in memory.asked]
    assert asked == [["GetItem", "Query", "Query"], ["Query", "Query"], ["Query"]]


def number_text(number: int) -> str:
    return f"1{number * 10**6:026d}"


def test_lists_pause_together() -> None:
    keys = [{"pk": "L#a", "sk": f"{number}", "id": number} for number in range(3)]
    memory = Memory([*keys, *({"pk": f"I#{number_text(number)}", "sk": "I"} for number in range(3))], processed=1)
    steps = (replace(LIST, limit=9), BEHIND, replace(LIST, limit=8), replace(BEHIND, keys_from=2))
    assert len(memory.drive(read_page(STORED, steps, INPUTS)).items) == 6
    asked = [[each.action for each in requests] for requests in memory.asked]
    assert asked[:4] == [
        ["Query", "Query"],
        ["BatchGetItem", "BatchGetItem"],
        [PAUSE],
        ["BatchGetItem", "BatchGetItem"],
    ]
