"""What a Query or Scan is to give: which attributes, which items, or only how many; and whether its source has that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import invalid_parameters, java_order, validation
from tablewright.engine.item_checks import check_no_path_into_keys
from tablewright.engine.reads.projection import Paths, read_paths
from tablewright.expr.nodes import And, Between, Compare, Condition, Function, In, Name, Not, Or, Size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.engine.expressions import Expressions
    from tablewright.engine.reads.source import Source
    from tablewright.expr.nodes import Operand

NOTHING_NAMED = "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"


class Selection(msgspec.Struct, frozen=True):
    """A request's filter and projection; `counts` asks for no items, `everything` for all attributes there are."""

    filter: Condition | None = None
    filter_words: str = "Filter Expression"
    paths: Paths = None
    counts: bool = False
    everything: bool = False


class View(msgspec.Struct, frozen=True):
    """What of each row is seen: `visible` attributes (None for all), fetched from the table if the index lacks them."""

    visible: frozenset[str] | None = None
    fetches: bool = False


def check_select(params: Mapping[str, Any]) -> None:
    """Select must agree with whether attributes are named and an index is read."""
    select = params.get("Select")
    if select is None:
        return
    named = next((name for name in ("ProjectionExpression", "AttributesToGet") if params.get(name) is not None), "")
    if named and select != "SPECIFIC_ATTRIBUTES":
        got = "only the Count" if select == "COUNT" else select
        raise validation(f"Cannot specify the {named} when choosing to get {got}")
    if select == "SPECIFIC_ATTRIBUTES" and not named:
        raise validation(NOTHING_NAMED)
    if select == "ALL_PROJECTED_ATTRIBUTES" and params.get("IndexName") is None:
        raise validation("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")


def read_selection(
    params: dict[str, Any], expressions: Expressions, legacy_filter: Condition | None, filter_words: str
) -> Selection:
    """The filter and the projection; with them, all expressions are read."""
    filtered = expressions.condition("FilterExpression")
    paths = read_paths(params, expressions)
    expressions.finish()
    select = params.get("Select")
    return Selection(
        filter=legacy_filter if filtered is None else filtered,
        filter_words=filter_words if filtered is None else "Filter Expression",
        paths=paths,
        counts=select == "COUNT",
        everything=select == "ALL_ATTRIBUTES",
    )


def check_query_filter(source: Source, selection: Selection) -> None:
    """A Query's filter speaks of neither the keys it is asked by nor of what the index has not got."""
    if selection.filter is None:
        return
    roots = _root_names(_names_in(selection.filter))
    for name in source.keys.names:
        if name in roots:
            reason = f"{selection.filter_words} can only contain non-primary key attributes"
            raise validation(f"{reason}: Primary key attribute: {name}")


def check_filter_is_projected(source: Source, selection: Selection) -> None:
    index, held = source.index, source.projected
    if selection.filter is None or index is None or held is None:
        return
    missing = [name for name in _root_names(_names_in(selection.filter)) if name not in held]
    if missing:
        listed = ", ".join(java_order(missing))
        raise invalid_parameters(
            f"Secondary index {index.name} does not project one or more filter attributes: [{listed}]"
        )


def view_of(source: Source, selection: Selection) -> View:
    """What the rows of the source show, and whether that takes the table's items."""
    index, held = source.index, source.projected
    if index is None or held is None:
        return View()
    missing = [name for name in _root_names(selection.paths or ()) if name not in held]
    if index.kind == "lsi":
        return View(fetches=True) if selection.everything or missing else View(held)
    if selection.everything:
        reason = f"Select type ALL_ATTRIBUTES is not supported for global secondary index {index.name}"
        raise invalid_parameters(f"{reason} because its projection type is not ALL")
    if missing:
        raise invalid_parameters(f"Global secondary index {index.name} does not project [{', '.join(missing)}]")
    return View(held)


def check_paths(source: Source, selection: Selection) -> None:
    """Neither projection nor filter looks inside a key."""
    check_no_path_into_keys(source.table, selection.paths or ())
    if selection.filter is not None:
        check_no_path_into_keys(source.table, _names_in(selection.filter))


def _root_names(paths: Iterable[Name]) -> list[str]:
    """The attributes that paths start with, each once."""
    return list(dict.fromkeys(str(path.parts[0]) for path in paths))


def _names_in(condition: Condition) -> Iterator[Name]:
    """Every path in a condition, in the order they are written."""
    waiting: list[Any] = [condition]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name):
            yield node
        elif isinstance(node, Size):
            yield node.path
        elif isinstance(node, And | Or):
            waiting += reversed(node.parts)
        elif isinstance(node, Not):
            waiting.append(node.part)
        else:
            waiting += reversed(_operands_of(node))


def _operands_of(node: Any) -> tuple[Operand, ...]:
    if isinstance(node, Compare):
        return (node.left, node.right)
    if isinstance(node, Between):
        return (node.operand, node.low, node.high)
    if isinstance(node, In):
        return (node.operand, *node.choices)
    return node.args if isinstance(node, Function) else ()
