"""Every operation the engine knows, by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine import partiql, reads, settings, streams, tables, writes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.engine import Engine

HANDLERS: dict[str, Callable[[Engine, dict[str, Any]], dict[str, Any]]] = {
    **tables.HANDLERS,
    **settings.HANDLERS,
    **writes.HANDLERS,
    **reads.HANDLERS,
    **partiql.HANDLERS,
    **streams.HANDLERS,
}
