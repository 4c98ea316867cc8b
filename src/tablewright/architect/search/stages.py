"""What a design is best at, in stages: each is minimised, and held while the next decides among what is left.

The last stages leave no choice: selective partition keys, few requests and short keys first, then a number that every
candidate has of its own, then the lowest slots. So the design does not depend on the order of the spec, on what things
are called, nor on the path the solver happened to take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, log10
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from zlib import crc32

import msgspec

from tablewright.architect.plans.collection import slots_of, variable_of
from tablewright.architect.plans.likeness import Likeness, likeness_of
from tablewright.architect.plans.local_index import LOCAL_INDEX
from tablewright.architect.plans.projection import entry_of
from tablewright.architect.plans.registry import PLACE_OF, PLACES, SHARED
from tablewright.architect.plans.values import Choice, Variable
from tablewright.architect.search.pieces import best_by_parts
from tablewright.architect.search.program import Optimum
from tablewright.architect.search.slots import OWN_NUMBERS, TIE_NODES, in_low_slots, slotless
from tablewright.design.serving.shapes import Shape
from tablewright.spec.volumes import distinct, item_bytes
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from tablewright.architect.plans.values import CollectionPlan, ReadPlan
    from tablewright.architect.search.model import Model
    from tablewright.spec.facts import Facts

Aim: TypeAlias = Literal["cost", "gsis", "latency"]
Costs: TypeAlias = Mapping[Variable, float]
MICRO = 1_000_000
MOST_TIES = 2_000
"""Variables that are still open: beyond it numbers of their own take minutes, and the order of candidates decides."""

# ---- aims ----------------------------------------------------------------------------------------------------------


def money(model: Model) -> Costs:
    """The bill of a month at least, with what rules are worth: in grains, for less tells no two designs apart.

    What smaller entries save is counted together with the entries: by itself a saving of next to nothing would be a
    whole grain, and an index that nobody needs would pay.
    """
    whole = {name: model.costs.get(name, 0) + model.rules.get(name, 0) for name in (*model.costs, *model.rules)}
    found = {name: value // model.grain for name, value in whole.items()}
    for name in found:
        entry = entry_of(name)
        if entry is not None:
            full = whole.get(entry, 0)
            found[name] = (full + whole[name]) // model.grain - full // model.grain
    return {name: float(value) for name, value in found.items() if value}


def _indexes(model: Model) -> Costs:
    return {("used", slot): 1.0 for slot in range(model.slots)}


def _waiting(model: Model) -> Costs:
    """Requests that have to wait for another, in millionths a second."""
    return {name: float(cost) for name, cost in _waits(model) if cost}


def _waits(model: Model) -> Iterator[tuple[Variable, int]]:
    facts = model.facts
    for id_, named in model.plans.items():
        for name, plan in named.items():
            yield name, _micro_rate(facts, id_) * (_requests(facts, plan) - 1)
    for locate in model.locates:
        for plan in locate.plans:
            rate = _micro_rate(facts, locate.write)
            yield locate.variable(plan), rate * _requests(facts, plan)
    for id_, collections in model.candidates.collections.items():
        for collection in collections:
            waited = _micro_rate(facts, id_) * (_requests_together(facts, collection) - 1)
            for slot in slots_of(collection, model.slots):
                yield variable_of(collection, slot), waited


def _micro_rate(facts: Facts, pattern: str) -> int:
    return round(facts.rates[pattern].avg * MICRO)


def _requests(facts: Facts, plan: ReadPlan) -> int:
    """One after the other: pages of a partition, buckets of a walk, a second request that goes on with the list, and
    then the items themselves where an index has keys only.
    """
    size = plan.read_items * item_bytes(facts, plan.shape.entity)
    pages = 1 if plan.serving.is_get else ceil(size / plan.asked / MAX_PAGE_BYTES)
    walked = ceil(plan.serving.buckets) if plan.serving.walks else 1
    return max(1, pages) * walked + len(plan.serving.shares) - 1 + plan.fetches


def _requests_together(facts: Facts, collection: CollectionPlan) -> int:
    parts = {name: next(iter(found.values())) for name, found in collection.parts.items()}
    size = sum(serving.read_items * item_bytes(facts, name) for name, serving in parts.items())
    return max(1, ceil(size / MAX_PAGE_BYTES))


STAGES: Mapping[Aim, tuple[Callable[[Model], Costs], ...]] = {
    "cost": (money, _indexes),
    "gsis": (_indexes, money),
    "latency": (_waiting, money, _indexes),
}

# ---- ties ----------------------------------------------------------------------------------------------------------


def preferred(model: Model) -> Costs:
    """Selective partition keys, then few requests, then the id itself, then short keys; and the table before an index
    that lags, and the item itself before a copy of it.
    """
    found: dict[Variable, float] = {}
    for name in model.program.columns:
        if name[0] in SHAPED:
            shape: Shape = name[1]
            short = len(shape.attributes) - bool(shape.when) + (name[0] == LOCAL_INDEX.variable)
            guessed = GUESSED * (not _tells_apart(model.facts, shape))
            found[name] = SELECTIVE * _crowding(model.facts, shape) + guessed + 1.0 + short
    going_on = {each.id for each in model.facts.spec.patterns if each.cascade_of}
    for name, plan in _plans(model):
        lags = not PLACE_OF[plan.place].is_item
        again = lags and plan.pattern in going_on  # a delete that goes on by an index looks a second time
        waits = min(MOST_REQUESTS, _requests(model.facts, plan) - 1 + again)
        found[name] = REQUEST * waits + (BESIDE if lags or plan.shape.copies else 0.0)
    for collections in model.candidates.collections.values():
        for each in collections:
            for slot in slots_of(each, model.slots):
                waits = min(MOST_REQUESTS, _requests_together(model.facts, each) - 1)
                found[variable_of(each, slot)] = REQUEST * waits + (0.0 if slot is None else BESIDE)
    return {name: value for name, value in found.items() if value}


SELECTIVE, REQUEST, GUESSED, BESIDE = 2.0**18, 2.0**10, 2.0**6, 1.0
MOST_REQUESTS = 200
SHAPED = tuple(place.variable for place in PLACES)
MOST_DIGITS = 12


def _crowding(facts: Facts, shape: Shape) -> int:
    """How far a partition key is from telling all items apart: in powers of ten, none where one partition has few."""
    count = max(1.0, facts.counts[shape.entity])
    keys = distinct(facts, shape.entity, shape.partition) if shape.partition else 1.0
    return min(MOST_DIGITS, max(0, round(log10(count / max(1.0, keys)))))


def _tells_apart(facts: Facts, shape: Shape) -> bool:
    """Whether a partition has one item for certain: that the end of an id is rarely the same twice is but a guess."""
    entity = facts.spec.entities[shape.entity]
    return any(set(names) <= set(shape.partition) for names in (entity.id, *entity.unique))


def _plans(model: Model) -> Iterator[tuple[Variable, ReadPlan]]:
    for named in model.plans.values():
        yield from named.items()
    for locate in model.locates:
        yield from ((locate.variable(plan), plan) for plan in locate.plans)


def ties(model: Model) -> Costs:
    """The lowest sum of numbers that candidates have of their own, whatever they are called."""
    known = likeness_of(model.facts.spec)
    return {
        name: float(1 + crc32(repr(_nameless(slotless(name), known)).encode()) % OWN_NUMBERS)
        for name in model.program.columns
        if name[0] not in SHARED
    }


def _nameless(part: Any, known: Likeness) -> Any:
    """A variable's name with numbers for all that is called something."""
    if isinstance(part, Shape):
        names = (part.partition, part.lead, part.rest, part.bucket.partition(":")[0], part.when)
        return known.entities.get(part.entity, 0), _nameless(names, known), part.bucket.partition(":")[2]
    if isinstance(part, tuple):
        return tuple(_nameless(each, known) for each in part)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(part, str):
        return known.attributes.get(part) or known.patterns.get(part) or known.entities.get(part) or part
    return part


