"""Query: the items of one partition, in the order of their sort keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.expressions import Expressions
from tablewright.engine.faults import validation
from tablewright.engine.legacy import legacy_condition
from tablewright.engine.reads.conditions import check_asks_by_key, query_stretch, read_key_conditions
from tablewright.engine.reads.pages import Page, find_source, read_page
from tablewright.engine.reads.projection import check_attributes_to_get, requested_paths
from tablewright.engine.reads.reply import page_reply
from tablewright.engine.reads.select import (
    Wanted,
    check_filter_is_projected,
    check_paths,
    check_query_filter,
    check_select,
    view_of,
)
from tablewright.engine.reads.start_key import read_start
from tablewright.errors import ServiceError

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine
    from tablewright.engine.reads.pages import Source
    from tablewright.engine.reads.select import View
    from tablewright.engine.reads.start_key import Start
    from tablewright.engine.store.values import Words
    from tablewright.expr.nodes import Condition


COUNT = "Conditions can be of length 1 or 2 only"


def query(engine: Engine, params: dict[str, Any]) -> dict[str, Any]:
    """One page; the checks are in DynamoDB's order."""
    start, by_key, wanted = _read_request(params, engine.wording)
    with engine.storage.reading():
        source = _find_queried(engine, params, by_key)
        forward = params.get("ScanIndexForward") is not False
        stretch = query_stretch(source, by_key, start, forward=forward)
        view = _check_wanted(source, wanted)
        partition = stretch.fixed[0]
        engine.admit(source.table, source.index_name, partition, "read")
        page = read_page(engine, source, stretch, limit=params.get("Limit"), whole_items=view.fetches)
        if source.has_one_item_each:
            page = Page(page.rows, complete=True)  # there is nothing to go on to, nor a way to ask for it
    return page_reply(engine, params, source, view, wanted, page, partition)


def _read_request(params: dict[str, Any], words: Words) -> tuple[Start, dict[str, Condition], Wanted]:
    """What can be read without the table."""
    try:
        check_select(params)
    except ServiceError as error:
        raise enveloped(error) from None
    legacy_filter = legacy_condition(params, "QueryFilter", words)
    check_attributes_to_get(params)
    start = read_start(params, words)
    check_asks_by_key(params)
    expressions = Expressions(params, words)
    condition = expressions.condition("KeyConditionExpression")
    wanted = read_wanted(params, expressions, legacy_filter, "QueryFilter")
    by_key = read_key_conditions(params, condition, words)
    if not by_key:
        raise validation(COUNT)
    return start, by_key, wanted


def enveloped(error: ServiceError) -> ServiceError:
    return validation(f"1 validation error detected: {error.service_message}")


def _find_queried(engine: Engine, params: dict[str, Any], by_key: dict[str, Condition]) -> Source:
    """The table or index; no table's own key has more than two parts, which is told before that there is no table."""
    try:
        return find_source(engine, params)
    except ServiceError:
        if len(by_key) > 2 and "IndexName" not in params:
            raise validation(COUNT) from None
        raise


def read_wanted(
    params: dict[str, Any], expressions: Expressions, legacy_filter: Condition | None, filter_words: str
) -> Wanted:
    """The filter and the projection; with them, all expressions are read."""
    filtered = expressions.condition("FilterExpression")
    paths = requested_paths(params, expressions)
    expressions.finish()
    select = params.get("Select")
    return Wanted(
        filter=legacy_filter if filtered is None else filtered,
        filter_words=filter_words if filtered is None else "Filter Expression",
        paths=paths,
        counts=select == "COUNT",
        everything=select == "ALL_ATTRIBUTES",
    )


def _check_wanted(source: Source, wanted: Wanted) -> View:
    check_query_filter(source, wanted)
    view = view_of(source, wanted)
    check_filter_is_projected(source, wanted)
    check_paths(source, wanted)
    return view
