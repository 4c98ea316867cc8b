"""What each call read, kept and was charged: the last calls, newest last."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.capacity import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator


class Charge(msgspec.Struct, frozen=True):
    """One thing a call paid for: an item or page of a table or index, in one partition as a rule.

    `read` items of `size` bytes were looked at and `kept` of them stayed after filters.
    """

    table: str
    index: str | None
    partition: bytes | None
    kind: Direction
    units: float
    read: int = 0
    kept: int = 0
    size: int = 0


class Call(msgspec.Struct):
    """One request and everything it was charged."""

    action: str
    at: float
    charges: list[Charge] = []
    error: str | None = None

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(charge.table for charge in self.charges))

    @property
    def indexes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(charge.index for charge in self.charges if charge.index is not None))

    @property
    def read(self) -> int:
        return sum(charge.read for charge in self.charges)

    @property
    def kept(self) -> int:
        return sum(charge.kept for charge in self.charges)

    @property
    def size(self) -> int:
        return sum(charge.size for charge in self.charges)

    def units(self, kind: Direction | None = None) -> float:
        """All units, or those of reads or writes alone."""
        return sum(charge.units for charge in self.charges if kind in (None, charge.kind))


class Account:
    """The last calls, as a sequence."""

    def __init__(self, calls: int) -> None:
        self._calls: deque[Call] = deque(maxlen=calls)

    def add(self, call: Call) -> None:
        self._calls.append(call)

    def clear(self) -> None:
        self._calls.clear()

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[Call]:
        return iter(tuple(self._calls))

    def __getitem__(self, at: int) -> Call:
        return self._calls[at]

    def of(self, action: str) -> list[Call]:
        return [call for call in self if call.action == action]

    def totals(self) -> dict[str, dict[str, Any]]:
        """Calls, items and units by action: what costs most stands out."""
        found: dict[str, dict[str, Any]] = {}
        for call in self:
            row = found.setdefault(call.action, {"calls": 0, "read": 0, "kept": 0, "rcu": 0.0, "wcu": 0.0})
            row["calls"] += 1
            row["read"] += call.read
            row["kept"] += call.kept
            row["rcu"] += call.units("read")
            row["wcu"] += call.units("write")
        return found
