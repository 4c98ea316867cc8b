"""The reply of a Query or Scan: what is kept of a page, where it ended, and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.capacity import add_consumed_capacity, consumed_capacity
from tablewright.engine.reads.projection import narrow, pick_names, projector
from tablewright.engine.store.values import from_text
from tablewright.expr.evaluate import evaluate
from tablewright.wire.capacity import batch_read_rcu, read_rcu

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.reads.pages import Page
    from tablewright.engine.reads.select import Selection, View
    from tablewright.engine.reads.source import Source


def page_reply(
    engine: EngineContext,
    params: dict[str, Any],
    source: Source,
    view: View,
    selection: Selection,
    page: Page,
    partition: bytes | None,
) -> dict[str, Any]:
    """Everything the caller is told about a page."""
    texts = _filter_texts(page, view, selection)
    reply: dict[str, Any] = {}
    if not selection.counts:
        reply["Items"] = list(map(projector(selection.paths, view.visible), texts))
    reply["Count"] = len(texts)
    reply["ScannedCount"] = len(page.rows)
    if not page.complete:
        reply["LastEvaluatedKey"] = pick_names(page.rows[-1][0], source.key_names)
    return _add_costs(engine, params, reply, source, view, page, partition)


def _filter_texts(page: Page, view: View, selection: Selection) -> list[bytes]:
    """The texts of the items that the filter leaves."""
    condition, visible = selection.filter, view.visible
    if condition is None:
        return [row[0] for row in page.rows]
    return [row[0] for row in page.rows if evaluate(condition, narrow(from_text(row[0]), visible))]


def _add_costs(
    engine: EngineContext,
    params: dict[str, Any],
    reply: dict[str, Any],
    source: Source,
    view: View,
    page: Page,
    partition: bytes | None,
) -> dict[str, Any]:
    """Charge the page, and tell if asked: the entries together, but each fetched item by itself."""
    if engine.instruments is None and "ReturnConsumedCapacity" not in params:
        return reply
    consistent = bool(params.get("ConsistentRead"))
    table, index = source.table, source.index
    size = sum(row[2] for row in page.rows)
    read, left = len(page.rows), reply["Count"]
    units = read_rcu(size, consistent=consistent)
    if index is None:
        engine.charge(table, None, partition, "read", units, read=read, kept=left, size=size)
        return add_consumed_capacity(reply, consumed_capacity(params, table, units))
    engine.charge(table, index.name, partition, "read", units, read=read, kept=left, size=size)
    fetched = 0.0
    if view.fetches:
        sizes = [row[1] for row in page.rows]
        fetched = batch_read_rcu(sizes, consistent=consistent)
        engine.charge(table, None, partition, "read", fetched, read=read, kept=left, size=sum(sizes))
    return add_consumed_capacity(reply, consumed_capacity(params, table, fetched, {index.name: units}))
