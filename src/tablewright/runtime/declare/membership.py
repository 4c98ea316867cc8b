"""A service as its entities and collections know it: what they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.items.layout import Home
    from tablewright.runtime.types.renaming import Rename
    from tablewright.schema.model import Casing, Identifiers


class Membership(Protocol):
    """What `tw.Service` is to the classes that name it."""

    name: str
    identifiers: Identifiers
    casing: Casing
    rename: Rename | None
    home: Home

    @property
    def table(self) -> Any: ...

    @property
    def entities(self) -> Mapping[str, type[Any]]: ...

    def add(self, entity: type[Any]) -> None: ...

    def add_collection(self, collection: type[Any]) -> None: ...
