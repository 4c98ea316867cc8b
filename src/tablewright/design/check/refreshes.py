"""Copies that an update sets along: found by the updated item's id, and written in its transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.check.names import unknown
from tablewright.design.check.patterns import read_faults, write_faults
from tablewright.design.model import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.check.names import Fault
    from tablewright.design.model import Design, ItemType, PatternDesign, Refresh


def refresh_faults(design: Design) -> Iterator[Fault]:
    own = {each.entity: each for each in design.items if each.kind == "entity"}
    for at, pattern in enumerate(design.patterns):
        place = f"patterns[{at}].refreshes"
        if pattern.refreshes and pattern.op != "update":
            yield place, "is for an update; nothing else sets copies along"
        if pattern.refreshes and not pattern.transaction:
            yield f"patterns[{at}].transaction", "is not true, and copies are set in one transaction with their source"
        named = [("refreshes", number, each) for number, each in enumerate(pattern.refreshes)]
        named += [("followed", number, each) for number, each in enumerate(pattern.followed)]
        for kind, number, refresh in named:
            inside = f"patterns[{at}].{kind}[{number}]"
            yield from unknown(f"{inside}.entity", "entity with items of its own", refresh.entity, own)
            if refresh.entity in own and pattern.entities[0] in own:
                yield from _name_faults(inside, refresh, pattern, own)
                yield from _step_faults(inside, refresh, pattern, design)


def _name_faults(place: str, refresh: Refresh, pattern: PatternDesign, own: Mapping[str, ItemType]) -> Iterator[Fault]:
    parent, child = own[pattern.entities[0]], own[refresh.entity]
    if set(refresh.by.values()) != set(parent.id):
        yield f"{place}.by", f"has not the whole id of {parent.entity}: {', '.join(parent.id)}"
    attributes = {each.name: each for each in child.attributes}
    for name in refresh.by:
        yield from unknown(f"{place}.by", "attribute", name, attributes)
    copies = [name for name, each in attributes.items() if each.copy_of is not None]
    for name, parameter in refresh.given.items():
        yield from unknown(f"{place}.given", "copy", name, copies)
        if refresh in pattern.followed:
            yield from unknown(f"{place}.given", "attribute", parameter, [each.name for each in parent.attributes])
        else:
            yield from unknown(f"{place}.given", "parameter", parameter, [each.name for each in pattern.parameters])


def _step_faults(place: str, refresh: Refresh, pattern: PatternDesign, design: Design) -> Iterator[Fault]:
    if not refresh.reads:
        yield f"{place}.reads", "is empty; nothing is found without one"
    given = tuple(Parameter(name=name) for name in refresh.by.values())
    for at, read in enumerate(refresh.reads):
        finding = msgspec.structs.replace(pattern, parameters=given)
        yield from read_faults(f"{place}.reads[{at}]", read, finding, design, at)
    if not refresh.writes:
        yield f"{place}.writes", "is empty; nothing sets the copies"
    items = [each.name for each in design.items]
    for kind, steps in (("writes", refresh.writes), ("checks", refresh.checks)):
        for at, write in enumerate(steps):
            yield from unknown(f"{place}.{kind}[{at}].item", "item type", write.item, items)
            if write.item in items:
                yield from write_faults(f"{place}.{kind}[{at}]", write, pattern, design)
