"""What plans propose and what the search picks of it, as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from tablewright.design.serving.serving import Serving
from tablewright.design.serving.shapes import Shape, Signature
from tablewright.spec.facts import Facts

Variable: TypeAlias = tuple[Any, ...]
"""The name of a 0/1 variable: what kind it is, then what it is about."""
PlaceName: TypeAlias = Literal["table", "index", "copy", "lsi"]
ProjectionKind: TypeAlias = Literal["ALL", "INCLUDE", "KEYS_ONLY"]


# ---- proposed -------------------------------------------------------------------------------------------------------


class Shapes(msgspec.Struct, frozen=True):
    """What an entity may be keyed by: in the table, and in indexes."""

    base: tuple[Shape, ...]
    index: tuple[Shape, ...]


class ReadPlan(msgspec.Struct, frozen=True, order=True):
    """One entity's pattern, read from one shape in one place."""

    pattern: str
    place: PlaceName
    shape: Shape
    serving: Serving
    units: float
    projection: ProjectionKind = "ALL"  # what the index must hold for it; see `projection`
    asked: float = 1  # partitions that one answer is asked from
    read_items: float = 1.0  # from all of them together
    fetches: bool = False  # the items themselves from the table, by the keys that the index has


class CollectionPlan(msgspec.Struct, frozen=True):
    """A pattern over several entities: for each the shapes of one signature that can take part."""

    pattern: str
    place: Literal["table", "index"]
    signature: Signature
    parts: Mapping[str, Mapping[Shape, Serving]]
    units: float


class Candidates(msgspec.Struct, frozen=True):
    """Everything the search may choose from."""

    facts: Facts
    shapes: Mapping[str, Shapes]
    second_items: Mapping[str, tuple[Shape, ...]]
    plans: Mapping[str, tuple[ReadPlan, ...]]
    collections: Mapping[str, tuple[CollectionPlan, ...]]
    local: Mapping[str, tuple[Shape, ...]] = {}  # by entity: what local indexes may hold


# ---- picked ---------------------------------------------------------------------------------------------------------


class IndexProjection(msgspec.Struct, frozen=True):
    """What an index holds of its items besides keys: all, these attributes, or nothing."""

    kind: ProjectionKind = "ALL"
    attributes: tuple[str, ...] = ()


class PlacedKey(msgspec.Struct, frozen=True, order=True):
    """A shape and where it stands; indexes of a kind are numbered from 0."""

    place: PlaceName
    shape: Shape
    number: int = 0

    @property
    def is_second_item(self) -> bool:
        return self.place == "copy"

    @property
    def is_index(self) -> bool:
        """DynamoDB keeps it in step, a moment later."""
        return self.place in ("index", "lsi")


class PlacedShapes(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of a design: by entity in the table and of second items, by number and entity in the indexes."""

    base: Mapping[str, Shape] = {}
    slots: tuple[Mapping[str, Shape], ...] = ()
    second_items: Mapping[str, tuple[Shape, ...]] = {}
    lsis: tuple[Mapping[str, Shape], ...] = ()


class Choice(PlacedShapes, frozen=True, kw_only=True):
    """What was chosen: keys, and how patterns are read from them."""

    plans: Mapping[str, ReadPlan]
    collections: Mapping[str, tuple[CollectionPlan, int | None]]  # with the slot it is read from, None for the table
    located: Mapping[tuple[str, str], ReadPlan]  # by write and entity: how its key is found
    cost: int  # micro-dollars that a month is at least on the bill
    rules: int = 0  # micro-dollars a month that keys are held to be worse by, beside the bill
    gap: float = 0.0  # by what share it might still be better; 0 when it is proven to be the best
    projections: tuple[IndexProjection, ...] = ()  # by slot; whole items where there is none

    def shapes_together(self, pattern: str) -> dict[str, Shape]:
        """The shapes that a pattern over several entities reads; in the table that may be a second item."""
        plan, slot = self.collections[pattern]
        if slot is not None:
            return {name: self.slots[slot][name] for name in plan.parts}
        return {
            name: next(each for each in (self.base[name], *self.second_items.get(name, ())) if each in parts)
            for name, parts in plan.parts.items()
        }

    def projection(self, slot: int) -> IndexProjection:
        return self.projections[slot] if slot < len(self.projections) else IndexProjection()

    @property
    def shapes(self) -> PlacedShapes:
        """Its keys, as a later design may have to keep them."""
        return PlacedShapes(base=self.base, slots=self.slots, second_items=self.second_items, lsis=self.lsis)
