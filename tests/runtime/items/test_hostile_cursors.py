"""Cursors come from outside: whatever somebody sends as one is refused with our own errors, quickly."""

from __future__ import annotations

import json
import time
import tracemalloc
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, Range
from tablewright.errors import RequestError, TablewrightError
from tablewright.runtime.items.cursor import write_cursor

shop = tw.Service("shop", table="shop")


class Order(tw.Entity, service=shop, name="order"):
    customer: Attr[str]
    number: Attr[str]
    placed: Attr[datetime]
    country: Attr[str]

    @tw.primary
    def key(self, customer: str, *, number: str) -> None:
        """One order."""

    @tw.index("table")
    def of_customer(self, customer: str, *, number: Range[str] = tw.ANY) -> None:
        """The orders of a customer."""

    @tw.index("gsi1", shards=3)
    def by_country(self, country: str, *, placed: Range[datetime] = tw.ANY) -> None:
        """The orders of a country, by age."""


SCHEMA = {
    "model": {"service": "shop", "entity": "parcel", "version": "1"},
    "attributes": {"customer": {"type": "string"}, "number": {"type": "string"}},
    "indexes": {
        "parcels": {"pk": {"field": "pk", "composite": ["customer"]}, "sk": {"field": "sk", "composite": ["number"]}}
    },
}


@pytest.fixture(scope="module")
def db() -> Iterator[tw.Database]:
    with tw.Database.embedded() as made:
        made.create(shop)
        for number in range(6):
            moment = datetime(2026, 1, 1 + number, tzinfo=UTC)
            made.run(Order(customer="a", number=str(number), placed=moment, country="pt").put())
        yield made


def as_cursor(text: str | bytes) -> str:
    return urlsafe_b64encode(text if isinstance(text, bytes) else text.encode()).rstrip(b"=").decode()


KEY = '{"pk":"$shop#customer_a","sk":"$order_1#number_1"}'
BROKEN = [
    *("%%%", "", "=", "====", "a", "\0", "☃", "{", "AAAA", "a" * 100_000, "A" * 10_000_000, as_cursor(b"\xff\xfe")),
    *(as_cursor(text) for text in ("", "{", "[]", "1", "null", '"x"', "{}", '{"pk":}', "{'pk': 1}", KEY + "x")),
    as_cursor("[" * 100_000),
    as_cursor('{"a":' * 30_000),
    as_cursor('{"pk":' + "[" * 50_000 + "]" * 50_000 + "}"),
    as_cursor('{"pk":' + '{"a":' * 500 + "1" + "}" * 501),
]
ODD = [
    *(
        '{"pk":1e999999999,"sk":"x"}',
        '{"pk":-1e-999999999,"sk":1}',
        '{"pk":' + "9" * 10_000 + ',"sk":1}',
        '{"pk":NaN,"sk":1}',
    ),
    *(
        '{"pk":null,"sk":null}',
        '{"pk":[],"sk":{}}',
        '{"pk":true,"sk":false}',
        '{"pk":"","sk":""}',
        '{"pk":{"S":"x"},"sk":1}',
    ),
    *(
        '{"pk":"other","sk":"x"}',
        '{"id":"of another table"}',
        '{"pk":"x","sk":"y","more":1}',
        '{"pk":"\\u0000","sk":"x"}',
    ),
    *(
        '{"segments":2,"at":[]}',
        '{"segments":2,"at":{"0":[]}}',
        '{"segments":2,"at":{"x":{}}}',
        '{"segments":2,"at":{"9":{}}}',
    ),
    *(
        '{"segments":2,"at":{"-1":{}}}',
        '{"segments":[],"at":{}}',
        '{"segments":2,"at":{"0":{"pk":1,"sk":[]}}}',
        '{"segments":2,"at":null}',
    ),
    *(
        '{"question":1,"order":"asc","shards":3,"at":1,"behind":1}',
        '{"question":[],"order":{},"shards":{},"at":[],"behind":[]}',
    ),
]
WELL_FORMED = ('{"pk":"other","sk":"x"}', '{"pk":"\\u0000","sk":"x"}')
QUERIES = {
    "query": Order.of_customer("a").limit(2),
    "range": Order.of_customer("a", number=tw.gte("1")).limit(2),
    "scan": Order.scan().limit(2),
    "parallel": Order.scan().parallel(2).limit(2),
    "gathered": Order.by_country("pt").limit(2),
}


