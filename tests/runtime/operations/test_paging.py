"""Pages on the engine: cursors that survive everything and fit one query, counts, totals, hydrate, parallel scans."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tablewright.engine import Engine
from tablewright.engine.simulation import Instruments
from tablewright.runtime.items.cursor import write_cursor
from tablewright.runtime.transports.embedded import AsyncEmbedded, Embedded
from tablewright.wire.numbers import to_decimal
from tests.runtime.operations.toys import Ball, Bat, answers, ball, balls, database, item, names

post = tw.Service("post", table="post")


class Letter(tw.Entity, service=post, name="letter"):
    box: Attr[str]
    number: Attr[int] = attr(padding=(5, "0"))
    sender: Attr[str] = attr(hidden=True)
    stamp: Attr[float] = attr(default=0.5)
    state: Attr[str] = attr(default="new")
    text: Attr[str] = attr(default="")

    @tw.primary
    def key(self, box: str, *, number: int) -> None:
        """One letter."""

    @tw.index("table")
    def in_box(self, box: str, *, number: Range[int] = ANY) -> None:
        """The letters of a box."""

    @tw.index("gsi1", projection=["number"])
    def by_sender(self, sender: str, *, number: Range[int] = ANY) -> None:
        """Who wrote."""

    @tw.index("gsi2", collection="desk", kind="clustered")
    def by_state(self, state: str, *, number: int = ANY) -> None:
        """What is to be read."""

    @tw.index("gsi3", kind="composite")
    def by_stamp(self, state: str, *, stamp: Range[float] = ANY, number: int = ANY) -> None:
        """By value."""


class Parcel(tw.Entity, service=post, name="parcel"):
    box: Attr[str]
    number: Attr[int] = attr(padding=(5, "0"))
    state: Attr[str] = attr(default="new")

    @tw.primary
    def key(self, box: str, *, number: int) -> None:
        """One parcel."""

    @tw.index("table")
    def in_box(self, box: str, *, number: Range[int] = ANY) -> None:
        """The parcels of a box."""

    @tw.index("gsi2", collection="desk", kind="clustered")
    def by_state(self, state: str, *, number: int = ANY) -> None:
        """What is to be fetched."""


class Desk(tw.Collection, service=post, name="desk"):
    letters: list[Letter]
    parcels: list[Parcel]

    @tw.index("gsi2")
    def of(self, state: str) -> None: ...


LETTERS = [Letter(box="b", number=n, sender="ada", stamp=0.1 * (n % 7), text="x" * (n % 3)) for n in range(30)]


@pytest.fixture(scope="module")
def office() -> tw.Database:
    db = tw.Database(Embedded(Engine()), sleep=lambda _: None)
    db.create(post)
    others = [Letter(box="c", number=n, sender="bob", state="old") for n in range(5)]
    db.write_all(each.put() for each in [*LETTERS, *others])
    db.write_all(Parcel(box="b", number=n).put() for n in range(10))
    return db


def numbers(found: Any) -> list[int]:
    return [letter.number for letter in found]


QUERIES: dict[str, Any] = {
    "table": Letter.in_box("b"),
    "range": Letter.in_box("b", number=tw.between(5, 25)),
    "descending": Letter.in_box("b").descending(),
    "filtered": Letter.in_box("b").where(Letter.text != ""),
    "projected": Letter.in_box("b").only(Letter.number),
    "hidden composite": Letter.by_sender("ada"),
    "hydrated": Letter.by_sender("ada", number=tw.gte(3)).hydrate(),
    "clustered": Letter.by_state("new"),
    "composite": Letter.by_stamp("new", stamp=tw.lt(0.35)),
    "scan": Letter.scan(),
    "scan of an index": Letter.scan().where(Letter.state == "new"),
}


def through(db: tw.Database, query: Any) -> list[int]:
    """All pages, one run at a time, with nothing kept but the cursor's text."""
    found: list[int] = []
    cursor: str | None = None
    while True:
        page = db.run(query.after(cursor))
        found += numbers(page)
        cursor = page.cursor
        if cursor is None:
            return found
        assert isinstance(cursor, str)


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("size", [1, 3, 7])
def test_cursors_go_on_where_a_page_ended(office: tw.Database, name: str, size: int) -> None:
    query = QUERIES[name]
    whole = numbers(office.run(query.pages("all")))
    assert whole
    assert through(office, query.limit(size)) == whole
    assert through(office, query.count(size)) == whole
    assert through(office, query.count(size).only(Letter.number)) == whole
    assert through(office, query.limit(size + 1).count(size)) == whole
    assert numbers(office.iter(query.limit(size))) == whole


def test_the_last_page_has_no_cursor(office: tw.Database) -> None:
    assert office.run(Letter.in_box("b").count(30)).cursor is None
    assert office.run(Letter.in_box("b").count(29)).cursor is not None
    assert office.run(Letter.in_box("b").count(31)).cursor is None


# ---- cursors of other queries ----------------------------------------------------------------------------------------


