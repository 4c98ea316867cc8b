"""Which rewrites to make: every combination is solved and weighed when there are few, else the best step is repeated.

With at most `MOST_COMBINATIONS` combinations (less for specs of more than `USUAL` patterns, which take longer to solve)
the choice is exact. Beyond that it starts from the plainest way of each decision, tries every single change, makes
those that gain together, the best first, and begins anew, until none gains or as many designs were tried:
deterministic, and not proven to be the best. A spec in which nothing can be rewritten is solved once.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from tablewright.architect.plans.forms import form_options, go_together, last_resorts, rewrite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.architect.plans.forms import Option, Options
    from tablewright.design.layout.forms import Rewrite, Rewritten
    from tablewright.spec.facts import Facts

MOST_COMBINATIONS = 64
LEAST_COMBINATIONS = 8
USUAL = 20
Weight: TypeAlias = tuple[float, ...]
Weigh: TypeAlias = "Callable[[Rewritten], Weight | None]"
"""Solves a rewritten spec and says how good it is, less being better; None when it cannot be served."""


def choose(facts: Facts, weigh: Weigh, *, thorough: bool = False) -> Rewritten:
    """The best form of a spec; where none can be served, the plain form, so that its faults are told.

    `thorough`: what is a last resort otherwise is weighed like everything else, where there is not too much of it.
    """
    found, resort = form_options(facts), last_resorts(facts)
    every = [*found, *resort]
    if thorough and prod(len(each) for each in every) <= designs_tried(facts):
        found, resort = every, []
    best = _choose_form(facts, found, weigh)
    if best is not None:
        return best
    best = _choose_form(facts, [*found, *resort], weigh) if resort else None
    return rewrite(facts, _plainest(found)) if best is None else best


def _choose_form(facts: Facts, found: list[Options], weigh: Weigh) -> Rewritten | None:
    combinations = prod(len(each) for each in found)
    if combinations == 1:
        only = rewrite(facts, _plainest(found))
        return only if weigh(only) is not None else None
    most = designs_tried(facts)
    return _every(facts, found, weigh) if combinations <= most else _climb(facts, found, weigh, most)


def designs_tried(facts: Facts) -> int:
    """A number of designs, never a time: the same spec is treated alike everywhere."""
    patterns = max(USUAL, len(facts.spec.patterns))
    return min(MOST_COMBINATIONS, max(LEAST_COMBINATIONS, MOST_COMBINATIONS * USUAL // patterns))


def _plainest(found: Iterable[Options]) -> list[Rewrite]:
    return [each for decision in found for each in decision[0]]


def _every(facts: Facts, found: list[Options], weigh: Weigh) -> Rewritten | None:
    best: tuple[Weight, Rewritten] | None = None
    for options in product(*found):
        best = _better(facts, options, weigh, best)
    return None if best is None else best[1]


def _better(
    facts: Facts, options: Iterable[Option], weigh: Weigh, best: tuple[Weight, Rewritten] | None
) -> tuple[Weight, Rewritten] | None:
    """The combination, if it can be and beats what is best so far. On a tie the earlier, plainer one stays."""
    rewrites = [each for option in options for each in option]
    if not go_together(rewrites):
        return best
    form = rewrite(facts, rewrites)
    weight = weigh(form)
    return (weight, form) if weight is not None and (best is None or weight < best[0]) else best


def _climb(facts: Facts, found: list[Options], weigh: Weigh, most: int) -> Rewritten | None:
    """Every single change is tried, and those that gain are made together, the best of them first; and again."""
    at = [0] * len(found)
    best = _better(facts, _here(found, at), weigh, None)
    left = most - 1
    while left > 0:
        before, gains = best, list[tuple[Weight, int, int]]()
        for place, option in _alternatives(found, at)[:left]:
            gained = _better(facts, _here(found, _changed(at, place, option)), weigh, before)
            left -= 1
            if gained is not None and gained is not before:
                gains.append((gained[0], place, option))
        for _, place, option in sorted(gains):
            tried = _changed(at, place, option)
            gained = _better(facts, _here(found, tried), weigh, best)
            left -= 1
            if gained is not best:
                at, best = tried, gained
        if best is before:
            break
    return None if best is None else best[1]


def _changed(at: list[int], place: int, option: int) -> list[int]:
    return [option if index == place else now for index, now in enumerate(at)]


def _here(found: list[Options], at: list[int]) -> list[Option]:
    return [decision[index] for decision, index in zip(found, at, strict=True)]


def _alternatives(found: list[Options], at: list[int]) -> list[tuple[int, int]]:
    return [
        (place, option)
        for place, decision in enumerate(found)
        for option in range(len(decision))
        if option != at[place]
    ]
