"""Mistakes that type checkers cannot see (`tests/typing/runtime_only.md`) are refused before anything is sent."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

shop = tw.Service("shop", table="shop")
moment = datetime(2026, 1, 1, tzinfo=UTC)


class Address(tw.Map):
    city: Attr[str]


class Order(tw.Entity, service=shop, name="order"):
    customer: Attr[str]
    order_id: Attr[str]
    number: Attr[int]
    status: Attr[str]
    created_at: Attr[datetime] = attr(read_only=True)
    address: Attr[Address | None] = attr(default=None)

    @tw.primary
    def key(self, customer: str, *, order_id: str = ANY) -> None:
        """One order."""

    @tw.index("gsi1")
    def by_status(self, customer: str, *, status: Range[str] = ANY, created_at: Range[datetime] = ANY) -> None:
        """The orders of a customer by status and age."""


class Customer(tw.Entity, service=shop, name="customer"):
    customer: Attr[str]
    name: Attr[str]

    @tw.primary
    def key(self, customer: str) -> None:
        """One customer."""


query = Order.by_status("c1")
key = Order.key("c1", order_id="o1")


def an_order() -> Order:
    return Order(customer="c1", order_id="o1", number=1, status="new", created_at=moment)


def test_every_listed_mistake_has_its_test() -> None:
    listed = (Path(__file__).parents[1] / "typing" / "runtime_only.md").read_text()
    named = set(re.findall(r"`(test_\w+)`", listed))
    here = {name for name in globals() if name.startswith("test_")} - {"test_every_listed_mistake_has_its_test"}
    assert named == here


def test_and_between_conditions() -> None:
    with pytest.raises(TypeError, match=r"join conditions with & \| ~"):
        query.where(Order.number > 1 and Order.status == "new")
    with pytest.raises(TypeError, match=r"join conditions with & \| ~"):
        query.where(Order.number > 1 or Order.status == "new")


def test_chained_comparison() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        query.where(1 < Order.number < 5)


def test_truth_of_a_condition() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(Order.number > 1)


def test_gap_in_the_sort_key() -> None:
    with pytest.raises(tw.RequestError, match="created_at is given without status"):
        Order.by_status("c1", created_at=moment)


def test_two_comparisons() -> None:
    with pytest.raises(tw.RequestError, match="one comparison at most"):
        Order.by_status("c1", status=tw.gt("a"), created_at=tw.gt(moment))


def test_key_in_part() -> None:
    with pytest.raises(tw.RequestError, match="order_id"):
        Order.key("c1").get().params()


def test_range_out_of_order() -> None:
    class Jump(tw.Entity, service=tw.Service("sports", table="sports"), name="jump"):
        jumper: Attr[str]
        metres: Attr[int]

        @tw.primary
        def key(self, jumper: str, *, metres: Range[int] = ANY) -> None:
            """One jump."""

    with pytest.raises(tw.SchemaError, match="metres is a number inside a text key, which sorts as text"):
        Jump.key.query("j1", metres=tw.gte(2))


def test_index_key_in_part() -> None:
    with pytest.raises(tw.RequestError, match=r"created_at must be known.*composite"):
        key.patch(Order.status.set("old")).params()


def test_fixed_attributes() -> None:
    with pytest.raises(tw.ValidationError, match="created_at: is read-only"):
        key.patch(Order.created_at.set(moment)).params()
    with pytest.raises(tw.ValidationError, match="customer: is part of the table key"):
        key.patch(Order.customer.set("c2")).params()


def test_two_changes_of_one_attribute() -> None:
    with pytest.raises(tw.RequestError, match="number and number are changed"):
        key.patch(Order.number.set(1), Order.number.add(1)).params()


def test_change_of_another_entity() -> None:
    with pytest.raises(tw.ValidationError, match="name: is no attribute of order"):
        key.patch(Customer.name.set("Ann")).params()


@pytest.mark.parametrize(
    "asked",
    [
        query.where,
        Order.scan().where,
        key.patch().where,
        key.delete().where,
        key.check,
        an_order().put().where,
    ],
)
@pytest.mark.parametrize(
    "condition",
    [
        Customer.name == "n",
        Customer.customer == "c1",  # orders have an attribute of that name too
        (Order.number > 1) & ~Customer.name.exists(),
        Order.status == Customer.name,
        Customer.name.size() > 3,
    ],
)
def test_condition_of_another_entity(asked: Any, condition: tw.Condition) -> None:
    with pytest.raises(tw.RequestError, match=r"Customer's (name|customer) is no attribute of Order, whose items are"):
        asked(condition)


def test_wrong_attributes_in_find() -> None:
    with pytest.raises(TypeError, match="Order has no attribute 'custmer'"):
        Order.find(custmer="c1")
    with pytest.raises(tw.ValidationError, match="customer: must be text"):
        Order.match(customer=1)


def test_unknown_option() -> None:
    with pytest.raises(tw.RequestError, match="did you mean 'table'"):
        query.with_options(tabel="other")


def test_truth_value_for_a_number() -> None:
    with pytest.raises(tw.ValidationError, match="number: must be a whole number"):
        Order.number.set(True)


def test_naive_datetime() -> None:
    with pytest.raises(tw.ValidationError, match="created_at: is a datetime without time zone"):
        query.where(Order.created_at > datetime(2026, 1, 1))  # noqa: DTZ001 - the mistake


def test_condition_in_a_batch() -> None:
    order = an_order()
    for write in (order.put().where(Order.number > 1), order.create(), order.remove()):
        with pytest.raises(tw.RequestError, match="batches take no conditions"):
            tw.batch_write(write)


def test_large_transaction() -> None:
    with pytest.raises(tw.RequestError, match="at most 100 members, not 101"):
        tw.transact(*[an_order().put()] * 101)


def test_composite_that_is_no_attribute() -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things")):
        identifier: Attr[str]

        @tw.primary
        def key(self, identifer: str) -> None:
            """One thing."""

    with pytest.raises(tw.SchemaError, match=r"Thing\.key: identifer is no attribute; did you mean identifier"):
        Thing.key("a")


def test_composite_of_another_type() -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things")):
        identifier: Attr[str]

        @tw.primary
        def key(self, identifier: int) -> None:
            """One thing."""

    with pytest.raises(tw.ValidationError, match="identifier: must be text"):
        Thing.key(5)


def test_type_that_cannot_be_stored() -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things")):
        identifier: Attr[complex]

        @tw.primary
        def key(self, identifier: complex) -> None:
            """One thing."""

    with pytest.raises(tw.SchemaError, match=r"Thing\.identifier: values of type complex cannot be stored"):
        Thing.key(5j)


def test_entity_without_key() -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things")):
        identifier: Attr[str]

    with pytest.raises(tw.SchemaError, match="Thing has no primary key"):
        Thing.scan()


def test_map_on_its_own() -> None:
    with pytest.raises(AttributeError, match=r"Address\.city is a place only inside an entity"):
        Address.city  # noqa: B018 - the mistake


def test_attribute_that_was_not_read() -> None:
    found = Order.__tablewright_layout__().make({"customer": "c1"})
    with pytest.raises(AttributeError, match=r"Order\.number has no value on this item"):
        found.number  # noqa: B018 - the mistake


def test_computing_inside_at() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        Order.number.at(lambda number: number + 1)


def test_go_without_a_database() -> None:
    with pytest.raises(tw.RequestError, match="bind the service to a database first"):
        query.go()


def test_attribute_without_attr() -> None:
    with pytest.raises(tw.SchemaError, match=r"Note\.text: str is stored nowhere; write text: Attr\[str\]"):

        class Note(tw.Entity):  # pyright: ignore[reportUnusedClass]
            text: str


def test_default_that_can_change() -> None:
    with pytest.raises(tw.SchemaError, match=r"all items would share one default; write default_factory=list"):

        class Note(tw.Entity):  # pyright: ignore[reportUnusedClass]
            tags: Attr[list[str]] = attr(default=[])
