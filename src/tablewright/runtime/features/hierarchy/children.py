"""Direct children, without reading what is below them.

Children stand among their own descendants. The subtree is read in small pages; where a page ends below a child, the
next begins behind everything of that child. So a child costs at most one page, however large it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.query import Query
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.ranges import raised
from tablewright.runtime.requests.request import Params, call, read_item
from tablewright.runtime.types.tree_path import TreePath, decode

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout, Values
    from tablewright.runtime.options import Options

E_co = TypeVar("E_co", covariant=True)

PAGE_ITEMS = 32


class Children(Tunable, msgspec.Struct, Generic[E_co], frozen=True):
    """`tw.tree(key).children()`: a list of items in key order."""

    subtree: Query[E_co]
    attribute: str
    path: TreePath

    @property
    def layout(self) -> Layout:
        return self.subtree.layout

    @property
    def given(self) -> Values:
        return self.subtree.given

    @property
    def options(self) -> Options:
        return self.subtree.options

    def with_options(self, **options: Any) -> Children[E_co]:
        return msgspec.structs.replace(self, subtree=self.subtree.with_options(**options))

    def params(self) -> Params:
        """The first request; others begin where a child ends."""
        request = self.subtree.request(sending=True)
        text = "#pk = :pk and #sk1 between :sk1 and :sk2"
        values: Params = request["ExpressionAttributeValues"]
        start: str = values[":sk1"]
        own = {**values, ":sk1": start + "\0", ":sk2": raised(start)}
        return {**request, "KeyConditionExpression": text, "ExpressionAttributeValues": own, "Limit": PAGE_ITEMS}

    def flow(self) -> Flow[list[E_co]]:
        layout, options = self.layout, self.options
        request = self.params()
        found: list[E_co] = []
        while True:
            reply = yield from call("Query", request)
            mine = [item for item in reply.get("Items", ()) if self.is_mine(item)]
            direct = [item for item in mine if self.depth_of(item) == self.path.depth + 1]
            found += [read_item(layout, item, options, ignore=False) for item in direct]
            if not reply.get("LastEvaluatedKey"):
                return found
            request = self.behind(request, reply)

    def is_mine(self, item: Params) -> bool:
        spelling = self.subtree.spelling(self.subtree.keys) if self.layout.folds else None
        return owns(self.layout, item, by_key=False) and (spelling is None or spelling.fits(item))

    def depth_of(self, item: Params) -> int:
        return decode(item[self.layout.attributes[self.attribute].field]).depth

    def behind(self, request: Params, reply: Params) -> Params:
        """The request for what follows the child in which a page ended."""
        last = reply["Items"][-1]
        path = decode(last[self.layout.attributes[self.attribute].field])
        child = TreePath(*path[: self.path.depth + 1])
        sk = self.layout.primary.sk
        assert sk is not None
        start = msgspec.structs.replace(sk, postfix="").whole({**self.given, self.attribute: str(child)})
        values = {**request["ExpressionAttributeValues"], ":sk1": raised(start)}
        return {**request, "ExpressionAttributeValues": values}
