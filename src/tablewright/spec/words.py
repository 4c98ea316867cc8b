"""Conditions of writes in words, as far as they can be read: `not exists`, `createdBy equals caller`, `Order exists`.

What cannot be read is kept as `unread`: nobody checks it, and the pattern is called unproven.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import msgspec

from tablewright.spec.conditions import Predicate

if TYPE_CHECKING:
    from collections.abc import Collection

_NEW = re.compile(r"(it |the \w+ )?(does not exist|not exists?|not existing|is free)( yet)?", re.IGNORECASE)
_THERE = re.compile(r"(it |the \w+ )?exists?", re.IGNORECASE)


class Worded(msgspec.Struct, frozen=True, kw_only=True):
    """What a condition in words demands."""

    existence: Literal["any", "new", "there"] = "any"
    parents: tuple[str, ...] = ()  # entities that must be there; PARENT: whichever is named
    conditions: tuple[Predicate, ...] = ()
    unread: str = ""


def read_words(text: str, attributes: Collection[str], entities: Collection[str]) -> Worded:
    """`attributes` are those of the entity that is written, `entities` all there are."""
    said = text.strip().rstrip(".")
    if not said:
        return Worded()
    if _NEW.fullmatch(said):
        return Worded(existence="new")
    if _THERE.fullmatch(said):
        return Worded(existence="there")
    return Worded(unread=text)