def cursor_of(db: tw.Database, query: Any) -> str:
    cursor = db.run(query).cursor
    assert isinstance(cursor, str)
    return cursor


FOREIGN: dict[str, tuple[Any, Any, str]] = {
    "another index": (Letter.by_sender("ada"), Letter.in_box("b"), "it has the fields .*gsi1pk.*ends with pk, sk"),
    "the table": (Letter.in_box("b"), Letter.by_state("new"), "ends with gsi2pk, gsi2sk, pk, sk"),
    "another partition": (
        Letter.in_box("b"),
        Letter.in_box("c"),
        "its pk is '.post#box_b', and here it is '.post#box_c'",
    ),
    "another entity": (Letter.in_box("b"), Parcel.in_box("b"), "does not begin with '.parcel_1"),
    "another range": (
        Letter.in_box("b").limit(20),
        Letter.in_box("b", number=tw.lt(5)),
        "its sk, .* is outside of the range",
    ),
    "another prefix": (
        Letter.in_box("b").limit(20),
        Parcel.in_box("b"),
        "does not begin with",
    ),
    "another value": (Letter.by_stamp("new"), Letter.by_stamp("old"), "its state is 'new', and here it is 'old'"),
    "another collection": (Desk.of("new").limit(1), Desk.of("old"), "its gsi2pk is"),
    "a scan": (Letter.scan(), Letter.in_box("z"), "its pk is|its sk"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_cursor_is_refused_by_another_query(office: tw.Database, name: str) -> None:
    origin, other, why = FOREIGN[name]
    cursor = cursor_of(office, origin if origin.options.limit else origin.limit(1))
    with pytest.raises(tw.RequestError, match=f"this cursor is not of .* as asked here: .*({why})") as refused:
        office.run(other.after(cursor))
    assert refused.value.code == 2008
    assert "same access pattern, partition and range" in refused.value.message


def test_a_cursor_is_taken_by_the_same_query_with_other_filters_and_projections(office: tw.Database) -> None:
    cursor = cursor_of(office, Letter.in_box("b").limit(10))
    assert numbers(office.run(Letter.in_box("b").only("number").after(cursor))) == list(range(10, 30))
    assert numbers(office.run(Letter.in_box("b").where(Letter.text == "").after(cursor)))[0] == 12
    assert numbers(office.run(Letter.in_box("b", number=tw.gte(4)).after(cursor))) == list(range(10, 30))


@settings(max_examples=50)
@given(st.decimals(allow_nan=False, allow_infinity=False, places=20, min_value=0, max_value=10**17))
def test_numbers_in_cursors_come_back_as_they_are(number: Any) -> None:
    """A cursor must lead to the very key, whatever JavaScript would make of its number."""
    cursor = write_cursor(
        {"state": "new", "stamp": number, "number": 1, "pk": "$post#box_b", "sk": "$letter_1#number_00001"}
    )
    start = Letter.by_stamp("new").after(cursor).params()["ExclusiveStartKey"]
    assert to_decimal(start["stamp"]) == number


# ---- totals ----------------------------------------------------------------------------------------------------------


def test_totals_count_what_would_be_read(office: tw.Database) -> None:
    for query in QUERIES.values():
        found = len(office.run(query.pages("all")))
        assert office.run(query.total()) == found
        assert office.run(query.limit(4).total()) == found
        assert office.run(query.count(2).total()) == found
    assert office.run(Desk.of("new").total()) == 40
    assert office.run(Parcel.scan().total()) == 10


def test_a_total_reads_nothing_out(office: tw.Database) -> None:
    params = Letter.by_sender("ada").only(Letter.number).hydrate().total().params()
    assert params["Select"] == "COUNT"
    assert "ProjectionExpression" not in params
    page = office.run(Letter.in_box("b").limit(10))
    assert office.run(Letter.in_box("b").after(page.cursor).total()) == 20


def test_a_total_leaves_out_what_only_the_table_key_tells_apart() -> None:
    db = database()
    db.write_all([*(each.put() for each in balls(7, size=3)), Bat(bat="b", size=3).put(), Bat(bat="c", size=3).put()])
    assert len(db.run(Ball.by_size(3))) == 7
    assert (db.run(Ball.by_size(3).total()), db.run(Bat.by_size(3).total())) == (7, 2)


# ---- hydrate ---------------------------------------------------------------------------------------------------------


def test_hydrate_asks_again_for_what_was_left_over() -> None:
    db = database()
    db.write_all(each.put() for each in balls(120, size=3, note="whole"))
    engine_of(db).instruments = Instruments(unprocessed=3)
    page = db.run(Ball.by_size(3).hydrate())
    assert [found.note for found in page] == ["whole"] * 120
    assert page.unprocessed == ()
    engine_of(db).instruments = Instruments(unprocessed=1)
    with pytest.raises(tw.Incomplete, match="120 whole items behind an index could not be read; run the query again"):
        db.run(Ball.by_size(3).hydrate())


def engine_of(db: tw.Database) -> Any:
    assert isinstance(db.transport, Embedded)
    return db.transport.engine


# ---- parallel scans --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("segments", [1, 3, 8])
def test_a_parallel_scan_finds_everything_once(segments: int) -> None:
    db = database()
    db.write_all([*(each.put() for each in balls(100)), *(Bat(bat=str(n)).put() for n in range(20))])
    scan = Ball.scan().parallel(segments)
    assert sorted(names(db.run(scan.pages("all")))) == sorted(names(balls(100)))
    assert sorted(names(db.iter(scan.limit(5).where(Ball.size == 0)))) == sorted(names(balls(100)))
    assert len({each.ball for each in db.iter(scan.limit(7).only(Ball.ball))}) == 100
    found, cursor = [], None
    while found == [] or cursor is not None:
        page = db.run(scan.limit(3).after(cursor))
        found += page.items
        cursor = page.cursor
    assert sorted(names(found)) == sorted(names(balls(100)))


def test_a_parallel_scan_reads_its_segments_at_once() -> None:
    requests = Ball.scan().parallel(3).params()
    assert [(each["Segment"], each["TotalSegments"]) for each in requests] == [(0, 3), (1, 3), (2, 3)]
    effect: Any = next(Ball.scan().parallel(3).flow())
    assert (len(effect.calls), effect.width) == (3, 3)


def test_an_awaited_parallel_scan() -> None:
    async def run() -> list[str | None]:
        blocking = database()
        blocking.write_all(each.put() for each in balls(50))
        db = tw.AsyncDatabase(AsyncEmbedded(engine_of(blocking)))
        return names([found async for found in db.iter(Ball.scan().parallel(4).limit(3))])

    assert sorted(asyncio.run(run())) == sorted(names(balls(50)))  # type: ignore[type-var]


def test_what_a_parallel_scan_does_not_take() -> None:
    db = database()
    db.write_all(each.put() for each in balls(50))
    cursor = cursor_of(db, Ball.scan().parallel(3).limit(2))
    for scan, why in (
        (Ball.scan().parallel(4), "it is of a scan in 3 segments, not 4"),
        (Ball.scan(), "it has the fields segments, at"),
    ):
        with pytest.raises(tw.RequestError, match=why):
            db.run(scan.after(cursor))
    with pytest.raises(tw.RequestError, match="it is not of a parallel scan"):
        db.run(Ball.scan().parallel(3).after(cursor_of(db, Ball.scan().limit(1))))
    with pytest.raises(tw.RequestError, match="takes no count"):
        db.run(Ball.scan().parallel(3).count(4))
    with pytest.raises(tw.RequestError, match="1 to 1000000 segments, not 0"):
        Ball.scan().parallel(0)


def test_a_failing_segment_is_the_failure_of_the_page() -> None:
    with pytest.raises(tw.ServiceError, match="ResourceNotFound"):
        database().run(Ball.scan().parallel(3).with_options(table="nowhere"))


# ---- items read in part ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [lambda item: item.put(), lambda item: item.create(), lambda item: item.upsert()])
def test_an_item_read_in_part_cannot_be_written_as_a_whole(write: Any) -> None:
    db = database()
    db.run(ball("a", size=3, note="precious").put())
    part = db.run(Ball.key("a").get().only(Ball.ball, Ball.colour))
    assert part is not None
    assert part.colour == "red"
    with pytest.raises(AttributeError, match=r"Ball.note has no value on this item: it was not read \(see only"):
        print(part.note)
    with pytest.raises(tw.RequestError, match=r"without size, note, bounces: this item was read with only\(...\)"):
        write(part)
    db.run(part.patch(Ball.bounces.add(1)))
    assert db.run(Ball.key("a").get()) == ball("a", size=3, note="precious", bounces=1)


# ---- requests and answers --------------------------------------------------------------------------------------------


def test_iter_goes_through_pages_when_they_are_needed() -> None:
    first, second = item(ball("a")), item(ball("b"))
    last = {name: first[name] for name in ("pk", "sk", "gsi1pk", "gsi1sk")}
    db, sent = answers({"Items": [first], "LastEvaluatedKey": last}, {"Items": [second]})
    found = db.iter(Ball.by_colour("red").limit(1))
    assert sent.calls == []
    assert next(found) == ball("a")
    assert len(sent.calls) == 1
    assert list(found) == [ball("b")]
    assert sent.requests[1][1]["ExclusiveStartKey"] == last
    assert [params["Limit"] for _, params in sent.requests] == [1, 1]


def test_a_cursor_goes_on_where_a_page_ended() -> None:
    first = item(ball("a"))
    last = {name: first[name] for name in ("pk", "sk", "gsi1pk", "gsi1sk")}
    db, sent = answers({"Items": [first], "LastEvaluatedKey": last}, {"Items": []})
    page = db.run(Ball.by_colour("red"))
    assert isinstance(page.cursor, str)
    assert (len(page), list(page)) == (1, [ball("a")])
    assert db.run(Ball.by_colour("red").after(page.cursor)).cursor is None
    assert sent.requests[1][1]["ExclusiveStartKey"] == last
    assert Ball.by_colour("red").after(None) == Ball.by_colour("red")
