"""A museum: every type of attribute and every kind of index, in one table that a TypeScript service could share.

`tests/node/services/museum.cjs` is the same service as one writes it for ElectroDB.
"""

from __future__ import annotations

import enum
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

museum = tw.Service(
    "museum", table=tw.Table("museum", indexes={"gsi4": ("gsi4pk",), "lsi1": ("pk", "lsi1sk")}), casing="default"
)

Period = Literal["bronze", "Roman", "modern"]


class State(enum.Enum):
    """How well an exhibit is."""

    WHOLE = "whole"
    BROKEN = "broken"


class Size(tw.Map):
    """How much room something takes."""

    height: Attr[float]
    width: Attr[float | None] = attr(default=None, field="w")
    marks: Attr[list[str] | None] = attr(default=None)


class Repair(tw.Map):
    """Something done to an exhibit."""

    by: Attr[str] = attr(field="who")
    minutes: Attr[int | None] = attr(default=None)


class Exhibit(tw.Entity, service=museum, name="exhibit", version="1"):
    """Something to be looked at; it has an attribute of every type."""

    house: Attr[str]
    number: Attr[int] = attr(padding=(5, "0"))
    title: Attr[str]
    period: Attr[Period] = attr(default="modern")
    state: Attr[State | None] = attr(default=None)
    room: Attr[int | None] = attr(default=None)
    weight: Attr[Decimal | None] = attr(default=None, field="kg")
    shine: Attr[float | None] = attr(default=None)
    shown: Attr[bool | None] = attr(default=None)
    photo: Attr[bytes | None] = attr(default=None)
    acquired: Attr[datetime | None] = attr(default=None, name="acquiredAt")
    born: Attr[date | None] = attr(default=None)
    opens: Attr[time | None] = attr(default=None)
    lasts: Attr[timedelta | None] = attr(default=None)
    serial: Attr[UUID | None] = attr(default=None)
    label: Attr[str | None] = attr(default=None)
    views: Attr[int] = attr(default=0)
    tags: Attr[set[str]] = attr(default_factory=set)
    scores: Attr[frozenset[int]] = attr(default_factory=frozenset)
    prints: Attr[set[bytes]] = attr(default_factory=set)
    notes: Attr[list[str] | None] = attr(default=None)
    repairs: Attr[list[Repair] | None] = attr(default=None, field="rp")
    size_: Attr[Size | None] = attr(default=None, name="size")
    prices: Attr[dict[str, Decimal] | None] = attr(default=None)
    free: Attr[Any] = attr(default=None)

    @tw.primary
    def key(self, house: str, *, number: int) -> None:
        """One exhibit."""

    @tw.index("table")
    def in_house(self, house: str, *, number: Range[int] = ANY) -> None:
        """All exhibits of a house, by number."""

    @tw.index("gsi1", collection="guide")
    def by_title(self, house: str, *, title: Range[str] = ANY) -> None:
        """The exhibits of a house by title, beside what takes place there."""

    @tw.index("gsi3", kind="composite")
    def by_period(self, period: Period, room: int, *, views: Range[int] = ANY, weight: Range[Decimal] = ANY) -> None:
        """What a room shows of a period: the attributes themselves are the key."""

    @tw.index("gsi4", sort=False, casing="upper")
    def by_label(self, label: str) -> None:
        """What a label stands for."""

    @tw.index("gsi5", projection="keys_only", condition=lambda exhibit: exhibit.shown is True, depends_on=["shown"])
    def on_show(self, house: str, *, period: Range[Period] = ANY, number: Range[int] = ANY) -> None:
        """What can be seen at the moment; the index holds keys alone."""

    @tw.index("lsi1")
    def by_age(self, house: str, *, acquired: Range[datetime] = ANY) -> None:
        """In the partition of the table, by the time it came."""


class Talk(tw.Entity, service=museum, name="talk", version="1"):
    """Somebody tells something."""

    house: Attr[str]
    begins: Attr[datetime] = attr(name="beginsAt")
    speaker: Attr[str]

    @tw.primary
    def key(self, speaker: str, *, begins: datetime) -> None:
        """One talk."""

    @tw.index("gsi1", collection=["guide", "events"])
    def program(self, house: str, *, begins: Range[datetime] = ANY) -> None:
        """The talks in a house, by time."""


class Tour(tw.Entity, service=museum, name="tour", version="2", key_version="2"):
    """A walk through a house."""

    house: Attr[str]
    begins: Attr[datetime] = attr(name="beginsAt")
    guests: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, house: str, *, begins: datetime) -> None:
        """One tour."""

    @tw.index("gsi1", collection=["guide", "events"])
    def program(self, house: str, *, begins: Range[datetime] = ANY) -> None:
        """The tours of a house, by time."""


