"""A key that is too hot at peak is a broken constraint: where a design without one exists, it is taken.

Shards are applied to every design before it is judged (`design.heat.shards`), so that what is still too hot here is
helped by other keys or by nothing: the search is asked again with what is responsible forbidden. The cheapest design
that is still too hot is opened first, once for each of the choices that make it so; since nothing gets cheaper by being
forbidden, the first cool one is the cheapest of those that can be reached. A number of searches ends it, never a clock.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.assembly.solution import Solution
from tablewright.architect.avoiding import (
    NO_LOCAL_INDEX,
    Forbidden,
    key_of,
    reading_of,
    reading_without_copies,
    views_in,
)
from tablewright.architect.search.forms import Weight
from tablewright.architect.search.search import candidates_of
from tablewright.architect.solution import price_of_cooling, solve, solve_without, weight_of, with_gap_of
from tablewright.design.heat.load import least_read
from tablewright.design.heat.partition import can_shard
from tablewright.design.heat.report import HeatReport, is_too_hot, table_heat
from tablewright.design.wording import tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tablewright.architect.plans.values import Candidates
    from tablewright.architect.search.stages import Aim
    from tablewright.design.heat.findings import Finding
    from tablewright.design.heat.load import HeatTerm, PartitionHeat
    from tablewright.spec.model import Spec

MOST_SEARCHES = 12
BRANCHES = 3
"""Of one hot partition: the patterns that weigh most on it."""


class _Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A design that the search came to without what is forbidden."""

    solution: Solution
    forbidden: Forbidden
    heat: HeatReport
    weight: Weight

    @property
    def faults(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.heat.findings if is_too_hot(each))


def solve_cool(
    given: str | Path | Mapping[str, Any] | Spec,
    *,
    aim: Aim | None = None,
    max_gsis: int | None = None,
    tell_rules: bool = False,
) -> Solution:
    """The best design in which nothing is too hot; where there is none, the best of those with the fewest hot keys."""
    found = solve(given, aim=aim, max_gsis=max_gsis, tell_rules=tell_rules)
    wanted: Aim = aim or ("cost" if found.facts.has_rates else "gsis")
    first = _attempt(found, frozenset(), wanted)
    if not first.faults:
        return found
    tried = _search_again(first, wanted, max_gsis)
    best = min(tried, key=lambda each: (len(each.faults), each.weight))
    return msgspec.structs.replace(with_gap_of(found, best.solution), remarks=_remarks(first, best, len(tried) - 1))


def _search_again(first: _Attempt, aim: Aim, max_gsis: int | None) -> list[_Attempt]:
    """Every design that was found on the way, the first one included."""
    candidates = candidates_of(first.solution.facts)
    order = count()
    open_ = [(first.weight, next(order), first)]
    tried, seen = [first], {first.forbidden}
    searches = 0
    while open_ and searches < MOST_SEARCHES:
        _, _, now = heappop(open_)
        if not now.faults:
            break
        for way in _ways_out(now, candidates):
            forbidden = now.forbidden | way
            if forbidden in seen or searches == MOST_SEARCHES:
                continue
            seen.add(forbidden)
            searches += 1
            found = solve_without(first.solution, forbidden, aim=aim, max_gsis=max_gsis)
            if found is not None:
                tried.append(_attempt(found, forbidden, aim))
                heappush(open_, (tried[-1].weight, next(order), tried[-1]))
    return tried


def _attempt(solution: Solution, forbidden: Forbidden, aim: Aim) -> _Attempt:
    layout = solution.layout
    return _Attempt(solution=solution, forbidden=forbidden, heat=table_heat(layout), weight=weight_of(layout, aim))


# ---- who is responsible ---------------------------------------------------------------------------------------------


def _ways_out(now: _Attempt, candidates: Candidates) -> Iterator[Forbidden]:
    if any(view.lsi is not None for view in now.solution.names.keys):
        yield NO_LOCAL_INDEX
    for heat in now.heat.partitions:
        if heat.verdict == "hot":
            yield from _ways_out_of(now.solution, heat, candidates)


def _ways_out_of(solution: Solution, heat: PartitionHeat, candidates: Candidates) -> Iterator[Forbidden]:
    """Another key for what is written there, another place to read from; what no key helps is read from copies."""
    kind = "write" if heat.write_headroom <= heat.read_headroom else "read"
    terms = sorted((each for each in heat.terms if each.kind == kind), key=lambda each: -each.units_per_second)
    for term in terms[:BRANCHES]:
        if kind == "read":
            is_asked = term.pattern in solution.layout.reads  # and not what a write reads first
            if is_asked and least_read(solution.layout, term) <= term.limit:
                yield reading_of(solution, candidates, term.pattern)
            elif is_asked and any(each.shape.copies for each in candidates.plans.get(term.pattern, ())):
                yield reading_without_copies(solution, candidates, term.pattern)
        else:
            yield from _other_keys(solution, heat, term, candidates)


def _other_keys(solution: Solution, heat: PartitionHeat, term: HeatTerm, candidates: Candidates) -> Iterator[Forbidden]:
    for view in views_in(solution, heat):
        if view.entity == term.entity and can_shard(solution.facts, view.shape):
            yield key_of(candidates, view)


# ---- in words -------------------------------------------------------------------------------------------------------


def _remarks(first: _Attempt, best: _Attempt, others: int) -> tuple[str, ...]:
    if best is not first:
        return (price_of_cooling(first.solution, best.solution), *_remaining(best, others))
    return (*first.solution.remarks, *_remaining(first, others))


def _remaining(best: _Attempt, others: int) -> Iterator[str]:
    if best.faults:
        tried = f"{tally(others, 'other design')} tried" if others else "no key helps"
        yield f"No design was found without what is too hot at peak ({tried}): {best.faults[0].what}."
