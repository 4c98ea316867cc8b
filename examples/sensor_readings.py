"""Sensor readings: one partition for each sensor and month, `SENSOR#id#YYYY-MM` / ISO time, deleted after 90 days.

A range over several months is one query for each month, in order.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from showing import show_request, show_service

import tablewright as tw
from tablewright import ANY, Attr, Range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright import Query

KEPT = timedelta(days=90)
sensors = tw.Service(
    "sensors", table=tw.Table("sensors", pk="PK", sk="SK"), identifiers=tw.Identifiers(entity="Type", version=None)
)


class Reading(tw.Entity, service=sensors, name="Reading"):
    """What a sensor measured at a moment."""

    sensor: Attr[str]
    month: Attr[str]
    at: Attr[datetime]
    temperature: Attr[float]
    humidity: Attr[float]
    expires: Attr[int]

    @tw.primary(pk="SENSOR#{sensor}#{month}", sk="{at}")
    def key(self, sensor: str, month: str, *, at: datetime) -> None:
        """One reading."""

    @tw.index("table")
    def of_month(self, sensor: str, month: str, *, at: Range[datetime] = ANY) -> None:
        """The readings of a sensor in a month, by time."""


def reading(sensor: str, at: datetime, temperature: float, humidity: float) -> Reading:
    return Reading(
        sensor=sensor,
        month=f"{at:%Y-%m}",
        at=at,
        temperature=temperature,
        humidity=humidity,
        expires=int((at + KEPT).timestamp()),
    )


def readings(sensor: str, start: datetime, end: datetime) -> Iterator[Query[Reading]]:
    """The queries whose answers, one after the other, are all readings between two moments in order."""
    month = start.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    while month <= end:
        yield Reading.of_month(sensor, f"{month:%Y-%m}", at=tw.between(start, end))
        month = (month + timedelta(days=32)).replace(day=1)


def main() -> None:
    start, end = datetime(2026, 9, 20, tzinfo=UTC), datetime(2026, 11, 5, tzinfo=UTC)
    show_service(sensors, {"A reading": reading("s1", start, 21.5, 0.4).put()})
    for number, query in enumerate(readings("s1", start, end), start=1):
        show_request(f"From {start:%d %B} to {end:%d %B}, part {number}", query)


if __name__ == "__main__":
    main()
