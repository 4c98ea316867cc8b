"""What a page gave, whichever way it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Callable

as_typed: Callable[[bytes | msgspec.Raw], dict[str, Any]] = msgspec.json.Decoder(dict[str, Any]).decode


UNSURE: Any = object()  # stands for an item that the generic way has to read


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
