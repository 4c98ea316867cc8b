"""Keeping the keys of an earlier design: what exists stays as long as it can, and what had to move is told.

Every key costs a migration when it changes. So the keys of an earlier design are settled before the search begins, and
only when no design has all of them as many are kept as possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.readers import keys_together
from tablewright.architect.plans.registry import NUMBERED, PLACE_OF, PLACES
from tablewright.architect.plans.shapes import can_move, table_key_attributes
from tablewright.architect.plans.values import PlacedKey, PlacedShapes, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.plans.values import Choice, Shapes
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts


class _KeyMoves(msgspec.Struct, frozen=True, kw_only=True):
    """What became of kept keys."""

    kept: tuple[PlacedKey, ...]
    moved: tuple[PlacedKey, ...]  # had to go
    added: tuple[PlacedKey, ...]
    idle: tuple[PlacedKey, ...]  # index keys and second items that stay although no pattern reads them


def keys_of(shapes: PlacedShapes) -> tuple[PlacedKey, ...]:
    """Table keys, then indexes, then second items."""
    return tuple(key for place in PLACES for key in place.keys(shapes))


def variable_of(key: PlacedKey) -> Variable:
    """As the model names it."""
    kind = PLACE_OF[key.place].variable
    return (kind, key.shape, key.number) if kind in NUMBERED else (kind, key.shape)


def moves(earlier: PlacedShapes, choice: Choice) -> _KeyMoves:
    before, after = keys_of(earlier), keys_of(choice)
    read = _read_keys(choice)
    return _KeyMoves(
        kept=tuple(each for each in before if each in after),
        moved=tuple(each for each in before if each not in after),
        added=tuple(each for each in after if each not in before),
        idle=tuple(each for each in after if each.place != "table" and each not in read),
    )


def _read_keys(choice: Choice) -> set[PlacedKey]:
    """The keys that some pattern or write reads."""
    read = {(plan.place, plan.shape) for plan in (*choice.plans.values(), *choice.located.values())}
    together = {key for pattern in choice.collections for key in keys_together(choice, pattern) if key.is_index}
    return together | {key for key in keys_of(choice) if (key.place, key.shape) in read}


# ---- kept shapes as candidates --------------------------------------------------------------------------------------


def with_kept(facts: Facts, shapes: Mapping[str, Shapes], kept: PlacedShapes) -> dict[str, Shapes]:
    """The shapes with the kept ones: a pattern that is gone must not move the key it once asked for."""
    return {name: _with_kept_of(facts, name, found, kept) for name, found in shapes.items()}


def _with_kept_of(facts: Facts, entity: str, shapes: Shapes, kept: PlacedShapes) -> Shapes:
    base = [shape for name, shape in kept.base.items() if name == entity and _identifies(facts, shape)]
    everywhere = [slot[entity] for slot in (*kept.slots, *kept.lsis) if entity in slot]
    placed = [shape for shape in everywhere if _still_possible(facts, shape)]
    return msgspec.structs.replace(
        shapes,
        base=tuple(dict.fromkeys((*shapes.base, *base))),
        index=tuple(sorted({*shapes.index, *placed})),
    )


def with_kept_second_items(
    facts: Facts, second_items: Mapping[str, tuple[Shape, ...]], kept: PlacedShapes
) -> dict[str, tuple[Shape, ...]]:
    return {
        name: tuple(sorted({*found, *(each for each in kept.second_items.get(name, ()) if _identifies(facts, each))}))
        for name, found in second_items.items()
    }


def _still_possible(facts: Facts, shape: Shape) -> bool:
    entity = facts.spec.entities.get(shape.entity)
    return entity is not None and entity.attributes.keys() >= set(shape.watched)


def _identifies(facts: Facts, shape: Shape) -> bool:
    """Whether a shape can be the key of the table: it tells items apart, is always there and never changes."""
    if not _still_possible(facts, shape):
        return False
    is_free = can_move(facts, shape.entity)
    stable = facts.present[shape.entity] if is_free else table_key_attributes(facts, shape.entity)
    return set(facts.spec.entities[shape.entity].id) <= set(shape.attributes) <= stable
