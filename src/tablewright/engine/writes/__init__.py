"""PutItem, UpdateItem, DeleteItem, BatchWriteItem, TransactWriteItems, TransactGetItems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.writes import single, transact_write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.engine import Engine

HANDLERS: dict[str, Callable[[Engine, dict[str, Any]], dict[str, Any]]] = {**single.HANDLERS, **transact_write.HANDLERS}
