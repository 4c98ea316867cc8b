"""Everything about tables that is not their keys: time to live, tags, limits, endpoints, backups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.engine import Engine

HANDLERS: dict[str, Callable[[Engine, dict[str, Any]], dict[str, Any]]] = {}
