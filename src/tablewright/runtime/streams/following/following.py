"""Following a table's stream: parents before their children, each page handled before its place is kept.

Changes of one item are in one shard, or in its children, so that their order is kept. What is read again after a
failure begins at the record that failed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from tablewright.errors import RequestError
from tablewright.runtime.database import AsyncDatabase, Database
from tablewright.runtime.streams.following.shards import LATEST, OLDEST, FindStream, ListShards, Place, ReadShard, Wait

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.runtime.service import Service
    from tablewright.runtime.streams.batch import Handled
    from tablewright.runtime.streams.following.checkpoints import Checkpoints
    from tablewright.runtime.streams.following.shards import Listed, Params, ShardPage
    from tablewright.runtime.streams.steps import Steps


def reader_of(db: Any, client: Any) -> Any:
    """What the stream is read with: the database itself, or one around a client of the service for streams."""
    if not isinstance(db, Database | AsyncDatabase):
        raise RequestError(f"{db!r:.60} is no database; give the one that the table is in", code=2002)
    if client is None:
        return db
    from tablewright.runtime.transports.aws.streams import AsyncBotocoreStreams, BotocoreStreams

    if isinstance(db, AsyncDatabase):
        return AsyncDatabase(AsyncBotocoreStreams(client), observe=db.observers, sleep=db.sleep)
    return Database(BotocoreStreams(client), observe=db.observers, sleep=db.sleep)


class _Shard:
    """A shard and how far it has been read."""

    __slots__ = ("has_ended", "id", "iterator", "parent", "place")

    def __init__(self, told: Params, place: Place, *, has_ended: bool) -> None:
        self.id: str = told["ShardId"]
        self.parent: str | None = told.get("ParentShardId")
        self.place = place
        self.iterator: str | None = None
        self.has_ended = has_ended


class Following:
    """A reader of one table's stream; the steps of its methods are taken by whoever blocks or awaits."""

    def __init__(
        self,
        service: Service,
        db: Any,
        reader: Any,
        handle: Callable[[Any], Any],
        start: Literal["oldest", "latest"],
        checkpoints: Checkpoints,
    ) -> None:
        self.table = service.home.table
        self.db = db
        self.reader = reader
        self.handle = handle
        self.start = start
        self.checkpoints = checkpoints
        self.stream = ""
        self.shards: dict[str, _Shard] = {}
        self.is_over = False
        self._failure: Exception | None = None
        self._wants_list = True

    def catch_up(self) -> Steps[int]:
        """Rounds until one finds nothing."""
        count = 0
        while found := (yield from self.round()):
            count += found
            self._raise_failure()
        self._raise_failure()
        return count

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def follow(self, stop: Callable[[], bool] | None, poll_seconds: float, attempts: int) -> Steps[None]:
        """Rounds with pauses in between. Attempts are counted anew when a round got on."""
        failed = 0
        while True:
            found = yield from self.round()
            failed = 0 if self._failure is None else 1 if found else failed + 1
            if failed >= attempts:
                self._raise_failure()
            if self.is_over or (stop is not None and stop()):
                return
            if not found or failed:
                yield partial(self.db.run, Wait(poll_seconds))

    def round(self) -> Steps[int]:
        """A page of every shard whose turn it is; how many records were handled."""
        self._failure = None
        if not self.stream:
            self.stream = yield partial(self.db.run, FindStream(self._table_name()))
        if self._wants_list:
            self._note((yield partial(self.reader.run, ListShards(self.stream))))
        count = 0
        for shard in [each for each in self.shards.values() if self._is_ready(each)]:
            count += yield from self.read(shard)
        return count

    def _table_name(self) -> str:
        if self.table is None:
            raise RequestError("the service has no table; name one in the service", code=2003)
        return self.table

    def _is_ready(self, shard: _Shard) -> bool:
        parent = None if shard.parent is None else self.shards.get(shard.parent)
        return not shard.has_ended and (parent is None or parent.has_ended)

    def _note(self, listed: Listed) -> None:
        """Take in shards that are new. Whoever wants the latest begins behind what is there at the first listing."""
        saved = self.checkpoints.of(self.stream)
        from_now_on = self.start == "latest" and not saved and not self.shards
        for told in listed.shards:
            if told["ShardId"] not in self.shards:
                is_closed = "EndingSequenceNumber" in told.get("SequenceNumberRange", {})
                place = LATEST if from_now_on else _place_of(told["ShardId"], saved)
                self.shards[told["ShardId"]] = _Shard(told, place, has_ended=from_now_on and is_closed)
        is_reading = any(not shard.has_ended for shard in self.shards.values())
        self._wants_list = not is_reading
        self.is_over = listed.is_over and not is_reading

    def read(self, shard: _Shard) -> Steps[int]:
        page: ShardPage = yield partial(self.reader.run, ReadShard(self.stream, shard.id, shard.place, shard.iterator))
        shard.iterator, shard.has_ended = page.iterator, page.iterator is None
        count = 0
        if page.records:
            records = [{**told, "eventSourceARN": self.stream} for told in page.records]
            count = self._kept(shard, records, (yield partial(self.handle, records)))
        self._wants_list = self._wants_list or shard.has_ended
        return count

    def _kept(self, shard: _Shard, records: list[Params], handled: Handled) -> int:
        """Keep the place behind what is handled; what failed is where the next reading begins."""
        if handled.count:
            done: str = records[handled.count - 1]["dynamodb"]["SequenceNumber"]
            self.checkpoints.save(self.stream, shard.id, done)
            shard.place = Place("AFTER_SEQUENCE_NUMBER", done)
        if handled.again_from is not None:
            shard.place = Place("AT_SEQUENCE_NUMBER", handled.again_from)
            shard.iterator, shard.has_ended = None, False
            self._failure = handled.failures[0].error
        return handled.count


def _place_of(shard: str, saved: Mapping[str, str]) -> Place:
    return Place("AFTER_SEQUENCE_NUMBER", saved[shard]) if shard in saved else OLDEST
