"""What an operation may ask of the engine that runs it.

Operations, expiry and the simulation know this and not `Engine`, which stands above all of them and is the one that
does it. What only writes of rows need is in `store.rows`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tablewright.engine.store.rows import WriteContext

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from tablewright.engine.capacity import Direction
    from tablewright.engine.store.table import Table
    from tablewright.engine.store.values import Words

Params: TypeAlias = dict[str, Any]
Handler: TypeAlias = "Callable[[EngineContext, Params], Params]"
"""An operation: from a checked request to its reply."""


class EngineContext(WriteContext, Protocol):
    @property
    def clock(self) -> Callable[[], float]: ...

    @property
    def region(self) -> str: ...

    @property
    def table_delay_seconds(self) -> float:
        """How long tables are CREATING, UPDATING and DELETING."""
        ...

    @property
    def wording(self) -> Words: ...

    def table(self, name: str) -> Table:
        """The table of this name or ARN, if it can be used: not while it is being made or taken away."""
        ...

    def perform(self, action: str, params: Params) -> Params:
        """A read as part of another request: it was checked, and it lags behind as it would by itself."""
        ...

    def as_service(self) -> AbstractContextManager[None]:
        """Changes inside are the service's own, and are told so in streams. For those who hold the storage's lock."""
        ...

    def admit(self, table: Table, index: str | None, partition: bytes | None, kind: Direction) -> None:
        """To be called before an item, or a page of one partition, is read or written: raises when it is throttled.

        `partition` is the partition key as `keys.partition_bytes` makes it (of the index, when one is read), or None
        for a scan. Nothing was changed yet, so that a batch can put the item aside and go on. `rows.write` asks for
        the indexes itself.
        """
        ...

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
        """To be called once the cost is known, also for failed conditions and empty reads; never raises.

        `partition` as in `admit` (None when a page had no item); `read` items of `size` bytes were looked at, of which
        `kept` stayed after filters. Writes are charged for the table here; `rows.write` charges the indexes.
        """
        ...

    def check_not_held(self, table: Table, key: Params) -> None:
        """To be called before a single write and for members of transactions: raises when another one is at work.

        `key` has the item's key attributes, and maybe others, as plain values.
        """
        ...
