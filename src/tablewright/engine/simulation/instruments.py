"""All instruments of one engine, and the order in which they act on a call."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from tablewright.engine.simulation.account import Account, Call, Charge
from tablewright.engine.simulation.failures import (
    BATCHES,
    Aside,
    Failures,
    Holds,
    conflict,
    every_nth_member,
    fail,
    handle_batch,
)
from tablewright.engine.simulation.heat import Heat
from tablewright.engine.simulation.history import History
from tablewright.engine.simulation.partitions import Partitions
from tablewright.engine.store.forks import LOCKED
from tablewright.engine.store.rows import entry_of, table_key
from tablewright.errors import ServiceError, Throttled
from tablewright.wire.capacity import index_write_wcu
from tablewright.wire.limits import MAX_ITEM_COLLECTION_BYTES
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from contextlib import AbstractContextManager

    from tablewright.engine.capacity import Direction
    from tablewright.engine.context import EngineContext, Handler
    from tablewright.engine.store.rows import Entry
    from tablewright.engine.store.table import Table

Params = dict[str, Any]

TRANSACTIONS = frozenset({"TransactWriteItems", "ExecuteTransaction"})


class Instruments:
    """The options are the instruments; each is off by default.

    account      keep this many of the last calls, with what they read, kept and were charged (`engine.account`)
    heat         count units and refusals by partition key
    partitions   throttle as partitions, provisioned and on-demand throughput would; or a `Partitions` with other limits
    gsi_lag      seconds until a write can be seen in global secondary indexes
    stale_reads  seconds that eventually consistent reads lag behind
    failures     a function of action and parameters that gives a `Failure` or None; `every(10)` for every tenth call
    conflicts    a function of table and key that tells whether another transaction is at work there; see also `hold`
    unprocessed  leave every nth member of batches undone, or those that a function of table and item (or key) picks
    collection_bytes  how large the item collections of tables with local indexes may become
    """

    def __init__(
        self,
        *,
        account: int = 0,
        heat: bool = False,
        partitions: bool | Partitions = False,
        gsi_lag: float = 0,
        stale_reads: float = 0,
        failures: Failures | None = None,
        conflicts: Callable[[str, Params], bool] | None = None,
        unprocessed: int | Aside | None = None,
        collection_bytes: int = MAX_ITEM_COLLECTION_BYTES,
    ) -> None:
        self.collection_bytes = collection_bytes
        self.account = Account(account) if account else None
        self.heat = Heat() if heat else None
        self.partitions = Partitions() if partitions is True else partitions or None
        self.history = History(gsi_lag, stale_reads) if gsi_lag or stale_reads else None
        self.failures = failures
        self.holds = Holds(conflicts)
        self.unprocessed = every_nth_member(unprocessed) if isinstance(unprocessed, int) else unprocessed
        self._state = _ThreadState()
        self.free_lock()
        LOCKED.add(self)

    def free_lock(self) -> None:
        self._lock = threading.Lock()

    def hold(self, table: str, key: Params) -> AbstractContextManager[None]:
        """While inside, the item with this key (in DynamoDB JSON) is busy with another transaction."""
        return self.holds.hold(table, key)

    # ---- around a call -----------------------------------------------------------------------------------------------

    def run(self, engine: EngineContext, action: str, params: Params, handler: Handler) -> Params:
        """One call with everything that is switched on."""
        failure = None if self.failures is None else self.failures(action, params)
        call, outer = Call(action, engine.clock()), self._state.call
        self._state.call = call
        try:
            fail(failure, after=False)
            reply = self._handle(engine, action, params, handler)
            fail(failure, after=True)
        except BaseException as error:
            call.error = error.name if isinstance(error, ServiceError) else type(error).__name__
            raise
        finally:
            self._state.call = outer
            if self.account is not None:
                self.account.add(call)
        return reply

    def _handle(self, engine: EngineContext, action: str, params: Params, handler: Handler) -> Params:
        aside = self._choose_aside(action)
        if action in BATCHES and aside is not None:
            return handle_batch(engine, action, params, handler, aside)
        return self.read(engine, action, params, handler)

    def read(self, engine: EngineContext, action: str, params: Params, handler: Handler) -> Params:
        """What is handled sees the past if it is a read that lags."""
        lags = {} if self.history is None else self.history.lag(engine, action, params)
        if self.history is None or not lags:
            return handler(engine, params)
        return self.history.read_past(engine, lags, self.undoing, partial(handler, engine, params))

    def _choose_aside(self, action: str) -> Aside | None:
        """Which members of a batch are left undone: the chosen ones and, in writes, those that are held."""
        if not self.holds or action != "BatchWriteItem":
            return self.unprocessed
        chosen, holds = self.unprocessed, self.holds
        return lambda table, item: holds(table, item) or (chosen is not None and chosen(table, item))

    # ---- what handlers tell ------------------------------------------------------------------------------------------

    def admit(
        self, engine: EngineContext, table: Table, index: str | None, partition: bytes | None, kind: Direction
    ) -> None:
        if self.partitions is None or self._state.call is None or self._state.undoing:
            return
        try:
            with self._lock:
                self.partitions.admit(engine, table, index, partition, kind)
        except Throttled:
            if self.heat is not None and partition is not None:
                self.heat.throttle(table.name, index, partition)
            raise

    def charge(self, engine: EngineContext, table: Table, charge: Charge) -> None:
        if self._state.call is None or self._state.undoing:
            return
        self._state.call.charges.append(charge)
        with self._lock:
            if self.heat is not None:
                self.heat.charge(charge)
            if self.partitions is not None:
                self.partitions.charge(table, charge, engine.clock())

    def check_not_held(self, table: Table, key: Params) -> None:
        if self.holds and self.holds(table.name, marshal_item({name: key[name] for name in table.keys.names})):
            raise conflict()

    # ---- what rows.write tells ---------------------------------------------------------------------------------------

    def admit_entries(self, engine: EngineContext, table: Table, old: Params | None, new: Params | None) -> None:
        """A write must find room in every GSI that it changes, or it is throttled as a whole."""
        if self.partitions is None:
            return
        for index in table.indexes:
            before, after = entry_of(table, index, old), entry_of(table, index, new)
            if index.kind == "gsi" and not _same(before, after):
                for partition in {entry.key[0] for entry in (before, after) if entry is not None}:
                    self.admit(engine, table, index.name, partition, "write")

    def measure_write(
        self, engine: EngineContext, table: Table, old: Params | None, new: Params | None, units: Mapping[str, float]
    ) -> None:
        """A write was made; `units` are what it cost in each index."""
        if self._state.undoing:
            return
        self._charge_entries(engine, table, old, new, units)
        if self.partitions is not None:
            with self._lock:
                self._grow(engine, table, old, new)
        if self.history is not None:
            self.history.add(table, old, new, engine.clock())

    def _charge_entries(
        self, engine: EngineContext, table: Table, old: Params | None, new: Params | None, units: Mapping[str, float]
    ) -> None:
        call = self._state.call
        factor = 2.0 if call is not None and call.action in TRANSACTIONS else 1.0
        for index in table.indexes:
            if not units.get(index.name):
                continue
            before, after = entry_of(table, index, old), entry_of(table, index, new)
            moved = before is not None and after is not None and before.key != after.key
            away = 0.0 if before is None or not moved else index_write_wcu(before.size, None)
            if before is not None and away:
                charge = Charge(table.name, index.name, before.key[0], "write", away * factor, size=before.size)
                self.charge(engine, table, charge)
            entry = after or before
            if entry is not None:
                rest = (units[index.name] - away) * factor
                self.charge(engine, table, Charge(table.name, index.name, entry.key[0], "write", rest, size=entry.size))

    def _grow(self, engine: EngineContext, table: Table, old: Params | None, new: Params | None) -> None:
        assert self.partitions is not None
        now = engine.clock()
        for item, sign in ((old, -1), (new, 1)):
            if item is None:
                continue
            self.partitions.grow(table, None, table_key(table, item)[0], sign * item_size_bytes(item), now)
            for index in table.indexes:
                entry = entry_of(table, index, item)
                if entry is not None:
                    self.partitions.grow(table, index.name, entry.key[0], sign * entry.size, now)

    @contextmanager
    def undoing(self) -> Generator[None]:
        """Writes inside leave no trace in any instrument."""
        self._state.undoing = True
        try:
            yield
        finally:
            self._state.undoing = False


class _ThreadState(threading.local):
    """What this thread is at. Outside of calls nothing is throttled or charged: expired items, imports."""

    call: Call | None = None
    undoing: bool = False


def _same(before: Entry | None, after: Entry | None) -> bool:
    if before is None or after is None:
        return before is after
    return before.key == after.key and before.view == after.view
