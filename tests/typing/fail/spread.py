"""Mistakes with shards, buckets and times to live."""

from __future__ import annotations

from datetime import datetime

from shop import Customer
from tablewright import ANY, Attr, Range, attr

import tablewright as tw

app = tw.Service("app", table="app")
tw.Shards("16")  # error: a number of shards
tw.Shards(16, by="chance")  # error: hash, modulo, random or a function
tw.Bucket("decade")  # error: year, month, week, day or hour
tw.realign(Customer.key("c"))  # error: a class is wanted
tw.time_held("2026-01-01")  # error: a datetime is wanted


class Event(tw.Entity, service=app, name="event"):
    event: Attr[str]
    at: Attr[datetime]
    expires: Attr[datetime | None] = attr(default=None, ttl=90)  # error: True or a timedelta

    @tw.primary
    def key(self, event: str) -> None:
        """One event."""

    @tw.index("gsi1", shards="16")  # error: a number, or Shards
    def by_event(self, event: str, *, at: Range[datetime] = ANY) -> None:
        """Events by time."""

    @tw.index("gsi2", bucket="decade")  # error: year, month, week, day or hour
    def by_decade(self, event: str, *, at: Range[datetime] = ANY) -> None:
        """Events by decade."""


Event(event="e", at=tw.now(), expires=1767225600000)  # error: a datetime is wanted