# ---- solving -------------------------------------------------------------------------------------------------------


class BestChoice(msgspec.Struct, frozen=True):
    """The best design, and how good it is at what counts before the number of indexes."""

    choice: Choice
    values: tuple[float, ...]
    point: Optimum


def best(
    model: Model,
    aim: Aim,
    *,
    first: Costs | None = None,
    nodes: int | None = None,
    settled: bool = True,
    known: BestChoice | None = None,
) -> BestChoice | None:
    """The best design for an aim, with `first` before all else; None when nothing serves all patterns.

    Where it need not be `settled`, any of those that cost the least will do. `known` is such a one, of the same model.
    """
    before = _stages_before_indexes(model, aim, first)
    behind = [stage(model) for stage in STAGES[aim][STAGES[aim].index(_indexes) :]]
    least = before or behind[:1]
    if not settled:
        point = run_stages(model, least, nodes)
    else:
        reached = [known.point] * len(least) if known else []
        point = run_stages(model, [*before, *behind], nodes, reached)
    if point is None:
        return None
    if settled:
        point = Optimum(_without_ties(model, point.chosen), point.gap)
    return _best_choice(model, before, point)


def _best_choice(model: Model, before: list[Costs], point: Optimum) -> BestChoice:
    choice = msgspec.structs.replace(model.choice(point.chosen), gap=point.gap)
    return BestChoice(choice, tuple(model.program.value(costs, point.chosen) for costs in before), point)


