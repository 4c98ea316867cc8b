"""What steps of jobs write with: transactions and deletions that tell the write units they took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import Incomplete, TransactionCancelled
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.transactions import Transaction, explained
from tablewright.runtime.options import DEFAULT
from tablewright.runtime.requests.batch_retry import repacked, rounds
from tablewright.runtime.requests.request import Params, call, table_of
from tablewright.wire.limits import MAX_BATCH_WRITE_ITEMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout, Values

REPORTED: Params = {"ReturnConsumedCapacity": "TOTAL"}
PLANNED_UNITS = 2.0  # at least what a write of a transaction takes, where no reply tells


def transacted(writes: Sequence[Any]) -> Flow[float]:
    """Make the writes together; the answer is the write units they took."""
    transaction = Transaction(tuple(writes))
    if any(write.layout.plan is not None for write in writes):
        yield from transaction.flow()
        return PLANNED_UNITS * len(writes)
    try:
        reply = yield from call("TransactWriteItems", {**transaction.request(), **REPORTED})
    except TransactionCancelled as error:
        raise explained(error, writes) from error.__cause__
    return _units_in([reply])


def deleted(found: Sequence[tuple[Layout, Values]]) -> Flow[float]:
    """Delete items by entity and table key, in batches; those of which deleting means more one by one."""
    units = 0.0
    tables: dict[str, list[Params]] = {}
    for layout, composites in found:
        if layout.plan is not None or layout.marked_by is not None:
            yield from Delete[Any](layout, composites).flow()
            units += PLANNED_UNITS
            continue
        member = {"DeleteRequest": {"Key": layout.key(composites)}}
        tables.setdefault(table_of(layout, DEFAULT), []).append(member)
    return units + (yield from batched(tables))


def batched(tables: dict[str, list[Params]]) -> Flow[float]:
    """Send puts and deletes by table until all are done, or raise what ended it."""
    whole: Params = {"RequestItems": {table: members for table, members in tables.items() if members}}
    requests = [{**request, **REPORTED} for request in repacked([whole], MAX_BATCH_WRITE_ITEMS)]
    books = yield from rounds("BatchWriteItem", requests)
    if not books.is_complete:
        raise books.error or Incomplete("UnprocessedItems", "DynamoDB kept handing items back; run it again")
    return _units_in(books.replies)


def _units_in(replies: Iterable[Params]) -> float:
    """The write units that replies report."""
    reports = [report for reply in replies for report in reply.get("ConsumedCapacity", ())]
    return float(sum(report.get("CapacityUnits", 0) for report in reports))
