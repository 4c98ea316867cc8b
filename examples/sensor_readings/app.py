"""Taking readings in, and asking for them."""

from __future__ import annotations

from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING

import tablewright as tw
from examples.sensor_readings.model import RETENTION, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime


def reading(sensor: str, at: datetime, temperature: float, humidity: float) -> Reading:
    """A reading that goes 90 days after it was measured, however late it is delivered."""
    return Reading(sensor=sensor, at=at, temperature=temperature, humidity=humidity, expires=at + RETENTION)


def deliver(db: tw.Database, readings: Iterable[Reading]) -> tw.Written:
    """Any number of readings, in batches. Delivering some twice does no harm: they have the same keys."""
    return db.write_all(each.put() for each in readings)


def between(db: tw.Database, sensor: str, start: datetime, end: datetime) -> Iterator[Reading]:
    """In order, across months."""
    return db.iter(Reading.of(sensor, at=tw.between(start, end)))


def newest(db: tw.Database, sensor: str, count: int = 1) -> list[Reading]:
    """Looks into the current month, and into those before while it has not found enough."""
    return db.run(Reading.of(sensor).descending().count(count)).items


def daily_means(db: tw.Database, sensor: str, start: datetime, end: datetime) -> dict[date, float]:
    """The mean temperature of each day, computed while the readings come in."""
    by_day = groupby(between(db, sensor, start, end), key=lambda each: each.at.date())
    return {day: fmean(each.temperature for each in readings) for day, readings in by_day}
