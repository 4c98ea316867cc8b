"""GetItem, BatchGetItem, Query and Scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.reads.batch import batch_get_item
from tablewright.engine.reads.get import get_item
from tablewright.engine.reads.query import query
from tablewright.engine.reads.scan import scan

if TYPE_CHECKING:
    from tablewright.engine.context import Handler

HANDLERS: dict[str, Handler] = {
    "GetItem": get_item,
    "BatchGetItem": batch_get_item,
    "Query": query,
    "Scan": scan,
}