def refused(db: tw.Database, query: Any, cursor: str) -> None:
    begun = time.process_time()
    with pytest.raises(TablewrightError) as caught:
        db.run(query.after(cursor))
    assert len(str(caught.value)) < 2000
    assert time.process_time() - begun < 30


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("cursor", BROKEN, ids=lambda text: f"{text[:12]!a}-{len(text)}")
def test_what_is_no_cursor(db: tw.Database, name: str, cursor: str) -> None:
    with pytest.raises(RequestError) as caught:
        db.run(QUERIES[name].after(cursor))
    assert caught.value.code == 2008
    refused(db, QUERIES[name], cursor)


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("text", ODD, ids=lambda text: f"{text[:40]!a}")
def test_cursors_of_something_else(db: tw.Database, name: str, text: str) -> None:
    if name == "scan" and text in WELL_FORMED:  # a scan may go on behind any key, be there an item or not
        assert db.run(QUERIES[name].after(as_cursor(text))).items is not None
    else:
        refused(db, QUERIES[name], as_cursor(text))


@pytest.mark.parametrize("name", QUERIES)
def test_cursors_of_other_questions(db: tw.Database, name: str) -> None:
    for other, query in QUERIES.items():
        cursor = db.run(query).cursor
        assert cursor is not None
        if other != name and {other, name} != {"query", "range"} and {other, name} != {"query", "scan"}:
            if {other, name} == {"range", "scan"}:
                continue  # a scan may go on behind any item of the table
            refused(db, QUERIES[name], cursor)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["pk", "sk", "at", "0", "S"]), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = st.sampled_from(["pk", "sk", "segments", "at", "question", "order", "shards", "behind", "gsi1pk", "gsi1sk"])


@pytest.mark.parametrize("name", QUERIES)
@settings(max_examples=60, deadline=None)
@given(
    cursor=st.text(max_size=40)
    | st.dictionaries(FIELDS, VALUES, max_size=6).map(lambda value: as_cursor(json.dumps(value)))
)
def test_any_text(db: tw.Database, name: str, cursor: str) -> None:
    with suppress(TablewrightError):
        db.run(QUERIES[name].after(cursor))


REPLACEMENTS = [
    None,
    True,
    5,
    -1,
    1.5,
    10**40,
    "",
    "x",
    "1e999",
    [],
    [1],
    {},
    {"pk": 1},
    {"pk": "x", "sk": "y"},
    {"x": {}},
]


def mutants(value: Any) -> Iterator[Any]:
    """The same with one thing in it replaced, left out or added."""
    yield from REPLACEMENTS
    if isinstance(value, dict):
        for name, member in value.items():
            yield {key: other for key, other in value.items() if key != name}
            yield from ({**value, name: mutant} for mutant in mutants(member))
        yield {**value, "more": 1}


@pytest.mark.parametrize("name", QUERIES)
def test_good_cursors_that_somebody_changed(db: tw.Database, name: str) -> None:
    cursor = db.run(QUERIES[name]).cursor
    assert cursor is not None
    good = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    for mutant in mutants(good):
        with suppress(TablewrightError):
            db.run(QUERIES[name].after(as_cursor(json.dumps(mutant))))


@pytest.mark.parametrize("cursor", [*BROKEN, *map(as_cursor, ODD)], ids=lambda text: f"{text[:12]!a}-{len(text)}")
def test_loaded_entities(db: tw.Database, cursor: str) -> None:
    parcels: Any = tw.Service.load(SCHEMA, table="shop", client=db).parcel
    with suppress(TablewrightError):
        parcels.query.parcels(customer="a").go(cursor=cursor)
    for convert in (parcels.conversions.from_cursor.to_keys, parcels.conversions.from_cursor.to_composite):
        with suppress(TablewrightError):
            convert(cursor)


def test_a_hostile_cursor_takes_little_memory() -> None:
    cursor = as_cursor('{"a":"' + "x" * 30_000_000 + '"}')
    tracemalloc.start()
    try:
        with pytest.raises(RequestError, match="characters long"):
            Order.of_customer("a").after(cursor).params()
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_good_cursors_go_on(db: tw.Database) -> None:
    for name, query in QUERIES.items():
        page = db.run(query)
        seen = list(page.items)
        while page.cursor is not None:
            page = db.run(query.after(page.cursor))
            seen += page.items
        assert len(seen) == len({order.number for order in seen}) == (5 if name == "range" else 6), name
    assert write_cursor({"pk": "x"}) == as_cursor('{"pk":"x"}')


def test_a_long_cursor_is_not_repeated_whole(db: tw.Database) -> None:
    cursor = write_cursor({"pk": "x" * 50_000, "sk": "y" * 50_000})
    with pytest.raises(RequestError) as refused:
        db.run(Order.of_customer("a").after(cursor))
    assert len(str(refused.value)) < 1_000
