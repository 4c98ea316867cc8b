"""Key conditions of indexes whose keys are several attributes: DynamoDB compares the attributes themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.runtime.items.layout import incomplete
from tablewright.runtime.requests.conditions import (
    COMPARATORS,
    FIRST_TEXT,
    LEAST_NUMBER,
    begins_on_number,
    compare_attribute,
)
from tablewright.runtime.requests.ranges import Sort, is_empty
from tablewright.schema.types import NUMBER

if TYPE_CHECKING:
    from tablewright.expr.nodes import Condition
    from tablewright.runtime.items.layout import Layout, Values
    from tablewright.schema.keys import PatternKeys


def composite_condition(layout: Layout, keys: PatternKeys, given: Values, sort: Sort | None) -> list[Condition]:
    """Key conditions on the attributes themselves: equality from the left, the last one with the operator."""
    missing = keys.pk.missing(given)
    if missing:
        raise incomplete(layout, keys.pattern, missing)
    conditions = [compare_attribute(layout, "=", piece.name, given[piece.name]) for piece in keys.pk.pieces]
    names = [piece.name for piece in keys.sk.pieces] if keys.sk else []
    values = {**given, **(sort.low if sort else {})}
    supplied = _leading(names, values)
    if sort is not None and sort.operator == "between":
        _check_ends(layout, keys, names, {**given, **sort.low}, {**given, **sort.high})
    if sort is None or not supplied:
        return conditions + [compare_attribute(layout, "=", name, given[name]) for name in supplied]
    conditions += [compare_attribute(layout, "=", name, values[name]) for name in supplied[:-1]]
    if layout.strict:
        return [*conditions, *_exact_comparison(layout, keys, supplied[-1], given, sort)]
    return [*conditions, _last_comparison(layout, keys, supplied[-1], given, sort)]


def _leading(names: list[str], values: Values) -> list[str]:
    """The names supplied, up to the first that is not."""
    supplied: list[str] = []
    for name in names:
        if name not in values:
            break
        supplied.append(name)
    return supplied


def _check_ends(layout: Layout, keys: PatternKeys, names: list[str], low: Values, high: Values) -> None:
    """Both ends of between name the same attributes, without a gap, and differ in the last alone."""
    supplied = [name for name in names if name in low]
    is_alike = supplied == [name for name in names if name in high] == _leading(names, low)
    if not is_alike or any(low[name] != high[name] for name in supplied[:-1]):
        where = f"{layout.name}.{keys.pattern.name}"
        raise RequestError(f"{where}: both ends of between must share all attributes but the last", code=2013)


def _exact_comparison(layout: Layout, keys: PatternKeys, name: str, given: Values, sort: Sort) -> list[Condition]:
    """The comparison where bounds may be empty or in the wrong order, which DynamoDB refuses.

    No key is an empty text: all are behind it.
    """
    bound = {**given, **sort.low}[name]
    if is_empty(sort, name) or (sort.operator == "lte" and bound == ""):
        least = FIRST_TEXT if isinstance(bound, str) else LEAST_NUMBER
        return [compare_attribute(layout, "<", name, least)]
    if bound != "":
        return [_last_comparison(layout, keys, name, given, sort)]
    if sort.operator != "between":
        return []
    return _exact_comparison(layout, keys, name, given, Sort("lte", sort.high))


def _last_comparison(layout: Layout, keys: PatternKeys, name: str, given: Values, sort: Sort) -> Condition:
    attribute = layout.attributes[name]
    path = nodes.Name((attribute.field,))
    low = nodes.Value({**given, **sort.low}[name])
    if sort.operator == "begins":
        if attribute.type == NUMBER:
            raise begins_on_number(layout, keys, name)
        return nodes.Function("begins_with", (path, low))
    if sort.operator != "between":
        return nodes.Compare(COMPARATORS[sort.operator], path, low)
    return nodes.Between(path, low, nodes.Value({**given, **sort.high}[name]))
