"""Reads of the past: stale eventually-consistent reads and indexes that lag behind their table.

The changes of the last seconds are remembered. A read that is to be stale finds them undone, in a transaction that is
always rolled back: keys, order, sizes and capacity are those of then, not an imitation of them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.store import rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Table

    Undoing = Callable[[], AbstractContextManager[None]]

Plain = dict[str, Any]


class _Change(msgspec.Struct, frozen=True):
    """One write: the item before it (None for none), and enough of it to find it."""

    at: float
    table: str
    uuid: str
    key: Plain
    old: Plain | None


class History:
    """The changes of the last `seconds`, oldest first."""

    def __init__(self, gsi_lag: float, stale_reads: float) -> None:
        self.gsi_lag, self.stale_reads = gsi_lag, stale_reads
        self.seconds = max(gsi_lag, stale_reads)
        self._changes: deque[_Change] = deque()

    def add(self, table: Table, old: Plain | None, new: Plain | None, now: float) -> None:
        """Remember a change, and forget those too old to matter.

        One that is rolled back may stay: what it is undone to is what was there all the time.
        """
        item = new if old is None else old
        if item is None:
            return
        key = {name: item[name] for name in table.keys.names}
        self._changes.append(_Change(now, table.name, table.uuid, key, old))
        while self._changes and self._changes[0].at < now - self.seconds:
            self._changes.popleft()

    def lag(self, engine: EngineContext, action: str, params: Plain) -> dict[str, float]:
        """By how many seconds a read lags, for each table it reads from."""
        if action == "BatchGetItem":
            asked: dict[str, Plain] = params["RequestItems"]
            return {
                name: self.stale_reads
                for name, each in asked.items()
                if self.stale_reads and not each.get("ConsistentRead")
            }
        if action not in ("GetItem", "Query", "Scan") or params.get("ConsistentRead"):
            return {}
        name: str = params["TableName"]
        table = engine.storage.tables.get(name)
        index = None if table is None else table.index(params.get("IndexName", ""))
        lag = max(self.gsi_lag, self.stale_reads) if index is not None and index.kind == "gsi" else self.stale_reads
        return {name: lag} if lag else {}

    def read_past(
        self, engine: EngineContext, lags: dict[str, float], undoing: Undoing, read: Callable[[], Plain]
    ) -> Plain:
        """What `read` finds with the latest changes of these tables undone."""
        with engine.storage.trying():
            with undoing():
                self._undo(engine, lags)
            return read()

    def _undo(self, engine: EngineContext, lags: dict[str, float]) -> None:
        now = engine.clock()
        for change in reversed(self._changes):
            table = engine.storage.tables.get(change.table)
            late = change.at > now - lags.get(change.table, 0.0)
            if late and table is not None and table.uuid == change.uuid:
                rows.write(engine, table, rows.find(engine.storage, table, change.key), change.old)
