"""A hundred days in a greenhouse."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import tablewright as tw
from examples.running import catch_up, run
from examples.sensor_readings import app
from examples.sensor_readings.model import Reading, Sensor, sensors
from examples.showing import heading, names, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

# Years ahead: what is over by the database's own clock could be deleted before the story is told.
FIRST = datetime(2036, 8, 1, tzinfo=UTC)
TODAY = datetime(2036, 11, 9, tzinfo=UTC)


def story(db: tw.Database) -> None:
    with tw.time_held(TODAY):
        measure(db)
        ask(db)
        forget(db)


def measure(db: tw.Database) -> None:
    heading("Measuring")
    db.run(Sensor(sensor="s1", place="greenhouse").create())
    written = app.deliver(db, measured())
    catch_up(db)
    tell("readings delivered, four a day", f"{written.writes} in {written.requests} requests")
    first = app.reading("s1", FIRST, 21.5, 0.4).put().params()["Item"]
    tell("the first is stored at", f"{first['PK']} / {first['SK']}")


def measured() -> Iterator[Reading]:
    at, number = FIRST, 0
    while at < TODAY:
        yield app.reading("s1", at, 18.0 + number % 4 * 2, 0.4)
        at, number = at + timedelta(hours=6), number + 1


def ask(db: tw.Database) -> None:
    heading("Asking")
    query = Reading.of("s1", at=tw.between(datetime(2036, 9, 29, tzinfo=UTC), datetime(2036, 10, 2, tzinfo=UTC)))
    told = db.run(query, explain=True)
    tell("around the turn of the month", f"{len(told.result)} readings, {told.requests} requests, {told.rcu:g} rcu")
    page = db.run(query.limit(8))
    tell("a page", f"{page.items[0].at:%d %B} to {page.items[-1].at:%d %B}")
    tell("the next", names(f"{each.at:%d %B %H:%M}" for each in db.run(query.limit(8).after(page.cursor))))
    newest = app.newest(db, "s1")[0]
    tell("newest", f"{newest.at:%d %B %H:%M}, {newest.temperature:g} degrees")
    means = app.daily_means(db, "s1", datetime(2036, 10, 31, tzinfo=UTC), datetime(2036, 11, 1, 18, tzinfo=UTC))
    tell("means", names(f"{day:%d %B} {mean:g} degrees" for day, mean in means.items()))


def forget(db: tw.Database) -> None:
    heading("Forgetting")
    august = Reading.of("s1", at=tw.between(FIRST, datetime(2036, 8, 31, 18, tzinfo=UTC)))
    tell("readings of August", db.run(august.total()))
    tell("with those that are 90 days old", db.run(august.including_expired().total()))
    with tw.time_held(TODAY + timedelta(days=30)):
        tell("thirty days later", db.run(august.total()))


if __name__ == "__main__":
    run(sensors, story)
