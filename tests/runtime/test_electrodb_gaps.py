"""What ElectroDB's users still miss, and what we saw rivals get wrong: one test (or more) for each wish."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.runtime.transports.recorded import Recorded

shop = tw.Service("shop", table="shop")
seen_by_validator: list[Any] = []


@dataclass
class Card:
    number: str
    kind: Literal["card"] = "card"


@dataclass
class Cash:
    drawer: int
    kind: Literal["cash"] = "cash"


class Address(tw.Map):
    city: Attr[str]
    street: Attr[str | None] = attr(default=None)


def remember(value: Any) -> bool:
    seen_by_validator.append(value)
    return True


def city_in_capitals(_: Any, order: Any) -> str:
    return "changed" if order.address is None else str(order.address["city"]).upper()


def customer_from_1(old: dict[str, Any]) -> dict[str, Any]:
    return {**old, "name": f"{old.pop('first')} {old.pop('last')}"}


class Customer(tw.Entity, service=shop, name="customer", version="2", key_version="2", upgrades={"1": customer_from_1}):
    customer: Attr[str]
    name: Attr[str]

    @tw.primary
    def key(self, customer: str) -> None:
        """One customer."""

    @tw.index("gsi1", collection="home")
    def home(self, customer: str) -> None:
        """Beside the orders."""


class Order(tw.Entity, service=shop, name="order"):
    order: Attr[str]
    customer: Attr[str | None] = attr(default=None)
    status: Attr[Literal["open", "paid", "sent"]] = attr(default="open")
    placed: Attr[str | None] = attr(default=None)
    total: Attr[Decimal] = attr(default=Decimal(0))
    weight: Attr[float | None] = attr(default=None)
    note: Attr[str | None] = attr(default=None, validate=remember)
    payment: Attr[Card | Cash | None] = attr(default=None)
    extras: Attr[dict[str, int]] = attr(default_factory=dict)
    address: Attr[Address | None] = attr(default=None)
    city_upper: Attr[str | None] = attr(default=None, watch=["address"], set=city_in_capitals)
    summary: Attr[str | None] = attr(default=None, watch=["note"], set=lambda _, order: f"note: {order.note}")

    @tw.primary
    def key(self, order: str) -> None:
        """One order."""

    @tw.index("gsi1", collection="home")
    def by_customer(self, customer: str, *, status: str = ANY, placed: str = ANY) -> None:
        """A customer's orders by status and date."""

    @tw.index("gsi2", condition=lambda order: order.status == "open", depends_on=["status"])
    def unpaid(self, customer: str, *, placed: str = ANY) -> None:
        """Orders that still have to be paid."""


class Home(tw.Collection, service=shop, name="home"):
    customers: list[Customer]
    orders: list[Order]

    @tw.index("gsi1")
    def of(self, customer: str) -> None:
        """A customer's home page."""


def answers(*replies: Any) -> tuple[tw.Database, Recorded]:
    transport = Recorded(replies)
    return tw.Database(transport), transport


def stored(entity: tw.Entity) -> dict[str, Any]:
    return entity.put().params()["Item"]


def test_batch_writes_across_entities() -> None:
    db, sent = answers({"UnprocessedItems": {}})
    db.run(tw.batch_write(Customer(customer="c1", name="Ann").put(), Order(order="o1").put(), Order.key("o2").delete()))
    [(action, params)] = sent.requests
    assert action == "BatchWriteItem"
    kinds = [next(iter(each)) for each in params["RequestItems"]["shop"]]
    assert kinds == ["PutRequest", "PutRequest", "DeleteRequest"]


def test_batch_writes_send_again_what_was_left_over() -> None:
    left = {"shop": [{"DeleteRequest": {"Key": {"pk": "$shop#order_o2", "sk": "$order_1"}}}]}
    db, sent = answers({"UnprocessedItems": left}, {"UnprocessedItems": {}})
    db.run(tw.batch_write(Order.key("o1").delete(), Order.key("o2").delete()))
    assert [len(params["RequestItems"]["shop"]) for _, params in sent.requests] == [2, 1]


