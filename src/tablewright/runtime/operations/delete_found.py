"""Deleting whatever a query, a scan or a collection finds, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import Incomplete, RequestError
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.collect import Collect
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.gather import Gather
from tablewright.runtime.operations.query import Query, stored_behind
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.batch_retry import members_in, merged, repacked, rounds
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call, partitions_of
from tablewright.wire.limits import MAX_BATCH_WRITE_ITEMS

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.letter_case import Spelling


class DeleteFound(Tunable, msgspec.Struct, frozen=True):
    """`tw.delete_all(...)`: deletes every item that a query, scan or collection finds; the answer is how many."""

    found: Any
    options: Options = DEFAULT

    opens_large = False  # what is deleted need not be read out

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
        deleted = 0
        for part in partitions_of(self._search()):
            deleted += yield from self._delete_part(part, deleted)
        return deleted

    def _delete_part(self, search: Any, before: int) -> Flow[int]:
        """Delete what one partition (or a scan) holds."""
        action = "Scan" if isinstance(search, Scan) else "Query"
        request: Params = search.request(sending=True)
        deleted = 0
        while True:
            reply = yield from call(action, request)
            items = [(owner, item) for item in reply.get("Items", ()) if (owner := self._owner(item))]
            items = yield from _meant(search, items)
            found = [(owner.first or owner, self._key(owner, item)) for owner, item in items]
            keys = [key for owner, key in found if owner.plan is None and owner.marked_by is None]
            deleted += yield from self._delete(request["TableName"], keys, before + deleted)
            for owner, item in items:
                if owner.marked_by is not None:
                    yield from _mark_stored(owner, item, self.options)
                    deleted += 1
            for owner, key in found:
                if owner.plan is not None and owner.marked_by is None:
                    yield from owner.plan.run(_DeleteStored(owner, request["TableName"], key))
                    deleted += 1
            last = reply.get("LastEvaluatedKey")
            if not last:
                return deleted
            request = {**request, "ExclusiveStartKey": last}

    def _owner(self, item: Params) -> Layout | None:
        search = self._search()
        layouts = [*search.members.values()] if isinstance(self.found, Gather) else [search.layout]
        by_identity = (layout for layout in layouts if owns(layout, item, by_key=False))
        by_key = (layout for layout in layouts if owns(layout, item, by_key=True))
        return next(by_identity, None) or next(by_key, None)

    def _key(self, owner: Layout, item: Params) -> Params:
        if owner.first is not None:  # found by its second item, it goes with both
            attributes = owner.first.attributes
            return owner.first.key({name: item[attributes[name].field] for name in owner.first.table_composites})
        return {field: item[field] for field in owner.table_fields}

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


def _meant(search: Any, items: list[tuple[Layout, Params]]) -> Flow[list[tuple[Layout, Params]]]:
    """Those that the search would have answered: keys may find other spellings of what it asks for."""
    kept: list[tuple[Layout, Params]] = []
    for owner in dict.fromkeys(owner for owner, _ in items):
        found: list[Params | None] = [item for each, item in items if each is owner]
        spelling = _spelling_in(search, owner) if owner.folds else None
        if spelling is not None and spelling.lacking:  # only whole items tell
            whole = msgspec.structs.replace(search.options, attributes=None)
            found = yield from stored_behind(owner, found, whole, spelling)
        kept += [(owner, item) for item in found if item is not None and (spelling is None or spelling.fits(item))]
    return kept


def _spelling_in(search: Any, owner: Layout) -> Spelling | None:
    found: Spelling | None = search.spelling_in(owner) if isinstance(search, Collect) else search.spelling(search.keys)
    return found


class _DeleteStored(msgspec.Struct, frozen=True):
    """The deletion of an item by its stored key, for entities that write other items along."""

    layout: Layout
    table: str
    key: Params
    options: Options = DEFAULT
    must_exist: bool = False

    method = "delete"

    def clause(self) -> Params:
        return {"Delete": {"TableName": self.table, "Key": self.key}}


def _mark_stored(owner: Layout, item: Params, options: Options) -> Flow[None]:
    """Delete an item of an entity that is only marked when deleted."""
    values = {owner.by_field[field].name: value for field, value in item.items() if field in owner.by_field}
    yield from Delete[Any](owner, owner.composites_of(values), remembered=values, options=options).flow()


def delete_all(found: Query[Any] | Scan[Any] | Gather[Any]) -> DeleteFound:
    """Delete every item that a query, a scan or a collection finds."""
    given: Any = found
    if not isinstance(given, Query | Scan | Gather):
        problem = f"delete_all(...) takes a query, a scan or a collection's query, not {type(given).__name__}"
        raise RequestError(f"{problem}; one item is deleted by its key: Task.key(...).delete()", code=2002)
    return DeleteFound(found)
