"""Throttling in DynamoDB's words: which limit of which resource was met, and by which exception it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from tablewright.engine.tables.describe import table_arn
from tablewright.errors import ServiceError, service_error
from tablewright.wire.limits import (
    BURST_SECONDS,
    ON_DEMAND_INITIAL_RCU,
    ON_DEMAND_INITIAL_WCU,
    TABLE_QUOTA_RCU,
    TABLE_QUOTA_WCU,
)

if TYPE_CHECKING:
    from tablewright.engine.capacity import Direction
    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Index, Table

PROVISIONED_TABLE = (
    "The level of configured provisioned throughput for the table was exceeded. "
    "Consider increasing your provisioning level with the UpdateTable API."
)
PROVISIONED_INDEX = (
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was "
    "exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with "
    "the UpdateTable API"
)
ON_DEMAND = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or "
    "index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
)
MAX_ON_DEMAND = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"

MAXIMA: dict[Direction, str] = {"read": "MaxReadRequestUnits", "write": "MaxWriteRequestUnits"}


class Limits(msgspec.Struct, frozen=True):
    """Read and write units a second of a table or GSI, how many seconds of them can be saved, and the maxima."""

    read: float
    write: float
    seconds: float
    max_read: float = TABLE_QUOTA_RCU
    max_write: float = TABLE_QUOTA_WCU

    def grow_to_peak(self, read_peak: float, write_peak: float) -> Limits:
        """On-demand tables serve twice the peak they have seen before."""
        read, write = max(self.read, 2 * read_peak), max(self.write, 2 * write_peak)
        return msgspec.structs.replace(self, read=min(read, self.max_read), write=min(write, self.max_write))


def limits_of(table: Table, index: str | None) -> Limits:
    """What a table or GSI is allowed, before it has grown."""
    found = None if index is None else table.index(index)
    if table.billing == "PROVISIONED":
        units = (found.throughput if found is not None else None) or table.throughput
        return Limits(float(units.read), float(units.write), BURST_SECONDS)
    settings = table.settings if found is None else found.settings
    warm, maxima = settings.get("WarmThroughput", {}), settings.get("OnDemandThroughput", {})
    rcu = max(ON_DEMAND_INITIAL_RCU, warm.get("ReadUnitsPerSecond", 0))
    wcu = max(ON_DEMAND_INITIAL_WCU, warm.get("WriteUnitsPerSecond", 0))
    max_rcu = _maximum(maxima, "read", max(rcu, TABLE_QUOTA_RCU))
    max_wcu = _maximum(maxima, "write", max(wcu, TABLE_QUOTA_WCU))
    return Limits(min(rcu, max_rcu), min(wcu, max_wcu), 1, max_rcu, max_wcu)


def _maximum(maxima: dict[str, int], kind: Direction, otherwise: float) -> float:
    """The owner's own limit of an on-demand table; -1 takes it away."""
    asked = maxima.get(MAXIMA[kind], -1)
    return float(otherwise if asked < 0 else asked)


def throttle_fault(
    engine: EngineContext, table: Table, index: str | None, kind: Direction, where: Literal["table", "partition"]
) -> ServiceError:
    """The refusal of one request; an LSI is throttled as its table."""
    found = None if index is None else table.index(index)
    gsi = found if found is not None and found.kind == "gsi" else None
    arn = f"{table_arn(engine, table.name)}{'' if gsi is None else f'/index/{gsi.name}'}"
    limit = _limit_met(table, gsi, kind, where)
    reasons = [{"reason": f"{'Table' if gsi is None else 'Index'}{kind.title()}{limit}", "resource": arn}]
    if table.billing == "PROVISIONED":
        message = PROVISIONED_TABLE if gsi is None else PROVISIONED_INDEX
        return service_error("ProvisionedThroughputExceededException", message, {"ThrottlingReasons": reasons})
    message = MAX_ON_DEMAND if limit.startswith("Max") else ON_DEMAND
    return service_error("ThrottlingException", message, {"throttlingReasons": reasons})


def _limit_met(table: Table, gsi: Index | None, kind: Direction, where: Literal["table", "partition"]) -> str:
    """The last part of the service's reason."""
    if where == "partition":
        return "KeyRangeThroughputExceeded"
    if table.billing == "PROVISIONED":
        return "ProvisionedThroughputExceeded"
    maxima = (table.settings if gsi is None else gsi.settings).get("OnDemandThroughput", {})
    return "MaxOnDemandThroughputExceeded" if maxima.get(MAXIMA[kind], -1) >= 0 else "AccountLimitExceeded"
