"""Which rewrites to make: every combination is solved and weighed when there are few, else the best step is repeated.

With at most `MOST_COMBINATIONS` combinations (less for specs of more than `USUAL` patterns, which take longer to solve)
the choice is exact. Beyond that it starts from the plainest way of each decision, tries every single change, makes
those that gain together, the best first, and begins anew, until none gains or as many designs were tried:
deterministic, and not proven to be the best. What gained nothing is not tried again while nothing around it changed. A
spec in which nothing can be rewritten is solved once.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from tablewright.architect.plans.forms import form_options, go_together, last_resorts, rewrite
from tablewright.design.multi_table.parts import joined

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


def choose(facts: Facts, weigh: Weigh, *, thorough: bool = False, additive: int | None = None) -> Rewritten:
    """The best form of a spec; where none can be served, the plain form, so that its faults are told.

    `additive`: what is weighed adds up over entities that nothing joins, below so many indexes.
    `thorough`: what is a last resort otherwise is weighed like everything else, where there is not too much of it.
    """
    found, resort = form_options(facts), last_resorts(facts)
    every = [*found, *resort]
    if thorough and prod(len(each) for each in every) <= designs_tried(facts):
        found, resort = every, []
    best = _choose_form(facts, found, weigh, additive)
    if best is not None:
        return best
    best = _choose_form(facts, [*found, *resort], weigh, additive) if resort else None
    return rewrite(facts, _plainest(found)) if best is None else best


def _choose_form(facts: Facts, found: list[Options], weigh: Weigh, additive: int | None) -> Rewritten | None:
    combinations = prod(len(each) for each in found)
    if combinations == 1:
        only = rewrite(facts, _plainest(found))
        return only if weigh(only) is not None else None
    most = designs_tried(facts)
    return _every(facts, found, weigh) if combinations <= most else _climb(facts, found, weigh, most, additive)


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


def _climb(facts: Facts, found: list[Options], weigh: Weigh, most: int, limit: int | None) -> Rewritten | None:
    """Every single change is tried, and those that gain are made together, the best of them first; and again."""
    at, groups = [0] * len(found), _groups(facts, found)
    best = _better(facts, _here(found, at), weigh, None)
    left, fruitless = most - 1, set[_Change]()
    while left > 0:
        before, gains = best, list[tuple[Weight, int, int]]()
        is_additive = limit is not None and before is not None and before[0][-1] < limit
        for place, option in _alternatives(found, at):
            change = (place, option, _state(at, groups[place]))
            if left <= 0 or change in fruitless:
                continue
            gained = _better(facts, _here(found, _changed(at, place, option)), weigh, before)
            left -= 1
            if gained is not None and gained is not before:
                gains.append((gained[0], place, option))
            elif is_additive:
                fruitless.add(change)
        for _, place, option in sorted(gains):
            tried = _changed(at, place, option)
            change = (place, option, _state(at, groups[place]))
            gained = best if change in fruitless else _better(facts, _here(found, tried), weigh, best)
            left -= 1
            if gained is not best:
                at, best = tried, gained
            elif is_additive:
                fruitless.add(change)
        if best is before:
            break
    return None if best is None else best[1]


_Change: TypeAlias = tuple[int, int, tuple[int, ...]]
"""A decision taken otherwise, and how all decisions of its group are taken."""


def _state(at: list[int], group: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(at[place] for place in group)


def _groups(facts: Facts, found: list[Options]) -> list[tuple[int, ...]]:
    """For every decision: those about entities that have to do with its own, itself among them.

    Bills of entities that nothing joins add up, so that a change which gains nothing gains nothing as long as all
    decisions of its group stay as they are.
    """
    groups = joined(facts)
    about = [_entities_of(facts, options) for options in found]
    touched = [frozenset(at for at, group in enumerate(groups) if group & names) for names in about]
    return [tuple(place for place, other in enumerate(touched) if other & own) for own in touched]


def _entities_of(facts: Facts, options: Options) -> set[str]:
    """The entities that rewrites speak of, by their names or by those of patterns; all where that is not clear."""
    said = {name for option in options for each in option for name in (each.subject, *each.attributes)}
    words = {word for name in said for word in (name, name.partition(".")[0])}
    asked = {name for each in facts.spec.patterns if each.id in words for name in each.entities}
    named = {name for name in words if name in facts.spec.entities}
    return asked | named or set(facts.spec.entities)


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
