"""SELECT: which queries (or which scan) answer it, page by page, and what of the items is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import invalid_parameters, java_order, validation
from tablewright.engine.partiql.bind.branches import Access, Branch, equality, find_branches
from tablewright.engine.partiql.bind.conditions import names_in
from tablewright.engine.partiql.bind.paths import column_name
from tablewright.engine.partiql.execute.capacity import add_capacity
from tablewright.engine.partiql.execute.next_token import Place, first_place, to_token
from tablewright.engine.partiql.faults import without_expression
from tablewright.engine.replies import decode_reply
from tablewright.errors import ServiceError
from tablewright.expr.compare import MISSING, is_equal, look_up
from tablewright.expr.evaluate import evaluate
from tablewright.expr.nodes import And, Compare, Condition, Name, Value, all_of
from tablewright.expr.render import Placeholders, render_condition
from tablewright.wire.keys import key_bytes
from tablewright.wire.values import marshal, unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.engine.context import EngineContext
    from tablewright.engine.partiql.bind.statements import Select

Params = dict[str, Any]


class _Read(msgspec.Struct, frozen=True):
    """One Query or Scan, and the condition that is left to be judged on its items."""

    action: str
    params: Params
    condition: Condition | None


def run_select(engine: EngineContext, select: Select, params: Params) -> Params:
    """One page of the answer."""
    reads = _plan(select, params)
    place = first_place(params)
    limit: int | None = params.get("Limit")
    items: list[Any] = []
    reply: Params = {"Items": items}
    number, key = place.read, place.key
    while number < len(reads):
        page = _run_read(engine, reads[number], limit, key)
        items += _project_items(page["Items"], select, reads[number].condition)
        add_capacity(reply, page)
        key = decode_reply(page.get("LastEvaluatedKey"))
        number += key is None
        limit = None if limit is None else limit - page["ScannedCount"]
        if key is not None or (limit is not None and limit <= 0):
            break
    if number < len(reads):
        reply["NextToken"] = to_token(Place(place.request, number, key))
        if key is not None:
            reply["LastEvaluatedKey"] = key
    return reply


def _run_read(engine: EngineContext, read: _Read, limit: int | None, key: Params | None) -> Params:
    params = dict(read.params)
    if limit is not None:
        params["Limit"] = limit
    if key is not None:
        params["ExclusiveStartKey"] = key
    try:
        return engine.perform(read.action, params)
    except ServiceError as error:
        raise without_expression(error) from None


def _project_items(items: Iterable[Any], select: Select, condition: Condition | None) -> list[Any]:
    """The items that fulfil the condition, with the columns that were asked for."""
    if condition is None and select.columns is None:
        return list(items)
    index = select.access.index
    visible = None if index is None else index.projected(select.access.table.keys)
    kept: list[Any] = []
    for item in items:
        plain = unmarshal_item(decode_reply(item))
        view = plain if visible is None else {name: value for name, value in plain.items() if name in visible}
        if condition is None or evaluate(condition, view):
            kept.append(item if select.columns is None else columns_of(plain, select.columns))
    return kept


def columns_of(item: Params, columns: Sequence[Name]) -> Params:
    """The columns of an item by their names; those it lacks are left out."""
    found = ((column_name(path), look_up(path.parts, item)) for path in columns)
    return {name: marshal(value) for name, value in found if value is not MISSING}


# ---- the plan --------------------------------------------------------------------------------------------------------


def _plan(select: Select, params: Params) -> list[_Read]:
    """The reads that answer a SELECT, in their order."""
    access = select.access
    _check_index_use(select, consistent=bool(params.get("ConsistentRead")))
    branches = find_branches(select.where, access)
    forward = _check_order(select, branches)
    base = _base_params(select, params)
    if branches is None:
        return [_Read("Scan", base, select.where)]
    ordered = _in_order(branches, select, forward=forward)
    _check_filter(access, ordered[0])
    return [_to_query(base, branch, select, forward=forward) for branch in ordered]


def _base_params(select: Select, params: Params) -> Params:
    access = select.access
    base: Params = {"TableName": access.table.name}
    if access.index is not None:
        base["IndexName"] = access.index.name
    for name in ("ConsistentRead", "ReturnConsumedCapacity"):
        if name in params:
            base[name] = params[name]
    if _reaches_back(select):
        names = dict.fromkeys(str(path.parts[0]) for path in (*(select.columns or ()), *_paths_in(select.where)))
        aliases = {f"#{number}": name for number, name in enumerate(names)}
        base["ProjectionExpression"] = ", ".join(aliases)
        base["ExpressionAttributeNames"] = aliases
    return base


def _paths_in(condition: Condition | None) -> list[Name]:
    return [] if condition is None else names_in(condition)


def _reaches_back(select: Select) -> bool:
    """Whether a read of a local index has to look at the table's items for a column."""
    return select.access.index is not None and bool(_unprojected(select.access, select.columns or ()))


