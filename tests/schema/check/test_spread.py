"""What can be wrong with shards, buckets and times to live, and that they survive being written down."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tablewright.schema.describe import describe
from tablewright.schema.dump import dump
from tablewright.schema.electro.write import dump_entity
from tablewright.schema.load import load

app = tw.Service("app", table=tw.Table("app"))


def by_length(ref: str) -> int:
    return len(ref)


class Event(tw.Entity, service=app, name="event"):
    ref: Attr[str]
    kind: Attr[str]
    at: Attr[datetime]
    expires: Attr[datetime | None] = attr(default=None, ttl=True, hide_expired=True)

    @tw.primary
    def key(self, ref: str) -> None: ...

    @tw.index("gsi1", shards=tw.Shards(8, earlier=(4, 2), by=by_length))
    def by_kind(self, kind: str, *, at: Range[datetime] = ANY) -> None: ...

    @tw.index("gsi2", bucket=tw.Bucket("week", since=date(2024, 1, 1)))
    def by_week(self, kind: str, *, at: Range[datetime] = ANY) -> None: ...


def test_our_own_form_keeps_everything() -> None:
    functions = {"length": by_length}
    written = dump(app.schema, functions=functions)
    patterns = written["entities"]["event"]["access_patterns"]
    assert patterns["by_kind"]["shards"] == {"count": 8, "earlier": [4, 2], "by": {"$fn": "length"}, "of": ["ref"]}
    assert patterns["by_week"]["bucket"] == {
        "every": "week",
        "of": "at",
        "attribute": "week",
        "since": "2024-01-01T00:00:00.000Z",
    }
    assert written["entities"]["event"]["features"]["ttl"] == {"attribute": "expires", "hidden": True}
    again = load(written, functions=functions)
    assert again.entities["event"].patterns == app.schema.entities["event"].patterns
    assert again.entities["event"].features == app.schema.entities["event"].features
    told = describe(again)
    assert "(8 shards)" in told
    assert "(by week)" in told
    assert "event: expires by expires, expired items hidden" in told


def test_electrodb_sees_ordinary_attributes() -> None:
    written = dump_entity(app.schema.entities["event"])
    assert written["attributes"]["shard"] == {"type": "number"}
    assert written["attributes"]["week"] == {"type": "string"}
    assert written["attributes"]["expires"] == {"type": "number"}
    assert written["indexes"]["by_kind"]["pk"]["composite"] == ["kind", "shard"]


def test_a_loaded_service_derives_and_gathers() -> None:
    loaded = tw.Service.load(dump(app.schema, functions={"length": by_length}), functions={"length": by_length})
    with tw.Database.embedded() as db:
        db.create(loaded)
        event = loaded.entities["event"]
        for at in range(9):
            time = f"2026-01-{at + 1:02}T00:00:00.000Z"
            event.put({"ref": "x" * at + "y", "kind": "k", "at": time}).go(client=db)
        found = event.query.by_kind(kind="k").go(client=db, limit=4)
        assert [item["shard"] for item in found["data"]] == [1, 2, 3, 4]
        rest = event.query.by_kind(kind="k").go(client=db, cursor=found["cursor"], pages="all")
        assert [len(item["ref"]) for item in rest["data"]] == [5, 6, 7, 8, 9]
        week = event.query.by_week(kind="k").gte(at="2026-01-06T00:00:00.000Z")
        assert len(week.go(client=db, pages="all")["data"]) == 4


def declared(decorate: Any, **attributes: Any) -> Any:
    service = tw.Service("app", table=tw.Table("app"))

    class Thing(tw.Entity, service=service, name="thing"):
        ref: Attr[str]
        kind: Attr[str]
        at: Attr[datetime | None] = attr(default=None)
        day: Attr[date | None] = attr(default=None)
        secret: Attr[str | None] = attr(default=None, set=lambda value, item: value)
        shard: Attr[str | None] = attr(default=None)

        @tw.primary
        def key(self, ref: str) -> None: ...

        @decorate
        def by_kind(self, kind: str, *, at: Range[datetime] = ANY) -> None: ...

    return Thing.schema()


MISTAKES: list[tuple[Any, str]] = [
    (tw.index("gsi1", shards=0), "1 to 1000"),
    (tw.index("gsi1", shards=2000), "1 to 1000"),
    (tw.index("gsi1", shards=4), '"shard" is not a number'),
    (tw.index("gsi1", shards=tw.Shards(4, attribute="lane", of=("secret",))), "has a setter"),
    (tw.index("gsi1", shards=tw.Shards(4, attribute="lane", of=("nope",))), "nope is no attribute"),
    (tw.index("gsi1", shards=tw.Shards(4, attribute="lane", by="modulo", of=("ref", "kind"))), "has no meaning"),
    (tw.index("gsi1", shards=tw.Shards(4, attribute="lane"), collection="all"), "in the collection"),
    (tw.index("gsi1", shards=tw.Shards(4, attribute="lane"), pk="K#{kind}"), "names \\['kind'\\]"),
    (tw.index("gsi1", bucket="decade"), '"year", "month", "week"'),  # type: ignore[arg-type]
    (tw.index("gsi1", bucket=tw.Bucket("month", of="kind")), "no datetime or date"),
    (tw.index("gsi1", bucket=tw.Bucket("hour", of="day")), "has no hours"),
    (tw.index("gsi1", bucket=tw.Bucket("month", since="someday")), "is no time"),
    (tw.index("gsi1", bucket=tw.Bucket("month", since=datetime(2024, 1, 1))), "is no time"),  # noqa: DTZ001
]


@pytest.mark.parametrize(("decorate", "told"), MISTAKES)
def test_mistakes_are_told_with_the_remedy(decorate: Any, told: str) -> None:
    with pytest.raises(tw.SchemaError, match=told):
        declared(decorate)


def test_two_patterns_may_share_an_attribute_that_means_the_same() -> None:
    service = tw.Service("app", table=tw.Table("app"))

    class Thing(tw.Entity, service=service, name="thing"):
        ref: Attr[str]
        kind: Attr[str]

        @tw.primary
        def key(self, ref: str) -> None: ...

        @tw.index("gsi1", shards=4)
        def by_kind(self, kind: str) -> None: ...

        @tw.index("gsi2", shards=4)
        def by_id(self, *, ref: str) -> None: ...

    assert [each.name for each in Thing.schema().attributes] == ["ref", "kind", "shard"]

    class Other(tw.Entity, service=service, name="other"):
        ref: Attr[str]
        kind: Attr[str]

        @tw.primary
        def key(self, ref: str) -> None: ...

        @tw.index("gsi1", shards=4)
        def by_kind(self, kind: str) -> None: ...

        @tw.index("gsi2", shards=5)
        def by_id(self, *, ref: str) -> None: ...

    with pytest.raises(tw.SchemaError, match="means something else"):
        Other.schema()


@pytest.mark.parametrize("shards", [tw.Shards(4, by="random"), tw.Shards(4, earlier=(2,))])
def test_the_tables_own_key_must_follow_from_the_item(shards: tw.Shards) -> None:
    service = tw.Service("app", table=tw.Table("app"))

    class Thing(tw.Entity, service=service, name="thing"):
        ref: Attr[str]

        @tw.primary(shards=shards)
        def key(self, ref: str) -> None: ...

    with pytest.raises(tw.SchemaError, match="table's own key"):
        Thing.schema()


def test_an_index_of_several_attributes_can_be_spread() -> None:
    service = tw.Service("app", table=tw.Table("app"))

    class Thing(tw.Entity, service=service, name="thing"):
        ref: Attr[int]
        kind: Attr[str]
        rank: Attr[int]

        @tw.primary
        def key(self, ref: int) -> None: ...

        @tw.index("gsi1", shards=3, kind="composite")
        def by_kind(self, kind: str, *, rank: Range[int] = ANY) -> None: ...

    with tw.Database.embedded() as db:
        db.create(service)
        db.write_all(Thing(ref=n, kind="k", rank=50 - n).put() for n in range(30))
        assert [thing.ref for thing in db.iter(Thing.by_kind("k").limit(4))] == list(range(29, -1, -1))
        assert [thing.rank for thing in db.run(Thing.by_kind("k", rank=tw.lt(24)))] == [21, 22, 23]
        db.run(Thing.key(77).update(Thing.kind.set("k"), Thing.rank.set(1)))
        assert [thing.ref for thing in db.run(Thing.by_kind("k").limit(1))] == [77]


def test_weeks_and_hours() -> None:
    from tablewright.runtime.features.sharding.periods import period_of, periods

    assert period_of(tw.Bucket("week", of="at"), "2027-01-01T00:00:00.000Z") == "2026-W53"
    assert list(periods("week", "2026-W52", "2027-W02")) == ["2026-W52", "2026-W53", "2027-W01", "2027-W02"]
    assert list(periods("hour", "2026-12-31T22", "2027-01-01T01"))[-1] == "2027-01-01T01"
    assert list(periods("month", "2026-11", "2027-02")) == ["2026-11", "2026-12", "2027-01", "2027-02"]
    assert list(periods("year", "9998", "9999")) == ["9998", "9999"]
    assert list(periods("day", "2024-02-28", "2024-03-01")) == ["2024-02-28", "2024-02-29", "2024-03-01"]
    assert datetime(2026, 1, 1, tzinfo=UTC).isocalendar().week == 1
