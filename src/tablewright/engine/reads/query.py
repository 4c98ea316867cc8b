"""Query: the items of one partition, in the order of their sort keys.

DynamoDB walks along the key schema and looks at each attribute first in the starting key and then in the conditions,
so this does too: it decides which of several mistakes is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.expressions import Expressions
from tablewright.engine.faults import validation
from tablewright.engine.legacy import legacy_condition, legacy_key_conditions
from tablewright.engine.reads.key_range import KeyRange, sort_limits, values_of
from tablewright.engine.reads.pages import Page, read_page
from tablewright.engine.reads.projection import check_attributes_to_get
from tablewright.engine.reads.reply import page_reply
from tablewright.engine.reads.select import (
    Selection,
    check_filter_is_projected,
    check_paths,
    check_query_filter,
    check_select,
    read_selection,
    view_of,
)
from tablewright.engine.reads.source import check_key_value, find_source
from tablewright.engine.reads.start_key import (
    INVALID,
    check_start_in_query,
    check_start_piece,
    check_start_table_key,
    read_start,
)
from tablewright.engine.requests.envelope import enclose
from tablewright.engine.store.keys import partition_bytes
from tablewright.errors import ServiceError
from tablewright.expr.faults import ExpressionError
from tablewright.expr.key_condition import NOT_SUPPORTED, ONE_EACH, KeyCondition, conditions_by_key, fit_to_key
from tablewright.expr.nodes import Between, Compare, Condition, Function

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.context import EngineContext
    from tablewright.engine.reads.select import View
    from tablewright.engine.reads.source import Source
    from tablewright.engine.reads.start_key import Start
    from tablewright.engine.store.values import Words


WRONG_TYPE = "One or more parameter values were invalid: Condition parameter type does not match schema type"
INDEXABLE = frozenset({"=", "<", "<=", ">", ">="})
COUNT = "Conditions can be of length 1 or 2 only"


def query(engine: EngineContext, params: dict[str, Any]) -> dict[str, Any]:
    """One page; the checks are in DynamoDB's order."""
    start, by_key, selection = _read_request(params, engine.wording)
    with engine.storage.reading():
        source = _find_queried(engine, params, by_key)
        forward = params.get("ScanIndexForward") is not False
        key_range = _query_range(source, by_key, start, forward=forward)
        view = _check_selection(source, selection)
        partition = key_range.fixed[0]
        engine.admit(source.table, source.index_name, partition, "read")
        page = read_page(engine.storage, source, key_range, limit=params.get("Limit"), whole_items=view.fetches)
        if source.has_one_item_each:
            page = Page(page.rows, complete=True)  # there is nothing to go on to, nor a way to ask for it
    return page_reply(engine, params, source, view, selection, page, partition)


def _read_request(params: dict[str, Any], words: Words) -> tuple[Start, dict[str, Condition], Selection]:
    """What can be read without the table."""
    try:
        check_select(params)
    except ServiceError as error:
        raise enclose(error.service_message) from None
    legacy_filter = legacy_condition(params, "QueryFilter", words)
    check_attributes_to_get(params)
    start = read_start(params, words)
    _check_asks_by_key(params)
    expressions = Expressions(params, words)
    condition = expressions.condition("KeyConditionExpression")
    selection = read_selection(params, expressions, legacy_filter, "QueryFilter")
    by_key = _read_key_conditions(params, condition, words)
    if not by_key:
        raise validation(COUNT)
    return start, by_key, selection


def _find_queried(engine: EngineContext, params: dict[str, Any], by_key: dict[str, Condition]) -> Source:
    """The table or index; no table's own key has more than two parts, which is told before that there is no table."""
    try:
        return find_source(engine, params)
    except ServiceError:
        if len(by_key) > 2 and "IndexName" not in params:
            raise validation(COUNT) from None
        raise


def _check_selection(source: Source, selection: Selection) -> View:
    check_query_filter(source, selection)
    view = view_of(source, selection)
    check_filter_is_projected(source, selection)
    check_paths(source, selection)
    return view


# ---- key conditions --------------------------------------------------------------------------------------------------


def _read_key_conditions(params: Mapping[str, Any], condition: Condition | None, words: Words) -> dict[str, Condition]:
    """The conditions by key attribute, from the expression that was read or from KeyConditions."""
    if condition is None:
        return legacy_key_conditions(params, words) or {}
    try:
        return conditions_by_key(condition)
    except ExpressionError as error:
        prefix = "Invalid KeyConditionExpression: " if str(error) == ONE_EACH and words == "current" else ""
        raise validation(f"{prefix}{error}") from None


def _check_asks_by_key(params: Mapping[str, Any]) -> None:
    """A query has a key condition, in either style."""
    if params.get("KeyConditions") is None and params.get("KeyConditionExpression") is None:
        reason = "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
        raise validation(reason)


def _query_range(source: Source, by_key: Mapping[str, Condition], start: Start, *, forward: bool) -> KeyRange:
    """The part of the source the conditions select, behind the starting key."""
    parts = _fit_key_conditions(source, by_key, start)
    if start is not None:
        check_start_table_key(source, start)
        check_start_in_query(source, parts, start)
    return KeyRange(
        fixed=(partition_bytes([values_of(part)[0] for part in parts.partition]),),
        limits=sort_limits(parts.sort, of=len(source.keys.sk)),
        after=None if start is None else source.position(start),
        forward=forward,
    )


def _fit_key_conditions(source: Source, by_key: Mapping[str, Condition], start: Start) -> KeyCondition:
    names = source.keys.names
    if len(by_key) > max(len(names), 2):
        reason = f"The number of query conditions ({len(by_key)}) exceeds"
        raise validation(f"{reason} the number of key attributes defined in the schema ({len(names)})")
    if start is not None and len(start) != len(source.key_names):
        raise validation(INVALID)
    for name in names:
        if start is not None:
            check_start_piece(source, start, name)
        _check_part(source, name, by_key)
    try:
        return fit_to_key(by_key, source.keys.pk, source.keys.sk)
    except ExpressionError as error:
        raise validation(str(error)) from None


def _check_part(source: Source, name: str, by_key: Mapping[str, Condition]) -> None:
    """The condition on one attribute of the key."""
    keys, part = source.keys, by_key.get(name)
    if len(keys.names) == 1 and len(by_key) > 1:
        raise validation(NOT_SUPPORTED)
    if part is None:
        if name in keys.pk or (len(by_key) > 1 and len(keys.names) == 2):
            raise validation(f"Query condition missed key schema element: {name}")
        return
    if not _is_indexable(part):
        raise validation("Attempted conditional constraint is not an indexable operation")
    for value in values_of(part):
        check_key_value(source, name, value, mismatch=WRONG_TYPE)
    if name in keys.pk and not (isinstance(part, Compare) and part.operator == "="):
        raise validation(NOT_SUPPORTED)


def _is_indexable(part: Condition) -> bool:
    """Whether an index can answer it; only KeyConditions may say something else."""
    if isinstance(part, Compare):
        return part.operator in INDEXABLE
    return isinstance(part, Between) or (isinstance(part, Function) and part.name == "begins_with")