def _to_query(base: Params, branch: Branch, select: Select, *, forward: bool) -> _Read:
    access = select.access
    sort = _sort_condition(branch, str(access.sk))
    key: Condition = Compare("=", Name((access.pk,)), Value(branch.value))
    placeholders = Placeholders(dict(base.get("ExpressionAttributeNames", {})))
    text = render_condition(key if sort is None else And((key, sort)), placeholders)
    params: Params = {
        **base,
        "KeyConditionExpression": text,
        "ExpressionAttributeNames": placeholders.names,
        "ExpressionAttributeValues": {name: marshal(value) for name, value in placeholders.values.items()},
        "ScanIndexForward": forward,
    }
    answered = all(leaf is sort for leaf in branch.leaves)
    # The branch's own conditions, not the whole WHERE: an item of another branch must not be found twice.
    return _Read("Query", params, None if answered else all_of(*branch.leaves))


def _sort_condition(branch: Branch, sk: str) -> Condition | None:
    """The condition on the sort key that the query itself can have: an equality if there is one."""
    equalities = [leaf for leaf in branch.sort if equality(leaf, sk) is not None]
    return next(iter((*equalities, *branch.sort)), None)


def _in_order(branches: Sequence[Branch], select: Select, *, forward: bool) -> list[Branch]:
    """Partitions in the order of their hashes, or as ORDER BY wants them."""
    by_sort = sorted(branches, key=lambda branch: branch.low, reverse=not forward)
    directions = dict(select.order or ())
    if select.access.pk in directions:
        return sorted(by_sort, key=lambda branch: key_bytes(branch.value), reverse=directions[select.access.pk])
    return sorted(by_sort, key=lambda branch: branch.partition)


def _check_order(select: Select, branches: Sequence[Branch] | None) -> bool:
    """Whether sort keys ascend, which they do unless ORDER BY is there and does not say so."""
    if select.order is None:
        return True
    if select.where is None:
        raise validation("Must have WHERE clause in the statement when using ORDER BY clause.")
    access, directions = select.access, dict(select.order)
    for name in directions:
        if name not in access.keys.names:
            raise validation(f"Attribute {name} in ORDER BY clause must be part of the primary key")
    if branches is None:
        needed = "Must have at least one non-optional hash key condition in WHERE clause"
        raise validation(f"{needed} when using ORDER BY clause.")
    if access.pk not in directions and len({branch.partition for branch in branches}) > 1:
        needed = "Must have hash key in ORDER BY clause"
        raise validation(f"{needed} when more than one hash key condition specified in WHERE clause.")
    return not directions.get(str(access.sk), True)


# ---- what an index holds ---------------------------------------------------------------------------------------------


def _unprojected(access: Access, paths: Iterable[Name]) -> list[str]:
    """The attributes among these that the index does not hold, each once."""
    held = None if access.index is None else access.index.projected(access.table.keys)
    if held is None:
        return []
    return [name for name in dict.fromkeys(str(path.parts[0]) for path in paths) if name not in held]


def _check_index_use(select: Select, *, consistent: bool) -> None:
    index = select.access.index
    if index is None or index.kind != "gsi":
        return
    if consistent:
        raise validation("Strongly consistent read is not supported on Global Secondary Indexes")
    missing = _unprojected(select.access, select.columns or ())
    if missing:
        raise invalid_parameters(f"Global secondary index {index.name} does not project [{', '.join(missing)}]")


def _check_filter(access: Access, branch: Branch) -> None:
    """Only the first read is looked at; the others take what the index does not hold for missing."""
    paths = [name for leaf in branch.leaves for name in names_in(leaf)]
    missing = java_order(_unprojected(access, paths))
    if missing and access.index is not None:
        reason = "does not project one or more filter attributes"
        raise invalid_parameters(f"Secondary index {access.index.name} {reason}: [{', '.join(missing)}]")


# ---- exactly one item by its key, which is all that batches and transactions read ------------------------------------


def single_key(select: Select, api: str) -> dict[str, Any]:
    """The key a SELECT reads; refused when it names none, several, or anything besides."""
    access = select.access
    branches = None if access.index is not None else find_branches(select.where, access)
    if branches is not None and len(branches) == 1 and select.order is None:
        branch = branches[0]
        sorts = [None if access.sk is None else equality(leaf, access.sk) for leaf in branch.leaves]
        values = [found.value for found in sorts if found is not None]
        complete = len(values) == len(branch.leaves) and bool(values) is (access.sk is not None)
        if complete and all(is_equal(value, values[0]) for value in values):
            return {access.pk: branch.value, **({} if access.sk is None else {access.sk: values[0]})}
    raise validation(f"Select statements within {api} must specify the primary key in the where clause.")