def test_delete_by_query() -> None:
    one, two = stored(Order(order="o1", customer="c1")), stored(Order(order="o2", customer="c1"))
    db, sent = answers(
        {"Items": [one], "LastEvaluatedKey": {"pk": "x"}},
        {"UnprocessedItems": {}},
        {"Items": [two]},
        {"UnprocessedItems": {}},
    )
    assert db.run(tw.delete_all(Order.by_customer("c1", status="open"))) == 2
    assert [action for action, _ in sent.requests] == ["Query", "BatchWriteItem", "Query", "BatchWriteItem"]
    deletes = sent.requests[3][1]["RequestItems"]["shop"]
    assert deletes == [{"DeleteRequest": {"Key": {"pk": "$shop#order_o2", "sk": "$order_1"}}}]


def test_delete_a_whole_collection() -> None:
    items = [stored(Customer(customer="c1", name="Ann")), stored(Order(order="o1", customer="c1"))]
    db, sent = answers({"Items": items}, {"UnprocessedItems": {}})
    assert db.run(tw.delete_all(Home.of("c1"))) == 2
    keys = [each["DeleteRequest"]["Key"]["pk"] for each in sent.requests[1][1]["RequestItems"]["shop"]]
    assert keys == ["$shop#customer_c1", "$shop#order_o1"]


def test_maps_with_free_keys() -> None:
    order = Order(order="o1", extras={"gift": 2})
    assert stored(order)["extras"] == {"gift": 2}
    params = Order.key("o1").patch(Order.extras["gift"].set(3)).params()
    assert "#extras.#gift = :gift0" in params["UpdateExpression"]
    read = Order.parse(stored(order))
    assert read is not None
    assert read.extras == {"gift": 2}


@pytest.mark.parametrize("payment", [Card(number="4711"), Cash(drawer=3)])
def test_discriminated_unions_of_nested_types(payment: Card | Cash) -> None:
    item = stored(Order(order="o1", payment=payment))
    assert item["payment"]["kind"] == payment.kind
    read = Order.parse(item)
    assert read is not None
    assert read.payment == payment


def test_watch_on_nested_attributes() -> None:
    params = Order.key("o1").patch(Order.address.inside.city.set("Rome")).params()
    assert "#city_upper = " in params["UpdateExpression"]
    assert params["ExpressionAttributeValues"][":city_upper0"] == "changed"


def test_watch_on_remove() -> None:
    params = Order.key("o1").patch(Order.note.remove()).params()
    assert params["ExpressionAttributeValues"][":summary0"] == "note: None"


def test_sparse_condition_sees_all_it_depends_on_or_the_update_is_refused() -> None:
    with pytest.raises(tw.RequestError, match="placed, customer must be known") as refused:
        Order.key("o1").patch(Order.status.set("paid")).params()
    assert refused.value.code in {2002, 2012}
    with pytest.raises(tw.RequestError, match="status"):
        Order.key("o1").patch(Order.placed.set("2026")).params()


@pytest.mark.parametrize(("status", "written"), [("open", True), ("paid", False)])
def test_sparse_condition_decides_on_a_partial_update(status: Any, written: bool) -> None:
    order = Order(order="o1", customer="c1", placed="2026", status="sent")
    params = order.patch(Order.status.set(status)).params()
    assert ("#gsi2pk = " in params["UpdateExpression"]) is written
    assert ("REMOVE #gsi2pk, #gsi2sk" in params["UpdateExpression"]) is not written


def test_validate_is_not_called_for_absent_optional_values() -> None:
    seen_by_validator.clear()
    Order(order="o1").put().params()
    assert seen_by_validator == []
    Order(order="o1", note="x").put().params()
    assert seen_by_validator == ["x"]


