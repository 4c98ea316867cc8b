"""Every annotation: what is stored, what comes back, and what is refused with its place and reason."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NewType, Optional
from uuid import UUID

import attrs
import msgspec
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tablewright.wire.document import from_wire, to_wire

if TYPE_CHECKING:
    from fractions import Fraction

codes = tw.Service("codes", table="codes")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Word(enum.StrEnum):
    YES = "Yes"
    NO = "No"


Name = NewType("Name", str)


class Point(tw.Map):
    x: Attr[int]
    label: Attr[str | None] = attr(default=None, name="labelText", field="lt")
    marks: Attr[set[str]] = attr(default_factory=set, field="mk")


@dataclass
class Leaf:
    colour: Colour
    points: list[Point]
    tags: frozenset[int]
    when: datetime | None = None


@attrs.define
class Branch:
    leaves: dict[str, Leaf]
    _secret: str = "s"
    note: str | None = None


class Tree(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    branch: Branch | None
    height: Decimal
    planted: date = pydantic.Field(alias="plantedOn")
    levels: list[Level] = []


class Forest(msgspec.Struct):
    trees: list[Tree]
    owner: Name
    area: float = 1.5


@dataclass
class Card:
    number: str
    kind: Literal["card"] = "card"


class Cash(tw.Map):
    drawer: Attr[int]
    kind: Attr[Literal["cash"]] = attr(default="cash", field="k")


class Cheque(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    kind: Literal["cheque"] = "cheque"
    bank: Point


class Coin(tw.Map):
    kind: Attr[Literal["coin"]] = attr(default="coin", field="k")
    worth: Attr[Decimal]


class Everything(tw.Entity, service=codes, name="everything"):
    id: Attr[str]
    text: Attr[str]
    whole: Attr[int]
    real: Attr[float]
    exact: Attr[Decimal]
    flag: Attr[bool]
    raw: Attr[bytes]
    moment: Attr[datetime]
    day: Attr[date]
    clock: Attr[time]
    span: Attr[timedelta]
    unique: Attr[UUID]
    colour: Attr[Colour]
    level: Attr[Level]
    word: Attr[Word]
    choice: Attr[Literal["a", "b"]]
    number: Attr[Literal[1, 2]]
    both: Attr[Literal["a"] | Literal[2]]
    items: Attr[list[date]]
    fixed: Attr[tuple[Decimal, ...]]
    names: Attr[set[str]]
    days: Attr[frozenset[date]]
    blobs: Attr[set[bytes]]
    levels: Attr[set[Level]]
    table: Attr[dict[str, timedelta]]
    deep: Attr[dict[str, list[set[int]]]]
    anything: Attr[Any]
    maybe: Attr[Optional[datetime]]  # noqa: UP045 - the old way to write it
    figure: Attr[int | Decimal | None]
    name: Attr[Name]
    noted: Attr[Annotated[int, "a note"]]
    point: Attr[Point]
    leaf: Attr[Leaf | None]
    branch: Attr[Branch | None]
    tree: Attr[Tree | None]
    forest: Attr[Forest | None]
    payment: Attr[Card | Cheque | None]
    change: Attr[Cash | Coin | None]
    payments: Attr[list[Card | Cheque]]

    @tw.primary
    def key(self, id: str) -> None:  # noqa: A002 - the attribute's name
        """One of them."""


TEXT = st.text(max_size=5)
WHOLE = st.integers(-(10**37), 10**37)
EXACT = st.decimals(-(10**20), 10**20, allow_nan=False, allow_infinity=False, places=6)
REAL = st.floats(-1e100, 1e100).filter(lambda number: number == 0 or abs(number) > 1e-100)
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-11))])
MOMENT = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=ZONES).map(  # noqa: DTZ001 - zones follow
    lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000)
)
POINT = st.builds(Point, x=WHOLE, label=st.none() | TEXT, marks=st.sets(TEXT, max_size=2))
LEAF = st.builds(
    Leaf,
    st.sampled_from(Colour),
    st.lists(POINT, max_size=2),
    st.frozensets(st.integers(), max_size=0) | st.frozensets(st.integers(-9, 9), max_size=2),
    st.none() | MOMENT,
)
BRANCH = st.builds(Branch, st.dictionaries(TEXT, LEAF, max_size=2), TEXT, st.none() | TEXT)
TREE = st.builds(
    Tree,
    branch=st.none() | BRANCH,
    height=EXACT,
    plantedOn=st.dates(),
    levels=st.lists(st.sampled_from(Level), max_size=2),
)
CARD, CHEQUE = st.builds(Card, TEXT), st.builds(Cheque, bank=POINT)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXT | st.binary(max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": TEXT,
    "whole": WHOLE,
    "real": REAL,
    "exact": EXACT,
    "flag": st.booleans(),
    "raw": st.binary(max_size=4),
    "moment": MOMENT,
    "day": st.dates(),
    "clock": st.times(),
    "span": st.timedeltas(),
    "unique": st.uuids(),
    "colour": st.sampled_from(Colour),
    "level": st.sampled_from(Level),
    "word": st.sampled_from(Word),
    "choice": st.sampled_from(["a", "b"]),
    "number": st.sampled_from([1, 2]),
    "both": st.sampled_from(["a", 2]),
    "items": st.lists(st.dates(), max_size=2),
    "fixed": st.lists(EXACT, max_size=2).map(tuple),
    "names": st.sets(TEXT, max_size=2),
    "days": st.frozensets(st.dates(), max_size=2),
    "blobs": st.sets(st.binary(max_size=2), max_size=2),
    "levels": st.sets(st.sampled_from(Level)),
    "table": st.dictionaries(TEXT, st.timedeltas(), max_size=2),
    "deep": st.dictionaries(
        TEXT, st.lists(st.sets(st.integers(-9, 9), min_size=1, max_size=2), max_size=2), max_size=2
    ),
    "anything": PLAIN,
    "maybe": st.none() | MOMENT,
    "figure": st.none() | st.integers(-9, 9) | EXACT,
    "name": TEXT,
    "noted": WHOLE,
    "point": POINT,
    "leaf": st.none() | LEAF,
    "branch": st.none() | BRANCH,
    "tree": st.none() | TREE,
    "forest": st.none() | st.builds(Forest, st.lists(TREE, max_size=1), TEXT, REAL),
    "payment": st.none() | CARD | CHEQUE,
    "change": st.none() | st.builds(Cash, drawer=WHOLE) | st.builds(Coin, worth=EXACT),
    "payments": st.lists(CARD | CHEQUE, max_size=2),
}
SAMPLE: dict[str, Any] = {
    "id": "e",
    "text": "t",
    "whole": 1,
    "real": 0.5,
    "exact": Decimal("1.10"),
    "flag": True,
    "raw": b"r",
    "moment": datetime(2026, 1, 2, 3, 4, 5, 678999, timezone(timedelta(hours=1))),
    "day": date(2026, 1, 2),
    "clock": time(3, 4),
    "span": timedelta(days=1, microseconds=1),
    "unique": UUID(int=7),
    "colour": Colour.RED,
    "level": Level.HIGH,
    "word": Word.YES,
    "choice": "a",
    "number": 2,
    "both": 2,
    "items": [date(2026, 1, 2)],
    "fixed": (Decimal(1),),
    "names": {"n"},
    "days": frozenset({date(2026, 1, 2)}),
    "blobs": {b"b"},
    "levels": {Level.LOW},
    "table": {"t": timedelta(seconds=90)},
    "deep": {"d": [{1}]},
    "anything": {"a": [None, 1]},
    "maybe": None,
    "figure": None,
    "name": "n",
    "noted": 3,
    "point": Point(x=1, label="l", marks=set()),
    "leaf": Leaf(Colour.BLUE, [Point(x=1)], frozenset()),
    "branch": Branch({}, "hush"),
    "tree": Tree(branch=None, height=Decimal(3), plantedOn=date(2026, 1, 2)),
    "forest": Forest([], Name("o")),
    "payment": Card("4711"),
    "change": Cash(drawer=1),
    "payments": [Cheque(bank=Point(x=2, label="b"))],
}


def through_the_wire(item: Any) -> Any:
    return Everything.parse(from_wire(to_wire(item.put().params()))["Item"])


@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=40)
@given(data=st.data())
def test_values_come_back(name: str, data: st.DataObject) -> None:
    item = Everything(**{**SAMPLE, "moment": tw.now(), name: data.draw(VALUES[name])})
    assert Everything.parse(item.put().params()["Item"]) == item
    assert through_the_wire(item) == item


STORED = {
    "moment": "2026-01-02T02:04:05.678Z",
    "day": "2026-01-02",
    "clock": "03:04:00",
    "span": Decimal("86400.000001"),
    "unique": "00000000-0000-0000-0000-000000000007",
    "colour": "red",
    "level": 2,
    "word": "Yes",
    "items": ["2026-01-02"],
    "fixed": [1],
    "days": {"2026-01-02"},
    "levels": {1},
    "table": {"t": 90},
    "point": {"x": 1, "lt": "l"},
    "leaf": {"colour": "blue", "points": [{"x": 1}]},
    "branch": {"leaves": {}, "_secret": "hush"},
    "tree": {"height": 3, "planted": "2026-01-02", "levels": []},
    "forest": {"trees": [], "owner": "o", "area": 1.5},
    "payment": {"number": "4711", "kind": "card"},
    "change": {"drawer": 1, "k": "cash"},
    "payments": [{"kind": "cheque", "bank": {"x": 2, "lt": "b"}}],
}


@pytest.mark.parametrize("name", STORED)
def test_what_is_stored(name: str) -> None:
    assert Everything(**SAMPLE).put().params()["Item"][name] == STORED[name]


@pytest.mark.parametrize("name", ["maybe", "figure"])
def test_none_is_absent(name: str) -> None:
    assert name not in Everything(**SAMPLE).put().params()["Item"]


WRONG = [
    ("text", 5, "text", "must be text, not int 5"),
    ("whole", "5", "whole", "must be a whole number, not str '5'"),
    ("whole", True, "whole", "must be a whole number, not bool True"),
    ("whole", 1.5, "whole", "must be a whole number"),
    ("real", "x", "real", "must be a number"),
    ("real", float("nan"), "real", "must be a finite number, not nan"),
    ("real", float("-inf"), "real", "must be a finite number, not -inf"),
    ("exact", Decimal("NaN"), "exact", "must be a finite number"),
    ("exact", Decimal("Infinity"), "exact", "must be a finite number"),
    ("exact", 0.1, "exact", "must be a Decimal, not float 0.1"),
    ("flag", 1, "flag", "must be True or False"),
    ("raw", "x", "raw", "must be bytes"),
    ("moment", datetime(2026, 1, 1), "moment", "without time zone .*tw.now()"),  # noqa: DTZ001 - the mistake
    ("moment", date(2026, 1, 1), "moment", "must be a datetime"),
    ("moment", datetime.min.replace(tzinfo=timezone(timedelta(hours=1))), "moment", "outside of the years 1 to 9999"),
    ("day", datetime(2026, 1, 1, tzinfo=UTC), "day", "must be a date, not datetime"),
    ("clock", "03:04", "clock", "must be a time"),
    ("span", 5, "span", "must be a timedelta"),
    ("unique", "x", "unique", "must be a UUID"),
    ("colour", "red", "colour", "must be one of Colour.RED, Colour.BLUE, not 'red'"),
    ("choice", "c", "choice", "must be one of 'a', 'b', not 'c'"),
    ("choice", [], "choice", "must be one of"),
    ("number", True, "number", "must be one of 1, 2, not True"),
    ("items", "2026", "items", "must be a list"),
    ("items", [date(2026, 1, 1), "x"], "items[1]", "must be a date"),
    ("names", ["a"], "names", "must be a set"),
    ("names", {1}, "names[*]", "must be text"),
    ("table", {1: timedelta(0)}, "table", "must have texts as keys, not int 1"),
    ("table", {"a": 1}, "table.a", "must be a timedelta"),
    ("deep", {"a": [{1}, {"x"}]}, "deep.a[1][*]", "must be a whole number"),
    ("point", Card("x"), "point", "must be a Point"),
    ("point", Point(x="1"), "point.x", "must be a whole number"),
    ("point", Point(x=None), "point.x", "is required"),
    ("leaf", Leaf(Colour.RED, [Point(x=1), Point(x="2")], frozenset()), "leaf.points[1].x", "must be a whole number"),
    ("branch", Branch({"l": Leaf("red", [], frozenset())}), "branch.leaves.l.colour", "must be one of Colour.RED"),
    ("payment", Cash(drawer=1), "payment", "must be one of Card, Cheque, not Cash"),
    ("payments", [Card("1"), Card(2)], "payments[1].number", "must be text"),
]


@pytest.mark.parametrize(("name", "value", "path", "reason"), WRONG)
def test_wrong_values_are_told_with_place_and_reason(name: str, value: Any, path: str, reason: str) -> None:
    item = Everything(**{**SAMPLE, name: value})
    with pytest.raises(tw.ValidationError, match=reason) as refused:
        item.put()
    assert [fault.path for fault in refused.value.fields] == [path]


def test_all_faults_are_told_at_once() -> None:
    values = {**SAMPLE, "text": 5, "items": ["x"], "point": Point(x="1"), "day": None}
    with pytest.raises(tw.ValidationError) as refused:
        Everything(**values).put()
    assert [fault.path for fault in refused.value.fields] == ["text", "items[0]", "point.x", "day"]
    assert "Everything cannot be written: text: must be text" in str(refused.value)


def test_absent_values_read_as_none_empty_or_are_not_there() -> None:
    item = {**Everything(**SAMPLE).put().params()["Item"]}
    for name in ("maybe", "names", "days", "table", "items", "fixed", "text"):
        item.pop(name, None)
    found: Any = Everything.parse(item)
    assert (found.maybe, found.names, found.days) == (None, set(), frozenset())
    assert (found.table, found.items, found.fixed) == ({}, [], ())
    with pytest.raises(AttributeError, match=r"Everything\.text has no value on this item"):
        found.text  # noqa: B018 - the mistake


# ---- what cannot be stored -----------------------------------------------------------------------------------------


class Pair(NamedTuple):
    a: int


class Odd(enum.Enum):
    HALF = 0.5


@dataclass
class Node:
    children: list[Node]


@dataclass
class Left:
    right: Right | None


@dataclass
class Right:
    left: Left | None


@dataclass
class Unresolved:
    part: Fraction


@dataclass
class Tagless:
    number: str


UNSUPPORTED = [
    (complex, "values of type complex cannot be stored"),
    (Pair, "values of type Pair cannot be stored"),
    (str | int, "cannot be stored"),
    (Card | str, "cannot be stored"),
    (Card | Tagless, "nothing tells Card | Tagless apart"),
    (Card | Card | Tagless, "nothing tells"),
    (tuple[int, str], r"write tuple\[X, ...\]"),
    (set[bool], "sets hold texts, numbers or bytes"),
    (set[Point], "sets hold texts, numbers or bytes"),
    (dict[int, str], r"write dict\[str, ...\]"),
    (list[int | None], "elements cannot be None"),
    (dict[str, int | None], "elements cannot be None"),
    (list[complex], r"Thing\.value\[\*\]: values of type complex"),
    (Literal[True], "constants must be texts or whole numbers"),
    (Odd, "constants must be texts or whole numbers"),
    (Node, "Node contains itself"),
    (Left, "Left contains itself"),
    (Unresolved, "names 'Fraction', which is unknown at run time"),
]


@pytest.mark.parametrize(("annotation", "reason"), UNSUPPORTED, ids=lambda each: str(each)[:40])
def test_unsupported_annotations_are_refused_with_their_place(annotation: Any, reason: str) -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things")):
        key_: Attr[str]
        value: Attr[str]

        @tw.primary
        def key(self, key_: str) -> None:
            """One."""

    Thing.__annotations__["value"] = Attr[annotation]
    with pytest.raises(tw.SchemaError, match=reason) as refused:
        Thing.key("a")
    assert "Thing.value" in str(refused.value) or "Unresolved" in str(refused.value)


def test_forward_references_are_found_when_the_class_is_used() -> None:
    class Early(tw.Entity, service=tw.Service("things", table="things")):
        key_: Attr[str]
        later: Attr[Later]

        @tw.primary
        def key(self, key_: str) -> None:
            """One."""

    item = Early(key_="k", later=Later(3))
    assert Early.parse(item.put().params()["Item"]) == item


@dataclass
class Later:
    number: int


def test_names_unknown_at_run_time_are_told() -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things")):
        key_: Attr[str]
        value: Attr[Fraction]

        @tw.primary
        def key(self, key_: str) -> None:
            """One."""

    with pytest.raises(tw.SchemaError, match=r"Thing: an annotation names 'Fraction'.*TYPE_CHECKING"):
        Thing.key("a")


# ---- classes of other libraries ------------------------------------------------------------------------------------


@dataclass
class Derived:
    given: int
    made: str = field(init=False, default="")
    marks: set[str] = field(default_factory=lambda: {"a"})

    def __post_init__(self) -> None:
        self.made = self.made or f"made of {self.given}"


class ByName(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(populate_by_name=True)
    size: int = pydantic.Field(alias="theSize")


@attrs.frozen
class Sealed:
    _inner: int
    made: int = attrs.field(init=False, default=1)


@pytest.mark.parametrize(
    "value", [Derived(1), ByName(size=3), Sealed(2), Derived(2)], ids=lambda each: type(each).__name__
)
def test_fields_that_constructors_do_not_take_by_name(value: Any) -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things")):
        key_: Attr[str]
        value: Attr[str]

        @tw.primary
        def key(self, key_: str) -> None:
            """One."""

    Thing.__annotations__["value"] = Attr[type(value)]
    item = Thing(key_="k", value=value)
    assert Thing.parse(item.put().params()["Item"]) == item


def test_an_empty_set_inside_a_class_reads_as_an_empty_set() -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things")):
        key_: Attr[str]
        value: Attr[Derived]

        @tw.primary
        def key(self, key_: str) -> None:
            """One."""

    item = Thing(key_="k", value=Derived(1, marks=set()))
    stored = item.put().params()["Item"]
    assert "marks" not in stored["value"]
    assert Thing.parse(stored) == item
