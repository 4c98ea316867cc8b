"""Solving again: with something forbidden, left out or said otherwise, and what a solution comes to in numbers.

A large spec gets fewer second solutions, by its size and never by a clock, so that two machines say the same. What is
left out for that is said (`capped`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.architect.assembly.solution import Solution, name_choice
from tablewright.architect.plans.forms import form_options
from tablewright.architect.plans.registry import PLACE_OF
from tablewright.architect.plans.second_item import SECOND_ITEM
from tablewright.architect.plans.values import Candidates, Choice, CollectionPlan, ReadPlan
from tablewright.architect.search.forms import designs_tried
from tablewright.architect.search.search import candidates_of, try_search
from tablewright.architect.search.stages import Aim
from tablewright.architect.solution import more_than_ids
from tablewright.design.advice import Difference
from tablewright.design.cost.prices import SECONDS_PER_MONTH, Prices, prices_of
from tablewright.design.cost.report import month_of
from tablewright.design.cost.storage import stored
from tablewright.design.cost.units.effects import effects_of, in_transaction
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.cost.units.volumes import Volumes, estimate
from tablewright.design.cost.units.writing import estimated_line
from tablewright.design.heat.load import heat_terms, partition_heats
from tablewright.design.serving.writes import failure_share
from tablewright.spec.model import Spec

if TYPE_CHECKING:
    from collections.abc import Collection

    from tablewright.architect.plans.values import PlacedShapes, Variable
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts


class PricedSolution(msgspec.Struct, frozen=True, kw_only=True):
    """A solution and what it comes to."""

    solution: Solution
    usd_per_month: float
    gsis: int
    copies: int
    requests: float  # of one run of every pattern, added up
    hottest: float  # share of what one partition serves, at peak
    predictions: Mapping[str, Prediction]

    @property
    def choice(self) -> Choice:
        return self.solution.choice

    @property
    def requests_per_pattern(self) -> float:
        return self.requests / max(1, len(self.predictions))


Settle: TypeAlias = Callable[[Spec, Aim | None], Sequence[Solution]]
"""From a spec, for an aim (left out: the one that was asked for), to what `design` makes of it, one for each table."""


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """What all second solutions start from: the chosen one, what was asked for, and the candidates to choose from."""

    now: PricedSolution
    aim: Aim
    max_gsis: int
    candidates: Candidates
    allowed: int  # second solutions of each part of the explanation
    given_aim: Aim | None = None  # as it was asked for; left out, it follows from the spec
    given_gsis: int | None = None
    settle: Settle | None = None

    @property
    def designs(self) -> int:
        """Whole designs of each part of the explanation."""
        return designs_allowed(self.solution)

    @property
    def solution(self) -> Solution:
        return self.now.solution

    @property
    def facts(self) -> Facts:
        """Of the spec as it is stored."""
        return self.now.solution.facts


SPARE_GSIS = 2
EFFORT = 6_000
FEWEST, MOST = 3, 40
"""Second solutions of each part of the explanation: as many as this effort allows, within bounds."""

DESIGNING = 6_000
FEWEST_DESIGNS = 2
"""Whole designs, each of which weighs forms of all patterns: as many of each part as this effort allows."""


NOTHING: Variable = ("nothing",)
"""Where something is forbidden, a search that fails does not look for the patterns that are to blame."""


def ground(
    solution: Solution, *, aim: Aim | None = None, max_gsis: int | None = None, settle: Settle | None = None
) -> Baseline:
    facts = solution.facts
    candidates = candidates_of(facts)
    return Baseline(
        now=outcome(solution),
        aim=aim or ("cost" if facts.has_rates else "gsis"),
        max_gsis=facts.spec.constraints.max_gsis if max_gsis is None else max_gsis,
        candidates=candidates,
        allowed=max(FEWEST, min(MOST, EFFORT // _variables(candidates, len(solution.choice.slots) + SPARE_GSIS))),
        given_aim=aim,
        given_gsis=max_gsis,
        settle=settle,
    )


def _variables(candidates: Candidates, slots: int) -> int:
    """About how many a program for so many slots has: the time of a solution goes with it."""
    shapes = sum(len(found.base) + slots * len(found.index) for found in candidates.shapes.values())
    plans = sum(map(len, candidates.plans.values()))
    collections = [each for found in candidates.collections.values() for each in found]
    return max(1, shapes + plans + sum(slots if each.place == "index" else 1 for each in collections))


# ---- again ----------------------------------------------------------------------------------------------------------


def again(
    start: Baseline, *, forbid: Collection[Variable] = (), max_gsis: int | None = None, aim: Aim | None = None
) -> PricedSolution | None:
    """The best design under one more condition; None when there is none."""
    if hopeless(start.candidates, frozenset(forbid)):
        return None
    most = start.max_gsis if max_gsis is None else max_gsis
    unwanted = [*forbid, *more_than_ids(start.solution.rewritten, start.candidates)]
    choice = None
    for gsis in near(start, most, aim or start.aim):
        choice = choice or try_search(
            start.facts, aim=aim or start.aim, max_gsis=gsis, forbid=unwanted, candidates=start.candidates
        )
    return None if choice is None else outcome(name_choice(start.solution.rewritten, start.facts, choice))


def designs_allowed(solution: Solution) -> int:
    return max(FEWEST_DESIGNS, DESIGNING // (forms_of(solution) * len(solution.origin.patterns)))


def forms_of(solution: Solution) -> int:
    """How many forms of the spec are weighed for every single design."""
    return min(designs_tried(solution.asked), prod(len(each) for each in form_options(solution.asked)))


def near(start: Baseline, most: int, aim: Aim) -> tuple[int, ...]:
    """Numbers of GSIs to try: a next best design is near by, and many slots make a slow search."""
    few = min(most, start.now.gsis + (1 if aim == "gsis" else SPARE_GSIS))
    return (few, most) if few < most else (most,)


def hopeless(candidates: Candidates, forbid: frozenset[Variable]) -> bool:
    """Whether something cannot be without what is forbidden, as can be seen without a solver."""
    if not forbid:
        return False
    if any(all(("base", shape) in forbid for shape in found.base) for found in candidates.shapes.values()):
        return True
    if any(all(_gone(plan, forbid) for plan in plans) for plans in candidates.plans.values()):
        return True
    return any(all(_scattered(candidates, each, forbid) for each in found) for found in candidates.collections.values())


def _gone(plan: ReadPlan, forbid: frozenset[Variable]) -> bool:
    return {
        ("plan", plan.pattern, plan.place, plan.shape),
        (PLACE_OF[plan.place].variable, plan.shape),
    } & forbid != set()


def _scattered(candidates: Candidates, collection: CollectionPlan, forbid: frozenset[Variable]) -> bool:
    """Whether one of the entities has no shape left to be read together; in the table a second item will do."""
    place = PLACE_OF[collection.place]

    def lost(shape: Shape) -> bool:
        second = place.is_item and shape in SECOND_ITEM.shapes(candidates, shape.entity)
        return (place.variable, shape) in forbid and (not second or (SECOND_ITEM.variable, shape) in forbid)

    return any(all(map(lost, shapes)) for shapes in collection.parts.values())


def elsewhere(start: Baseline, facts: Facts, *, prefer: PlacedShapes | None = None) -> PricedSolution | None:
    """The best design for other facts, for the same aim."""
    candidates = candidates_of(facts, prefer)
    unwanted = more_than_ids(start.solution.rewritten, candidates)
    choice = None
    for gsis in near(start, start.max_gsis, start.aim):
        choice = choice or try_search(
            facts, aim=start.aim, max_gsis=gsis, forbid=unwanted, prefer=prefer, candidates=candidates
        )
    return None if choice is None else outcome(name_choice(start.solution.rewritten, facts, choice))


def difference(before: PricedSolution, after: PricedSolution | None) -> Difference:
    """More is worse."""
    if after is None:
        return Difference(possible=False)
    return Difference(
        usd_per_month=after.usd_per_month - before.usd_per_month,
        gsis=after.gsis - before.gsis,
        copies=after.copies - before.copies,
        requests=after.requests - before.requests,
    )


# ---- in numbers -----------------------------------------------------------------------------------------------------


def outcome(solution: Solution) -> PricedSolution:
    volumes, prices = estimate(solution.layout), prices_of(solution.spec)
    month = month_of(solution.layout, prices, volumes, free_tier=False)
    heats = partition_heats(solution.layout, heat_terms(solution.layout, volumes))
    return PricedSolution(
        solution=solution,
        usd_per_month=month.modes[0].usd_per_month,
        gsis=len(solution.choice.slots),
        copies=sum(len(shapes) for shapes in solution.choice.second_items.values()),
        requests=sum(each.requests for each in month.predictions),
        hottest=max((1.0 - min(each.read_headroom, each.write_headroom) for each in heats), default=0.0),
        predictions={each.pattern: each for each in month.predictions},
    )


def entry_costs(solution: Solution, volumes: Volumes, prices: Prices) -> Mapping[str, float]:
    """By entry (`table/Order`, `gsi1/Order`): what its writes and its storage cost a month."""
    found = {each.entry: each.gb * prices.storage_gb_month for each in stored(volumes)}
    for pattern in solution.facts.writes:
        runs = solution.facts.rates[pattern.id].avg * SECONDS_PER_MONTH
        effects = effects_of(solution.facts, volumes.entries, pattern)
        together = in_transaction(pattern, effects)
        for effect in effects:
            units = estimated_line(effect, failure_share(solution.facts, pattern), transactional=together).wcu
            found[effect.entry.name] += runs * units * prices.write_per_million / 1e6
    return found


def read_usd(start: PricedSolution, pattern: str, prices: Prices) -> float:
    """What the reads of a pattern cost a month; of a write: finding its key."""
    rate = start.solution.facts.rates[pattern].avg
    return rate * SECONDS_PER_MONTH * start.predictions[pattern].rcu * prices.read_per_million / 1e6
