"""Deleting whatever a query, a scan or a collection finds, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import Incomplete
from tablewright.runtime.collection import Gather
from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call
from tablewright.runtime.requests.rounds import members_in, merged, repacked, rounds
from tablewright.wire.limits import MAX_BATCH_WRITE_ITEMS

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.operations.query import Query


class DeleteFound(Tunable, msgspec.Struct, frozen=True):
    """`tw.delete_all(...)`: deletes every item that a query, scan or collection finds; the answer is how many."""

    found: Any
    options: Options = DEFAULT

    @property
    def layout(self) -> Any:
        return self.found.layout

    def params(self) -> Any:
        """The request that looks for the items."""
        return self._search().params()

    def _search(self) -> Any:
        found: Any = self.found
        return found.collect if isinstance(found, Gather) else found

    def flow(self) -> Flow[int]:
        search = self._search()
        action = "Scan" if isinstance(search, Scan) else "Query"
        request: Params = search.request(sending=True)
        layout = search.layout
        deleted = 0
        while True:
            reply = yield from call(action, request)
            keys = [
                {field: item[field] for field in layout.table_fields}
                for item in reply.get("Items", ())
                if self._mine(item)
            ]
            deleted += yield from self._delete(request["TableName"], keys, deleted)
            last = reply.get("LastEvaluatedKey")
            if not last:
                return deleted
            request = {**request, "ExclusiveStartKey": last}

    def _mine(self, item: Params) -> bool:
        search = self._search()
        layouts = search.members.values() if isinstance(self.found, Gather) else (search.layout,)
        return any(owns(layout, item, by_key=True) for layout in layouts)

    def _delete(self, table: str, keys: list[Params], before: int) -> Flow[int]:
        whole: Params = {"RequestItems": {table: [{"DeleteRequest": {"Key": key}} for key in keys]}}
        books = yield from rounds("BatchWriteItem", list(repacked([whole], MAX_BATCH_WRITE_ITEMS)), self.options)
        if books.is_complete:
            return len(keys)
        left = [*books.undone, *books.unknown]
        done = before + len(keys) - members_in(left)
        if books.error is not None and not done and not books.unknown:
            raise books.error
        message = f"{done} items were deleted, {members_in(left)} of those found were not; run the same again"
        raise Incomplete("UnprocessedItems", message, done=done, undone=(self,), details=merged(left)) from books.error


def delete_all(found: Query[Any] | Scan[Any] | Gather[Any]) -> DeleteFound:
    """Delete every item that a query, a scan or a collection finds."""
    return DeleteFound(found)
