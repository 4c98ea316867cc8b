"""Reading versions: all of them from the newest on, one by its number, or the one of a moment.

tw.versions(Doc.key("d1"))             pages of versions, for db.run and db.iter
tw.version_of(Doc.key("d1"), 3)        one version; None when it was never written, or is no longer kept
tw.as_of(Doc.key("d1"), moment)        the version of that moment; None when there was no item then
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.features.history.write_along import LAST, is_kept, version_key, versions_request
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.items.letter_case import spelling_of
from tablewright.runtime.key import key_of
from tablewright.runtime.operations.query import Page
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call, read_own, table_of
from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.scalars import SCALARS, encode_datetime

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.key import Key

E = TypeVar("E", bound="StoredItem")
E_co = TypeVar("E_co", covariant=True)

AT_ONCE = 16
"""So many versions are looked at for one request, on the way back to a moment."""


class Version(msgspec.Struct, Generic[E_co], frozen=True):
    """What an item was from `at` on: `item` is None when that was a deletion. `by` is who wrote it, where declared."""

    number: int
    at: datetime
    item: E_co | None
    by: Any = None
    is_deleted: bool = False


class Versions(Tunable, msgspec.Struct, Generic[E_co], frozen=True):
    """The versions of one item, newest first."""

    layout: Layout
    composites: Values
    options: Options = DEFAULT

    method = "versions"

    def limit(self, versions: int) -> Self:
        """At most so many for a page."""
        return self.with_options(limit=versions)

    def after(self, cursor: str | None) -> Self:
        """Go on where an earlier page ended."""
        return self if cursor is None else self.with_options(cursor=cursor)

    def params(self) -> Params:
        below = LAST if self.options.cursor is None else int(self.options.cursor) - 1
        limit = {} if self.options.limit is None else {"Limit": self.options.limit}
        table, key = table_of(self.layout, self.options), self.layout.key(self.composites)
        return versions_request(self.layout, table, key, below=below, ConsistentRead=True, **limit)

    def flow(self) -> Flow[Page[Version[E_co]]]:
        reply = yield from call("Query", self.params())
        kept = [item for item in reply["Items"] if is_kept(item)]
        meant = [item for item in kept if _is_spelled(self.layout, self.composites, item)]
        found: list[Version[E_co]] = [_read_version(self.layout, item) for item in meant]
        is_over = not kept or "LastEvaluatedKey" not in reply
        return Page(found, None if is_over else str(int(kept[-1]["number"])))


class OneVersion(Tunable, msgspec.Struct, Generic[E_co], frozen=True):
    """One version of an item, by its number."""

    layout: Layout
    composites: Values
    number: int
    options: Options = DEFAULT

    method = "version_of"

    def params(self) -> Params:
        key = version_key(self.layout, self.layout.key(self.composites), self.number)
        return {"TableName": table_of(self.layout, self.options), "Key": key, "ConsistentRead": True}

    def flow(self) -> Flow[Version[E_co] | None]:
        reply = yield from call("GetItem", self.params())
        stored: Params = reply.get("Item") or {}
        is_meant = is_kept(stored) and _is_spelled(self.layout, self.composites, stored)
        return _read_version(self.layout, stored) if is_meant else None


class AsOf(Tunable, msgspec.Struct, Generic[E_co], frozen=True):
    """What an item was at a moment."""

    layout: Layout
    composites: Values
    moment: str
    options: Options = DEFAULT

    method = "as_of"

    def params(self) -> Params:
        table, key = table_of(self.layout, self.options), self.layout.key(self.composites)
        request = versions_request(self.layout, table, key, ConsistentRead=True, Limit=AT_ONCE)
        request["ExpressionAttributeNames"]["#at"] = "at"
        request["ExpressionAttributeValues"][":at"] = self.moment
        return {**request, "FilterExpression": "#at <= :at"}

    def flow(self) -> Flow[Version[E_co] | None]:
        request = self.params()
        while True:
            reply = yield from call("Query", request)
            if reply["Items"]:
                if not _is_spelled(self.layout, self.composites, reply["Items"][0]):
                    return None  # at that moment the item was there under another spelling
                found: Version[E_co] = _read_version(self.layout, reply["Items"][0])
                return None if found.is_deleted else found
            if "LastEvaluatedKey" not in reply:
                return None
            request = {**request, "ExclusiveStartKey": reply["LastEvaluatedKey"]}


# ---- operations ------------------------------------------------------------------------------------------------------


def versions(target: E | Key[E]) -> Versions[E]:
    """All versions of an item that are kept, newest first, the current one among them."""
    key = with_history(target)
    return Versions(key.layout, key.composites)


def version_of(target: E | Key[E], number: int) -> OneVersion[E]:
    """One version of an item."""
    key = with_history(target)
    return OneVersion(key.layout, key.composites, number)


def as_of(target: E | Key[E], moment: datetime) -> AsOf[E]:
    """The version an item had at a moment; it reads back from the newest one."""
    key = with_history(target)
    try:
        text = encode_datetime(moment)
    except EncodingError as error:
        raise RequestError(f"as_of(...): the moment {error.reason}", code=2002) from error
    return AsOf(key.layout, key.composites, text)


def with_history(target: E | Key[E]) -> Key[E]:
    key = key_of(target)
    if key.layout.entity.features.history is None:
        raise RequestError(f"{key.layout.name} keeps no versions; declare it with history=True", code=2002)
    return key


def _is_spelled(layout: Layout, composites: Values, stored: Params) -> bool:
    """Whether a version is of the item as it was asked for, where its key finds other spellings too."""
    spelling = spelling_of(layout, layout.primary, composites)
    return spelling is None or spelling.fits(stored.get("item") or {})


def _read_version(layout: Layout, stored: Params) -> Version[Any]:
    decode: Any = SCALARS[datetime].decode_quickly
    item = stored.get("item")
    is_deleted = item is None or layout.marked_by in item
    shown = None if item is None else read_own(layout, item, DEFAULT)
    return Version(int(stored["number"]), decode(stored["at"]), shown, stored.get("by"), is_deleted)
