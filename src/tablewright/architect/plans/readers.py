"""Which key a plan reads, and which patterns are behind every key of a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.second_item import SECOND_ITEM
from tablewright.architect.plans.values import PlacedKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.plans.values import Choice, ReadPlan
    from tablewright.design.serving.shapes import Shape


def key_of(choice: Choice, plan: ReadPlan) -> PlacedKey:
    """What a plan reads: of an index the first that holds as much of the items as it needs."""
    shape = plan.shape
    if plan.place == "index":
        fitting = [slot for slot in _numbers(choice.slots, shape) if choice.projection(slot).kind == plan.projection]
        return PlacedKey(plan.place, shape, fitting[0])
    if plan.place == "lsi":
        return PlacedKey(plan.place, shape, _numbers(choice.lsis, shape)[0])
    return PlacedKey(plan.place, shape)


def _numbers(members: tuple[Mapping[str, Shape], ...], shape: Shape) -> list[int]:
    return [at for at, found in enumerate(members) if found.get(shape.entity) == shape]


def keys_together(choice: Choice, pattern: str) -> tuple[PlacedKey, ...]:
    """What a pattern over several entities reads of each."""
    _, slot = choice.collections[pattern]
    shapes = choice.shapes_together(pattern)
    if slot is not None:
        return tuple(PlacedKey("index", shape, slot) for shape in shapes.values())
    return tuple(
        PlacedKey("table" if shape == choice.base[name] else SECOND_ITEM.place, shape) for name, shape in shapes.items()
    )


def is_read_together(choice: Choice, key: PlacedKey) -> bool:
    return any(key in keys_together(choice, pattern) for pattern in choice.collections)


def members_beside(choice: Choice, key: PlacedKey) -> list[PlacedKey]:
    """All keys of the index that a key stands in, itself included."""
    members = choice.slots if key.place == "index" else choice.lsis
    return [PlacedKey(key.place, shape, key.number) for _, shape in sorted(members[key.number].items())]
