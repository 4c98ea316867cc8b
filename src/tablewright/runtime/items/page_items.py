"""What a page gave, whichever way it was read, and the compiled code that may read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

as_typed: Callable[[bytes | msgspec.Raw], dict[str, Any]] = msgspec.json.Decoder(dict[str, Any]).decode


UNSURE: Any = object()  # stands for an item that the generic way has to read


class MisfitError(Exception):
    """A stored value that compiled code does not read; the generic way decides what it means."""


def as_document(text: bytes | msgspec.Raw) -> dict[str, Any]:
    """An item from its text, with plain values."""
    return unmarshal_item(as_typed(text))


class Found(msgspec.Struct, gc=False):
    """The items of a page that belong to whoever asked, and the key to go on from (None at the end).

    `stored` are the same items as they came, as text or with plain values; left out where nobody will ask.
    """

    items: list[Any]
    last: dict[str, Any] | None
    stored: list[Any] = []

    def stored_at(self, at: int) -> dict[str, Any]:
        item = self.stored[at]
        return as_document(item) if isinstance(item, msgspec.Raw) else item


class ItemReader(Protocol):
    """Reads one entity's items from the text of a reply; what does not fit goes the `generic` way."""

    def one(self, reply: bytes | msgspec.Raw) -> Any: ...

    def written(self, reply: bytes) -> Any: ...

    def page(self, reply: bytes, generic: Callable[[dict[str, Any]], Any], *, is_certain: bool) -> Found: ...

    def one_by_one(self, reply: bytes, generic: Callable[[dict[str, Any]], Any], *, is_certain: bool) -> Found: ...

    def item(self, raw: msgspec.Raw | bytes, generic: Callable[[dict[str, Any]], Any], *, is_certain: bool) -> Any: ...


class ItemCodec(Protocol):
    """The compiled code of one entity, see `codecs/entity_codec.py`."""

    cls: type[Any]
    reason: str | None
    reads_as_written: bool

    def reader(self, layout: Any) -> ItemReader | None: ...

    def writer(self, layout: Any) -> Callable[[Mapping[str, Any]], dict[str, Any]] | None: ...

    def encode(self, own: dict[str, Any]) -> dict[str, Any]: ...

    def shows_text(self, python_name: str) -> bool: ...
