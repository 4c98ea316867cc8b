"""Whose item changed. An image says so itself, by its identifiers; without images only the key can tell.

A stream brings everything that happens in a table, so identifiers are not enough: another service may have an entity of
the same name. Its keys begin with something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.runtime.features.companion import COMPANION
from tablewright.runtime.items.reading import fits_key, is_older, version_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.runtime.entity import Entity
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.service import Service
    from tablewright.runtime.streams.changes.record import Plain, StreamRecord
    from tablewright.schema.keys import ComposedKey


class Unknown(msgspec.Struct, frozen=True):
    """An item that seems to be of the service, but of no entity that is declared; `why` is for messages."""

    why: str


Owner: TypeAlias = "type[Entity] | Unknown | None"
"""The entity of an item; None for what is foreign to the service."""


class Owners:
    """The entities that items are looked up in."""

    def __init__(self, services: Iterable[Service]) -> None:
        self.services = tuple(services)

    def entities(self) -> Iterator[type[Entity]]:
        """Read when it is needed: classes may be declared behind the handlers."""
        for service in self.services:
            yield from service.entities.values()

    def of_record(self, record: StreamRecord) -> tuple[Owner, Owner]:
        """Who owned the item before the change and who owns it after it; None also where there was no item."""
        if record.old is None and record.new is None:
            owner = self.of_key(record.keys)
            return (owner if record.change != "INSERT" else None, owner if record.change != "REMOVE" else None)
        old, new = self.of_image(record.old), self.of_image(record.new)
        if record.change == "MODIFY" and (record.old is None or record.new is None):
            only = new if record.old is None else old  # the view shows one side
            return only, only
        return self._side(record, old, "old"), self._side(record, new, "new")

    def _side(self, record: StreamRecord, found: Owner, side: str) -> Owner:
        there = record.change != ("INSERT" if side == "old" else "REMOVE")
        return self.of_key(record.keys) if there and getattr(record, side) is None else found

    def of_image(self, item: Plain | None) -> Owner:
        if item is None:
            return None
        layouts = [(entity, entity.__tablewright_layout__()) for entity in self.entities()]
        for entity, layout in layouts:
            if _is_marked(layout, item) and _begins_alike(layout, item):
                return entity
        return self._unmarked(item, [layout for _, layout in layouts])

    def _unmarked(self, item: Plain, layouts: list[Layout]) -> Owner:
        """Items without identifiers are somebody else's; so are those whose keys name another service."""
        fields = {layout.entity.identifiers.entity for layout in layouts}
        named = next((item[field] for field in fields if field in item), None)
        if named is None or _is_companion(named, layouts):
            return None
        if not any(_begins_like(service, item) for service in self.services):
            return None
        versions = [version_of(layout, item) for layout in layouts if layout.name == named]
        what = f"{named!r}" if not versions else f"{named!r} in version {versions[0]!r}"
        return Unknown(f"no entity {what} is declared")

    def of_key(self, keys: Plain) -> Owner:
        """The only entity that the key fits."""
        found = [entity for entity in self.entities() if _fits(entity.__tablewright_layout__(), keys)]
        if len(found) > 1:
            names = ", ".join(entity.__name__ for entity in found)
            return Unknown(f"its key alone does not tell {names} apart; a stream with images does")
        return found[0] if found else None


def _is_companion(named: Any, layouts: Iterable[Layout]) -> bool:
    """Whether a feature of some entity wrote the item: a sentinel, a counter, the second item of an edge."""
    seconds = (mirror.name for layout in layouts for mirror in layout.entity.features.mirrors)
    return str(named).startswith(COMPANION) or named in seconds


def _is_marked(layout: Layout, item: Plain) -> bool:
    if all(item.get(field) == value for field, value in layout.identity.items()):
        return True
    return bool(layout.upgrades) and is_older(layout, item)


def _begins_alike(layout: Layout, item: Plain) -> bool:
    """Whether the partition key begins as all of the entity's do, in whatever version."""
    return any(_begins(each.primary.pk, item) for each in (layout, *layout.older.values()))


def _begins(side: ComposedKey, item: Plain) -> bool:
    if side.numeric:
        return True
    value: Any = item.get(side.field)
    start = side.prefix + (side.pieces[0].lead if side.pieces else "")
    return isinstance(value, str) and value.startswith(side.cased(start))


def _begins_like(service: Service, item: Plain) -> bool:
    """Whether some entity of the service begins its partition keys like the item, entity names aside."""
    for entity in service.entities.values():
        side = entity.__tablewright_layout__().primary.pk
        if side.numeric or side.templated:
            return True
        value: Any = item.get(side.field)
        start = side.cased(f"${service.name}")
        if isinstance(value, str) and value.startswith(start) and value[len(start) : len(start) + 1] in ("", *"#$_"):
            return True
    return False


def _fits(layout: Layout, keys: Plain) -> bool:
    return any(fits_key(each, keys) for each in (layout, *layout.older.values()))
