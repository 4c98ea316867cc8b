"""What was handled, remembered in the table itself (or another one), where it outlives the process.

    pk $shop#seen_<id of the change>    sk $seen    done {names of handlers}    expires <second>
    pk $shop#item_<hash of its key>     sk $seen    newest <microseconds>       expires <second>    (Kinesis only)

One read before the handlers of a record, one write behind them; twice that for Kinesis. The items say of no entity that
they belong to it, so no query finds them and no handler is called for them, although the stream tells of them too.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import ConditionFailed, RequestError
from tablewright.runtime.requests.request import call
from tablewright.runtime.streams.changes.record import StreamRecord
from tablewright.runtime.streams.seen import NOBODY, Recalled

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tablewright.runtime.database import AsyncDatabase, Database
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.service import Service

Params = dict[str, Any]

SORT_KEY = "$seen"


class SeenInTable:
    """Remembers in the service's table, for `keep`; `expires` is the field that is the table's time to live.

    Without `expires` nothing is ever forgotten. Streams keep changes for a day, Kinesis for up to a year.
    """

    def __init__(
        self,
        database: Database | AsyncDatabase,
        service: Service,
        *,
        expires: str | None,
        keep: timedelta = timedelta(days=2),
        table: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if keep <= timedelta(0):
            raise RequestError(f"SeenInTable(keep={keep!r}) would remember nothing; give more than a day", code=1010)
        self.database = database
        self.service = service
        self.expires = expires
        self.keep = keep
        self.clock = clock
        self._table = table

    def recall(self, record: StreamRecord) -> Recalled | Awaitable[Recalled]:
        return self.database.run(Recall(self, record))

    def remember(self, record: StreamRecord, done: frozenset[str]) -> Awaitable[None] | None:
        return self.database.run(Remember(self, record, done))

    # ---- requests ------------------------------------------------------------------------------------------------

    def place(self, kind: str, name: str) -> Params:
        """The table and the key of a note."""
        from tablewright.runtime.tables.declared import tables_of

        table = tables_of(self.service)[0]
        key: Params = {table.primary.pk[0].field: f"${self.service.name}#{kind}_{name}"}
        if table.primary.sk:
            key[table.primary.sk[0].field] = SORT_KEY
        return {"TableName": self._table or table.name, "Key": key}

    def of_record(self, record: StreamRecord) -> Params:
        return self.place("seen", record.id)

    def of_item(self, record: StreamRecord) -> Params:
        from hashlib import sha256

        return self.place("item", sha256(record.item.encode()).hexdigest()[:32])

    def note(self, place: Params, update: str, values: Params, **more: Any) -> Params:
        """An update that also says when the note may go."""
        names: Params = {}
        if self.expires is not None:
            names["#expires"] = self.expires
            values = {**values, ":expires": int(self.clock() + self.keep.total_seconds())}
            update = f"{update} SET #expires = :expires" if "SET" not in update else f"{update}, #expires = :expires"
        request = {**place, "UpdateExpression": update, "ExpressionAttributeValues": values, **more}
        return {**request, "ExpressionAttributeNames": names} if names else request


class Recall(msgspec.Struct, frozen=True):
    """Reads what is noted of a record."""

    seen: SeenInTable
    record: StreamRecord

    def params(self) -> list[Params]:
        places = [self.seen.of_record(self.record)]
        if not self.record.is_ordered:
            places.append(self.seen.of_item(self.record))
        return [{**place, "ConsistentRead": True} for place in places]

    def flow(self) -> Flow[Recalled]:
        found: Params = {}
        for request in self.params():
            reply = yield from call("GetItem", request)
            found |= reply.get("Item", {})
        return Recalled(frozenset(found.get("done", NOBODY)), found.get("newest"))


class Remember(msgspec.Struct, frozen=True):
    """Notes the handlers that are done, and how new the change was."""

    seen: SeenInTable
    record: StreamRecord
    done: frozenset[str]

    def params(self) -> list[Params]:
        record, seen = self.record, self.seen
        requests: list[Params] = []
        if self.done:
            requests.append(seen.note(seen.of_record(record), "ADD done :done", {":done": set(self.done)}))
        if not record.is_ordered and record.microseconds is not None:
            values = {":newest": record.microseconds}
            newer = "attribute_not_exists(newest) OR newest < :newest"
            place = seen.of_item(record)
            requests.append(seen.note(place, "SET newest = :newest", values, ConditionExpression=newer))
        return requests

    def flow(self) -> Flow[None]:
        for request in self.params():
            try:
                yield from call("UpdateItem", request)
            except ConditionFailed:  # a newer change of the item is noted already
                continue
