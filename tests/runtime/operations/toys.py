"""Entities in two tables, and databases on an engine whose troubles are chosen."""

from __future__ import annotations

from typing import Any

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tablewright.engine import Engine
from tablewright.engine.simulation import Instruments
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.embedded import Embedded
from tablewright.runtime.transports.recorded import Recorded

small = tw.Service("small", table="small")
loud = tw.Service("loud", table=tw.Table("LOUD", pk="PK", sk="SK"))


class Ball(tw.Entity, service=small, name="ball"):
    ball: Attr[str]
    colour: Attr[str] = attr(default="red")
    size: Attr[int] = attr(default=0)
    note: Attr[str | None] = attr(default=None, field="n")
    bounces: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, ball: str) -> None:
        """One ball."""

    @tw.index("gsi1")
    def by_colour(self, colour: str, *, ball: Range[str] = ANY) -> None:
        """By colour."""

    @tw.index("gsi2", projection="keys_only", pk="SIZE#{size}", sk="BY#{ball}")
    def by_size(self, size: int, *, ball: str = ANY) -> None:
        """By size, keys alone, which do not tell balls from bats."""


class Bat(tw.Entity, service=small, name="bat"):
    bat: Attr[str]
    size: Attr[int] = attr(default=0)
    wood: Attr[str] = attr(default="ash", field="n")

    @tw.primary
    def key(self, bat: str) -> None:
        """One bat."""

    @tw.index("gsi2", projection="keys_only", pk="SIZE#{size}", sk="BY#{bat}")
    def by_size(self, size: int, *, bat: str = ANY) -> None:
        """By size."""


class Bell(tw.Entity, service=loud, name="bell"):
    bell: Attr[str]
    tone: Attr[str] = attr(default="c")

    @tw.primary
    def key(self, bell: str) -> None:
        """One bell."""


def ball(name: object, **values: Any) -> Ball:
    return Ball(ball=str(name), **values)


def balls(count: int, **values: Any) -> list[Ball]:
    return [ball(f"{number:04}", **values) for number in range(count)]


def database(*, retry: Retry | None = None, **instruments: Any) -> tw.Database:
    """Both tables on an engine of its own; nobody really sleeps."""
    engine = Engine()
    db = tw.Database(Embedded(engine, retry=retry), sleep=lambda _: None)
    db.create(small)
    db.create(loud)
    if instruments:
        engine.instruments = Instruments(**instruments)
    return db


def names(items: Any) -> list[str | None]:
    return [item and item.ball for item in items]


def item(entity: tw.Entity) -> dict[str, Any]:
    stored: dict[str, Any] = entity.put().params()["Item"]
    return stored


def answers(*replies: Any) -> tuple[tw.Database, Recorded]:
    """A database that answers from a list."""
    transport = Recorded(replies)
    return tw.Database(transport), transport


def keys(*names: str) -> list[dict[str, str]]:
    return [Ball.key(name).values() for name in names]
