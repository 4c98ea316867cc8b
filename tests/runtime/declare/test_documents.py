"""Items as plain data and back: dicts, JSON, `replace`, and what the standard library and pydantic make of them."""

from __future__ import annotations

import copy
import dataclasses
import enum
import json
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import attrs
import msgspec
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr

home = tw.Service("home", table="home")
moment = datetime(2026, 1, 31, 12, 30, 15, 123456, tzinfo=UTC)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Address(tw.Map):
    """Where somebody lives."""

    city: Attr[str]
    codes: Attr[set[int]] = attr(default_factory=set)
    lock: Attr[str] = attr(default="", hidden=True)


class Card(tw.Map):
    kind: Attr[Literal["card"]] = attr(default="card")
    number: Attr[str]


class Bank(tw.Map):
    kind: Attr[Literal["bank"]] = attr(default="bank")
    iban: Attr[str]


@dataclasses.dataclass
class Size:
    width: int
    at: datetime | None = None


@attrs.define
class Shape:
    sides: int


class Span(msgspec.Struct):
    took: timedelta


class Price(pydantic.BaseModel):
    amount: Decimal


class Thing(tw.Entity, service=home, name="thing"):
    """A thing with everything."""

    id: Attr[str]
    count: Attr[int] = attr(default=0, doc="How many there are.")
    ratio: Attr[float] = attr(default=0.5)
    cost: Attr[Decimal] = attr(default=Decimal("1.50"))
    is_new: Attr[bool] = attr(default=True)
    picture: Attr[bytes | None] = attr(default=None)
    made_at: Attr[datetime | None] = attr(default=None)
    made_on: Attr[date | None] = attr(default=None)
    rings: Attr[time | None] = attr(default=None)
    lasts: Attr[timedelta | None] = attr(default=None)
    serial: Attr[UUID | None] = attr(default=None)
    colour: Attr[Colour] = attr(default=Colour.RED)
    level: Attr[Literal[1, 2]] = attr(default=1)
    tags: Attr[set[str]] = attr(default_factory=set)
    row: Attr[tuple[int, ...]] = attr(default_factory=tuple)
    address: Attr[Address | None] = attr(default=None)
    earlier: Attr[list[Address]] = attr(default_factory=list)
    sizes: Attr[dict[str, Size]] = attr(default_factory=dict)
    shape: Attr[Shape | None] = attr(default=None)
    span: Attr[Span | None] = attr(default=None)
    price: Attr[Price | None] = attr(default=None)
    payment: Attr[Card | Bank | None] = attr(default=None)
    anything: Attr[Any] = attr(default=None)
    even: Attr[int] = attr(default=2, validate=lambda value: value % 2 == 0)
    short: Attr[Annotated[str, pydantic.Field(max_length=3)]] = attr(default="")
    long_name: Attr[str] = attr(default="", alias="longName")
    goes_at: Attr[datetime | None] = attr(default=None, ttl=True)
    place: Attr[tw.TreePath | None] = attr(default=None)
    other: Attr[tw.Ref[Card2] | None] = attr(default=None)
    secret: Attr[str] = attr(default="s", hidden=True)

    @tw.primary
    def key(self, id: str) -> None:  # noqa: A002 - short documents below
        """One thing."""


class Card2(tw.Entity, service=home, name="card2"):
    number: Attr[int] = attr(padding=(5, "0"))

    @tw.primary
    def key(self, number: int) -> None:
        """One card."""


def full() -> Thing:
    return Thing(
        id="t1",
        picture=b"\xff\x00",
        made_at=moment,
        made_on=date(2026, 1, 31),
        rings=time(6, 30),
        lasts=timedelta(minutes=1, microseconds=5),
        serial=UUID(int=7),
        colour=Colour.BLUE,
        tags={"b", "a"},
        row=(1, 2),
        address=Address(city="Ulm", codes={2, 1}),
        earlier=[Address(city="Bonn")],
        sizes={"x": Size(3, moment)},
        shape=Shape(4),
        span=Span(timedelta(seconds=3)),
        price=Price(amount=Decimal("9.90")),
        payment=Bank(iban="DE1"),
        anything={"a": [1, "b", None]},
        goes_at=moment,
        place=tw.TreePath("docs", "plan"),
        other=tw.ref(Card2(number=7)),
    )


ADAPTER = pydantic.TypeAdapter(Thing)


