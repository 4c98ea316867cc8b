"""PutItem, UpdateItem, DeleteItem, BatchWriteItem, TransactWriteItems, TransactGetItems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.writes.batch import batch_write_item
from tablewright.engine.writes.single import delete_item, put_item, update_item
from tablewright.engine.writes.transact_get import transact_get_items
from tablewright.engine.writes.transact_write import transact_write_items

if TYPE_CHECKING:
    from tablewright.engine.context import Handler

HANDLERS: dict[str, Handler] = {
    "PutItem": put_item,
    "DeleteItem": delete_item,
    "UpdateItem": update_item,
    "BatchWriteItem": batch_write_item,
    "TransactWriteItems": transact_write_items,
    "TransactGetItems": transact_get_items,
}
