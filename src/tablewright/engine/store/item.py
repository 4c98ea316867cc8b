"""An item as it is found, and what another one changes of it; no more JSON is read and written than that takes."""

from __future__ import annotations

from typing import Any

import msgspec

from tablewright.engine.store.values import decode, encode, from_text
from tablewright.wire.values import marshal, unmarshal

Plain = dict[str, Any]

pieces = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class StoredItem:
    """An item as it is found: its row, its text and its size; its plain values when somebody asks for them."""

    __slots__ = ("_item", "row", "size", "text")

    def __init__(self, row: int, text: bytes, size: int) -> None:
        self.row = row
        self.text = text
        self.size = size
        self._item: Plain | None = None

    @property
    def item(self) -> Plain:
        if self._item is None:
            self._item = from_text(self.text)
        return self._item

    def changed_names(self, new: Plain, text: bytes | None) -> set[str]:
        """The attributes that another item (and its canonical text, if that is known) has in another way.

        Pieces of canonical text are equal only for equal values; not vice versa, for the members of maps have no order.
        """
        if text is None or self._item is not None:
            return changed_names(self.item, new)
        if text == self.text:
            return set()
        mine, others = pieces(self.text), pieces(text)
        changed = {name for name in mine if name not in others}
        for name, piece in others.items():
            if name not in mine or (mine[name] != piece and not _is_same(unmarshal(decode(mine[name])), new[name])):
                changed.add(name)
        return changed

    def text_after(self, new: Plain, changed: set[str]) -> bytes:
        """The text with the pieces exchanged that changed."""
        fields: dict[str, Any] = {name: piece for name, piece in pieces(self.text).items() if name in new}
        for name, value in new.items():
            if name in changed:
                fields[name] = marshal(value)
        return encode(fields)


def plain_of(stored: StoredItem | None) -> Plain | None:
    return None if stored is None else stored.item


def changed_names(old: Plain, new: Plain) -> set[str]:
    """The attributes a write adds, removes or gives another value."""
    changed = {name for name in old if name not in new}
    for name, value in new.items():
        if name not in old or not _is_same(old[name], value):
            changed.add(name)
    return changed


def _is_same(left: Any, right: Any) -> bool:
    """Equal and of the same types: to Python, True is 1."""
    if left is right:
        return True
    if left != right or type(left) is not type(right):
        return False
    return not isinstance(left, dict | list) or _is_same_inside(left, right)


def _is_same_inside(left: Any, right: Any) -> bool:
    """Of two equal values inside lists and maps: whether they have one text, which True and 1 have not."""
    if left.__class__ is str:
        return True
    if isinstance(left, dict):
        named: Plain = left  # pyright: ignore[reportUnknownVariableType]
        return all(_is_same_inside(each, right[name]) for name, each in named.items())
    if isinstance(left, list | tuple):
        members: list[Any] | tuple[Any, ...] = left  # pyright: ignore[reportUnknownVariableType]
        return all(map(_is_same_inside, members, right))
    return isinstance(left, bool) is isinstance(right, bool)
