"""What a bill rests on: each guess with the bill at a tenth and at ten times of it, the most influential first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.design.influence import rests_on
from tablewright.design.read import design_data, read_design
from tablewright.report.document import overview
from tablewright.report.text import plain_text

ROOT = Path(__file__).parents[2]
LISTS: dict[str, Any] = {
    "name": "lists",
    "entities": {
        "Task": {
            "id": "taskId",
            "count": 1_000_000,
            "size_bytes": 300,
            "attributes": {"taskId": "string", "list": {"required": True, "immutable": True}},
        }
    },
    "access_patterns": [
        {"id": "all", "kind": "query", "entity": "Task", "by": "list", "rate": {"avg": 5, "peak": 10}},
        {
            "id": "add",
            "kind": "write",
            "op": "put",
            "entity": "Task",
            "by": "taskId",
            "condition": "not exists",
            "failures": 0.0,
            "rate": {"avg": 1, "peak": 2},
        },
    ],
}
PLACE = "entities.Task.attributes.list.cardinality"


def with_values(count: int) -> dict[str, Any]:
    task = LISTS["entities"]["Task"]
    attributes = {**task["attributes"], "list": {**task["attributes"]["list"], "cardinality": count}}
    return {**LISTS, "entities": {"Task": {**task, "attributes": attributes}}}


def test_one_guess_dominates_and_is_told_first() -> None:
    made = design(LISTS)
    first = rests_on(made)[0]
    assert first.place == PLACE
    assert first.value == 100
    assert made.assumptions[0] == first
    said = " ".join(plain_text(overview(made)).split())
    assert "Its bill rests on: Task.list: 100 different values? (" in said


@pytest.mark.parametrize(("values", "field"), [(10, "usd_at_tenth"), (1_000, "usd_at_ten_times")])
def test_the_bills_are_those_of_specs_that_say_so(values: int, field: str) -> None:
    told, said = rests_on(design(LISTS))[0], design(with_values(values))
    assert getattr(told, field) == pytest.approx(said.cost.usd_per_month, rel=1e-3)


def test_where_all_is_given_it_is_said() -> None:
    made = design(with_values(5_000))
    assert not rests_on(made)
    assert "Its bill rests on numbers that were all given." in plain_text(overview(made))


def test_what_moves_the_bill_most_is_asked_first() -> None:
    made = design(LISTS, explain=True)
    assert made.advice.questions[0].place == PLACE
    assumed, fewer, more = made.advice.questions[0].answers
    assert assumed.usd_per_month == pytest.approx(made.cost.usd_per_month)
    assert fewer.changes == {PLACE: 10}
    assert fewer.usd_per_month == pytest.approx(design(with_values(10)).cost.usd_per_month)
    assert more.usd_per_month < assumed.usd_per_month < fewer.usd_per_month


@pytest.mark.parametrize("tables", ["single", "several"])
def test_guesses_of_several_tables_are_priced_together(tables: Any) -> None:
    made = design(ROOT / "examples" / "specs" / "leaderboard.yaml", tables=tables)
    priced = [each for each in (*made.assumptions, *made.cost.assumptions) if each.usd_at_tenth is not None]
    assert priced
    for each in priced:
        assert each.usd_at_tenth is not None
        assert each.usd_at_ten_times is not None
        low, high = sorted((each.usd_at_tenth, each.usd_at_ten_times))
        assert low <= made.cost.usd_per_month * 1.001
        assert high >= made.cost.usd_per_month * 0.999


def test_a_design_that_was_read_says_the_same() -> None:
    made = design(LISTS)
    assert rests_on(read_design(design_data(made))) == rests_on(made)
