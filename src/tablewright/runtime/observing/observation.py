"""One call as it was seen from outside: what it was for, how long it took, what it cost, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tablewright.wire.call import Call
from tablewright.wire.document import from_wire


class Consumed(msgspec.Struct, frozen=True):
    """The capacity that one table and its indexes were charged."""

    table: str
    units: float
    table_units: float = 0.0
    gsis: Mapping[str, float] = msgspec.field(default_factory=dict[str, float])
    lsis: Mapping[str, float] = msgspec.field(default_factory=dict[str, float])

    @property
    def indexes(self) -> dict[str, float]:
        return {**self.gsis, **self.lsis}


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """A call that was made for an operation.

    `attempts` counts how often it was sent, `faults` names what went wrong with those before the last. `items_read`
    and `items_returned` are before and after filters; None where there is nothing to count.
    """

    name: str
    action: str
    tables: tuple[str, ...]
    index: str | None
    call: Call
    duration_seconds: float
    attempts: int = 1
    faults: tuple[str, ...] = ()
    waited_seconds: float = 0.0
    capacity: tuple[Consumed, ...] = ()
    items_read: int | None = None
    items_returned: int | None = None
    error: BaseException | None = None

    @property
    def table(self) -> str | None:
        return self.tables[0] if self.tables else None

    @property
    def params(self) -> dict[str, Any]:
        """The request with plain values."""
        return from_wire(self.call.params)

    @property
    def capacity_units(self) -> float | None:
        """Read or write units of all tables and indexes together; None where DynamoDB told none."""
        return sum(each.units for each in self.capacity) if self.capacity else None

    @property
    def unit(self) -> str:
        return "rcu" if self.action in READS else "wcu"

    @property
    def error_name(self) -> str | None:
        """DynamoDB's name for the error, or the exception's."""
        return None if self.error is None else getattr(self.error, "name", None) or type(self.error).__name__

    def __str__(self) -> str:
        """One line without any value of a request: they may be secret."""
        place = "/".join(part for part in (" ".join(self.tables), self.index) if part)
        told = [f"{self.name}: {self.action} {place}".rstrip(), f"{self.duration_seconds * 1000:.1f} ms"]
        if self.items_returned is not None:
            told.append(f"{self.items_returned} of {self.items_read} items")
        if self.capacity_units is not None:
            told.append(f"{self.capacity_units:g} {self.unit}")
        if self.attempts > 1:
            told.append(f"{self.attempts} attempts ({', '.join(self.faults)})")
        if self.error_name is not None:
            told.append(f"failed with {self.error_name}")
        return ", ".join(told)

    def __repr__(self) -> str:
        return f"<Observation of {self}>"


READS = frozenset({"GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"})
WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})


def tables_in(params: Mapping[str, Any]) -> tuple[str, ...]:
    """The tables that a request is about, each once."""
    if "TableName" in params:
        return (params["TableName"],)
    if "RequestItems" in params:
        return tuple(params["RequestItems"])
    members = params.get("TransactItems", ())
    return tuple(dict.fromkeys(str(request["TableName"]) for each in members for request in each.values()))
