"""Read copies: an item several times under keys that end with a number, of which a read asks any one.

A partition serves 3,000 read units a second, and no key spreads a single item or a short list that is read as a whole.
Every write writes all copies in one transaction, so that they never differ and a strong read may ask any of them too.
They are proposed where what a key answers is read too often, as many as keep each to 70% of what it serves, and come to
be chosen where the search is asked for a design that is not too hot: see `architect.cooling`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import SearchModel, VariantPlan
from tablewright.architect.plans.reading import items_read, read_units
from tablewright.architect.plans.second_item import SECOND_ITEM, usable_attributes
from tablewright.architect.plans.values import CollectionPlan, ReadPlan
from tablewright.design.heat.arithmetic import needed
from tablewright.design.heat.partition import shards_with_headroom
from tablewright.design.serving.serving import partitions, serve
from tablewright.spec.skew import hottest_share
from tablewright.spec.writes import is_list
from tablewright.wire.limits import MAX_TRANSACTION_ACTIONS, PARTITION_RCU

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MOST_COPIES = 25
"""Every copy is written with every change; what is read still more often is a matter for a cache."""


_ALONG = 5
"""Other items that are written along with one: itself, a second item, what keeps values unique, a total."""


class _Load(msgspec.Struct, frozen=True):
    """What a pattern would put on the most used partition of a shape at peak."""

    units_per_run: float
    units_per_second: float


def read_copy_shapes(facts: Facts, entity: str, shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """Keys of copies for what is read too often by these shapes; none for most specs."""
    reads = [each for each in facts.spec.reads if each.entities == (entity,) and not each.cascade_of]
    if not _may_be_copied(facts, entity) or not any(_may_be_hot(facts, each) for each in reads):
        return ()
    usable, ids = usable_attributes(facts, entity), facts.spec.entities[entity].id
    found: set[Shape] = set()
    for shape in shapes:
        if shape.bucket or shape.when or not set(shape.attributes) <= usable:
            continue
        rest = (*shape.rest, *(name for name in ids if name not in shape.attributes))
        keyed = msgspec.structs.replace(shape, rest=rest)
        found |= {msgspec.structs.replace(keyed, copies=count) for count in _counts(facts, keyed, reads)}
    return tuple(sorted(found))


def _may_be_copied(facts: Facts, entity: str) -> bool:
    """Not what lies in other items or holds others, and not what is written in lists of any length, nor by updates that
    set what children keep of their parent: their transaction has room for one item of each.
    """
    own = facts.spec.entities[entity]
    writes = [each for each in facts.writes if entity in each.entities]
    return (
        facts.spec.constraints.copies != "none"
        and own.kind == "entity"
        and not own.holds
        and own.packed is None
        and not any(is_list(facts, each, entity) for each in writes)
        and not any(each.demands or (each.cascade_of and each.op == "update") for each in writes)
    )


def _may_be_hot(facts: Facts, pattern: PatternSpec) -> bool:
    """A quick look: whether all requests on one key could be too many, at a step each."""
    rate = facts.rates[pattern.id]
    return (rate.peak or rate.avg) > 0 and pattern.kind in ("get", "query", "batch")


def _counts(facts: Facts, shape: Shape, reads: Iterable[PatternSpec]) -> set[int]:
    """So many that they serve all reads of a key together, or the one that asks most of it."""
    loads = [load for each in reads if (load := _load_on(facts, each, shape)) is not None]
    hottest = max(loads, key=lambda each: each.units_per_second, default=None)
    total = sum(each.units_per_second for each in loads)
    if hottest is None or total <= PARTITION_RCU or hottest.units_per_run >= needed(total, PARTITION_RCU):
        return set()
    counts = {shards_with_headroom(units, PARTITION_RCU) for units in (total, hottest.units_per_second)}
    most = min(MOST_COPIES, _most_together(facts, shape.entity))
    return {each for each in counts if 1 < each <= most}


def _load_on(facts: Facts, pattern: PatternSpec, shape: Shape) -> _Load | None:
    serving = serve(facts, pattern, shape, in_table=True)
    if serving is None or serving.walks or (not serving.is_get and partitions(facts, shape, serving) != 1):
        return None
    read = items_read(facts, pattern, shape, serving)
    units = read_units(facts, pattern, {shape.entity: msgspec.structs.replace(serving, read_items=read)})
    names = tuple(name for name in shape.partition if name in pattern.by)
    share = hottest_share(facts, shape.entity, names, pattern)
    rate = facts.rates[pattern.id]
    return _Load(units, (rate.peak or rate.avg) * share * units)


def _most_together(facts: Facts, entity: str) -> int:
    """Copies of one item that a transaction has room for. Where a key changes, a copy is deleted and put; what else is
    written in the same transaction may have as many of its own.
    """
    written = max((len(each.entities) for each in facts.writes if entity in each.entities), default=1)
    return MAX_TRANSACTION_ACTIONS // (2 * written) - _ALONG


def _add(model: SearchModel) -> None:
    for entity, shapes in model.candidates.second_items.items():
        copies = {(SECOND_ITEM.variable, each): float(each.copies) for each in shapes if each.copies}
        if copies:
            model.row(copies, upper=_most_together(model.facts, entity))


def _explain(plan: ReadPlan | CollectionPlan, _: int) -> Iterator[str]:
    if isinstance(plan, ReadPlan) and plan.shape.copies:
        yield (
            f"one partition would be read more often at peak than it can be, so {plan.shape.copies} copies lie under"
            " keys that end with a number, any one is read, and every write keeps all of them in one transaction"
        )


READ_COPIES = VariantPlan(add=_add, explain=_explain)