def test_remove_inside_upsert() -> None:
    params = Order(order="o1", total=Decimal(3)).upsert(Order.weight.remove()).params()
    assert "#weight" in params["UpdateExpression"].split("REMOVE")[1]
    assert "#total = :total0" in params["UpdateExpression"]


def test_parse_by_service_finds_the_items_own_entity() -> None:
    found = shop.parse(stored(Order(order="o1")))
    assert isinstance(found, Order)
    assert isinstance(shop.parse(stored(Customer(customer="c", name="n"))), Customer)
    assert shop.parse({"pk": "x", "__edb_e__": "nobody", "__edb_v__": "1"}) is None


def test_older_versions_are_read_through_an_upgrade() -> None:
    old = {"pk": "$shop#customer_c1", "sk": "$customer_1", "customer": "c1", "first": "Ann", "last": "Lee"}
    old |= {"__edb_e__": "customer", "__edb_v__": "1"}
    db, sent = answers({"Item": old})
    assert db.run(Customer.key("c1").of_version("1").get()) == Customer(customer="c1", name="Ann Lee")
    assert sent.requests[0][1]["Key"] == {"pk": "$shop#customer_c1", "sk": "$customer_1"}
    assert shop.parse(old) == Customer(customer="c1", name="Ann Lee")
    assert Customer.home("c1").of_version("1").params()["ExpressionAttributeValues"][":sk1"] == "$home#customer_1"
    with pytest.raises(tw.RequestError, match="no upgrade from version '7'"):
        Customer.key("c1").of_version("7")


def test_exact_large_numbers() -> None:
    digits = Decimal("12345678901234567890123456789012345.678")
    db, sent = answers({}, {"Item": stored(Order(order="o1", total=digits))})
    db.run(Order(order="o1", total=digits).put())
    assert sent.calls[0].params["Item"]["total"] == {"N": "12345678901234567890123456789012345.678"}
    read = db.run(Order.key("o1").get())
    assert read is not None
    assert read.total == digits


def test_an_update_that_touches_an_index_key_has_all_its_composites_or_is_refused() -> None:
    with pytest.raises(tw.RequestError, match="status, placed must be known"):
        Order.key("o1").patch(Order.customer.set("c2")).params()
    told = Order.key("o1").patch(Order.customer.set("c2")).composite(status="open", placed="2026").params()
    assert told["ExpressionAttributeValues"][":gsi1pk0"] == "$shop#customer_c2"
    assert told["ExpressionAttributeValues"][":gsi1sk0"] == "$home#order_1#status_open#placed_2026"
    assert "#status = :status0 AND #placed = :placed0" in told["ConditionExpression"]


def test_an_update_never_leaves_a_stale_index_key() -> None:
    order = Order(order="o1", customer="c1", placed="2026")
    params = order.patch(Order.customer.remove()).params()
    assert "gsi1pk" in params["UpdateExpression"].split("REMOVE")[1]
    assert "gsi2pk" in params["UpdateExpression"].split("REMOVE")[1]
    with pytest.raises(tw.RequestError, match="part of an index key"):
        Order.key("o1").patch(Order.placed.if_not_exists("2026")).params()


def test_a_remove_never_leaves_an_unreadable_item() -> None:
    with pytest.raises(tw.ValidationError, match="part of the table key"):
        Order.key("o1").patch(Order.order.remove()).params()
    with pytest.raises(tw.ValidationError, match="required"):
        Customer.key("c1").patch(Customer.name.remove()).params()


@pytest.mark.parametrize("weight", [0.1, 1.5, 2.0, 1e-7, 123456.789])
def test_floats_are_written_and_read_back(weight: float) -> None:
    db, sent = answers({})
    db.run(Order(order="o1", weight=weight).put())
    item = sent.requests[0][1]["Item"]
    read = Order.parse(item)
    assert read is not None
    assert read.weight == weight
    assert isinstance(read.weight, float)
