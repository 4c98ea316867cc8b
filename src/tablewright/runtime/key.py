"""The key of one item, and everything that can be done with nothing but the key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.operations.delete import Check, Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.update import Update

if TYPE_CHECKING:
    from tablewright.expr.nodes import Condition
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.requests.changes import Change

E = TypeVar("E", bound="StoredItem")


class Key(msgspec.Struct, Generic[E], frozen=True):
    """`Task.key("web", task_id="t1")`: which item, not yet what to do with it."""

    layout: Layout
    composites: Values

    def get(self) -> Get[E]:
        """Read the item; None when there is none."""
        return Get(self.layout, self.composites)

    def update(self, *changes: Change) -> Update[E]:
        """Change the item; it is created when it is missing."""
        return Update(self.layout, self.composites, changes)

    def patch(self, *changes: Change) -> Update[E]:
        """Change the item, which must exist."""
        return Update(self.layout, self.composites, changes, must_exist=True)

    def delete(self) -> Delete[E]:
        """Delete the item, if it is there."""
        return Delete(self.layout, self.composites)

    def remove(self) -> Delete[E]:
        """Delete the item, which must exist."""
        return Delete(self.layout, self.composites, must_exist=True)

    def check(self, *conditions: Condition) -> Check[E]:
        """Make a transaction depend on this item without writing it."""
        return Check[Any](self.layout, self.composites).where(*conditions)

    def of_version(self, version: str) -> Key[E]:
        """The key the item had when it was written by an older version of the entity."""
        return Key(self.layout.of_version(version), self.composites)

    def values(self) -> dict[str, Any]:
        """The stored key: `{"pk": ..., "sk": ...}`."""
        return self.layout.key(self.composites)


def key_of(target: E | Key[E]) -> Key[E]:
    """The key of an item, or the key itself; it has to be whole."""
    key = target if isinstance(target, Key) else target.__tablewright_key__()
    key.layout.key(key.composites)
    return key
