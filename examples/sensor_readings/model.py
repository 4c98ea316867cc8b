"""What is stored: `SENSOR#id` / `METADATA` for a sensor, `SENSOR#id#YYYY-MM` / ISO time for what it measured."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

RETENTION = timedelta(days=90)

sensors = tw.Service(
    "sensors", table=tw.Table("sensors", pk="PK", sk="SK"), identifiers=tw.Identifiers(entity="Type", version=None)
)


class Sensor(tw.Entity, service=sensors, name="Sensor"):
    """Something that measures, somewhere."""

    sensor: Attr[str]
    place: Attr[str]

    @tw.primary(pk="SENSOR#{sensor}", sk="METADATA")
    def key(self, sensor: str) -> None:
        """One sensor."""


class Reading(tw.Entity, service=sensors, name="Reading"):
    """What a sensor measured at a moment."""

    sensor: Attr[str]
    at: Attr[datetime]
    temperature: Attr[float]
    humidity: Attr[float]
    expires: Attr[datetime | None] = attr(default=None, ttl=True, hide_expired=True)

    @tw.primary(pk="SENSOR#{sensor}#{month}", sk="{at}", bucket=tw.Bucket("month", since=date(2026, 1, 1)))
    def key(self, sensor: str, *, at: datetime) -> None:
        """One reading."""

    @tw.index("table")
    def of(self, sensor: str, *, at: Range[datetime] = ANY) -> None:
        """The readings of a sensor, by time."""
