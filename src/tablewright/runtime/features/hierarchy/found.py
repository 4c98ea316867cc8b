"""The items of a subtree as they are stored, from its beginning: what moves and removals work on.

Both take items away from where they are, top down, until a consistent read finds none. So there is no place to
remember: whoever goes on after a crash finds what is left. And as parents go first, nobody can add to a part that was
done already, provided that items are created with `tw.tree(item).create()`, which insists on the parent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.query import Query
from tablewright.runtime.requests.ranges import Sort
from tablewright.runtime.requests.request import Params, call

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout, Values


def subtree_request(layout: Layout, composites: Values, attribute: str) -> Params:
    given = {name: value for name, value in composites.items() if name != attribute}
    sort = Sort("begins", {attribute: composites[attribute]})
    query: Query[Any] = Query(layout, layout.primary.pattern.name, given, sort)
    return query.consistent().request(sending=True)


def everything(_: Params) -> bool:
    return True


def first_items(
    layout: Layout, composites: Values, attribute: str, count: int, wanted: Callable[[Params], bool] = everything
) -> Flow[list[Params]]:
    """The first items that are still there."""
    request: Params = {**subtree_request(layout, composites, attribute), "Limit": count}
    while True:
        reply = yield from call("Query", request)
        mine = [item for item in reply.get("Items", ()) if owns(layout, item, by_key=False) and wanted(item)]
        last = reply.get("LastEvaluatedKey")
        if mine or not last:
            return mine
        request = {**request, "ExclusiveStartKey": last}


def count_items(layout: Layout, composites: Values, attribute: str) -> Flow[int]:
    request = subtree_request(layout, composites, attribute)
    count = 0
    while True:
        reply = yield from call("Query", request)
        count += sum(1 for item in reply.get("Items", ()) if owns(layout, item, by_key=False))
        last = reply.get("LastEvaluatedKey")
        if not last:
            return count
        request = {**request, "ExclusiveStartKey": last}


def composites_of(layout: Layout, item: Params) -> dict[str, Any]:
    return {name: item[layout.attributes[name].field] for name in layout.table_composites}
