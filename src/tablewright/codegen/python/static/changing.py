"""Changes that a caller may leave out."""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeVar

import tablewright as tw

T = TypeVar("T")


class Keep(Enum):
    """Stands for a value that is left as it is."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP


def become(path: tw.Path[T], value: T | Keep | None) -> list[tw.Change]:
    """The change that makes an attribute a value, or absent; none where it is kept."""
    if value is KEEP:
        return []
    return [path.remove() if value is None else path.set(value)]
