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


def _subtree_query(layout: Layout, composites: Values, attribute: str) -> Query[Any]:
    given = {name: value for name, value in composites.items() if name != attribute}
    sort = Sort("begins", {attribute: composites[attribute]})
    return Query[Any](layout, layout.primary.pattern.name, given, sort).consistent()


def _items_in(query: Query[Any], reply: Params) -> list[Params]:
    """The entity's items of a reply, spelled as they were asked for."""
    layout = query.layout
    spelling = query.spelling(query.keys)
    mine = (item for item in reply.get("Items", ()) if owns(layout, item, by_key=False))
    return [item for item in mine if spelling is None or spelling.fits(item)]


def _everything(_: Params) -> bool:
    return True


def first_items(
    layout: Layout, composites: Values, attribute: str, count: int, wanted: Callable[[Params], bool] = _everything
) -> Flow[list[Params]]:
    """The first items that are still there."""
    query = _subtree_query(layout, composites, attribute)
    request: Params = {**query.request(sending=True), "Limit": count}
    while True:
        reply = yield from call("Query", request)
        mine = [item for item in _items_in(query, reply) if wanted(item)]
        last = reply.get("LastEvaluatedKey")
        if mine or not last:
            return mine
        request = {**request, "ExclusiveStartKey": last}


def count_items(layout: Layout, composites: Values, attribute: str) -> Flow[int]:
    query = _subtree_query(layout, composites, attribute)
    request = query.request(sending=True)
    count = 0
    while True:
        reply = yield from call("Query", request)
        count += len(_items_in(query, reply))
        last = reply.get("LastEvaluatedKey")
        if not last:
            return count
        request = {**request, "ExclusiveStartKey": last}


def composites_of(layout: Layout, item: Params) -> dict[str, Any]:
    return {name: item[layout.attributes[name].field] for name in layout.table_composites}
