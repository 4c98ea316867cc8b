"""Several effects of one kind at once, each with its outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.runtime.flow import Flow, Together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.runtime.blob_store import Blob
    from tablewright.wire.call import Call

WIDTH = 8
"""Blobs and items that are asked for at the same time."""


def each(effects: Sequence[Call | Blob], width: int) -> Flow[list[Any]]:
    """The outcome of each effect."""
    if not effects:
        return []
    if len(effects) > 1:
        outcomes: list[Any] = yield Together(tuple(effects), max(width, 1))
        return outcomes
    try:
        return [(yield effects[0])]
    except Exception as error:  # noqa: BLE001 - an outcome like any other
        return [error]
