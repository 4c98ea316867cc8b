"""How hot every partition key is: units and refusals, counted by table, index and key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.engine.store.keys import HASH_BYTES

if TYPE_CHECKING:
    from tablewright.engine.capacity import Direction
    from tablewright.engine.simulation.account import Charge

Place = tuple[str, str | None, bytes]

MAX_KEYS = 100_000


class Warmth(msgspec.Struct):
    """What one partition key has been asked for."""

    table: str
    index: str | None
    key: bytes
    rcu: float = 0.0
    wcu: float = 0.0
    requests: int = 0
    throttled: int = 0

    @property
    def units(self) -> float:
        return self.rcu + self.wcu

    def of(self, kind: Direction | None) -> float:
        return {"read": self.rcu, "write": self.wcu}.get(kind or "", self.units)

    @property
    def text(self) -> str:
        """The key for people: as text where it is text, in hexadecimal where it is not."""
        try:
            found = self.key.decode()
        except UnicodeDecodeError:
            return self.key.hex()
        return found if found.isprintable() else self.key.hex()


class Heat:
    """Counters for every key that was touched; the coldest are forgotten when there are too many."""

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self.max_keys = max_keys
        self._keys: dict[Place, Warmth] = {}

    def charge(self, charge: Charge) -> None:
        if charge.partition is None:
            return
        found = self._warmth(charge.table, charge.index, charge.partition)
        found.requests += 1
        if charge.kind == "read":
            found.rcu += charge.units
        else:
            found.wcu += charge.units

    def throttle(self, table: str, index: str | None, partition: bytes) -> None:
        self._warmth(table, index, partition).throttled += 1

    def hottest(self, count: int = 10, *, table: str | None = None, kind: Direction | None = None) -> list[Warmth]:
        """The hottest keys first, by all units or by those of reads or writes alone."""
        chosen = [each for each in self._keys.values() if table in (None, each.table)]
        return sorted(chosen, key=lambda each: each.of(kind), reverse=True)[:count]

    def clear(self) -> None:
        self._keys.clear()

    def _warmth(self, table: str, index: str | None, partition: bytes) -> Warmth:
        place = (table, index, partition)
        found = self._keys.get(place)
        if found is None:
            if len(self._keys) >= self.max_keys:
                self._forget()
            found = self._keys[place] = Warmth(table, index, partition[HASH_BYTES:])
        return found

    def _forget(self) -> None:
        """Keep the hotter half."""
        kept = sorted(self._keys.items(), key=lambda pair: pair[1].units, reverse=True)[: self.max_keys // 2]
        self._keys = dict(kept)
