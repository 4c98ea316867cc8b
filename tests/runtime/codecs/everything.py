"""An entity with an attribute of every type, for tests that compare compiled code with the generic way."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

import attrs
import msgspec
import pydantic
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.wire.numbers import number_text

lab = tw.Service("lab", table="lab")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Spot(tw.Map):
    city: Attr[str]
    zip: Attr[str | None] = attr(default=None, field="z")
    tags: Attr[set[str]] = attr(default_factory=set)
    secret: Attr[str] = attr(default="s")


class Overridden(tw.Map):
    """With a constructor of its own, which must be asked."""

    side: Attr[int]

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.__dict__["asked"] = True


@dataclass
class Point:
    x: int
    y: float = 0.5
    label: str | None = None
    marks: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Frozen:
    amount: Decimal
    when: datetime | None


@dataclass
class Derived:
    base: int
    double: int = field(init=False)

    def __post_init__(self) -> None:
        self.double = 2 * self.base


@attrs.define
class Box:
    _width: int
    points: list[Point] = attrs.Factory(list)


class Model(pydantic.BaseModel):
    name: str
    number: int = pydantic.Field(default=3, alias="the-number")


class Record(msgspec.Struct):
    key: str
    value: float | None = None


class Card(msgspec.Struct):
    number: str
    kind: Literal["card"] = "card"


@dataclass
class Cash:
    amount: int
    kind: Literal["cash"] = "cash"


class Everything(tw.Entity, service=lab, name="everything"):
    """Something of everything."""

    code: Attr[str]
    text: Attr[str | None] = attr(default=None, field="t")
    whole: Attr[int | None] = attr(default=None)
    real: Attr[float | None] = attr(default=None)
    exact: Attr[Decimal | None] = attr(default=None)
    mixed: Attr[int | float | None] = attr(default=None)
    wide: Attr[int | Decimal | None] = attr(default=None)
    flag: Attr[bool] = attr(default=True)
    data: Attr[bytes | None] = attr(default=None)
    moment: Attr[datetime] = attr(default_factory=tw.now)
    day: Attr[date | None] = attr(default=None)
    clock: Attr[time | None] = attr(default=None)
    span: Attr[timedelta | None] = attr(default=None)
    uuid: Attr[UUID | None] = attr(default=None)
    color: Attr[Color | None] = attr(default=None)
    level: Attr[Level] = attr(default=Level.LOW)
    literal: Attr[Literal["a", "b"]] = attr(default="a")
    number_literal: Attr[Literal[1, 2] | None] = attr(default=None)
    either_literal: Attr[Literal["x", 7] | None] = attr(default=None)
    texts: Attr[set[str]] = attr(default_factory=set)
    numbers: Attr[set[int]] = attr(default_factory=set)
    reals: Attr[frozenset[float]] = attr(default_factory=frozenset)
    exacts: Attr[set[Decimal] | None] = attr(default=None)
    binaries: Attr[set[bytes]] = attr(default_factory=set)
    colors: Attr[set[Color]] = attr(default_factory=set)
    levels: Attr[frozenset[Level]] = attr(default=frozenset({Level.HIGH}))
    days: Attr[set[date]] = attr(default_factory=set)
    names: Attr[list[str]] = attr(default_factory=list)
    moments: Attr[tuple[datetime, ...]] = attr(default_factory=tuple)
    grid: Attr[list[list[int]]] = attr(default_factory=list)
    counts: Attr[dict[str, int]] = attr(default_factory=dict)
    spot: Attr[Spot | None] = attr(default=None)
    overridden: Attr[Overridden | None] = attr(default=None)
    point: Attr[Point | None] = attr(default=None)
    frozen: Attr[Frozen | None] = attr(default=None)
    derived: Attr[Derived | None] = attr(default=None)
    box: Attr[Box | None] = attr(default=None)
    model: Attr[Model | None] = attr(default=None)
    records: Attr[list[Record]] = attr(default_factory=list)
    by_name: Attr[dict[str, Point]] = attr(default_factory=dict)
    payment: Attr[Card | Cash | None] = attr(default=None)
    payments: Attr[list[Card | Cash]] = attr(default_factory=list)
    free: Attr[Any] = attr(default=None)
    frees: Attr[list[Any]] = attr(default_factory=list)
    hidden: Attr[str | None] = attr(default=None, hidden=True)
    demanded: Attr[int]

    @tw.primary
    def key(self, code: str) -> None:
        """One of them."""

    @tw.index("gsi1")
    def by_day(self, day: date, *, whole: int = ANY, text: str = ANY) -> None:
        """Dense, with a sort key that may be cut."""

    @tw.index("gsi2", fields=("gsi3pk", "gsi1sk"))
    def by_literal(self, literal: str, *, whole: int = ANY, text: str = ANY) -> None:
        """Shares a sort key."""


# ---- values of every type ------------------------------------------------------------------------------------------


def is_storable(number: Any) -> bool:
    try:
        number_text(number)
    except ValueError:
        return False
    return True


TEXT = st.text(max_size=5)
WORD = st.text("abc", min_size=1, max_size=3)
WHOLE = st.integers(-(10**20), 10**20) | st.integers(-5, 5)
REAL = st.floats(allow_nan=False, allow_infinity=False).filter(is_storable) | st.sampled_from([0.1, -2.0, 1e20, 12.5])
EXACT = st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9)
MOMENT = st.datetimes(datetime(1000, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - they get one
SPOT = st.builds(Spot, city=TEXT, zip=st.none() | TEXT, tags=st.sets(WORD, max_size=2))
POINT = st.builds(Point, WHOLE, REAL, st.none() | TEXT, st.frozensets(WHOLE, max_size=2))
PAYMENT = st.builds(Card, TEXT) | st.builds(Cash, WHOLE)
FREE = st.recursive(
    st.none() | st.booleans() | WHOLE | REAL | TEXT | st.binary(max_size=3) | st.sets(WORD, max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORD, inner, max_size=2),
    max_leaves=4,
).filter(lambda value: "set()" not in repr(value))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": st.text(min_size=1, max_size=5),  # it ends a sort key, where empty would mean absent
    "whole": WHOLE,
    "real": REAL,
    "exact": EXACT,
    "mixed": WHOLE | REAL,
    "wide": WHOLE | EXACT,
    "flag": st.booleans(),
    "data": st.binary(max_size=4),
    "moment": MOMENT,
    "day": st.dates(),
    "clock": st.times(),
    "span": st.timedeltas(),
    "uuid": st.uuids(),
    "color": st.sampled_from(Color),
    "level": st.sampled_from(Level),
    "literal": st.sampled_from(["a", "b"]),
    "number_literal": st.sampled_from([1, 2]),
    "either_literal": st.sampled_from(["x", 7]),
    "texts": st.sets(TEXT, max_size=3),
    "numbers": st.sets(WHOLE, max_size=3),
    "reals": st.frozensets(REAL, max_size=3),
    "exacts": st.sets(EXACT, max_size=3),
    "binaries": st.sets(st.binary(max_size=3), max_size=3),
    "colors": st.sets(st.sampled_from(Color)),
    "levels": st.frozensets(st.sampled_from(Level)),
    "days": st.sets(st.dates(), max_size=2),
    "names": st.lists(TEXT, max_size=3),
    "moments": st.lists(MOMENT, max_size=2).map(tuple),
    "grid": st.lists(st.lists(WHOLE, max_size=2), max_size=2),
    "counts": st.dictionaries(TEXT, WHOLE, max_size=2),
    "spot": SPOT,
    "overridden": st.builds(Overridden, side=WHOLE),
    "point": POINT,
    "frozen": st.builds(Frozen, EXACT, st.none() | MOMENT),
    "derived": st.builds(Derived, WHOLE),
    "box": st.builds(Box, WHOLE, st.lists(POINT, max_size=2)),
    "model": st.builds(lambda name, number: Model(**{"name": name, "the-number": number}), TEXT, WHOLE),
    "records": st.lists(st.builds(Record, TEXT, st.none() | REAL), max_size=2),
    "by_name": st.dictionaries(WORD, POINT, max_size=2),
    "payment": PAYMENT,
    "payments": st.lists(PAYMENT, max_size=2),
    "free": FREE,
    "frees": st.lists(FREE, max_size=2),
    "hidden": TEXT,
}
GIVEN = st.lists(st.sampled_from([*VALUES]), unique=True, max_size=9).flatmap(
    lambda names: st.fixed_dictionaries({name: VALUES[name] for name in names})
)
ITEMS = st.builds(lambda given: Everything(**{"code": "x", "demanded": 1, "moment": tw.now(), **given}), GIVEN)


def look(value: Any) -> Any:
    """Everything there is to see of a value: the types inside it, the order of its attributes, not that of its sets."""
    if isinstance(value, set | frozenset):
        return type(value), {repr(each) for each in value}
    if isinstance(value, list | tuple):
        return type(value), [look(each) for each in value]
    if isinstance(value, dict):
        return [(name, look(each)) for name, each in value.items()]
    slots = getattr(value, "__struct_fields__", getattr(value, "__slots__", None))
    if isinstance(slots, tuple) and not isinstance(value, str | int | UUID | Decimal):
        names = [name for name in slots if hasattr(value, name) and not name.startswith("__")]
        return type(value), [(name, look(getattr(value, name))) for name in names]
    inside = getattr(value, "__dict__", None)
    if inside and not isinstance(value, enum.Enum | type):
        return type(value), look(inside)
    return type(value), repr(value)
