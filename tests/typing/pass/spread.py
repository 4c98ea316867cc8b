"""Shards, buckets and times to live as type checkers see them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import assert_type

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

app = tw.Service("app", table="app")


def by_length(name: str) -> int:
    return len(name)


class Event(tw.Entity, service=app, name="event"):
    """Something that happened."""

    event: Attr[str]
    kind: Attr[str]
    at: Attr[datetime]
    shard: Attr[int | None] = attr(default=None)
    expires: Attr[datetime | None] = attr(default=None, ttl=timedelta(days=90), hide_expired=True)

    @tw.primary(shards=tw.Shards(10, by="modulo", of=("event",), attribute="lane"))
    def key(self, event: str) -> None:
        """One event."""

    @tw.index("gsi1", shards=16)
    def by_kind(self, kind: str, *, at: Range[datetime] = ANY) -> None:
        """Events of a kind, by time."""

    @tw.index("gsi2", bucket="month", shards=tw.Shards(32, earlier=(16,), by=by_length, of=("kind",), attribute="s"))
    def by_month(self, kind: str, *, at: Range[datetime] = ANY) -> None:
        """The same, by month."""

    @tw.index("gsi3", bucket=tw.Bucket("hour", since=date(2024, 1, 1), ahead_days=2))
    def by_hour(self, kind: str, *, at: Range[datetime] = ANY) -> None:
        """The same, by hour."""


event = Event(event="7", kind="k", at=tw.now())
assert_type(event.expires, datetime | None)
assert_type(event.shard, int | None)
assert_type(Event.by_kind("k", at=tw.gte(tw.now())), tw.Query[Event])
assert_type(Event.by_kind("k").including_expired().limit(5), tw.Query[Event])
assert_type(Event.key("7").get().including_expired(), tw.Get[Event])
assert_type(tw.realign(Event), tw.Realign[Event])
Event.expires.set(tw.now() + timedelta(days=1))


def read(db: tw.Database) -> None:
    assert_type(db.run(Event.by_month("k")), tw.Page[Event])
    assert_type(list(db.iter(tw.realign(Event).after(None))), list[Event])
    with tw.time_held(datetime(2026, 1, 1, tzinfo=UTC)):
        assert_type(db.run(Event.key("7").get()), Event | None)
