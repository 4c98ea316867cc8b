"""Changes as handlers see them: `Inserted[Order]`, `Modified[Order]`, `Removed[Order]`.

Items are read when they are asked for. A stream that does not hold an image (its view is KEYS_ONLY, NEW_IMAGE or
OLD_IMAGE) makes asking for it an error that says so, and never an empty item.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from tablewright.errors import RequestError
from tablewright.runtime.entity import Entity
from tablewright.runtime.items.reading import fits_key
from tablewright.runtime.key import Key
from tablewright.runtime.streams.changes.differences import Changed
from tablewright.runtime.streams.changes.image import Image

if TYPE_CHECKING:
    from datetime import datetime

    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.streams.changes.record import Plain, StreamRecord

E = TypeVar("E", bound=Entity)
Side: TypeAlias = Literal["old", "new"]


class Event(Generic[E]):
    """Any change of an item of entity `E`; the base of the three kinds.

    `late` tells that a newer change of the same item has been handled already, as Kinesis may bring it about.
    """

    def __init__(self, entity: type[E], record: StreamRecord, *, late: bool = False) -> None:
        self.entity = entity
        self.record = record
        self.late = late

    @property
    def id(self) -> str:
        """The same for the same change, however often it is delivered."""
        return self.record.id

    @property
    def at(self) -> datetime | None:
        """When the change was made, about."""
        return self.record.at

    @cached_property
    def key(self) -> Key[E]:
        """The item's key, to read or write it as it is by now."""
        for image in self._images():
            composites = image.composites()
            if set(composites) == set(image.layout.table_composites):
                return Key(image.keyed(), composites)
        return Key(*self._from_key())

    @property
    def item(self) -> E:
        """The item after the change; of a removal, the item that is gone."""
        return self._last_image().item  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"{type(self).__name__}[{self.entity.__name__}]({self.record.keys})"

    # ---- images --------------------------------------------------------------------------------------------------

    def stored_item(self) -> Plain:
        """What `item` is made of: the stored fields, as today's version of the entity has them."""
        return dict(self._last_image().stored)

    def stored_sides(self) -> tuple[Plain | None, Plain | None]:
        """The stored fields before and after the change; None where there was no item."""
        old = None if isinstance(self, Inserted) else dict(self._demand("old").stored)
        new = None if isinstance(self, Removed) else dict(self._demand("new").stored)
        return old, new

    def _images(self) -> list[Image]:
        return [image for image in (self._new, self._old) if image is not None]

    def _last_image(self) -> Image:
        return self._demand("old" if isinstance(self, Removed) else "new")

    @cached_property
    def _old(self) -> Image | None:
        raw = self.record.old
        return None if raw is None or isinstance(self, Inserted) else Image(self.entity.__tablewright_layout__(), raw)

    @cached_property
    def _new(self) -> Image | None:
        raw = self.record.new
        return None if raw is None or isinstance(self, Removed) else Image(self.entity.__tablewright_layout__(), raw)

    def _demand(self, side: Side) -> Image:
        found = self._old if side == "old" else self._new
        if found is None:
            raise RequestError(
                f"{self!r} holds no {side} image: the view of its stream is {self.record.view or 'unknown'}; "
                f'make the stream with stream="new_and_old_images" (or "{side}_image")'
                + ("" if side == "old" else ", or read the item as it is now: event.key.get()"),
                code=2002,
            )
        return found

    def _from_key(self) -> tuple[Layout, Plain]:
        """The layout and the composites behind the stored key. Letter case may be the key's, not the attribute's."""
        layout = self.entity.__tablewright_layout__()
        for version, each in (("", layout), *layout.older.items()):
            if fits_key(each, self.record.keys):
                sides = (each.primary.pk, each.primary.sk)
                parts = [side.split(self.record.keys[side.field]) or {} for side in sides if side is not None]
                keyed = layout.of_version(version) if version else layout
                return keyed, {name: value for part in parts for name, value in part.items()}
        raise RequestError(f"{self!r}: the key is not of the entity's shape", code=2002)


class Inserted(Event[E]):
    """An item that is new."""

    @property
    def new(self) -> E:
        """The item as it was written."""
        return self._demand("new").item  # type: ignore[no-any-return]


class Modified(Event[E]):
    """An item that was changed, or replaced by another with its key."""

    @property
    def old(self) -> E:
        """The item before the change."""
        return self._demand("old").item  # type: ignore[no-any-return]

    @property
    def new(self) -> E:
        """The item after the change."""
        return self._demand("new").item  # type: ignore[no-any-return]

    @cached_property
    def changed(self) -> Changed:
        """The names of what changed; `changed(Order.status)` gives the values before and after, or None.

        It is empty when only fields changed that are no attributes, such as the keys of indexes.
        """
        return Changed.between(self._demand("old"), self._demand("new"))


class Removed(Event[E]):
    """An item that is gone."""

    @property
    def old(self) -> E:
        """The item as it was last."""
        return self._demand("old").item  # type: ignore[no-any-return]

    @property
    def expired(self) -> bool:
        """Whether DynamoDB deleted it because its time to live was over."""
        return self.record.by_service


AnyEvent: TypeAlias = Event[Any]
