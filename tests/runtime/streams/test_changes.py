"""Records of all three sources become the same typed events."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

import tablewright as tw
from tablewright import Attr, attr
from tests.runtime.streams.bakery import (
    Cake,
    Crumbs,
    Loaf,
    bakery,
    clock_of,
    engine_of,
    kinesis_event,
    lambda_event,
    open_bakery,
    told,
)

handlers = tw.Handlers(bakery)


def one_of_each(stream: Any = "new_and_old_images") -> tw.Database:
    db = open_bakery(stream)
    loaf = Loaf(oven="Big", loaf="L1", weight=1.5, seeds={"rye"}, crumbs=Crumbs(kind="dry"))
    db.run(loaf.create())
    db.run(loaf.patch(Loaf.status.set("baked"), Loaf.weight.set(1.25), Loaf.crumbs.inside.grams.set(7)))
    db.run(loaf.remove())
    return db


def sources() -> dict[str, Any]:
    db = one_of_each()
    return {
        "lambda": lambda_event(db),
        "GetRecords": {"Records": told(db), "NextShardIterator": "x"},
        "kinesis": kinesis_event(told(db)),
        "a list": told(db),
        "records": tw.stream_records(lambda_event(db)),
    }


@pytest.mark.parametrize("source", sources())
def test_changes_are_typed(source: str) -> None:
    inserted, modified, removed = handlers.events(sources()[source])
    assert isinstance(inserted, tw.Inserted)
    first = Loaf(oven="Big", loaf="L1", weight=1.5, seeds={"rye"}, crumbs=Crumbs(kind="dry"))
    assert visible(inserted.new) == visible(first)
    assert isinstance(modified, tw.Modified)
    assert visible(modified.old) == visible(first)
    assert (modified.new.status, modified.new.weight, modified.new.crumbs.grams) == ("baked", 1.25, 7)
    assert isinstance(removed, tw.Removed)
    assert removed.old == modified.new == modified.item == removed.item
    assert not removed.expired
    for event in (inserted, modified, removed):
        assert event.entity is Loaf
        assert event.key == Loaf.key("Big", loaf="L1")
        assert event.at == datetime(2026, 1, 1, tzinfo=UTC).replace(microsecond=event.at.microsecond)
    assert len({inserted.id, modified.id, removed.id}) == 3


def visible(loaf: Loaf) -> dict[str, Any]:
    return {name: value for name, value in vars(loaf).items() if name != "secret"}


def modified(db: tw.Database) -> tw.Modified[Any]:
    (event,) = [each for each in handlers.events(told(db)) if isinstance(each, tw.Modified)]
    return event


def test_changed_names_and_values() -> None:
    changed = modified(one_of_each()).changed
    assert changed == {"status", "weight", "crumbs"}
    assert changed(Loaf.status) == ("dough", "baked")
    assert changed(Loaf.weight) == tw.Moved(1.5, 1.25)
    assert changed(Loaf.crumbs) == (Crumbs(kind="dry"), Crumbs(kind="dry", grams=7))
    assert changed(Loaf.crumbs.inside.grams) == (1, 7)
    assert changed(Loaf.crumbs.inside.kind) is None
    assert changed(Loaf.seeds) is None


def test_changed_uses_python_names_and_sees_what_comes_and_goes() -> None:
    db = open_bakery()
    loaf = Loaf(oven="o", loaf="l", baker_name="Bo", secret="x")
    db.run(loaf.create())
    db.run(loaf.patch(Loaf.baker_name.remove(), Loaf.secret.set("y"), Loaf.seeds.add({"rye", "oat"})))
    changed = modified(db).changed
    assert changed == {"baker_name", "secret", "seeds"}
    assert changed(Loaf.baker_name) == ("Bo", None)
    assert changed(Loaf.secret) == ("x", "y")
    assert changed(Loaf.seeds) == (None, {"rye", "oat"})


def test_a_change_of_no_attribute_has_no_names() -> None:
    db = open_bakery()
    key = Cake.key("c").values()
    item = {name: {"S": value} for name, value in key.items()}
    item |= {"cake": {"S": "c"}, "__edb_e__": {"S": "cake"}, "__edb_v__": {"S": "1"}}
    for extra in ("a", "b"):
        engine_of(db).call("PutItem", {"TableName": "bakery", "Item": {**item, "stray": {"S": extra}}})
    assert modified(db).changed == set()


def test_what_is_no_attribute_is_refused() -> None:
    with pytest.raises(tw.RequestError, match="no attribute"):
        modified(one_of_each()).changed("status")  # type: ignore[call-overload]


# ---- images that are not there ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stream", "missing"),
    [
        ("keys_only", {"inserted.new", "modified.old", "modified.new", "modified.changed", "removed.old"}),
        ("new_image", {"modified.old", "modified.changed", "removed.old"}),
        ("old_image", {"inserted.new", "modified.new", "modified.changed"}),
    ],
)
def test_what_the_view_leaves_out_is_said(stream: str, missing: set[str]) -> None:
    events = dict(zip(("inserted", "modified", "removed"), handlers.events(told(one_of_each(stream))), strict=True))
    told_missing: set[str] = set()
    for name in ("inserted.new", "modified.old", "modified.new", "modified.changed", "removed.old"):
        event, attribute = name.split(".")
        message = said(events[event], attribute)
        if message is not None:
            assert stream.upper() in message
            assert "new_and_old_images" in message
            told_missing.add(name)
    assert told_missing == missing


def said(event: Any, attribute: str) -> str | None:
    try:
        getattr(event, attribute)
    except tw.RequestError as error:
        return str(error)
    return None


def test_a_key_alone_finds_its_entity_and_reads_the_item() -> None:
    db = open_bakery("keys_only")
    loaf = Loaf(oven="Big", loaf="L1")
    db.run(loaf.create())
    db.run(Cake(cake="c1").create())
    first, second = handlers.events(told(db))
    assert (first.entity, second.entity) == (Loaf, Cake)
    assert first.key.values() == Loaf.key("Big", loaf="L1").values()
    assert db.run(first.key.get()).loaf == "L1"


# ---- whose item it is ------------------------------------------------------------------------------------------------


def put_raw(db: tw.Database, **fields: str) -> None:
    item = {name: {"S": value} for name, value in fields.items()}
    engine_of(db).call("PutItem", {"TableName": "bakery", "Item": item})


def old_loaf(state: str) -> dict[str, str]:
    key = {"pk": "$bakery#oven_o", "sk": "$loaf_1#loaf_l"}
    return {**key, "oven": "o", "loaf": "l", "state": state, "__edb_e__": "loaf", "__edb_v__": "1"}


def test_older_versions_are_upgraded() -> None:
    db = open_bakery()
    put_raw(db, **old_loaf("raw"))
    put_raw(db, **old_loaf("baked"))
    inserted, changed = handlers.events(told(db))
    assert isinstance(inserted, tw.Inserted)
    assert inserted.new.status == "raw"
    assert isinstance(changed, tw.Modified)
    assert changed.changed == {"status"}
    assert changed.changed(Loaf.status) == ("raw", "baked")
    assert changed.key.values() == {"pk": "$bakery#oven_o", "sk": "$loaf_1#loaf_l"}
    assert db.run(changed.key.get()).status == "baked"


def test_older_versions_are_known_by_their_keys() -> None:
    db = open_bakery("keys_only")
    put_raw(db, **old_loaf("raw"))
    (event,) = handlers.events(told(db))
    assert event.entity is Loaf
    assert event.key.values()["sk"] == "$loaf_1#loaf_l"


@pytest.mark.parametrize(
    "fields",
    [
        {"pk": "a", "sk": "b"},
        {"pk": "$other#oven_o", "sk": "$loaf_2#loaf_l", "__edb_e__": "loaf", "__edb_v__": "2"},
        {"pk": "$bakeryshop#oven_o", "sk": "$pie_1", "__edb_e__": "pie", "__edb_v__": "1"},
        {"pk": "$bakery#oven_o", "sk": "x", "__edb_e__": "tablewright:unique", "__edb_v__": "1"},
    ],
    ids=["no identifiers", "another service", "a longer name", "a companion"],
)
def test_foreign_items_are_passed_over(fields: dict[str, str]) -> None:
    db = open_bakery()
    put_raw(db, **fields)
    mine = tw.Handlers(bakery)
    seen: list[Any] = []
    mine.unknown(seen.append)
    mine.on(tw.Event[tw.Entity])(seen.append)
    assert mine.catch_up(db) == 1
    assert seen == []


@pytest.mark.parametrize(("name", "version"), [("pie", "1"), ("loaf", "9")])
def test_unknown_entities_and_versions_go_to_their_hook(name: str, version: str) -> None:
    db = open_bakery()
    put_raw(db, pk="$bakery#oven_o", sk=f"${name}_{version}", __edb_e__=name, __edb_v__=version)
    mine = tw.Handlers(bakery)
    assert mine.handle(told(db)).count == 1
    seen: list[tw.StreamRecord] = []
    mine.unknown(seen.append)
    assert mine.handle(told(db)).count == 1
    (record,) = seen
    assert (record.change, record.new["__edb_e__"]) == ("INSERT", name)


def test_a_key_that_passes_to_another_entity_is_removed_and_inserted() -> None:
    db = open_bakery()
    pan = tw.Service("pan", table="bakery")

    class Raw(tw.Entity, service=pan, name="raw"):
        id_: Attr[str] = attr(name="id")

        @tw.primary(pk="P#{id_}", sk="A")
        def key(self, id_: str) -> None:
            """Raw."""

    class Fried(tw.Entity, service=pan, name="fried"):
        id_: Attr[str] = attr(name="id")

        @tw.primary(pk="P#{id_}", sk="B")
        def key(self, id_: str) -> None:
            """Fried."""

    mine = tw.Handlers(pan)
    seen: list[str] = []

    @mine.on(tw.Event[Raw], tw.Event[Fried])
    def note(event: tw.Event[Raw] | tw.Event[Fried]) -> None:
        seen.append(f"{type(event).__name__} {type(event.item).__name__}")

    db.run(Raw(id_="1").put())
    put_raw(db, pk="P#1", sk="A", id="1", __edb_e__="fried", __edb_v__="1")
    mine.catch_up(db)
    assert seen == ["Inserted Raw", "Removed Raw", "Inserted Fried"]


# ---- expiry ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["streams", "kinesis", "lambda"])
def test_expired_items_are_told_apart(way: str) -> None:
    db = open_bakery(ttl="expires")
    db.run(Loaf(oven="o", loaf="l1", expires=int(clock_of(db)()) + 10).create())
    db.run(Loaf(oven="o", loaf="l2").create())
    clock_of(db).step(hours=1)
    engine_of(db).expire()
    db.run(Loaf.key("o", loaf="l2").delete())
    event: Any = {"streams": told(db), "kinesis": kinesis_event(told(db)), "lambda": as_lambda_spells(told(db))}[way]
    removed = [each for each in handlers.events(event) if isinstance(each, tw.Removed)]
    assert [(each.old.loaf, each.expired) for each in removed] == [("l1", True), ("l2", False)]


def as_lambda_spells(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    identity = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}
    return [{**each, "userIdentity": identity} if "userIdentity" in each else each for each in records]


# ---- records ---------------------------------------------------------------------------------------------------------


def test_times_of_kinesis_follow_their_precision() -> None:
    db = one_of_each()
    micro, milli = (tw.stream_records(kinesis_event(told(db), unit=unit)) for unit in ("MICROSECOND", "MILLISECOND"))
    assert [each.microseconds for each in milli] == [1000 * each.microseconds for each in micro]
    assert not micro[0].is_ordered


def test_times_that_botocore_made_are_read() -> None:
    (record, *_) = told(one_of_each())
    for made in ("2026-01-01T00:00:01.5Z", datetime(2026, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC), 1767225601.5):
        inside = {**record["dynamodb"], "ApproximateCreationDateTime": made}
        (read,) = tw.stream_records([{**record, "dynamodb": inside}])
        assert read.at == datetime(2026, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)


def test_records_name_their_table() -> None:
    assert {record.table for record in tw.stream_records(lambda_event(one_of_each()))} == {"bakery"}


@pytest.mark.parametrize("event", [{}, {"key1": "value1"}, {"Records": None}])
def test_an_event_without_records_is_refused(event: dict[str, Any]) -> None:
    with pytest.raises(tw.RequestError, match="no list of Records"):
        handlers.handle(event)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"dynamodb": {}},
        {"eventName": "SHUFFLE", "dynamodb": {"Keys": {}}},
        {"eventName": "INSERT", "dynamodb": {"Keys": {"pk": {"Q": "?"}}}},
        {"kinesis": {"data": "e30="}},
        {"kinesis": {"data": "not base64"}},
        "text",
    ],
)
def test_unreadable_records_are_refused(record: Any) -> None:
    with pytest.raises(tw.RequestError):
        tw.stream_records([record])
