"""Query: the items of one partition, in the order of their sort keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.expressions import Expressions
from tablewright.engine.faults import validation
from tablewright.engine.reads.conditions import fit_key_condition, limits_of, partition_of
from tablewright.engine.reads.pages import Source, Stretch, read_page
from tablewright.engine.reads.shown import requested_paths
from tablewright.engine.reads.reply import Wanted, page_reply

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine


def query(engine: Engine, params: dict[str, Any]) -> dict[str, Any]:
    expressions = Expressions(params)
    key_condition = expressions.key_condition()
    wanted = Wanted(filter=expressions.condition("FilterExpression"), paths=requested_paths(params, expressions))
    expressions.finish()
    with engine.storage.reading():
        table = engine.table(params["TableName"])
        index = table.index(params["IndexName"]) if "IndexName" in params else None
        source = Source(table, index)
        parts = fit_key_condition(source, key_condition)
        stretch = Stretch((partition_of(parts),), limits_of(source, parts), None, params.get("ScanIndexForward") is not False)
        page = read_page(engine, source, stretch, limit=params.get("Limit"), whole_items=False)
    return page_reply(params, source, wanted, page)
