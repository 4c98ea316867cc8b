"""How long an answer is: as somebody says, else as items spread evenly, which is told as a guess."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright import tasks
from tablewright.design.influence import rests_on
from tablewright.design.model import Design

ATTRIBUTES: dict[str, Any] = {
    "stayId": {"size_bytes": 20},
    "lotId": {"references": "Lot", "required": True, "immutable": True, "size_bytes": 20},
    "state": {"values": ["in", "out", "unpaid"], "required": True},
    "big": {"type": "boolean", "required": True},
    "note": {"required": True, "size_bytes": 200},
    "plate": {"required": True, "size_bytes": 10, "cardinality": "1M", "immutable": True},
}
ITEMS, SELECTIVITY = "access_patterns.list.items", "access_patterns.list.selectivity"


def parking(**asked: Any) -> dict[str, Any]:
    """5,000 lots with 7,200 stays each: 2,400 of each state, were they as frequent."""
    return {
        "name": "parking",
        "entities": {
            "Lot": {"id": "lotId", "size_bytes": 300, "count": 5000},
            "Stay": {"id": "stayId", "count": "36M", "attributes": ATTRIBUTES},
        },
        "access_patterns": [
            {"id": "list", "kind": "query", "entity": "Stay", "rate": {"avg": 5, "peak": 6}, **asked},
            {"id": "one", "kind": "get", "entity": "Lot", "by": "lotId", "rate": {"avg": 1, "peak": 2}},
            {
                "id": "add",
                "kind": "write",
                "op": "put",
                "entity": "Stay",
                "by": "stayId",
                "rate": {"avg": 1, "peak": 2},
            },
            {
                "id": "open",
                "kind": "write",
                "op": "put",
                "entity": "Lot",
                "by": "lotId",
                "rate": {"avg": 0.01, "peak": 1},
            },
        ],
        "constraints": {"key_style": "plain"},
    }


def designed(**asked: Any) -> Design:
    return tasks.design(parking(**asked), quick=True)


def items_read(made: Design) -> float:
    return next(each.prediction.items for each in made.cost.patterns if each.pattern == "list")


def test_items_of_each_value_are_a_guess_that_is_told_first() -> None:
    first = rests_on(designed(by=["lotId", "state"]))[0]
    assert (first.place, first.value) == (ITEMS, 2400)
    assert first.taken == "2,400 items, as many for each state"


@pytest.mark.parametrize(("items", "field"), [(240, "usd_at_tenth"), (7200, "usd_at_ten_times")])
def test_the_bills_that_are_told_are_those_of_a_spec_that_says_so(items: int, field: str) -> None:
    """There are not ten times as many: 7,200 lie in a lot."""
    guess = rests_on(designed(by=["lotId", "state"]))[0]
    said = designed(by=["lotId", "state"], items=items)
    assert said.cost.usd_per_month == pytest.approx(getattr(guess, field), rel=0.001)
    assert ITEMS not in {each.place for each in said.cost.assumptions}


@pytest.mark.parametrize("items", [60, 600, 6000])
def test_an_answer_is_as_long_as_is_said(items: int) -> None:
    """More than an even share as well: most stays are those of cars that have left."""
    made = designed(by=["lotId", "state"], items=items)
    assert items_read(made) == items


def test_lists_that_are_read_may_be_longer_than_the_average() -> None:
    """36 stays of a plate on average, and 500 of those that people ask for."""
    assert items_read(designed(by="plate", items=500)) == 500


def test_it_is_asked_for_with_no_more_than_there_can_be() -> None:
    """7,200 lie in a lot, so that no state has ten times 2,400."""
    first = tasks.questions(parking(by=["lotId", "state"]))[0]
    assert first.question == "How many items does list answer with?"
    assert [each.answer for each in first.answers] == ["About 2,400", "About 240", "About 7,200"]


def test_what_a_filter_lets_through_is_a_guess() -> None:
    found = {each.place: each for each in designed(by="lotId", filter={"state": "in"}).cost.assumptions}
    assert found[SELECTIVITY].taken == "33% pass, as many for each state"
    few, many = found[SELECTIVITY].usd_at_tenth, found[SELECTIVITY].usd_at_ten_times
    assert few is not None
    assert many is not None
    assert few < many


@pytest.mark.parametrize("asked", [{"items": 20}, {"filter": {"state": "in"}, "selectivity": 0.02}, {"by": "plate"}])
def test_what_is_said_or_follows_is_no_guess(asked: dict[str, Any]) -> None:
    made = designed(**{"by": "lotId", **asked})
    assert {ITEMS, SELECTIVITY} & {each.place for each in made.cost.assumptions} == set()


@pytest.mark.parametrize("items", [20, 6000])
def test_estimates_of_lists_that_are_said_to_be_longer_or_shorter_are_compared_by_the_item(items: int) -> None:
    report = tasks.prove(designed(by=["lotId", "state"], items=items)).proof
    assert report is not None
    assert report.estimates is not None
    line = next(each for each in report.estimates.patterns if each.pattern == "list")
    assert line.passed
    assert f"the spec says answers of {items:,} items, and lists have " in line.explanation
