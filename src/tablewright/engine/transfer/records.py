"""What an import reads and an export writes: items in DynamoDB JSON, each with the place it came from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.errors import TablewrightError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Typed: TypeAlias = dict[str, Any]
Progress: TypeAlias = "Callable[[int, int, int], None]"
"""Told items, bytes done and bytes in total; the last is 0 when nobody knows."""


class TransferError(TablewrightError):
    """What is to be imported or exported cannot be, and nothing was changed."""


@dataclass(frozen=True, slots=True)
class Record:
    """An item to put, or the key of one to delete; `place` is its file and line."""

    place: str
    item: Typed | None = None
    key: Typed | None = None


class Source(ABC):
    """Records from somewhere, with a count of the bytes they took."""

    total_bytes: int = 0
    done_bytes: int = 0

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """All of them, in order."""


def no_progress(items: int, done_bytes: int, total_bytes: int) -> None:
    """For those who do not watch."""