@pytest.mark.parametrize("thing", [full(), Thing(id="t2")], ids=["full", "defaults"])
def test_every_way_out_leads_back(thing: Thing) -> None:
    assert Thing.from_dict(thing.to_dict()) == thing
    assert Thing.from_json(thing.to_json()) == thing
    assert Thing.from_json(thing.to_json().encode()) == thing
    assert Thing.from_dict(json.loads(thing.to_json())) == thing
    assert ADAPTER.validate_json(ADAPTER.dump_json(thing)) == thing
    assert ADAPTER.validate_json(thing.to_json()) == thing
    assert ADAPTER.validate_python(json.loads(thing.to_json())) == thing
    assert Thing.from_json(ADAPTER.dump_json(thing)) == thing
    assert ADAPTER.validate_python(thing) is thing


def test_plain_data_has_pythons_names_and_values() -> None:
    shown = full().to_dict()
    assert shown["made_at"] == moment
    assert shown["address"] == {"city": "Ulm", "codes": {1, 2}}
    assert shown["sizes"] == {"x": {"width": 3, "at": moment}}
    assert (shown["row"], shown["colour"], shown["long_name"]) == ((1, 2), Colour.BLUE, "")
    assert shown["payment"] == {"kind": "bank", "iban": "DE1"}


def test_what_is_hidden_is_taken_and_never_shown() -> None:
    thing = Thing.from_json('{"id": "t1", "secret": "known", "address": {"city": "Ulm", "lock": "l"}}')
    assert (thing.secret, thing.address and thing.address.lock) == ("known", "l")
    for shown in (thing.to_dict(), json.loads(ADAPTER.dump_json(thing)), dataclasses.asdict(thing)):
        assert "secret" not in shown
        assert shown["address"] == {"city": "Ulm", "codes": shown["address"]["codes"]}


def test_what_was_not_read_is_not_there() -> None:
    db = tw.Database.embedded()
    db.create(home)
    db.run(full().put())
    part: Any = db.run(Thing.key("t1").get().only(Thing.id, Thing.count))
    assert part.to_dict() == {"id": "t1", "count": 0}
    assert json.loads(part.to_json()) == json.loads(ADAPTER.dump_json(part)) == {"id": "t1", "count": 0}
    assert tw.replace(part, count=3).to_dict() == {"id": "t1", "count": 3}


FAULTS = {
    '{"id": 5}': "id: must be text, not int 5",
    '{"id": null}': "id: must be text, not NoneType None",
    "{}": "id: is required",
    "[]": r"\$: must be an object with attributes, not \[\]",
    "x": r"\$: is no JSON",
    '{"id": "a", "cout": 1}': r"cout: is no attribute of Thing; did you mean count\?",
    '{"id": "a", "count": "5"}': "count: must be a whole number, not str '5'",
    '{"id": "a", "count": 1.5}': "count: must be a whole number",
    '{"id": "a", "count": true}': "count: must be a whole number",
    '{"id": "a", "is_new": 1}': "is_new: must be True or False",
    '{"id": "a", "ratio": "1"}': "ratio: must be a number",
    '{"id": "a", "cost": "x"}': "cost: must be a Decimal",
    '{"id": "a", "picture": "%%"}': "picture: must be bytes",
    '{"id": "a", "made_at": "2026-01-01T00:00:00"}': "made_at: is a datetime without time zone",
    '{"id": "a", "made_at": "soon"}': "made_at: must be a datetime, not str 'soon'",
    '{"id": "a", "made_at": 5}': "made_at: must be a datetime, not int 5",
    '{"id": "a", "colour": "green"}': "colour: must be one of Colour.RED, Colour.BLUE",
    '{"id": "a", "level": 3}': "level: must be one of 1, 2",
    '{"id": "a", "tags": "ab"}': "tags: must be a list, not str 'ab'",
    '{"id": "a", "tags": [1]}': r"tags\[0\]: must be text, not int 1",
    '{"id": "a", "address": {"city": 4}}': "address.city: must be text, not int 4",
    '{"id": "a", "earlier": [{"cty": "B"}]}': r"earlier\[0\].city: .*; earlier\[0\].cty: .*; did you mean city\?",
    '{"id": "a", "sizes": {"x": {"width": "1"}}}': "sizes.x.width: must be a whole number",
    '{"id": "a", "sizes": {"x": {}}}': "sizes.x.width: is required",
    '{"id": "a", "sizes": [1]}': "sizes: must be an object",
    '{"id": "a", "sizes": {"x": 1}}': "sizes.x: must be an object",
    '{"id": "a", "payment": {"kind": "cash"}}': "payment.kind: must be one of 'card', 'bank', not 'cash'",
    '{"id": "a", "payment": 5}': "payment.kind: must be one of",
    '{"id": "a", "even": 3}': "even: ",
    '{"id": "a", "other": "thing/t1"}': "other: must be a reference",
}


