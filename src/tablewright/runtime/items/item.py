"""What an item of the typed style is to those who do not declare classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tablewright.runtime.items.layout import Layout


class StoredItem(Protocol):
    """An object of an entity class, `tw.Entity` being the only ones there are."""

    @classmethod
    def __tablewright_layout__(cls) -> Layout: ...

    def __tablewright_key__(self) -> Any:
        """Its key, for everything that can be done with a key."""
        ...

    __tablewright_about__: Any

    def put(self) -> Any: ...

    def create(self) -> Any: ...

    def delete(self) -> Any: ...

    def update(self, *changes: Any) -> Any: ...

    def patch(self, *changes: Any) -> Any: ...


class StoredCollection(Protocol):
    """An object of a collection class: a list for every member."""

    cursor: str | None

    @classmethod
    def __tablewright_members__(cls) -> Any:
        """The members' layouts, by name."""
        ...
