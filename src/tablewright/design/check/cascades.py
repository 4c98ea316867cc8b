"""Cascades: what goes with a deleted item is found by its id, and deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.check.names import unknown
from tablewright.design.check.patterns import read_faults, write_faults
from tablewright.design.model import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.check.names import Fault
    from tablewright.design.model import Cascade, Design, ItemType, PatternDesign


def cascade_faults(design: Design) -> Iterator[Fault]:
    own = {each.entity: each for each in design.items if each.kind == "entity"}
    for at, pattern in enumerate(design.patterns):
        place = f"patterns[{at}].cascade"
        if pattern.cascade and pattern.op not in ("delete", "transact"):
            yield place, "goes on from something that is not deleted; only deletes and transactions have it"
        reached = {*pattern.entities, *(each.entity for each in pattern.cascade)}
        for number, cascade in enumerate(pattern.cascade):
            inside = f"{place}[{number}]"
            yield from unknown(f"{inside}.of", "entity that is deleted", cascade.of, sorted(reached))
            yield from unknown(f"{inside}.of", "entity with items of its own", cascade.of, own)
            yield from unknown(f"{inside}.entity", "entity with items of its own", cascade.entity, own)
            if cascade.of in own and cascade.entity in own:
                yield from _reference_faults(inside, cascade, own)
                yield from _step_faults(inside, cascade, pattern, design, own)


def _reference_faults(place: str, cascade: Cascade, own: Mapping[str, ItemType]) -> Iterator[Fault]:
    if set(cascade.by.values()) != set(own[cascade.of].id):
        yield f"{place}.by", f"has not the whole id of {cascade.of}: {', '.join(own[cascade.of].id)}"
    for name in cascade.by:
        yield from unknown(f"{place}.by", "attribute", name, (each.name for each in own[cascade.entity].attributes))


def _step_faults(
    place: str, cascade: Cascade, pattern: PatternDesign, design: Design, own: Mapping[str, ItemType]
) -> Iterator[Fault]:
    given = tuple(Parameter(name=name) for name in own[cascade.of].id)
    if not cascade.reads:
        yield f"{place}.reads", "is empty; nothing is found without one"
    for at, read in enumerate(cascade.reads):
        finding = msgspec.structs.replace(pattern, parameters=given)
        yield from read_faults(f"{place}.reads[{at}]", read, finding, design, at)
    if all(each.operation != "DeleteItem" or each.item != own[cascade.entity].name for each in cascade.writes):
        yield f"{place}.writes", f"do not delete {cascade.entity}"
    if len(cascade.writes) > 1 and not cascade.transaction:
        yield f"{place}.transaction", "is not true, and several writes go in one transaction"
    items = [each.name for each in design.items]
    for at, write in enumerate(cascade.writes):
        yield from unknown(f"{place}.writes[{at}].item", "item type", write.item, items)
        if write.item in items:
            deleting = msgspec.structs.replace(pattern, parameters=())
            yield from write_faults(f"{place}.writes[{at}]", write, deleting, design)
