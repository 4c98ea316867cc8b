"""A small service with queues, for their tests."""

from __future__ import annotations

from datetime import UTC, datetime

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

works = tw.Service("works", table="works")
NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


class Job(tw.Entity, service=works, name="job"):
    """Something to do; it may be tried three times."""

    job: Attr[str]
    queue: Attr[str] = attr(default="mail")
    due: Attr[datetime | None] = attr(default_factory=tw.now)
    attempts: Attr[int] = attr(default=0)
    dead_at: Attr[datetime | None] = attr(default=None)
    result: Attr[str | None] = attr(default=None)
    done: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, job: str) -> None:
        """One job."""

    @tw.index("gsi1", queue=tw.Lease(seconds=60, attempts=3))
    def waiting(self, queue: str, *, due: Range[datetime] = ANY) -> None:
        """Jobs that wait, by the time they are due."""

    @tw.index("gsi2")
    def dead(self, queue: str, *, dead_at: datetime = ANY) -> None:
        """Jobs, those that are dead last."""


class Parcel(tw.Entity, service=works, name="parcel"):
    """Something to send, in a queue of many; it counts its versions, and its label is its own."""

    parcel: Attr[str]
    depot: Attr[str] = attr(default="north")
    send_at: Attr[datetime | None] = attr(default_factory=tw.now)
    label: Attr[str | None] = attr(default=None, unique=True)
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, parcel: str) -> None:
        """One parcel."""

    @tw.index("gsi1", queue=True, shards=4)
    def to_send(self, depot: str, *, send_at: datetime = ANY) -> None:
        """What has to be sent."""


def fresh() -> tw.Database:
    """A new engine with the empty table."""
    db = tw.Database.embedded()
    db.create(works)
    return db
