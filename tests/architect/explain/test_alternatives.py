"""Alternatives are on the Pareto front, their numbers are those of real designs, and the spec can ask for them."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from tablewright.architect.explain.alternatives import alternatives, dominates
from tablewright.architect.explain.attempts import attempt
from tablewright.architect.explain.forms import other_forms
from tablewright.architect.explain.patterns import without_patterns
from tablewright.architect.explain.questions.answers import apply_answers
from tablewright.architect.explain.resolve import again, outcome
from tablewright.architect.search.stages import Aim
from tablewright.architect.solution import solve
from tablewright.design.advice import Alternative
from tablewright.spec.read import read_spec
from tests.architect.designs import CASES
from tests.architect.explain.grounds import content, start


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


@pytest.mark.parametrize("case", CASES)
def test_what_is_to_be_written_into_the_spec_gives_what_was_promised(case: str) -> None:
    for each in found(case)[1:]:
        if each.needs and each.tables == 1:
            words = each.how.split()
            aim: Aim = "cost" if "--minimise" in words and words[words.index("--minimise") + 1] == "cost" else "gsis"
            then = outcome(solve(read_spec(apply_answers(content(case), each.needs)), aim=aim))
            assert (then.gsis, then.copies, len(then.choice.lsis)) == (each.gsis, each.copies, each.lsis)
            assert then.usd_per_month == pytest.approx(each.usd_per_month)


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
