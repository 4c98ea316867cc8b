"""Keeping what a cascade takes away: copied to another table as it is stored, or handed to a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.runtime.features.jobs.writes import batched
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.query import read_whole
from tablewright.runtime.options import DEFAULT
from tablewright.runtime.requests.batch_retry import chunks
from tablewright.runtime.requests.request import Params, read_item, table_of
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout, Values

Archive: TypeAlias = str | Callable[[Sequence[Any]], Any]
"""Another table, or who is handed the items."""


def archived(archive: Archive, layout: Layout, found: Sequence[Values]) -> Flow[float]:
    """Keep the items that are still there; the answer is the write units it took."""
    items = yield from _stored(layout, found)
    if isinstance(archive, str):
        return (yield from batched({archive: [{"PutRequest": {"Item": item}} for item in items]}))
    made: list[Any] = [read_item(layout, item, DEFAULT, ignore=layout.ignore_ownership) for item in items]
    archive([item for item in made if item is not None])
    return 0.0


def _stored(layout: Layout, found: Sequence[Values]) -> Flow[list[Params]]:
    """The whole items as they are stored."""
    table = table_of(layout, DEFAULT)
    keys = [Get[Any](layout, each).request(sending=True)["Key"] for each in found]
    requests: list[Params] = [
        {"RequestItems": {table: {"Keys": list(group), "ConsistentRead": True}}}
        for group in chunks(keys, MAX_BATCH_GET_ITEMS)
    ]
    replies = yield from read_whole(requests, DEFAULT)
    return [item for reply in replies for item in reply.get("Responses", {}).get(table, ())]
