"""The engine: a DynamoDB in the package. `Engine().call("PutItem", {...})` takes and gives DynamoDB JSON.

Calls go straight to the functions in `HANDLERS`, without HTTP and without botocore. Items on their way out stay the
text they were stored as (`msgspec.Raw`) until someone needs to look inside: the server splices them into its answer.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self

import msgspec

from tablewright.engine.faults import unknown_operation
from tablewright.engine.requests import check_request
from tablewright.engine.storage import Durability, Storage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tablewright.engine.table import Table

Params = dict[str, Any]
Handler = "Callable[[Engine, Params], Params]"


class Engine:
    """A database in memory, or in a file that survives everything but the disk."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        durability: Durability = "normal",
        clock: Callable[[], float] = time.time,
        region: str = "us-east-1",
        instruments: Instruments | None = None,
    ) -> None:
        self.storage = Storage(path, durability=durability)
        self.clock = clock
        self.region = region
        self.instruments = instruments

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.storage.close()

    def call(self, action: str, params: Params) -> Params:
        """One request, with everything in the reply decoded."""
        return decoded(self.handle(action, params))

    def handle(self, action: str, params: Params) -> Params:
        """One request; stored items in the reply are still text."""
        handler = handlers().get(action)
        if handler is None:
            raise unknown_operation()
        check_request(action, params)
        return handler(self, params)

    def table(self, name: str) -> Table:
        """The table of this name or ARN."""
        return self.storage.table(name.rpartition("table/")[2] if name.startswith("arn:") else name)

    # ---- what handlers tell ------------------------------------------------------------------------------------------

    def admit(self, table: Table, index: str | None, partition: bytes, kind: Direction) -> None:
        """Called before an item, or a page of one partition, is read or written: raises when it must be throttled.

        `partition` is the partition key as `keys.partition_bytes` makes it (of the index, when one is read). Nothing
        was changed yet, so that a batch can put the item aside and go on. `rows.write` asks for the indexes itself.
        """
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
        """Called once the cost is known, also for failed conditions and empty reads; never raises.

        `partition` as in `admit` (None when a page had no item); `read` items of `size` bytes were looked at, of which
        `kept` stayed after filters. Writes are charged for the table here; `rows.write` charges the indexes.
        """
        if self.instruments is not None:
            self.instruments.charge(self, Charge(table.name, index, partition, kind, units, read, kept, size))

    def record_change(self, table: Table, old: Params | None, new: Params | None) -> None:
        """Tell the table's stream, if it has one."""


def handlers() -> dict[str, Callable[[Engine, Params], Params]]:
    from tablewright.engine.handlers import HANDLERS  # the handlers know the engine

    return HANDLERS


def decoded(reply: Any) -> Any:
    """A reply with every stored text read."""
    if isinstance(reply, msgspec.Raw):
        return msgspec.json.decode(reply)
    if isinstance(reply, dict):
        return {name: decoded(value) for name, value in reply.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(reply, list):
        return [decoded(each) for each in reply]  # pyright: ignore[reportUnknownVariableType]
    return reply
