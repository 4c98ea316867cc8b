"""Templates of one service that could give items of two entities the same table key (typed style).

`ORDER#{order}` and `ORDER#{order}#ITEM#{item}` stand side by side in many tables, and an order called `1#ITEM#2` would
be written over an item. The narrower template has the right of way: a key that it could have made is refused for the
wider one. Templates that make the very same keys are refused altogether. Composed keys hold the entity's name and need
none of this. What features write along begins with `__unique__#` and the like, and has the right of way as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from tablewright.errors import SchemaError
from tablewright.schema.check.key_shapes import FEATURES, KeyShape, refuse_alike, shape_of
from tablewright.schema.guards import Place
from tablewright.schema.keys import compile_keys
from tablewright.schema.second import mirror_entities

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.schema.keys import PatternKeys
    from tablewright.schema.model import Entity


class Clashing(Protocol):
    """A layout, as far as its keys are looked at here."""

    @property
    def entity(self) -> Entity: ...

    @property
    def name(self) -> str: ...

    @property
    def primary(self) -> PatternKeys: ...

    @property
    def home(self) -> Any: ...

    def called(self, name: str) -> str: ...


class Rivals(msgspec.Struct, frozen=True):
    """The shapes that have the right of way before an entity's own, as long as its service has so many members."""

    members: int
    shapes: tuple[KeyShape, ...]


def check_rivals(layout: Clashing, key: Mapping[str, Any]) -> None:
    """Refuse a table key that another entity could have made."""
    known: Rivals | None = layout.home.rivals.get(layout.name)
    if known is None or known.members != len(layout.home.members):
        known = layout.home.rivals[layout.name] = _find_rivals(layout)
    for shape in known.shapes:
        if shape.fits(key):
            raise _refusal(layout, shape, key)


def _refusal(layout: Clashing, shape: KeyShape, key: Mapping[str, Any]) -> Exception:
    primary = layout.primary
    side = primary.sk if primary.sk is not None and primary.sk.pieces else primary.pk
    place = Place(layout.name, primary.pattern.name, layout.called(side.pieces[-1].name))
    problem = f"gives the key of {shape.entity}"
    return place.fault(" | ".join(map(str, key.values())), problem, "use another value, or templates that differ more")


def _find_rivals(layout: Clashing) -> Rivals:
    own = shape_of(layout.name, layout.primary)
    others = [*_other_shapes(layout), FEATURES]
    refuse_alike(own, others)
    return Rivals(len(layout.home.members), tuple(other for other in others if not own.is_within(other)))


def _other_shapes(layout: Clashing) -> Iterator[KeyShape]:
    for name in [*layout.home.members]:
        try:
            other = layout.home.layout(name)
        except SchemaError:  # that is told when it is used itself
            continue
        if other is None:
            continue
        if other.name != layout.name:
            yield shape_of(other.name, other.primary)
        for second in mirror_entities(other.entity):
            if second.name == layout.name:
                continue
            yield shape_of(second.name, compile_keys(second)[second.primary.name])
