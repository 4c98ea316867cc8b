"""Small specs that once were answered wrongly, with what is right, asked of the design as a program would ask it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablewright import tasks
from tablewright.design.model import Design
from tablewright.errors import DesignError
from tests.trust.driver import Driver
from tests.trust.running import RunningDesign

SPECS = Path(__file__).parent / "specs"
REFUSED = {"contradict"}
NAMES = sorted(path.stem for path in SPECS.glob("*.yaml") if path.stem not in REFUSED)
_DESIGNS: dict[str, Design] = {}


def designed(name: str) -> Design:
    if name not in _DESIGNS:
        _DESIGNS[name] = tasks.design(SPECS / f"{name}.yaml", quick=True)
    return _DESIGNS[name]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_designed_and_proven(name: str) -> None:
    report = tasks.prove(designed(name)).proof
    assert report is not None
    assert (report.passed, report.failure) == (True, "")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_random_calls_do_what_the_spec_says(name: str, seed: int) -> None:
    Driver(designed(name), seed).run(60)


def test_across_a_handle_is_taken_once_whoever_comes_first() -> None:
    running = RunningDesign(designed("across"))
    assert running.do("AP1", userId="u1", handle="ada") == "written"
    assert running.do("AP2", teamId="t1", handle="ada") == "refused"
    assert running.do("AP2", teamId="t1", handle="grace") == "written"
    assert running.do("AP1", userId="u2", handle="grace") == "refused"
    assert running.do("AP1", userId="u2", handle="Grace") == "written"


def test_batch_fifty_posts_are_one_request_in_the_order_of_their_ids() -> None:
    design = designed("batch")
    running = RunningDesign(design)
    for number in range(0, 50, 2):
        assert running.do("put Post", postId=f"p{number}", text=f"text {number}") == "written"
    ids = [{"postId": f"p{number}"} for number in reversed(range(50))]
    assert [each["postId"] for each in running.items("AP1", ids=ids)] == [f"p{n}" for n in reversed(range(0, 50, 2))]
    (step,) = running.patterns["AP1"].reads
    assert step.operation == "BatchGetItem"


def test_batch_an_order_is_placed_once_with_its_lines() -> None:
    running = RunningDesign(designed("batch"))
    lines = [{"lineNo": 1, "sku": "a"}, {"lineNo": 2, "sku": "b"}]
    assert running.do("AP3", orderId="o1", total=10, Line=lines) == "written"
    assert running.do("AP3", orderId="o1", total=99, Line=[{"lineNo": 3, "sku": "c"}]) == "refused"
    found = running.ask("AP2", orderId="o1")
    assert [item for entity, item in found if entity == "Order"] == [{"orderId": "o1", "total": 10}]
    assert sorted(item["sku"] for entity, item in found if entity == "Line") == ["a", "b"]


def test_feed_posts_come_in_the_order_of_the_list_and_what_is_gone_counts() -> None:
    running = RunningDesign(designed("feed"))
    for number in range(4):
        assert running.do("AP5", postId=f"p{number}", authorId="u9", text=f"text {number}") == "written"
    named = ["p0", "p1", "gone", "p1", "p2", "p0"]  # the last one is the newest
    for at, post in enumerate(named):
        entry = {"entryId": f"e{at}", "postId": post, "createdAt": f"2026-01-0{at + 1}T00:00:00.000Z"}
        assert running.do("AP4", userId="u1", **entry) == "written"
    assert [each["postId"] for each in running.items("AP1", userId="u1")] == ["p0", "p2", "p1"]
    assert running.do("AP6", postId="p2") == "written"
    assert [each["postId"] for each in running.items("AP1", userId="u1")] == ["p0", "p1"]
    for page in (None, 1, 2, 5):
        found = running.ask("AP2", page=page, userId="u1")
        assert [(entity, each["postId"]) for entity, each in found] == [("Post", p) for p in ("p0", "p1", "p1", "p0")]
    assert [step.operation for step in running.patterns["AP1"].reads] == ["Query", "BatchGetItem"]


def test_feed_friends_are_users() -> None:
    running = RunningDesign(designed("feed"))
    for name in ("ada", "grace"):
        assert running.do("AP7", userId=name, name=name.title()) == "written"
        assert running.do("AP8", userId="me", friendId=name) == "written"
    assert running.do("AP8", userId="me", friendId="nobody") == "written"
    found = sorted(each["name"] for each in running.items("AP3", userId="me"))
    assert found == ["Ada", "Grace"]


CONTRADICTIONS = [
    ("email", (5,), "required, and present in a tenth"),
    ("status", (5,), "two values, and 50,000 different ones"),
    ("tags", (5,), "2 MB in an item of 400 KB"),
    ("growth", (7, 8), "5% is not 100k of 1,000"),
    ("avg", (12,), "100 on average, 5 at most"),
    ("p99", (12,), "fewer in all but one of a hundred than on average"),
    ("level", (14,), "immutable, and changed"),
    ("userId", (14,), "the id, and changed"),
    ("peak", (14,), "lower than the average"),
    ("limit", (17,), "10 items at most, 50,000 usually"),
]


@pytest.mark.parametrize(("word", "lines", "why"), CONTRADICTIONS)
def test_every_contradiction_is_told_with_its_line(word: str, lines: tuple[int, ...], why: str) -> None:
    with pytest.raises(DesignError) as told:
        tasks.design(SPECS / "contradict.yaml", quick=True)
    told_at = tuple(f"contradict.yaml:{line}:" for line in lines)
    said = [each for each in told.value.message.splitlines() if any(place in each for place in told_at)]
    assert any(word in each for each in said), f"{why}: {told.value.message}"


def test_one_to_one_both_are_put_together_and_may_overwrite() -> None:
    running = RunningDesign(designed("one_to_one"))
    assert running.do("AP4", aId="a1", bId="b1") == "written"
    assert running.do("AP4", aId="a1", bId="b1") == "written"
    assert running.do("AP4", aId="a1", bId="b2") == "written"
    found = running.ask("AP1", aId="a1")
    assert [item for entity, item in found if entity == "A"] == [{"aId": "a1", "bId": "b2"}]
    assert sorted(item["bId"] for entity, item in found if entity == "B") == ["b1", "b2"]


def test_optional_sort_tasks_without_a_date_are_answered_last() -> None:
    running = RunningDesign(designed("optional_sort"))
    for task, due in (("t1", None), ("t2", "2026-03-01T00:00:00Z"), ("t3", None), ("t4", "2026-02-01T00:00:00Z")):
        given = {} if due is None else {"dueAt": due}
        assert running.do("AP2", listId="l", taskId=task, title=task, **given) == "written"
    found = [each["taskId"] for each in running.items("AP1", listId="l")]
    assert (found[:2], sorted(found[2:])) == (["t4", "t2"], ["t1", "t3"])
    assert running.do("AP2", listId="l", taskId="t4", title="now without a date") == "written"
    found = [each["taskId"] for each in running.items("AP1", listId="l")]
    assert (found[:1], sorted(found[1:])) == (["t2"], ["t1", "t3", "t4"])


def test_overlaps_what_began_a_fortnight_ago_is_found_and_nothing_lasts_longer() -> None:
    running = RunningDesign(designed("overlaps"))

    def book(booking: str, start: str, end: str | None) -> str:
        return running.do("AP2", bookingId=booking, roomId="r", startsAt=start, **({"endsAt": end} if end else {}))

    assert book("long", "2026-03-01T09:00:00Z", "2026-03-15T09:00:00Z") == "written"
    assert book("longer", "2026-03-01T09:00:00Z", "2026-03-15T09:00:01Z") == "unfit"
    assert book("short", "2026-03-14T10:00:00Z", "2026-03-14T11:00:00Z") == "written"
    assert book("open", "2026-03-14T10:00:00Z", None) == "written"
    assert book("no time", "soon", "2026-03-14T11:00:00Z") == "unfit"

    def taken(first: str, last: str) -> list[str]:
        found = running.items("AP1", roomId="r", **{"from": f"2026-03-{first}Z", "to": f"2026-03-{last}Z"})
        return [each["bookingId"] for each in found]

    assert taken("15T09:00:00", "16T00:00:00") == ["long"]
    assert taken("15T09:00:01", "16T00:00:00") == []
    assert taken("14T11:00:00", "14T12:00:00") == ["long", "short"]
    assert taken("01T00:00:00", "01T08:59:59") == []
    assert taken("01T00:00:00", "14T10:00:00") == ["long", "short"]
    assert running.do("AP3", bookingId="short", endsAt="2026-03-14T12:00:00Z") == "unfit"
    moved = {"startsAt": "2026-04-01T00:00:00Z", "endsAt": "2026-04-02T00:00:00Z"}
    assert running.do("AP3", bookingId="short", **moved) == "written"
    assert taken("14T11:00:00", "31T12:00:00") == ["long"]


def test_parent_limit_the_limit_counts_samples() -> None:
    running = RunningDesign(designed("parent_limit"))
    for minute in range(25):
        at = f"2026-01-01T00:{minute:02}:00Z"
        assert running.do("AP2", deviceId="d", at=at, value=minute) == "written"
    assert len(running.ask("AP1", deviceId="d")) == 20
    assert [step.beside for step in running.design.patterns[0].reads] == ["Device"]  # one request
    assert running.do("AP3", deviceId="d", model="m") == "written"
    found = running.ask("AP1", deviceId="d")
    assert [item for entity, item in found if entity == "Device"] == [{"deviceId": "d", "model": "m"}]
    assert [item["value"] for entity, item in found if entity == "Sample"] == list(range(24, 4, -1))


def test_tenant_total_the_count_is_kept_as_a_total() -> None:
    design = designed("tenant_total")
    assert "total" in {each.kind for each in design.items}
    running = RunningDesign(design)
    for record, state in (("r1", "open"), ("r2", "open"), ("r3", "done")):
        assert running.do("AP3", tenantId="t", recordId=record, state=state) == "written"
    assert running.do("AP3", tenantId="t", recordId="r1", state="open") == "refused"
    assert running.number("AP2", tenantId="t", state="open") == 2
    assert running.number("AP2", tenantId="u", state="open") == 0


def test_transact_notexists_a_second_like_is_refused_and_the_counter_stays() -> None:
    running = RunningDesign(designed("transact_notexists"))
    assert running.do("put Post", postId="p", likes=0) == "written"
    assert running.do("AP3", postId="p", userId="u", at="2026-01-01T00:00:00Z", likes=1) == "written"
    assert running.do("AP3", postId="p", userId="u", at="2026-01-02T00:00:00Z", likes=2) == "refused"
    assert running.items("AP2", postId="p") == [{"postId": "p", "likes": 1}]
    assert [each["at"] for each in running.items("AP1", postId="p")] == ["2026-01-01T00:00:00Z"]


@pytest.mark.parametrize("scores", [(5, 9, 7), (9, 5, 7), (7, 5, 9)])
def test_upsert_when_one_row_for_each_player_whatever_the_order(scores: tuple[int, ...]) -> None:
    running = RunningDesign(designed("upsert_when"))
    best = 0
    for points in scores:
        wanted = "written" if points > best else "refused"
        assert running.do("AP2", game="g", playerId="p", points=points) == wanted
        best = max(best, points)
    assert running.items("AP1", game="g") == [{"game": "g", "playerId": "p", "points": 9}]


def test_mixed_absent_what_was_never_sent_comes_last() -> None:
    running = RunningDesign(designed("mixed_absent"))
    for mail, at in (("m1", "2026-03-01T00:00:00Z"), ("m2", "2026-03-03T00:00:00Z")):
        assert running.do("AP2", userId="u", mailId=mail, sentAt=at, subject=mail) == "written"
    assert running.do("AP3", userId="u", draftId="d1", subject="d1") == "written"
    assert running.do("AP3", userId="u", draftId="d2", subject="d2", sentAt="2026-03-02T00:00:00Z") == "written"
    assert [each["subject"] for each in running.items("AP1", userId="u")] == ["m2", "d2", "m1", "d1"]
    assert [item["subject"] for _, item in running.ask("AP1", page=1, userId="u")] == ["m2", "d2", "m1", "d1"]


def test_reservation_the_quantity_of_a_line_is_taken_off_the_stock() -> None:
    running = RunningDesign(designed("reservation"))
    assert {each.name for each in running.patterns["AP3"].parameters} == {"orderId", "productId", "quantity"}
    assert running.do("AP5", productId="p", stock=5) == "written"
    assert running.do("AP3", orderId="o1", productId="p", quantity=3) == "written"
    assert running.do("AP3", orderId="o2", productId="p", quantity=3) == "refused"
    assert running.items("AP2", productId="p") == [{"productId": "p", "stock": 2}]
    assert running.items("AP1", orderId="o2") == []


def test_reservation_of_a_whole_list_is_refused_with_a_remedy() -> None:
    text = (SPECS / "reservation.yaml").read_text().replace("by: [orderId, productId]", "by: orderId")
    told = text.replace("Line: {op: put,", "Order: {op: put}\n      Line: {op: put,")
    with pytest.raises(DesignError, match="add productId; or write each Line with its Product in a transaction"):
        tasks.design(told, quick=True)


@pytest.mark.parametrize("rate", ["20", "1/min", "1/day"])
def test_order_lines_lie_with_their_order(rate: str) -> None:
    text = (SPECS / "order_lines.yaml").read_text().replace("by: orderId, rate: 20", f"by: orderId, rate: {rate}")
    design = tasks.design(text, quick=True)
    (step,) = (each for each in design.patterns if each.id == "AP1")
    assert [each.index for each in step.reads] == [None]


def test_either_counts_what_it_may_name() -> None:
    (number,) = (each for each in designed("either").numbers if each.place.endswith("targetId.cardinality"))
    assert (number.value, number.origin) == (100_000, "derived")


def test_defaults_are_written_and_rules_obeyed() -> None:
    running = RunningDesign(tasks.design(SPECS.parent / "values" / "defaults.yaml", quick=True))
    assert running.do("AP4", customerId="C000001", email="ann@example.com") == "written"
    assert running.items("AP1", customerId="C000001")[0]["tier"] == "basic"
    assert running.do("AP4", customerId="1", email="ann@example.com") == "unfit"
    assert running.do("AP4", customerId="C000002", email="nobody") == "unfit"
    lines = [{"lineNo": 1, "sku": "ABC-1"}, {"lineNo": 2, "sku": "ABC-2", "quantity": 7}]
    assert running.do("AP5", customerId="C000001", orderId="o1", Line=lines) == "written"
    (one, two, order) = sorted(running.items("AP3", customerId="C000001", orderId="o1"), key=len)
    assert (order["status"], order["priority"], order["gift"]) == ("open", 3, False)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", order["placedAt"])
    assert sorted((one["quantity"], two["quantity"])) == [1, 7]
    wrong = [{"lineNo": 1, "sku": "ABC-1", "quantity": 0}]
    assert running.do("AP5", customerId="C000001", orderId="o2", Line=wrong) == "unfit"
    assert running.items("AP3", customerId="C000001", orderId="o2") == []
    given = {"customerId": "C000001", "orderId": "o1", "status": "paid", "note": "soon"}
    assert running.do("AP6", **given, priority=6) == "unfit"
    assert running.do("AP6", **given, priority=5) == "written"


def test_ulids_the_newest_are_read_in_the_order_of_their_ids() -> None:
    design = tasks.design(SPECS.parent / "values" / "ulids.yaml", quick=True)
    assert design.tables[0].gsis == ()
    running = RunningDesign(design)
    for number, day in enumerate(("03", "01", "02")):
        id_ = f"01J{day}{number}"  # begins with its time, as ULIDs do
        given = {"createdAt": f"2026-01-{day}T00:00:00.000Z", "total": number}
        assert running.do("AP3", customerId="c", orderId=id_, **given) == "written"
    assert [each["createdAt"][8:10] for each in running.items("AP1", customerId="c")] == ["03", "02", "01"]


def test_mixed_absent_keys_are_as_long_as_was_estimated() -> None:
    report = tasks.prove(designed("mixed_absent")).proof
    assert report is not None
    assert report.estimates is not None
    assert [each.item for each in report.estimates.sizes if not each.passed] == []


def test_what_is_put_twice_is_there_once_whatever_the_moment() -> None:
    """The moment of a put is no promise, even if it is called immutable."""
    attributes = {"starredAt": {"type": "timestamp", "default": "now", "immutable": True}}
    design = tasks.design(
        {
            "name": "stamped",
            "entities": {"Star": {"id": ["repoId", "userId"], "attributes": attributes}},
            "access_patterns": [
                {"id": "of", "kind": "query", "entity": "Star", "by": "repoId", "sort": "starredAt desc", "limit": 50},
                {"id": "star", "kind": "write", "op": "put", "entity": "Star", "by": ["repoId", "userId"]},
            ],
        },
        quick=True,
    )
    running = RunningDesign(design)
    for day in (1, 2):
        moment = f"2026-01-0{day}T00:00:00.000Z"
        assert running.do("star", repoId="r", userId="u", starredAt=moment) == "written"
    assert [each["starredAt"] for each in running.items("of", repoId="r")] == ["2026-01-02T00:00:00.000Z"]
