"""Alternatives are on the Pareto front, and their numbers are those of real designs."""

from __future__ import annotations

import pytest

from tablewright.architect.explain.choices.alternatives import Measured, alternatives, dominates, measured_one
from tablewright.architect.explain.choices.resolve import again
from tests.architect.designs import CASES
from tests.architect.explain.grounds import start


def test_an_index_instead_of_a_second_item() -> None:
    chosen, other = alternatives(start("social-network"))[:2]
    assert (chosen.chosen, chosen.gsis, chosen.copies, chosen.name) == (True, 0, 1, "0 GSIs, 1 second item")
    assert (other.chosen, other.gsis, other.copies, other.name) == (False, 1, 0, "1 GSI")
    assert other.gains.startswith("1 second item less")
    assert "1 GSI more" in other.costs


@pytest.mark.parametrize("case", CASES)
def test_the_chosen_comes_first_and_none_is_beaten_by_it(case: str) -> None:
    first, *others = alternatives(start(case))
    assert first.chosen
    assert (first.gains, first.costs) == ("", "")
    assert len(others) <= 3
    for each in others:
        assert not each.chosen
        assert each.gains, each.name
        assert each.costs, each.name


def test_numbers_are_those_of_the_design() -> None:
    begun = start("social-network")
    other = alternatives(begun)[1]
    again_ = again(begun, aim="cost")
    assert again_ is not None
    assert other.usd_per_month == pytest.approx(again_.usd_per_month)
    assert other.keys["Follow"].count("|") == 1


def test_what_is_worse_in_one_thing_and_better_in_none_is_dominated() -> None:
    now = start("chat-system").now
    same, dearer = measured_one(now), Measured(outcomes=(now,), usd_per_month=now.usd_per_month + 1)
    assert dominates(same, dearer, 0.01)
    assert not dominates(dearer, same, 0.01)
    assert not dominates(same, same, 0.01)
    assert not dominates(same, dearer, 100)
