"""References: an attribute that points at an item of one of several entities.

class Comment(tw.Entity, ...):
    on: Attr[tw.Ref[Task | Document]]

    @tw.index("gsi1")
    def about(self, on: tw.Ref[Task | Document]) -> None: ...

Stored is one text, the entity's name and its key values: `task/w1/t1`. So a reference can stand in keys, be compared,
and be written by ElectroDB, to which it is a plain string.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.types.segments import joined
from tablewright.schema.keys import key_text

if TYPE_CHECKING:
    from tablewright.runtime.entity import Entity
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.key import Key
    from tablewright.runtime.operations.get import Get

E = TypeVar("E", bound="Entity")
E_co = TypeVar("E_co", bound="Entity", covariant=True)


class Ref(msgspec.Struct, Generic[E_co], frozen=True):
    """Which item, of which entity: made by `tw.ref(item)` or `tw.ref(Task.key(...))`, and by reading items."""

    entity: type[E_co]
    values: tuple[Any, ...]  # the stored values of the table key's composites, in order

    @property
    def key(self) -> Key[E_co]:
        """The key of the item pointed at, for everything that can be done with a key."""
        from tablewright.runtime.key import Key

        layout = layout_of(self.entity)
        return Key(layout, dict(zip(layout.table_composites, self.values, strict=True)))

    def get(self) -> Get[E_co]:
        """Read the item pointed at; None when it is gone."""
        return self.key.get()

    def __str__(self) -> str:
        """The text that is stored."""
        texts = (key_text(value) for value in self.values)
        return joined((layout_of(self.entity).name, *texts))


def layout_of(entity: type[Entity]) -> Layout:
    return entity.__tablewright_layout__()


def class_of(layout: Layout) -> type[Any]:
    """The class that a layout was made for."""
    found: type[Any] | None = getattr(getattr(layout.make, "__self__", None), "cls", None)
    if found is None:
        raise RequestError(f"{layout.name} was loaded from data; this takes classes of entities", code=2002)
    return found


def ref(target: E | Key[E]) -> Ref[E]:
    """A reference to an item, or to the item of a key."""
    from tablewright.runtime.key import key_of

    key = key_of(target)
    values = tuple(key.composites[name] for name in key.layout.table_composites)
    return Ref(class_of(key.layout), values)
