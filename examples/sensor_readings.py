"""Sensor readings: one partition for each sensor and month, `SENSOR#id#YYYY-MM` / ISO time, deleted after 90 days.

A range over several months is one query: it visits the months in order.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from showing import show_request, show_service

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

sensors = tw.Service(
    "sensors", table=tw.Table("sensors", pk="PK", sk="SK"), identifiers=tw.Identifiers(entity="Type", version=None)
)


class Reading(tw.Entity, service=sensors, name="Reading"):
    """What a sensor measured at a moment."""

    sensor: Attr[str]
    at: Attr[datetime]
    temperature: Attr[float]
    humidity: Attr[float]
    expires: Attr[datetime | None] = attr(default=None, ttl=timedelta(days=90))

    @tw.primary(pk="SENSOR#{sensor}#{month}", sk="{at}", bucket="month")
    def key(self, sensor: str, *, at: datetime) -> None:
        """One reading."""

    @tw.index("table")
    def of(self, sensor: str, *, at: Range[datetime] = ANY) -> None:
        """The readings of a sensor, by time."""


def main() -> None:
    start, end = datetime(2026, 9, 20, tzinfo=UTC), datetime(2026, 11, 5, tzinfo=UTC)
    with tw.time_held(start):
        reading = Reading(sensor="s1", at=start, temperature=21.5, humidity=0.4)
    show_service(sensors, {"A reading": reading.put()})
    show_request(f"From {start:%d %B} to {end:%d %B}", Reading.of("s1", at=tw.between(start, end)))


if __name__ == "__main__":
    main()
