"""Trees in one partition: items whose sort key ends with the way from the root.

    @tw.primary
    def key(self, space: str, *, path: tw.TreePath) -> None: ...

    pk  $app#space_s1      sk  $folder_1#path_docs/
                               $folder_1#path_docs/2026/
                               $folder_1#path_docs/2026/plan/
                               $folder_1#path_mail/

An item and everything below it stand together and begin alike: one query, in the order in which one walks a tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.features.hierarchy.children import Children
from tablewright.runtime.features.hierarchy.move import Move
from tablewright.runtime.features.hierarchy.removal import Removal
from tablewright.runtime.features.jobs.job import Job
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.key import Key, key_of
from tablewright.runtime.operations.batches import GetMany, batch_get
from tablewright.runtime.operations.delete import Check
from tablewright.runtime.operations.query import Query
from tablewright.runtime.operations.transactions import Transaction, transact
from tablewright.runtime.requests.ranges import Sort
from tablewright.runtime.requests.request import existence
from tablewright.runtime.types.tree_path import TreePath, decode, encode

if TYPE_CHECKING:
    from tablewright.runtime.items.item import StoredItem

E = TypeVar("E", bound="StoredItem")


class Tree(msgspec.Struct, Generic[E], frozen=True):
    """An item of a tree and its surroundings: `tw.tree(Folder.key("s1", path=path))`."""

    layout: Layout
    composites: Values
    attribute: str
    item: E | None = None

    @property
    def path(self) -> TreePath:
        return decode(self.composites[self.attribute])

    def at(self, path: TreePath) -> Key[E]:
        """The key of another item of the same tree."""
        return Key(self.layout, {**self.composites, self.attribute: encode(path)})

    # ---- reading -------------------------------------------------------------------------------------------------

    def subtree(self) -> Query[E]:
        """The item and everything below it, parents before children."""
        given = {name: value for name, value in self.composites.items() if name != self.attribute}
        sort = Sort("begins", {self.attribute: self.composites[self.attribute]})
        return Query(self.layout, self.layout.primary.pattern.name, given, sort)

    def children(self) -> Children[E]:
        """The items one step below, and nothing deeper."""
        return Children(self.subtree(), self.attribute, self.path)

    def ancestors(self) -> GetMany[E]:
        """The items on the way from the root, the root first; None for one that is missing."""
        return batch_get(*(self.at(path).get() for path in self.path.ancestors()))

    # ---- writing -------------------------------------------------------------------------------------------------

    def create(self) -> Transaction:
        """Write the item, which must be new and whose parent must exist."""
        if self.item is None:
            raise RequestError(f"create() writes a {self.layout.name}; give tw.tree() the item, not its key", code=2002)
        parent = self.path.parent
        if parent is None:
            return transact(self.item.create())
        there = existence(self.layout, exists=True)
        return transact(self.item.create(), Check[Any](self.layout, self.at(parent).composites, there))

    def move(self, to: TreePath) -> Job:
        """A job that moves the item and everything below it; `to` is its new path, whose parent must exist."""
        if to.is_in(self.path):
            raise RequestError(f"{to} is inside of {self.path}, which cannot move into itself", code=2002)
        if self.layout.large is not None:
            what = "has large attributes, which are compressed or kept elsewhere"
            raise RequestError(f"{self.layout.name} {what}; its items cannot be moved", code=2002)
        encode(to)
        return Job(Move(self.layout, self.composites, self.attribute, to))

    def delete(self) -> Job:
        """A job that deletes the item and everything below it."""
        return Job(Removal(self.layout, self.composites, self.attribute))


def tree(place: E | Key[E]) -> Tree[E]:
    """The tree around an item, or around the item of a key."""
    key = key_of(place)
    item = None if isinstance(place, Key) else place
    return Tree(key.layout, key.composites, _path_of(key.layout), item)


def _path_of(layout: Layout) -> str:
    """The attribute that ends the table's sort key with a path."""
    primary = layout.primary.pattern
    last = primary.sk.composite[-1:] if primary.sk is not None else ()
    if not last or last[0] not in layout.entity.features.paths:
        raise RequestError(
            f"{layout.name} is no tree: the sort key of its table must end with a tw.TreePath", code=2002
        )
    return last[0]
