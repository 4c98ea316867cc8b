"""An item before or after a change: as it was stored, brought up to today, and as an object of its class."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from tablewright.runtime.items.reading import present, unwrap, upgraded, version_of

if TYPE_CHECKING:
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.items.reading import RawItem
    from tablewright.runtime.streams.changes.record import Plain


class Image:
    """Read when it is asked for, and once: most records of a stream interest nobody."""

    def __init__(self, layout: Layout, raw: Plain) -> None:
        self.layout = layout
        self.raw = raw

    @cached_property
    def item(self) -> Any:
        return self.layout.make(present(self.layout, self.raw))

    @cached_property
    def stored(self) -> RawItem:
        """The stored fields as today's version has them."""
        return upgraded(self.layout, self.raw)

    def composites(self) -> Plain:
        """The values in its key, by attribute."""
        found = {name: self.stored.get(self.layout.attributes[name].field) for name in self.layout.table_composites}
        attributes = self.layout.attributes
        return {
            name: unwrap(self.layout, attributes[name], value) for name, value in found.items() if value is not None
        }

    def keyed(self) -> Layout:
        """The layout by which the item's key was written."""
        version = version_of(self.layout, self.raw)
        return self.layout.of_version(version) if version in self.layout.older else self.layout
