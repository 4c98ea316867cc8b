"""Waiting for tables: until they and their indexes can be used, or until they are gone. Patience is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import ServiceError, TimedOut
from tablewright.runtime.flow import Flow, Pause
from tablewright.runtime.tables.declared import Params, tables_of
from tablewright.wire.call import Call

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0


def ask(action: str, **params: Any) -> Flow[Params]:
    """One request about a table. Neither it nor its reply holds items, so JSON is all there is to it."""
    reply = yield Call(action, params)
    return msgspec.json.decode(reply)  # type: ignore[no-any-return]


def described(name: str) -> Flow[Params | None]:
    """The table as DynamoDB describes it, None when there is none."""
    try:
        reply = yield from ask("DescribeTable", TableName=name)
    except ServiceError as error:
        if error.name != "ResourceNotFoundException":
            raise
        return None
    found: Params = reply["Table"]
    return found


def pauses(patience_seconds: float) -> Iterator[float]:
    """Growing pauses that add up to the patience and not more."""
    pause, left = FIRST_PAUSE_SECONDS, patience_seconds
    while left > 0:
        yield min(pause, left)
        left -= pause
        pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)


def until_active(name: str, patience_seconds: float) -> Flow[Params]:
    """The table's description once it and all its indexes are ACTIVE.

    A table that is not there may have been made a moment ago: descriptions are eventually consistent.
    """
    table = yield from described(name)
    for pause in pauses(patience_seconds):
        if not unready(table):
            break
        yield Pause(pause)
        table = yield from described(name)
    if table is None or unready(table):
        told = ", ".join(unready(table))
        raise TimedOut(f'the table "{name}" was not ready after {patience_seconds:g} seconds: {told}')
    return table


def unready(table: Params | None) -> list[str]:
    """What is not ACTIVE yet, in words."""
    if table is None:
        return ["there is no such table"]
    indexes = table.get("GlobalSecondaryIndexes", ())
    states = [("it", table["TableStatus"]), *((f"index {each['IndexName']}", each["IndexStatus"]) for each in indexes)]
    return [f"{what} is {state}" for what, state in states if state != "ACTIVE"]


def _until_gone(name: str, patience_seconds: float) -> Flow[None]:
    for pause in pauses(patience_seconds):
        table = yield from described(name)
        if table is None:
            return
        yield Pause(pause)
    raise TimedOut(f'the table "{name}" was still there after {patience_seconds:g} seconds')


class WaitForTable(msgspec.Struct, frozen=True):
    """`db.wait(service)`."""

    service: Any  # AnyService
    timeout_seconds: float

    def params(self) -> list[Params]:
        return [{"TableName": table.name} for table in tables_of(self.service)]

    def flow(self) -> Flow[None]:
        for params in self.params():
            yield from until_active(params["TableName"], self.timeout_seconds)


class DeleteTable(msgspec.Struct, frozen=True):
    """`db.delete_table(service)`: with everything in it. A table that is not there needs no deleting."""

    service: Any  # AnyService
    timeout_seconds: float

    def params(self) -> list[Params]:
        return [{"TableName": table.name} for table in tables_of(self.service)]

    def flow(self) -> Flow[None]:
        for params in self.params():
            try:
                yield from ask("DeleteTable", **params)
            except ServiceError as error:
                if error.name == "ResourceNotFoundException":
                    continue
                raise
            yield from _until_gone(params["TableName"], self.timeout_seconds)
