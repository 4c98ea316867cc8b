"""Key conditions fitted to a table or index: which attributes, which types, which stretch of keys.

DynamoDB walks along the key schema and looks at each attribute first in the starting key and then in the conditions,
so this does too: it decides which of several mistakes is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import validation
from tablewright.engine.legacy import legacy_key_conditions
from tablewright.engine.reads.key_range import Stretch
from tablewright.engine.reads.key_values import check_key_value
from tablewright.engine.reads.ranges import sort_limits, values_of
from tablewright.engine.reads.start_key import INVALID, check_start_in_query, check_start_piece, check_start_table_key
from tablewright.engine.store.keys import partition_bytes
from tablewright.expr.faults import ExpressionError
from tablewright.expr.key_condition import (
    NOT_SUPPORTED,
    ONE_EACH,
    KeyCondition,
    conditions_by_key,
    fit_to_key,
)
from tablewright.expr.nodes import Between, Compare, Condition, Function

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.reads.pages import Source
    from tablewright.engine.reads.start_key import Start
    from tablewright.engine.store.values import Words

WRONG_TYPE = "One or more parameter values were invalid: Condition parameter type does not match schema type"
INDEXABLE = frozenset({"=", "<", "<=", ">", ">="})


def read_key_conditions(params: Mapping[str, Any], condition: Condition | None, words: Words) -> dict[str, Condition]:
    """The conditions by key attribute, from the expression that was read or from KeyConditions."""
    if condition is None:
        return legacy_key_conditions(params, words) or {}
    try:
        return conditions_by_key(condition)
    except ExpressionError as error:
        prefix = "Invalid KeyConditionExpression: " if str(error) == ONE_EACH and words == "current" else ""
        raise validation(f"{prefix}{error}") from None


def check_asks_by_key(params: Mapping[str, Any]) -> None:
    """A query has a key condition, in either style."""
    if params.get("KeyConditions") is None and params.get("KeyConditionExpression") is None:
        reason = "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
        raise validation(reason)


def query_stretch(source: Source, by_key: Mapping[str, Condition], start: Start, *, forward: bool) -> Stretch:
    """The part of the source the conditions select, behind the starting key."""
    parts = _fit_key_conditions(source, by_key, start)
    if start is not None:
        check_start_table_key(source, start)
        check_start_in_query(source, parts, start)
    return Stretch(
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
