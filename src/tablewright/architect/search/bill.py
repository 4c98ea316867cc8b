"""The bill as the program sees it: a sum over its variables that is never more than the bill of the same design.

Plans bring what they cost by themselves. What depends on several of them is added here:

    size[e, t]       items of an entity are larger than t bytes, because of the keys that were chosen for it
    read[p, e, t]    the same for a pattern that may do without whole items
    beside[p, e, s]  a pattern reads items of another entity as well, because another pattern has them in its partitions
    sees[w, e]       a write has to see the item first, because of some key that was chosen
    joins[w]         a write becomes a transaction, because of a second item

The constant is what every design costs. With it a sum can be compared with a bill in dollars, and where no sum is left
below the best bill that is known, no design is.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, log2
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.architect.plans.collection import slots_of, variable_of
from tablewright.architect.plans.pointer import moved_attributes
from tablewright.architect.plans.prices import (
    effect_wcu,
    place_in_index,
    place_in_table,
    storage_cost,
)
from tablewright.architect.plans.reading import query_units
from tablewright.architect.plans.sizes import (
    bare_bytes,
    index_key_bytes,
    least_item_bytes,
    least_key_bytes,
    table_key_bytes,
)
from tablewright.architect.search.model import Model
from tablewright.design.cost.prices import SECONDS_PER_MONTH
from tablewright.design.cost.units.effects import Effect, effects_of
from tablewright.design.cost.units.entries import table_entry
from tablewright.design.cost.units.following import followed_rcu, followed_wcu
from tablewright.design.serving.writes import needed
from tablewright.spec.volumes import matching
from tablewright.spec.writes import effect_on
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import READ_UNIT_BYTES, WRITE_UNIT_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.architect.plans.values import Candidates, CollectionPlan, ReadPlan, Variable
    from tablewright.design.cost.prices import Prices
    from tablewright.spec.model import PatternSpec

MOST_STEPS = 12
"""Of size, for an entity in as many indexes as is usual."""
USUAL_INDEXES = 3
MOST_JUMPS = 12
"""Sizes at which a read costs more, to be told apart; more of them are told by the steps well enough."""
LEAST_STEP_BYTES = 8
GRAIN = 2e-5
"""Of what every design costs: less than that, at most, does not tell two designs apart."""
ADDED = ("size", "read", "beside", "sees", "joins")
"""Kinds of variables that are made here."""
STEP_GRAINS = 10
"""What a step of size must add to be told from the one before."""


def billed_model(candidates: Candidates, prices: Prices, slots: int) -> Model:
    """The program whose sums can be compared with bills."""
    model = Model(candidates, prices, slots)
    _add_bill(model)
    return model


def _add_bill(model: Model) -> None:
    facts = model.facts
    model.effects = _effects(model)
    model.constant = sum(_items_cost(model, name, least_item_bytes(facts, name)) for name in facts.spec.entities)
    model.constant += _followed_cost(model)
    least = model.constant + sum(_least_read(model, id_) for id_ in facts.rates if facts.rates[id_].avg)
    model.grain = _power_of_two(GRAIN * least)
    for entity, spec in facts.spec.entities.items():
        if spec.size_bytes is None:
            _add_sizes(model, entity, model.grain * STEP_GRAINS)
    _add_strangers(model)
    for write in facts.writes:
        for entity in write.entities:
            _add_look(model, write, entity)
        _add_transaction(model, write)


def _followed_cost(model: Model) -> float:
    """What follows the stream does at least so much in every design of a form: longer keys make its items larger."""
    facts = model.facts
    spec = facts.spec.entities
    sizes = {name: 1 if each.top is None else least_item_bytes(facts, name) for name, each in spec.items()}
    entries = [table_entry(facts, name, size) for name, size in sizes.items()]
    written = sum(_month(model, each.id) * followed_wcu(facts, entries, each) for each in facts.writes)
    read = sum(_month(model, each.id) * followed_rcu(facts, entries, each) for each in facts.writes)
    return written * model.prices.write_per_million + read * model.prices.read_per_million


def _power_of_two(value: float) -> float:
    """The next below: forms of a spec cost about the same, and what is alike in them has the same numbers then."""
    return 2.0 ** floor(log2(max(1.0, value)))


def _least_read(model: Model, pattern: str) -> float:
    plans = model.candidates.plans.get(pattern, ())
    together = model.candidates.collections.get(pattern, ())
    found = [*(each.units for each in plans), *(each.units for each in together)]
    units = min(found, default=0.0)
    return _month(model, pattern) * units * model.prices.read_per_million


def _month(model: Model, pattern: str) -> float:
    return model.facts.rates[pattern].avg * SECONDS_PER_MONTH


# ---- items ----------------------------------------------------------------------------------------------------------


def _effects(model: Model) -> dict[str, list[tuple[str, Effect]]]:
    """By entity: what writes do to its items in the table."""
    facts = model.facts
    entries = [table_entry(facts, name, 0) for name in facts.spec.entities]
    found: dict[str, list[tuple[str, Effect]]] = {name: [] for name in facts.spec.entities}
    for write in facts.writes:
        for effect in effects_of(facts, entries, write):
            found[effect.entry.entity].append((write.id, effect))
    return found


def _items_cost(model: Model, entity: str, size: float) -> float:
    """What the items of an entity cost in the table to write and to store, where they have this size."""
    entry = table_entry(model.facts, entity, size)
    units = sum(
        _month(model, write)
        * effect_wcu(msgspec.structs.replace(effect, entry=entry), transactional=model.transactions[write])
        for write, effect in model.effects[entity]
    )
    return units * model.prices.write_per_million + storage_cost(model.facts, model.prices, entry)


def _add_sizes(model: Model, entity: str, material: float) -> None:
    facts = model.facts
    shapes = model.candidates.shapes[entity]
    least = least_key_bytes(facts, entity)
    grown: dict[Variable, float] = {("base", each): table_key_bytes(facts, each) - least for each in shapes.base}
    index = {each: index_key_bytes(facts, each) for each in shapes.index}
    grown |= {("gsi", each, slot): size for each, size in index.items() for slot in range(model.slots)}
    longest, entry = max(grown[name] for name in grown if name[0] == "base"), max(index.values(), default=0.0)
    start = float(bare_bytes(facts, entity) + least)
    readers = _readers(model, entity)
    width = max(LEAST_STEP_BYTES, ceil((longest + min(USUAL_INDEXES, readers) * entry) / MOST_STEPS))
    steps = _steps_of(model, entity, start, longest + readers * entry, width, material)
    sizes = list(steps)
    for before, size in pairwise([None, *sizes]):
        assert size is not None
        name = model.variable(("size", entity, size), int(steps[size].pop("", 0.0)))
        if before is not None:
            model.row({("size", entity, before): 1, name: -1}, lower=0)
        _add_reads(model, entity, size, steps[size])
    if not sizes:
        return
    ends = [*sizes[1:], max(sizes[-1], start + longest + model.slots * entry)]
    wide = {("size", entity, size): size - end - 1 for size, end in zip(sizes, ends, strict=True)}
    model.row({**grown, **wide}, upper=sizes[0] - start)


def _readers(model: Model, entity: str) -> int:
    """How many indexes may be of use to an entity: the same for any number of slots, whose sums can be compared."""
    reads = sum(entity in each.entities for each in model.facts.spec.reads)
    return reads + sum(each.entity == entity for each in model.locates)


def _add_reads(model: Model, entity: str, size: float, costs: Mapping[str, float]) -> None:
    """Patterns that may read smaller entries or second items pay only if they do not."""
    for pattern, cost in costs.items():
        name = model.variable(("read", pattern, entity, size), int(cost))
        spared = dict.fromkeys(_sparing(model, pattern), 1.0)
        model.row({name: 1, ("size", entity, size): -1, **spared}, lower=0)


def _steps_of(
    model: Model, entity: str, start: float, room: float, width: int, material: float
) -> dict[float, dict[str, float]]:
    """By size: what it costs beyond the step before, by pattern, and as "" what whole items cost all the same."""
    found: dict[float, dict[str, float]] = {}
    before = _costs_at(model, entity, start, start)
    even = {start + number * width for number in range(1, int(room // width) + 1)}
    full = {size for size in _jumps(model, entity, start, room) if start < size <= start + room}
    for size in sorted(even | full):
        now = _costs_at(model, entity, size, start)
        more = {name: now[name] - before[name] for name in now if now[name] > before[name]}
        if sum(more.values()) >= material:
            found[size], before = more, now
    return found


def _jumps(model: Model, entity: str, start: float, room: float) -> Iterator[float]:
    """Where a write costs one unit more, or a read that costs one more at few sizes."""
    lengths = {(1.0, WRITE_UNIT_BYTES)}
    for id_, plans in model.candidates.plans.items():
        if model.pattern(id_).entity == entity:
            lengths |= {
                (plan.read_items * share / plan.asked, READ_UNIT_BYTES)
                for plan in plans
                for share in plan.serving.shares
            }
    for items, unit in lengths:
        first, last = (int(items * size // unit) for size in (start, start + room))
        if last - first <= MOST_JUMPS:
            yield from (float(count * unit // items + 1) for count in range(max(1, first), last + 1))


def _costs_at(model: Model, entity: str, size: float, start: float) -> dict[str, float]:
    costs = {"": _items_cost(model, entity, size)}
    for id_, plans in model.candidates.plans.items():
        pattern = model.pattern(id_)
        if pattern.entity == entity and plans:
            whole = {_reading(each) for each in plans if each.place != "copy"}
            grown = min((_grown(pattern, each, size, start) for each in whole), default=0.0)
            cost = _month(model, id_) * grown * model.prices.read_per_million
            key = id_ if _sparing(model, id_) else ""
            costs[key] = costs.get(key, 0.0) + cost
    for id_, together in model.candidates.collections.items():
        if entity in model.pattern(id_).entities and together:
            grown = min(_grown_together(model, each, entity, size, start) for each in together)
            costs[""] += _month(model, id_) * grown * model.prices.read_per_million
    return costs


def _sparing(model: Model, pattern: str) -> list[Variable]:
    """The plans of a pattern that read no whole items with all their keys."""
    found = model.plans.get(pattern, {})
    return [name for name, plan in found.items() if plan.place == "copy" or plan.projection != "ALL"]


_Reading: TypeAlias = tuple[float, tuple[float, ...], float]


def _reading(plan: ReadPlan) -> _Reading:
    """Items that are read, by which requests, from how many partitions: all that counts when items grow."""
    return plan.read_items, plan.serving.shares, plan.asked


def _grown(pattern: PatternSpec, read: _Reading, size: float, start: float) -> float:
    """Read units beyond those of the smallest items."""
    items, shares, asked = read
    strong = pattern.consistency == "strong"
    if pattern.kind == "batch":
        return items * (read_rcu(ceil(size), consistent=strong) - read_rcu(ceil(start), consistent=strong))
    return query_units(items * size, shares, asked, consistent=strong) - query_units(
        items * start, shares, asked, consistent=strong
    )


def _grown_together(model: Model, plan: CollectionPlan, entity: str, size: float, start: float) -> float:
    """Several entities may grow into the same step: what is beyond it counts."""
    items = min(each.read_items for each in plan.parts[entity].values())
    if any(shape in model.candidates.second_items.get(entity, ()) for shape in plan.parts[entity]):
        return 0.0
    unit = (1.0 if model.pattern(plan.pattern).consistency == "strong" else 0.5) / READ_UNIT_BYTES
    others = sum(
        min(each.read_items for each in found.values()) * least_item_bytes(model.facts, name)
        for name, found in plan.parts.items()
    )
    return max(0.0, (others + items * (size - start)) * unit - plan.units)


# ---- what lies beside ----------------------------------------------------------------------------------------------


def _add_strangers(model: Model) -> None:
    """Whoever reads several entities, or several in one order, reads all that others have put into the partition."""
    for plans in model.candidates.collections.values():
        for plan in plans:
            for slot in slots_of(plan, model.slots):
                _add_beside(model, variable_of(plan, slot), plan, slot)


def _add_beside(model: Model, name: Variable, plan: CollectionPlan, slot: int | None) -> None:
    for other_id, others in model.candidates.collections.items():
        for other in others if other_id != plan.pattern else ():
            if other.signature != plan.signature or other.place != plan.place or not set(other.parts) & set(plan.parts):
                continue
            for entity in sorted(set(other.parts) - set(plan.parts)):
                cost = _read_beside(model, plan, entity)
                if cost >= 1:
                    beside = model.variable(("beside", plan.pattern, plan.signature, entity, slot), int(cost))
                    model.row({beside: 1, name: -1, variable_of(other, slot): -1}, lower=-1)


def _read_beside(model: Model, plan: CollectionPlan, entity: str) -> float:
    """Micro-dollars a month; of what shares a step with the rest nothing."""
    serving = next(each for found in plan.parts.values() for each in found.values())
    items = matching(model.facts, entity, (*plan.signature[0], *serving.equal))
    unit = (1.0 if model.pattern(plan.pattern).consistency == "strong" else 0.5) / READ_UNIT_BYTES
    own = sum(
        min(each.read_items for each in found.values()) * least_item_bytes(model.facts, name)
        for name, found in plan.parts.items()
    )
    units = (own + items * least_item_bytes(model.facts, entity)) * unit - plan.units
    return max(0.0, units) * _month(model, plan.pattern) * model.prices.read_per_million


# ---- writes ---------------------------------------------------------------------------------------------------------


def _add_look(model: Model, write: PatternSpec, entity: str) -> None:
    """A write that must see the item, if one of some keys is chosen."""
    causes = list(_causes(model, write, entity))
    if not causes or not model.facts.rates[write.id].avg:
        return
    units = _month(model, write.id) * read_rcu(least_item_bytes(model.facts, entity), consistent=True)
    name = model.variable(("sees", write.id, entity), int(units * model.prices.read_per_million))
    found = [
        each.variable(plan)
        for each in model.locates
        if (each.write, each.entity) == (write.id, entity)
        for plan in each.plans
    ]
    for cause in causes:
        model.row({name: 1, **dict.fromkeys(found, 1.0), **dict.fromkeys(cause, -1.0)}, lower=0)


def _causes(model: Model, write: PatternSpec, entity: str) -> Iterator[list[Variable]]:
    """Sets of variables: if one of a set is 1, the item must be seen."""
    facts = model.facts
    if needed(facts, write, entity, ()) or effect_on(facts, write, entity).op == "put":
        return
    composed = not facts.spec.constraints.multi_attribute_keys
    for shape in model.candidates.shapes[entity].index if composed else ():
        if needed(facts, write, entity, [place_in_index(facts, shape)]):
            yield [("gsi", shape, slot) for slot in range(model.slots)]
    for shape in model.candidates.second_items.get(entity, ()):
        if needed(facts, write, entity, [place_in_table(facts, shape)]):
            yield [("copy", shape)]


def _add_transaction(model: Model, write: PatternSpec) -> None:
    """A second item makes a transaction of what was a single write, and that counts twice."""
    copies = [shape for name in write.entities for shape in model.candidates.second_items.get(name, ())]
    if not copies or model.transactions[write.id]:
        return
    facts = model.facts
    entries = [table_entry(facts, name, least_item_bytes(facts, name)) for name in write.entities]
    units = sum(effect_wcu(each, transactional=False) for each in effects_of(facts, entries, write))
    cost = int(_month(model, write.id) * units * model.prices.write_per_million)
    name = model.variable(("joins", write.id), cost)
    moving = [
        ("base", shape)
        for entity in write.entities
        for shape in model.candidates.shapes[entity].base
        if moved_attributes(facts, shape)  # whose pointers make it one already
    ]
    for shape in copies:
        model.row({name: 1, ("copy", shape): -1, **dict.fromkeys(moving, 1.0)}, lower=0)
