"""Attributes may be called anything: quotes, backslashes, any Unicode, in both front ends and every codec."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr

TAKEN = {"pk", "sk", "gsi1pk", "gsi1sk", "other", "inner", "__edb_e__", "__edb_v__"}
HOSTILE = [
    'a"b',
    "a'b",
    "a\\b",
    'a\\"b',
    "a\nb",
    "#x",
    ":x",
    "a.b",
    "a[0]",
    "{x}",
    "${x}",
    "%s",
    "\x00",
    "\u2028",
    "ﬁ",
    "e\u0301",
    "İ",
    "😀",
]

names = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.sampled_from("\"'\\#:.[]{}$%\n\0 aé日😀"), min_size=1, max_size=6),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
).filter(lambda name: name not in TAKEN)


def opened(service: Any) -> tw.Database:
    db = tw.Database.embedded()
    db.create(service)
    return db


def typed_entity(name: str, service: tw.Service) -> Any:
    class Inner(tw.Map):
        deep: Attr[str] = attr(name=name)

    class Thing(tw.Entity, service=service, name="thing"):
        thing: Attr[str] = attr(name=name + "1")
        value: Attr[str] = attr(name=name)
        other: Attr[str | None] = attr(default=None, field=name + "2")
        count: Attr[int] = attr(default=0, name=name + "3")
        inner: Attr[Inner]

        @tw.primary
        def key(self, thing: str) -> None:
            """One thing."""

        @tw.index("gsi1")
        def by_value(self, value: str, *, thing: str = ANY) -> None:
            """Things by value."""

    Thing.Inner = Inner  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    return Thing


@settings(max_examples=60, deadline=None)
@given(names)
@example('a"b')
@example("a\\b")
def test_typed_attributes(name: str) -> None:
    service = tw.Service("names", table="names")
    entity = typed_entity(name, service)
    with opened(service) as db:
        thing = entity(thing="t1", value="v", other="o", inner=entity.Inner(deep="d"))
        db.run(thing.put())
        assert db.run(entity.key("t1").get()) == thing
        assert db.run(entity.by_value("v")).items == [thing]
        changes = entity.other.set("p"), entity.count.add(2), entity.inner.deep.set("e")
        db.run(entity.key("t1").patch(*changes).where(entity.value == "v", entity.inner.deep == "d"))
        found = db.run(entity.key("t1").get())
        assert found == entity(thing="t1", value="v", other="p", count=2, inner=entity.Inner(deep="e"))
        db.run(found.patch(entity.value.set("w")))
        part = db.run(entity.by_value("w").where(entity.other == "p").only(entity.value, entity.count))[0]
        assert (part.value, part.count) == ("w", 2)
        assert db.run(entity.by_value("v")).items == []


@settings(max_examples=60, deadline=None)
@given(names)
@example('a"b')
@example("a\\b")
def test_loaded_attributes(name: str) -> None:
    schema = {
        "model": {"service": "names", "entity": "thing", "version": "1"},
        "attributes": {
            name + "1": {"type": "string"},
            name: {"type": "string"},
            "other": {"type": "string", "field": name + "2"},
            "inner": {"type": "map", "properties": {name: {"type": "string"}}},
        },
        "indexes": {
            "key": {"pk": {"field": "pk", "composite": [name + "1"]}, "sk": {"field": "sk", "composite": []}},
            "byValue": {
                "index": "gsi1",
                "pk": {"field": "gsi1pk", "composite": [name]},
                "sk": {"field": "gsi1sk", "composite": [name + "1"]},
            },
        },
    }
    service: Any = tw.Service.load(schema, table="names")
    with opened(service) as db:
        service.bind(db)
        entity = service.entities["thing"]
        item = {name + "1": "t1", name: "v", "other": "o", "inner": {name: "d"}}
        entity.put(item).go()
        assert entity.get({name + "1": "t1"}).go()["data"] == item
        assert entity.query.byValue({name: "v"}).go()["data"] == [item]
        entity.patch({name + "1": "t1"}).set({"other": "p"}).where(lambda a, op: op.eq(a[name], "v")).go()
        entity.patch({name + "1": "t1"}).set({name: "w"}).go()
        assert entity.query.byValue({name: "w"}).go()["data"] == [{**item, "other": "p", name: "w"}]
        assert entity.query.byValue({name: "v"}).go()["data"] == []


def test_half_a_character_is_refused() -> None:
    service = tw.Service("names", table="names")
    entity = typed_entity("\ud800", service)
    with opened(service) as db, pytest.raises(tw.ValidationError, match="half a surrogate pair is no text"):
        db.run(entity(thing="t1", value="v", inner=entity.Inner(deep="d")).put())
