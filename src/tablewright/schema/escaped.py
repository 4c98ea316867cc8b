"""Text of any kind inside keys: what could be taken for a key's own signs is written otherwise, in the same order.

A key ends a value with `#`. Text that holds a `#`, or a character that sorts before it, would end too early or sort
behind longer values. So every character up to the escape sign itself is written as that sign and the character 64 code
points further on. Two texts never become one, and their order stays.
"""

from __future__ import annotations

import re

import msgspec

ESCAPE = "$"  # sorts right behind the delimiter
SHIFT = 0x40
_LOW = re.compile(r"[\x00-$]")
_WRITTEN = re.compile(r"\$(.)", re.DOTALL)


class Escaped(msgspec.Struct, frozen=True):
    """How the texts of an attribute stand in keys that are made of anything."""

    def text(self, value: str) -> str:
        return escape(value)

    def read(self, text: str) -> str:
        """The text in a key."""
        return _WRITTEN.sub(lambda found: chr(max(0, ord(found[1]) - SHIFT)), text)

    def ends_at(self, behind: str) -> bool:
        """Whether the literal text behind a value tells where that ends, whatever the value is."""
        return behind[:1] < ESCAPE


def escape(text: str) -> str:
    return _LOW.sub(lambda found: ESCAPE + chr(ord(found[0]) + SHIFT), text)
