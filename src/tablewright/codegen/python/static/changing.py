"""Changes that a caller may leave out."""

from __future__ import annotations

from typing import TypeVar

import tablewright as tw

from .keeping import KEEP, Keep

T = TypeVar("T")


def become(path: tw.Path[T], value: T | Keep | None) -> list[tw.Change]:
    """The change that makes an attribute a value, or absent; none where it is kept."""
    if value is KEEP:
        return []
    return [path.remove() if value is None else path.set(value)]
