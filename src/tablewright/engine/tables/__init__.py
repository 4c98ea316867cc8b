"""CreateTable, UpdateTable, DeleteTable, DescribeTable, ListTables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.tables.create import create_table, delete_table
from tablewright.engine.tables.describe import describe_table, list_tables
from tablewright.engine.tables.update import update_table

if TYPE_CHECKING:
    from tablewright.engine.context import Handler

HANDLERS: dict[str, Handler] = {
    "CreateTable": create_table,
    "DeleteTable": delete_table,
    "DescribeTable": describe_table,
    "ListTables": list_tables,
    "UpdateTable": update_table,
}