class Loan(tw.Entity, service=museum, name="loan", version="1"):
    """An exhibit that is with a partner."""

    partner: Attr[str]
    due: Attr[str]
    exhibit: Attr[str] = attr(name="exhibitName")

    @tw.primary(pk="PARTNER#{partner}", sk="LOAN#{due}#{exhibit}", casing="none")
    def key(self, partner: str, *, due: str, exhibit: str) -> None:
        """One loan."""

    @tw.index("gsi2", kind="clustered", collection="dealings")
    def dealings(self, partner: str, *, due: Range[str] = ANY, exhibit: Range[str] = ANY) -> None:
        """A partner's loans by due date, between their policies."""


class Policy(tw.Entity, service=museum, name="policy", version="1"):
    """What insures the loans of a partner."""

    partner: Attr[str]
    due: Attr[str]
    sum: Attr[int] = attr(default=0)

    @tw.primary(pk="PARTNER#{partner}", sk="POLICY#{due}", casing="none")
    def key(self, partner: str, *, due: str) -> None:
        """One policy."""

    @tw.index("gsi2", kind="clustered", collection="dealings")
    def dealings(self, partner: str, *, due: Range[str] = ANY) -> None:
        """A partner's policies by due date, between their loans."""


class Guide(tw.Collection, service=museum, name="guide"):
    """A house with all there is to see."""

    exhibits: list[Exhibit]
    talks: list[Talk]
    tours: list[Tour]

    @tw.index("gsi1")
    def of(self, house: str) -> None: ...


class Events(tw.Collection, service=museum, name="events"):
    """What takes place in a house."""

    talks: list[Talk]
    tours: list[Tour]

    @tw.index("gsi1")
    def of(self, house: str) -> None: ...


class Dealings(tw.Collection, service=museum, name="dealings"):
    """Loans and policies of a partner, in one order."""

    loans: list[Loan]
    policies: list[Policy]

    @tw.index("gsi2")
    def of(self, partner: str, *, due: Range[str] = ANY) -> None: ...


def _keys(*fields: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(fields, ("HASH", "RANGE"), strict=False)]


def _index(name: str, *fields: str, projection: str = "ALL") -> dict[str, Any]:
    return {"IndexName": name, "KeySchema": _keys(*fields), "Projection": {"ProjectionType": projection}}


TEXT_FIELDS = ("pk", "sk", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "gsi4pk", "gsi5pk", "gsi5sk", "lsi1sk", "period")
BY_PERIOD = {
    "IndexName": "gsi3",
    "KeySchema": [
        {"AttributeName": "period", "KeyType": "HASH"},
        {"AttributeName": "room", "KeyType": "HASH"},
        {"AttributeName": "views", "KeyType": "RANGE"},
        {"AttributeName": "kg", "KeyType": "RANGE"},
    ],
    "Projection": {"ProjectionType": "ALL"},
}
TABLE: dict[str, Any] = {
    "TableName": "museum",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": _keys("pk", "sk"),
    "AttributeDefinitions": [
        *({"AttributeName": name, "AttributeType": "S"} for name in TEXT_FIELDS),
        *({"AttributeName": name, "AttributeType": "N"} for name in ("room", "views", "kg")),
    ],
    "GlobalSecondaryIndexes": [
        _index("gsi1", "gsi1pk", "gsi1sk"),
        _index("gsi2", "gsi2pk", "gsi2sk"),
        BY_PERIOD,
        _index("gsi4", "gsi4pk"),
        _index("gsi5", "gsi5pk", "gsi5sk", projection="KEYS_ONLY"),
    ],
    "LocalSecondaryIndexes": [_index("lsi1", "pk", "lsi1sk")],
}


def at(hour: int, day: int = 1) -> datetime:
    return datetime(2026, 5, day, hour, tzinfo=UTC)


def full_exhibit(**others: Any) -> Exhibit:
    """An exhibit with a value for every attribute."""
    values: dict[str, Any] = {
        "house": "Uffizi",
        "number": 7,
        "title": "Ätna, nachts",
        "period": "Roman",
        "state": State.BROKEN,
        "room": 12,
        "weight": Decimal("12.50000000000000000000000000000000001"),
        "shine": 0.1,
        "shown": True,
        "photo": b"\x00\xff\x80 bytes",
        "acquired": datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=UTC),
        "born": date(1888, 7, 29),
        "opens": time(9, 30),
        "lasts": timedelta(days=3, microseconds=1),
        "serial": UUID(int=2**100 + 7),
        "label": "äö-1",
        "views": 3,
        "tags": {"oil", "Öl", "night"},
        "scores": frozenset({-1, 0, 10**20}),
        "prints": {b"", b"\x01"} - {b""},
        "notes": ["first", "", "third"],
        "repairs": [Repair(by="Ada", minutes=5), Repair(by="Bo")],
        "size_": Size(height=1.5, width=2.25, marks=["back"]),
        "prices": {"eur": Decimal("12.5"), "usd": Decimal(14)},
        "free": {"nested": [1, "two", {"three": True}, None], "empty": {}, "number": 1.5},
    }
    return Exhibit(**{**values, **others})


def exhibit(number: int, **others: Any) -> Exhibit:
    """A small one."""
    return Exhibit(**{"house": "Uffizi", "number": number, "title": f"title {number:03}", **others})
