"""Specs that are hot in one way each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.solution import solve

if TYPE_CHECKING:
    from tablewright.design.layout.layout import Layout

READING: dict[str, Any] = {
    "id": ["sensor", "time"],
    "attributes": {"sensor": {"type": "string", "cardinality": 1000}, "time": "timestamp", "value": "number"},
    "count": 1_000_000,
    "size_bytes": 200,
}
COUNTER: dict[str, Any] = {
    "id": ["name"],
    "attributes": {"name": "string", "total": "number"},
    "count": 100,
    "size_bytes": 50,
}


def readings(put: dict[str, Any], *patterns: dict[str, Any], reading: dict[str, Any] | None = None) -> Layout:
    """Readings put as said, and the last ten of a sensor read."""
    return solve(
        {
            "entities": {"Reading": {**READING, **(reading or {})}},
            "access_patterns": [
                {"id": "put", "kind": "write", "op": "put", "entity": "Reading", "by": ["sensor", "time"], **put},
                {
                    "id": "last",
                    "kind": "query",
                    "entity": "Reading",
                    "by": ["sensor"],
                    "sort": "time desc",
                    "limit": 10,
                    "rate": 1,
                },
                *patterns,
            ],
        }
    ).layout


def counters(
    *,
    add: dict[str, Any],
    get: dict[str, Any] | None = None,
    counter: dict[str, Any] | None = None,
    patterns: tuple[dict[str, Any], ...] = (),
) -> Layout:
    return solve(
        {
            "entities": {"Counter": {**COUNTER, **(counter or {})}},
            "access_patterns": [
                {"id": "get", "kind": "get", "entity": "Counter", "by": ["name"], "rate": 1, **(get or {})},
                {
                    "id": "add",
                    "kind": "write",
                    "op": "update",
                    "entity": "Counter",
                    "by": ["name"],
                    "changes": ["total"],
                    **add,
                },
                *patterns,
            ],
        }
    ).layout
