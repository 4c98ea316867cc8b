"""0/1 programs by themselves: optimal points, what is settled, limits of nodes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tablewright.architect.search import program as programs
from tablewright.architect.search.program import Program
from tablewright.architect.search.search import try_search
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.specs import CASES, random_spec, rich_spec

if TYPE_CHECKING:
    from tablewright.architect.plans.values import Variable

WEIGHTS = {("a",): 3.0, ("b",): 5.0, ("c",): 4.0}


def knapsack() -> Program:
    """At least two of three."""
    program = Program()
    for name in WEIGHTS:
        program.variable(name)
    program.row(dict.fromkeys(WEIGHTS, 1.0), lower=2)
    return program


def names(*letters: str) -> frozenset[Variable]:
    return frozenset((letter,) for letter in letters)


def test_the_cheapest_point() -> None:
    found = knapsack().minimise(WEIGHTS)
    assert found is not None
    assert (found.chosen, found.gap) == (names("a", "c"), 0.0)


def test_what_is_settled_is_not_chosen_again() -> None:
    program = knapsack()
    program.settle([("a",)], 0)
    found = program.minimise(WEIGHTS)
    assert found is not None
    assert found.chosen == names("b", "c")


def test_nothing_fits() -> None:
    program = knapsack()
    program.settle([("a",), ("b",)], 0)
    assert program.minimise(WEIGHTS) is None


def test_what_could_only_be_worse_is_settled() -> None:
    """a and c cost 7; with b it would be 8 at least, even in the relaxation."""
    program = knapsack()
    program.fix(WEIGHTS, 7.0)
    later = program.minimise({("b",): -1.0})
    assert later is not None
    assert later.chosen == names("a", "c")


def test_a_later_stage_does_not_spend_what_the_first_saved() -> None:
    """30,000 dollars, or a hundredth of a cent more: within the usual tolerance of a solver, and not within ours."""
    program = Program()
    money = {("dear",): 30_000_000_100.0, ("cheap",): 30_000_000_000.0}
    for name in money:
        program.variable(name)
    program.row(dict.fromkeys(money, 1.0), lower=1)
    first = program.minimise(money)
    assert first is not None
    program.fix(money, program.value(money, first.chosen))
    second = program.minimise({("cheap",): 1.0}, start=first.chosen)
    assert second is not None
    assert second.chosen == names("cheap")


def cover(count: int, rows: int) -> Program:
    """Hit every one of many random triples: the relaxation is far from any point, so that many nodes are needed."""
    chance = random.Random(0)
    program = Program()
    for number in range(count):
        program.variable((number,))
    for _ in range(rows):
        program.row({(number,): 1.0 for number in chance.sample(range(count), 3)}, lower=1)
    return program


def test_a_limit_of_nodes_gives_the_best_so_far_with_its_gap() -> None:
    count = {(number,): 1.0 for number in range(40)}
    limited, best = cover(40, 120).minimise(count, nodes=1), cover(40, 120).minimise(count)
    assert limited is not None
    assert best is not None
    assert best.gap == 0.0
    assert 0.0 < limited.gap < 1.0
    assert len(limited.chosen) * (1 - limited.gap) <= len(best.chosen) <= len(limited.chosen)


def test_a_search_at_its_limit_still_serves_every_pattern() -> None:
    facts = assume(read_spec(random_spec(0, entities=3, patterns=8)))
    limited, best = try_search(facts, nodes=1), try_search(facts)
    assert limited is not None
    assert best is not None
    assert limited.plans.keys() | limited.collections.keys() == {each.id for each in facts.spec.reads}
    assert limited.cost >= best.cost


@pytest.mark.parametrize("spec", [*CASES, *(rich_spec(seed, entities=3, patterns=6) for seed in range(6))])
def test_settling_beforehand_changes_no_design(spec: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """It only makes the later stages quicker."""
    facts = assume(read_spec(spec))  # type: ignore[arg-type]
    settled = try_search(facts)
    monkeypatch.setattr(programs, "settled_by", lambda model, at_most: {})
    assert try_search(facts) == settled
