"""What an update takes for the copies that it sets along, by the children that the application has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.proof.database import add_units
from tablewright.proof.expected import Images, instances_of
from tablewright.proof.items import image, item_type, key_in
from tablewright.proof.units import Units, read_bytes, read_units, write_units
from tablewright.wire.capacity import write_wcu
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.model import Design, PatternDesign, Refresh
    from tablewright.proof.application.state import Applied, Item
    from tablewright.proof.expected import StoredItems
    from tablewright.proof.items import Key


def refreshing_rcu(design: Design, pattern: PatternDesign, before: StoredItems, inputs: Mapping[str, Any]) -> Units:
    """Of finding the children."""
    return add_units(read_units(design, before, each.reads, inputs) for each in _done(pattern, inputs))


def refreshing_bytes(design: Design, pattern: PatternDesign, before: StoredItems, inputs: Mapping[str, Any]) -> int:
    """The same before it is rounded up."""
    return sum(read_bytes(design, before, each.reads, inputs) for each in _done(pattern, inputs))


def refreshing_wcu(
    design: Design, pattern: PatternDesign, before: StoredItems, applied: Applied, inputs: Mapping[str, Any]
) -> Units:
    """Of writing every child, changed or not, and of looking at their number."""
    spent: list[Units] = []
    for each in _done(pattern, inputs) if applied.changed else ():
        images = _images(design, each, before, applied, inputs)
        spent.append(write_units(design, images, transaction=True))
        named = {ours: inputs[theirs] for ours, theirs in each.by.items()}
        for check in each.checks:
            key = key_in(design, item_type(design, check.item), named)
            size = item_size_bytes(before[key]) if key is not None and key in before else 0
            spent.append({"table": write_wcu(size, 0, transactional=True)})
    return add_units(spent)


def _done(pattern: PatternDesign, inputs: Mapping[str, Any]) -> Iterator[Refresh]:
    """Not where nothing is given that copies are of."""
    for each in pattern.refreshes:
        fixed = any(step.constants or step.add or step.remove for step in each.writes)
        if fixed or any(name in inputs for name in each.given.values()):
            yield each


def _images(
    design: Design, refresh: Refresh, before: StoredItems, applied: Applied, inputs: Mapping[str, Any]
) -> Images:
    instances = instances_of(applied.state)
    was: dict[Key, Item] = {}
    becomes: dict[Key, Item] = {}
    for instance in instances[refresh.entity]:
        if any(instance.get(ours) != inputs[theirs] for ours, theirs in refresh.by.items()):
            continue
        for name in dict.fromkeys(step.item for step in refresh.writes):
            kind = item_type(design, name)
            key, found = key_in(design, kind, instance), image(design, kind, instance, instances)
            if key is not None and found is not None and key in before:
                was[key], becomes[key] = before[key], found
    return Images(was, becomes, tuple(becomes))