@pytest.mark.parametrize("text", FAULTS, ids=str)
def test_every_fault_has_its_place(text: str) -> None:
    with pytest.raises(tw.ValidationError, match="Thing cannot be made of this: " + FAULTS[text]):
        Thing.from_json(text)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(tw.ValidationError) as caught:
        Thing.from_dict({"count": "1", "even": 3, "address": {}, "x": 1})
    assert [fault.path for fault in caught.value.fields] == ["id", "count", "address.city", "even", "x"]


@given(
    st.floats(allow_nan=False, allow_infinity=False), st.integers(), st.decimals(allow_nan=False, allow_infinity=False)
)
def test_numbers_come_back_exactly(ratio: float, count: int, cost: Decimal) -> None:
    thing = Thing(id="t", ratio=ratio, count=count, cost=cost)
    assert Thing.from_json(thing.to_json()) == thing


def test_replace_changes_a_copy() -> None:
    thing = full()
    assert tw.replace(thing, count=5, longName="n").to_dict() == {**thing.to_dict(), "count": 5, "long_name": "n"}
    assert thing == full()
    with pytest.raises(TypeError, match=r"replace\(\): cout is no attribute of Thing; did you mean count\?"):
        tw.replace(thing, cout=5)
    if sys.version_info >= (3, 13):
        assert copy.replace(thing, count=5) == tw.replace(thing, count=5)
    assert thing.__replace__(count=5) == tw.replace(thing, count=5)


def test_the_standard_library_takes_items_for_dataclasses() -> None:
    address = Address(city="Ulm")
    as_dataclass: Any = address
    assert dataclasses.is_dataclass(Address)
    assert [field.name for field in dataclasses.fields(as_dataclass)] == ["city", "codes"]
    assert dataclasses.asdict(as_dataclass) == {"city": "Ulm", "codes": set()}
    assert dataclasses.replace(as_dataclass, city="Bonn") == Address(city="Bonn")
    assert repr(address) == "Address(city='Ulm', codes=set(), lock='')"


def test_an_entity_is_still_nothing_that_can_be_stored_in_another() -> None:
    class Shelf(tw.Entity, service=tw.Service("s", table="t")):
        thing: Attr[Thing]

        @tw.primary
        def key(self, thing: Thing) -> None:
            """One shelf."""

    with pytest.raises(tw.SchemaError, match="values of type Thing cannot be stored"):
        Shelf.schema()


def test_pydantic_says_where_it_was_refused() -> None:
    wrong = {"id": 5, "made_at": datetime(2026, 1, 1), "even": 3, "address": {"city": 4}, "short": "long", "x": 1}  # noqa: DTZ001 - the mistake
    with pytest.raises(pydantic.ValidationError) as caught:
        ADAPTER.validate_python(wrong)
    places = {".".join(map(str, fault["loc"])): fault["type"] for fault in caught.value.errors()}
    assert places == {
        "id": "string_type",
        "made_at": "value_error",
        "even": "value_error",
        "address.city": "string_type",
        "short": "string_too_long",
        "x": "extra_forbidden",
    }


def test_the_json_schema_has_names_words_and_defaults() -> None:
    schema = ADAPTER.json_schema()
    assert (schema["title"], schema["description"], schema["required"]) == ("Thing", "A thing with everything.", ["id"])
    assert schema["$defs"]["Address"]["description"] == "Where somebody lives."
    fields = schema["properties"]
    assert fields["count"] == {"default": 0, "description": "How many there are.", "title": "Count", "type": "integer"}
    assert fields["address"]["anyOf"][0] == {"$ref": "#/$defs/Address"}
    assert fields["secret"]["writeOnly"]
    assert "secret" not in ADAPTER.json_schema(mode="serialization")["properties"]
    assert fields["picture"]["anyOf"][0] == {"type": "string", "contentEncoding": "base64"}


def test_the_json_schema_describes_what_is_written() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    written = json.loads(ADAPTER.dump_json(full()))
    jsonschema.validate(written, ADAPTER.json_schema(mode="serialization"))
    jsonschema.validate(json.loads(full().to_json()), ADAPTER.json_schema())


def test_models_hold_entities() -> None:
    class Box(pydantic.BaseModel):
        things: list[Thing]
        first: Thing | None = None

    box = Box(things=[full()], first=full())
    assert Box.model_validate_json(box.model_dump_json()) == box
    assert list(Box.model_json_schema()["$defs"])[:1] == ["Address"]


def test_nobody_pays_for_what_is_not_asked() -> None:
    program = (
        "import sys, tablewright as tw\n"
        "class Note(tw.Map):\n    text: tw.Attr[str]\n"
        "note = Note.from_json(Note(text='a').to_json())\n"
        "assert not {'pydantic'} & {*sys.modules}, 'imported'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
