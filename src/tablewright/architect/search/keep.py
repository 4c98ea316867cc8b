"""Keeping the keys of an earlier design: what exists stays as long as it can, and what had to move is told.

Every key costs a migration when it changes. So the keys of an earlier design are settled before the search begins, and
only when no design has all of them as many are kept as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.candidates import Place
from tablewright.design.shapes import Shape
from tablewright.wire.limits import MAX_LSIS

if TYPE_CHECKING:
    from tablewright.architect.plans.shapes import Shapes
    from tablewright.architect.search.choose import Choice
    from tablewright.architect.search.program import Variable
    from tablewright.spec.facts import Facts


class Key(msgspec.Struct, frozen=True, order=True):
    """A shape and where it stands; indexes of a kind are numbered from 0."""

    place: Place
    shape: Shape
    number: int = 0


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of an earlier design: by entity in the table, by slot and entity in the indexes, and second items."""

    base: Mapping[str, Shape] = {}
    slots: tuple[Mapping[str, Shape], ...] = ()
    copies: Mapping[str, tuple[Shape, ...]] = {}
    lsis: tuple[Mapping[str, Shape], ...] = ()


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """What became of kept keys."""

    kept: tuple[Key, ...]
    moved: tuple[Key, ...]  # had to go
    added: tuple[Key, ...]
    idle: tuple[Key, ...]  # index keys and copies that stay although no pattern reads them


VARIABLES: Mapping[Place, str] = {"table": "base", "index": "gsi", "lsi": "lsi", "copy": "copy"}
NUMBERED = ("gsi", "lsi")


def kept_of(choice: Choice) -> Kept:
    return Kept(base=choice.base, slots=choice.slots, copies=choice.copies, lsis=choice.lsis)


def keys_of(kept: Kept) -> Iterator[Key]:
    for _, shape in sorted(kept.base.items()):
        yield Key("table", shape)
    for number, placed in enumerate(kept.slots):
        yield from (Key("index", shape, number) for _, shape in sorted(placed.items()))
    for number, placed in enumerate(kept.lsis):
        yield from (Key("lsi", shape, number) for _, shape in sorted(placed.items()))
    for _, shapes in sorted(kept.copies.items()):
        yield from (Key("copy", shape) for shape in shapes)


def variable_of(key: Key) -> Variable:
    """As the model names it."""
    kind = VARIABLES[key.place]
    return (kind, key.shape, key.number) if kind in NUMBERED else (kind, key.shape)


def too_late(kept: Kept) -> list[Variable]:
    """Local indexes are made with their table or not at all."""
    return [("local", number) for number in range(len(kept.lsis), MAX_LSIS)]


def moves(earlier: Kept, choice: Choice) -> Moves:
    before, after = list(keys_of(earlier)), list(keys_of(kept_of(choice)))
    read = read_keys(choice)
    return Moves(
        kept=tuple(each for each in before if each in after),
        moved=tuple(each for each in before if each not in after),
        added=tuple(each for each in after if each not in before),
        idle=tuple(each for each in after if each.place != "table" and each not in read),
    )


def read_keys(choice: Choice) -> set[Key]:
    """The index keys and copies that some pattern or write reads."""
    read = {(plan.place, plan.shape) for plan in (*choice.plans.values(), *choice.located.values())}
    gathered = {
        Key("index", shape, slot)
        for gathering, slot in choice.gatherings.values()
        if slot is not None
        for name, shape in choice.slots[slot].items()
        if name in gathering.parts
    }
    return gathered | {key for key in keys_of(kept_of(choice)) if (key.place, key.shape) in read}


# ---- kept shapes as candidates --------------------------------------------------------------------------------------


def with_kept(facts: Facts, shapes: Mapping[str, Shapes], kept: Kept) -> dict[str, Shapes]:
    """The shapes with the kept ones: a pattern that is gone must not move the key it once asked for."""
    return {name: with_kept_of(facts, name, found, kept) for name, found in shapes.items()}


def with_kept_of(facts: Facts, entity: str, shapes: Shapes, kept: Kept) -> Shapes:
    base = [shape for name, shape in kept.base.items() if name == entity and identifies(facts, shape)]
    everywhere = [slot[entity] for slot in (*kept.slots, *kept.lsis) if entity in slot]
    placed = [shape for shape in everywhere if still_possible(facts, shape)]
    return msgspec.structs.replace(
        shapes,
        base=tuple(dict.fromkeys((*shapes.base, *base))),
        index=tuple(sorted({*shapes.index, *placed})),
    )


def with_kept_copies(facts: Facts, copies: Mapping[str, tuple[Shape, ...]], kept: Kept) -> dict[str, tuple[Shape, ...]]:
    return {
        name: tuple(sorted({*found, *(each for each in kept.copies.get(name, ()) if identifies(facts, each))}))
        for name, found in copies.items()
    }


def still_possible(facts: Facts, shape: Shape) -> bool:
    entity = facts.spec.entities.get(shape.entity)
    return entity is not None and entity.attributes.keys() >= set(shape.watched)


def identifies(facts: Facts, shape: Shape) -> bool:
    """Whether a shape can be the key of the table: it tells items apart, is always there and never changes."""
    if not still_possible(facts, shape):
        return False
    stable = facts.present[shape.entity] - facts.changing[shape.entity]
    return set(facts.spec.entities[shape.entity].id) <= set(shape.attributes) <= stable
