"""Alternatives are on the Pareto front, their numbers are those of real designs, and the spec can ask for them."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.architect.explain.alternatives import alternatives, dominates
from tablewright.architect.explain.attempts import attempt
from tablewright.architect.explain.forms import other_forms
from tablewright.architect.explain.patterns import without_patterns
from tablewright.architect.explain.questions.answers import apply_answers
from tablewright.architect.explain.resolve import again
from tablewright.design.advice import Alternative
from tests.architect.designs import CASES
from tests.architect.explain.grounds import content, explained, start

pytestmark = pytest.mark.shares("case")


@cache
def found(case: str) -> tuple[Alternative, ...]:
    begun = start(case)
    return alternatives(begun, forms=tuple(other_forms(begun)), without=without_patterns(begun))


def test_an_index_instead_of_a_second_item() -> None:
    chosen, other = found("social-network")[:2]
    assert (chosen.chosen, chosen.gsis, chosen.copies, chosen.name) == (True, 0, 1, "0 GSIs, 1 second item")
    assert (other.chosen, other.gsis, other.copies, other.name) == (False, 1, 0, "1 GSI")
    assert other.gains.startswith("1 second item less")
    assert "1 GSI more" in other.costs
    assert (other.needs, other.how) == ({}, "say --minimise cost")


@pytest.mark.parametrize("case", CASES)
def test_the_chosen_comes_first_beside_one_to_three_others_worth_a_thought(case: str) -> None:
    first, *others = found(case)
    assert first.chosen
    assert (first.gains, first.costs, first.how) == ("", "", "")
    assert 1 <= len(others) <= 3
    for each in others:
        assert not each.chosen
        assert each.gains, each.name
        assert each.costs, each.name
        assert each.how, each.name
        assert each.usd_per_month <= max(first.usd_per_month * 1.25, first.usd_per_month + 5)


@pytest.mark.parametrize("case", ["chat-system", "device-state-log", "session-management", "social-network"])
def test_whoever_does_what_is_said_gets_what_was_promised(case: str) -> None:
    for each in explained(case).advice.alternatives[1:]:
        spec = apply_answers(content(case), each.needs)
        spec["access_patterns"] = [one for one in spec["access_patterns"] if one["id"] not in each.without]
        words = each.how.split()
        aim: Any = words[words.index("--minimise") + 1] if "--minimise" in words else None
        then = design(spec, aim=aim)
        assert sum(len(table.gsis) for table in then.tables) == each.gsis, each.name
        assert len(then.tables) == each.tables, each.name
        # a look-up of a second item is a consistent read in the design, which the search takes for an eventual one
        assert then.cost.usd_per_month == pytest.approx(each.usd_per_month, rel=5e-3), each.name


def test_a_second_item_under_any_key_spares_an_index() -> None:
    other = next(each for each in found("device-state-log") if each.copies)
    assert (other.gsis, other.copies) == (1, 1)
    assert other.needs["constraints.copies"] == "any"
    assert other.needs["entities.DeviceLog.attributes.escalatedTo.required"] is True


def test_a_pattern_less_spares_an_index() -> None:
    other = next(each for each in found("task-manager") if each.without)
    assert (other.gsis, other.without, other.how) == (3, ("AP11",), "leave out AP11")


def test_numbers_are_those_of_the_design() -> None:
    begun = start("social-network")
    other = found("social-network")[1]
    again_ = again(begun, aim="cost")
    assert again_ is not None
    assert other.usd_per_month == pytest.approx(again_.usd_per_month)
    assert other.keys["Follow"].count("|") == 1


def test_what_is_worse_in_one_thing_and_better_in_none_is_dominated() -> None:
    same = attempt("chosen", start("chat-system").now)
    dearer = msgspec.structs.replace(same, usd_per_month=same.usd_per_month + 1)
    assert dominates(same, dearer, 0.01)
    assert not dominates(dearer, same, 0.01)
    assert not dominates(same, same, 0.01)
    assert not dominates(same, dearer, 100)
