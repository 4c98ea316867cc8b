"""The engine: a DynamoDB in the package. `Engine().call("PutItem", {...})` takes and gives DynamoDB JSON.

Calls go straight to the functions in `HANDLERS`, without HTTP and without botocore. Items on their way out stay the
text they were stored as (`msgspec.Raw`) until someone needs to look inside: the server splices them into its answer.
What the functions may ask of the engine is in `context`.
"""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self

from tablewright.engine import partiql, reads, settings, streams, tables, writes
from tablewright.engine.expiry import expire
from tablewright.engine.faults import no_such_table, unknown_operation
from tablewright.engine.replies import decode_reply
from tablewright.engine.requests import check_request
from tablewright.engine.simulation.account import Charge
from tablewright.engine.store.collections import Collections
from tablewright.engine.store.storage import Storage
from tablewright.engine.streams.write import record, trim
from tablewright.errors import TablewrightError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from pathlib import Path

    from tablewright.engine.capacity import Direction
    from tablewright.engine.context import Handler
    from tablewright.engine.simulation import Account, Instruments
    from tablewright.engine.store.file import Durability
    from tablewright.engine.store.table import Table
    from tablewright.engine.store.values import Words

Params = dict[str, Any]

UPKEEP_SECONDS = 1
"""Calls look for expired items and old stream records at most this often."""
UPKEEP_ITEMS = 1000
"""So many items and stream records go in passing; the others wait for the next time."""

HANDLERS: dict[str, Handler] = {
    **tables.HANDLERS,
    **settings.HANDLERS,
    **writes.HANDLERS,
    **reads.HANDLERS,
    **partiql.HANDLERS,
    **streams.HANDLERS,
}
"""Every operation, by its name."""


class Engine:
    """A database in memory, or in a file that survives everything but the disk."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        durability: Durability = "normal",
        clock: Callable[[], float] = time.time,
        region: str = "us-east-1",
        table_delay_seconds: float = 0,
        wording: Words = "current",
        instruments: Instruments | None = None,
    ) -> None:
        self.storage: Storage = Storage(path, durability=durability, clock=clock)
        self.clock = clock
        self.region = region
        self.table_delay_seconds = table_delay_seconds
        self.wording: Words = wording
        self.instruments = instruments
        self.collections = Collections() if instruments is None else Collections(instruments.collection_bytes)
        self._by_service = False
        self._next_upkeep = clock() + UPKEEP_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.storage.close()

    def call(self, action: str, params: Params) -> Params:
        """One request, with everything in the reply decoded."""
        reply: Params = decode_reply(self.handle(action, params))
        return reply

    def handle(self, action: str, params: Params) -> Params:
        """One request; stored items in the reply are still text."""
        handler = HANDLERS.get(action)
        if handler is None:
            raise unknown_operation()
        params = check_request(action, params, self.wording)
        if self.clock() >= self._next_upkeep:
            self._upkeep()
        if self.instruments is not None:
            return self.instruments.run(self, action, params, handler)
        return handler(self, params)

    def perform(self, action: str, params: Params) -> Params:
        """A read as part of another request: it was checked, and it lags behind as it would by itself."""
        handler = HANDLERS[action]
        if self.instruments is not None:
            return self.instruments.read(self, action, params, handler)
        return handler(self, params)

    def table(self, name: str) -> Table:
        """The table of this name or ARN, if it can be used: not while it is being made or taken away."""
        table = self.storage.table(name.rpartition("table/")[2] if name.startswith("arn:") else name)
        pending = table.settings.get("Pending")
        if pending is not None and (
            pending["state"] == "DELETING" or (pending["state"] == "CREATING" and self.clock() < pending["until"])
        ):
            raise no_such_table()
        return table

    # ---- what operations ask and tell: see `context` -----------------------------------------------------------------

    def admit(self, table: Table, index: str | None, partition: bytes | None, kind: Direction) -> None:
        if self.instruments is not None:
            self.instruments.admit(self, table, index, partition, kind)

    def charge(
        self,
        table: Table,
        index: str | None,
        partition: bytes | None,
        kind: Direction,
        units: float,
        *,
        read: int = 0,
        kept: int = 0,
        size: int = 0,
    ) -> None:
        if self.instruments is not None:
            self.instruments.charge(self, table, Charge(table.name, index, partition, kind, units, read, kept, size))

    def check_not_held(self, table: Table, key: Params) -> None:
        if self.instruments is not None:
            self.instruments.check_not_held(table, key)

    def admit_entries(self, table: Table, old: Params | None, new: Params | None) -> None:
        if self.instruments is not None:
            self.instruments.admit_entries(self, table, old, new)

    def measure_write(
        self, table: Table, old: Params | None, new: Params | None, index_wcu: Mapping[str, float]
    ) -> None:
        if self.instruments is not None:
            self.instruments.measure_write(self, table, old, new, index_wcu)

    def record_change(self, table: Table, old: Params | None, new: Params | None) -> None:
        if table.stream is not None:
            record(self, table, old, new, by_service=self._by_service)

    # ---- what happens by itself --------------------------------------------------------------------------------------

    def expire(self) -> int:
        """Delete the items whose time to live is over now; the answer is how many. Calls do it every few seconds."""
        return expire(self)

    @contextmanager
    def as_service(self) -> Generator[None]:
        """Changes inside are the service's own, and are told so in streams. For those who hold the storage's lock."""
        self._by_service = True
        try:
            yield
        finally:
            self._by_service = False

    def _upkeep(self) -> None:
        """Expired items and old stream records go; if the file cannot be written, the call at hand is not to blame."""
        self._next_upkeep = self.clock() + UPKEEP_SECONDS
        with suppress(TablewrightError):
            expire(self, at_most=UPKEEP_ITEMS)
            trim(self, at_most=UPKEEP_ITEMS)

    @property
    def account(self) -> Account:
        """The last calls and what they read, kept and were charged."""
        found = None if self.instruments is None else self.instruments.account
        if found is None:
            raise TablewrightError("no account is kept; make the engine with instruments=Instruments(account=100)")
        return found
