"""A design as a service: the runtime writes the very keys that the design's templates describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tablewright as tw
from tablewright.architect.designer import design
from tablewright.design.read import design_json
from tablewright.design.samples import stored
from tablewright.design.service import service_of
from tablewright.engine import Engine
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.dump import dump
from tablewright.schema.load import load
from tablewright.wire.values import unmarshal_item
from tests.architect.designs import CASES, case_design
from tests.architect.specs import random_spec
from tests.proof.test_sparse import desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tablewright.design.model import Design, ItemType

STYLES = ["electrodb", "plain"]


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as made:
        yield made


def loaded(made: Design, engine: Engine) -> LoadedService:
    db = tw.Database.embedded(engine=engine)
    service = LoadedService(service_of(made))
    db.create(service)
    service.bind(db)
    return service


def values_of(item: ItemType) -> dict[str, Any]:
    return {each.name: item.sample[each.name] for each in item.attributes}


def key_fields(item: ItemType) -> set[str]:
    return {each.field for keys in item.keys for each in (*keys.pk, *keys.sk)}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("case", CASES)
def test_items_are_stored_under_the_designs_keys(case: str, style: str, engine: Engine) -> None:
    made = case_design(case, style)
    service = loaded(made, engine)
    for item in made.items:
        if not item.is_second_item:  # which the service writes along; what else is written along is an entity there
            service.entities[item.name].put(values_of(item)).go()
    found = [unmarshal_item(each) for each in engine.call("Scan", {"TableName": made.name})["Items"]]
    written = {each[made.encoding.type_field]: each for each in found}
    assert written.keys() == {item.name for item in made.items}
    for item in made.items:
        wanted = stored(item, values_of(item), made.key_style)
        names = {*key_fields(item), *item.fixed}
        assert {name: written[item.name].get(name) for name in names} == {name: wanted[name] for name in names}
        assert not {name for name in written[item.name] if name.startswith("gsi")} - names


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("case", CASES)
def test_a_service_comes_back_from_its_written_form(case: str, style: str) -> None:
    service = service_of(case_design(case, style))
    assert load(dump(service)) == service


def test_a_collection_of_the_design_is_one_of_the_service(engine: Engine) -> None:
    made = case_design("online-shop")
    service = loaded(made, engine)
    for item in made.items:
        service.entities[item.name].put(values_of(item)).go()
    found = service.collections.order(orderId="order-1").go()["data"]
    assert {name for name, items in found.items() if items} == {
        "Order",
        "OrderItem",
        "Invoice",
        "Shipment",
        "ShipmentItem",
    }
    (invoice,) = service.Invoice.query.byInvoiceId(invoiceId="invoice-1").go()["data"]
    assert invoice["orderId"] == "order-1"
    (mirrored,) = service.OrderItem.query.byProductId(productId="product-1").gte(date="2026").go()["data"]
    assert mirrored["productId"] == "product-1"


def test_a_design_file_loads_into_the_runtime(tmp_path: Path) -> None:
    made = case_design("task-manager")
    (tmp_path / "design.json").write_bytes(design_json(made))
    service = tw.Service.load(tmp_path / "design.json")
    assert service.schema == service_of(made)


# ---- keys that ElectroDB has to be told about -----------------------------------------------------------------------

PROJECT: dict[str, Any] = {
    "id": ["project", "number"],
    "attributes": {"project": "string", "number": {"type": "number", "immutable": True}, "state": "string"},
}
COMMENT: dict[str, Any] = {
    "id": ["project", "number", "commentId"],
    "attributes": {"project": "string", "number": "number", "commentId": "string", "text": "string"},
}


def tasks(**constraints: Any) -> Design:
    """A task beside its comments, under a number: a hierarchy whose lead has no composed form."""
    return design(
        {
            "name": "tasks",
            "entities": {"Task": PROJECT, "Comment": COMMENT},
            "access_patterns": [
                {"id": "with-comments", "kind": "query", "entities": ["Task", "Comment"], "by": ["project", "number"]},
                {"id": "of-project", "kind": "query", "entity": "Task", "by": ["project"]},
            ],
            "constraints": {"max_gsis": 0, "copies": "none", **constraints},
        }
    )


@pytest.mark.parametrize("style", STYLES)
def test_numbers_and_leads(style: str, engine: Engine) -> None:
    made = tasks(key_style=style)
    service = loaded(made, engine)
    for item in made.items:
        for number in (5, 51):
            values = {**values_of(item), "number": number}
            service.entities[item.name].put(values).go()
            wanted = stored(item, values, made.key_style)
            key = {name: {"S": wanted[name]} for name in ("pk", "sk")}
            assert "Item" in engine.call("GetItem", {"TableName": "tasks", "Key": key})


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_designed_can_be_written(seed: int, style: Any, engine: Engine) -> None:
    made = design(random_spec(seed, entities=3, patterns=7), key_style=style)
    service = loaded(made, engine)
    for item in made.items:
        if item.kind == "entity":
            written = service.entities[item.name].put(values_of(item)).params()["Item"]
            assert {name: written.get(name) for name in item.sample} == item.sample


def test_shards_are_where_the_design_puts_them(engine: Engine) -> None:
    made = design(
        {
            "name": "ticks",
            "entities": {
                "Tick": {
                    "id": ["tickId"],
                    "attributes": {
                        "tickId": "string",
                        "exchange": {"type": "string", "cardinality": 1, "required": True},
                        "at": {"type": "timestamp", "required": True},
                    },
                }
            },
            "access_patterns": [
                {"id": "add", "kind": "write", "op": "put", "entity": "Tick", "by": ["tickId"], "rate": 5000},
                {"id": "get", "kind": "get", "entity": "Tick", "by": ["tickId"], "rate": 1},
                {"id": "of", "kind": "query", "entity": "Tick", "by": ["exchange"], "sort": "at", "rate": 1},
            ],
        }
    )
    (tick,) = made.items
    assert [keys.shards for keys in tick.keys if keys.index == "gsi1"] > [4]
    service = loaded(made, engine)
    for number in range(20):
        values = {**values_of(tick), "tickId": f"t{number}", "at": f"2026-01-{number + 1:02}"}
        written = service.Tick.put(values).params()["Item"]
        wanted = stored(tick, values, made.key_style)
        assert {name: written[name] for name in key_fields(tick)} == {name: wanted[name] for name in key_fields(tick)}
        service.Tick.put(values).go()
    found = service.Tick.query.byExchange(exchange=values_of(tick)["exchange"]).go()["data"]
    assert [each["tickId"] for each in found] == [f"t{number}" for number in range(20)]


@pytest.mark.parametrize("style", STYLES)
def test_items_expire_and_sentinels_are_entities(style: Any, engine: Engine) -> None:
    made = design(
        {
            "name": "logins",
            "entities": {
                "User": {
                    "id": "userId",
                    "attributes": {"userId": "string", "email": {"required": True}},
                    "unique": "email",
                },
                "Login": {"id": ["userId", "at"], "attributes": {"userId": "string", "at": "timestamp"}, "ttl": "30d"},
            },
            "access_patterns": [
                {"id": "get", "kind": "get", "entity": "User", "by": "userId"},
                {"id": "logins", "kind": "query", "entity": "Login", "by": "userId", "sort": "at"},
                {"id": "register", "kind": "write", "op": "put", "entity": "User", "by": "userId"},
            ],
        },
        key_style=style,
    )
    service = loaded(made, engine)
    samples = {item.name: item.sample for item in made.items}
    assert samples["Login"]["expiresAt"] == 1_773_480_413 + 30 * 86_400
    service.Login.put(values_of(made.items[1])).go()
    (found,) = engine.call("Scan", {"TableName": "logins"})["Items"]
    assert int(found["expiresAt"]["N"]) > 1_773_480_413
    written = service.UserEmail.put(email="ann@example.com", userId="user-1").params()["Item"]
    assert written == samples["UserEmail"]


@pytest.mark.parametrize("style", STYLES)
def test_periods_are_where_the_design_puts_them(style: Any, engine: Engine) -> None:
    reading = {
        "id": ["sensor", "at"],
        "attributes": {"sensor": {"type": "string", "cardinality": 10}, "at": "timestamp", "value": "number"},
        "count": 10**10,
        "size_bytes": 200,
    }
    between = {"id": "between", "kind": "query", "entity": "Reading", "by": "sensor", "range": {"attr": "at"}}
    put = {"id": "put", "kind": "write", "op": "put", "entity": "Reading", "by": ["sensor", "at"]}
    parts = {"entities": {"Reading": reading}, "access_patterns": [between, put]}
    made = design({"name": "sensors", **parts}, key_style=style)
    (item,) = made.items
    assert str(item.keys[0].bucket) == "at:7"
    service = loaded(made, engine)
    written = service.Reading.put(values_of(item)).params()["Item"]
    assert {name: written[name] for name in key_fields(item)} == {name: item.sample[name] for name in key_fields(item)}
    service.Reading.put(values_of(item)).go()
    asked = service.Reading.query.primary(sensor=item.sample["sensor"])
    found = asked.between({"at": "2026-01-31T00:00:00.000Z"}, {"at": "2026-04-01T00:00:00.000Z"}).go()["data"]
    assert [each["value"] for each in found] == [42]


def test_a_design_without_a_service_is_refused_with_a_reason() -> None:
    with pytest.raises(tw.SchemaError, match="its notes say why"):
        tw.Service.load({"format": "tablewright-design", "service": {}})


@pytest.mark.parametrize("style", STYLES)
def test_a_sparse_index_is_one_in_the_service_too(style: str, engine: Engine) -> None:
    made = design(desk(style, selectivity=0.01))
    service = loaded(made, engine)
    ticket = values_of(made.items[0])
    service.entities["Ticket"].put({**ticket, "ticketId": "1"}).go()
    service.entities["Ticket"].put({**ticket, "ticketId": "2", "status": "closed"}).go()
    (listed,) = [each for each in made.items[0].keys if each.when and each.when.required.get("status")]
    found = engine.call("Scan", {"TableName": made.tables[0].name, "IndexName": listed.index})["Items"]
    assert [unmarshal_item(each)["ticketId"] for each in found] == ["1"]
    assert load(dump(service_of(made))) == service_of(made)


def test_a_service_keeps_items_without_what_is_sorted_by() -> None:
    made = design(
        {
            "name": "reminders",
            "entities": {
                "Task": {
                    "id": "taskId",
                    "attributes": {"list": {"required": True}, "due": {"type": "timestamp", "presence": "20%"}},
                    "count": 100_000,
                }
            },
            "access_patterns": [
                {
                    "id": "AP1",
                    "kind": "query",
                    "entity": "Task",
                    "by": "list",
                    "sort": "due",
                    "absent": "omit",
                    "rate": 10,
                },
                {"id": "AP2", "kind": "get", "entity": "Task", "by": "taskId", "rate": 10},
                {"id": "AP3", "kind": "write", "op": "put", "entity": "Task", "by": "taskId", "rate": 10},
            ],
        }
    )
    assert any(each.when for item in made.items for each in item.keys)
    assert all(each.condition is None for entity in service_of(made).entities.values() for each in entity.patterns)
    assert any("answers are the same" in note for note in made.notes)