def settle(model: Model, chosen: frozenset[Variable]) -> Choice:
    """Of all designs that cost as much as a point and have as many indexes, the one everybody arrives at."""
    for costs in (money(model), _indexes(model)):
        model.program.fix(costs, model.program.value(costs, chosen))
    _leave_unused(model, chosen)
    return model.choice(_without_ties(model, chosen))


def _without_ties(model: Model, chosen: frozenset[Variable]) -> frozenset[Variable]:
    """Of all designs that are as good, the one everybody arrives at: as far as that can be told in a few nodes."""
    program, own = model.program, ties(model)
    for costs in (preferred(model), own) if program.open_columns <= MOST_TIES else (preferred(model),):
        picked = program.minimise_parts(costs, start=chosen, nodes=TIE_NODES)
        found = None if picked is None else in_low_slots(program.copy(), picked, own)
        is_best = found is not None
        if found is None:  # the choices of the parts do not fit into the same indexes
            first = program.minimise(costs, start=chosen, nodes=TIE_NODES)
            assert first is not None
            found = first.chosen
        chosen = found
        program.fix(costs, program.value(costs, chosen), best_parts=chosen if is_best else ())
    return in_low_slots(program.copy(), chosen, own, chosen) or chosen


def _stages_before_indexes(model: Model, aim: Aim, first: Costs | None) -> list[Costs]:
    stages = STAGES[aim][: STAGES[aim].index(_indexes)]
    return [*([first] if first else []), *(stage(model) for stage in stages)]


def run_stages(
    model: Model, stages: list[Costs], nodes: int | None = None, known: Sequence[Optimum] = ()
) -> Optimum | None:
    """The point after all stages, and the largest of their gaps; the best points of the first may be `known`.

    A gap in the number of indexes counts only where indexes come first: elsewhere they cost nothing of their own.
    """
    program, indexes = model.program, _indexes(model)
    found = Optimum(frozenset())
    for at, costs in enumerate(stages, 1):
        point = known[at - 1] if at <= len(known) else None
        if point is None and at == 1 and nodes is None:
            point = best_by_parts(program, costs)
        point = point or program.minimise(costs, start=found.chosen, nodes=nodes)
        if point is None:
            return None
        is_aim = at == 1 or costs != indexes
        found = Optimum(point.chosen, max(found.gap, point.gap) if is_aim else found.gap)
        if at == len(stages) == 1:  # nothing follows
            return found
        program.fix(costs, program.value(costs, found.chosen))
        if costs == indexes:
            _leave_unused(model, found.chosen)
    return found


def _leave_unused(model: Model, chosen: frozenset[Variable]) -> None:
    """Slots are used from the first, so that behind the last there is nothing to choose."""
    count = sum(name[0] == "used" for name in chosen)
    model.program.settle([("used", slot) for slot in range(count, model.slots)], 0)
