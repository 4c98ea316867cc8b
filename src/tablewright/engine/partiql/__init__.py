"""PartiQL: ExecuteStatement, BatchExecuteStatement, ExecuteTransaction.

A statement is read (`syntax`), bound to its table (`bind`) and turned into the requests everyone else makes
(`execute`), so that indexes, streams and capacity are kept in one place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.partiql.execute.batch import batch_execute_statement
from tablewright.engine.partiql.execute.statement import execute_statement
from tablewright.engine.partiql.execute.transaction import execute_transaction

if TYPE_CHECKING:
    from tablewright.engine.context import Handler

HANDLERS: dict[str, Handler] = {
    "ExecuteStatement": execute_statement,
    "BatchExecuteStatement": batch_execute_statement,
    "ExecuteTransaction": execute_transaction,
}
