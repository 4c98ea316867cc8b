"""PynamoDB. Keys are composed by hand, as it has no notion of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pynamodb.attributes import (
    BooleanAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)
from pynamodb.models import Model

from benchmarks.calls.client import Client
from benchmarks.calls.workload import (
    ACCESS_KEY,
    BULK,
    REGION,
    SECRET_KEY,
    TABLE,
    keys_of,
    partition,
    plain_order,
    sort,
    status_partition,
)

if TYPE_CHECKING:
    from benchmarks.calls.workload import Facts


class Geo(MapAttribute[str, Any]):
    lat = NumberAttribute()
    lon = NumberAttribute()


class Address(MapAttribute[str, Any]):
    street = UnicodeAttribute()
    city = UnicodeAttribute()
    zip = UnicodeAttribute()
    geo = Geo()


class Line(MapAttribute[str, Any]):
    sku = UnicodeAttribute()
    qty = NumberAttribute()
    price = NumberAttribute()


class Order(Model):
    """What a customer bought."""

    class Meta:
        table_name = TABLE
        region = REGION
        aws_access_key_id = ACCESS_KEY
        aws_secret_access_key = SECRET_KEY
        host: str

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    gsi1pk = UnicodeAttribute()
    gsi1sk = UnicodeAttribute()
    entity = UnicodeAttribute(attr_name="__edb_e__")
    version = UnicodeAttribute(attr_name="__edb_v__")
    mark = UnicodeAttribute(attr_name="__entity__", null=True)
    customer = UnicodeAttribute()
    orderId = UnicodeAttribute()  # noqa: N815 - as it is stored
    status = UnicodeAttribute()
    total = NumberAttribute()
    quantity = NumberAttribute()
    createdAt = UnicodeAttribute()  # noqa: N815 - as it is stored
    paid = BooleanAttribute()
    tags = UnicodeSetAttribute()
    address = Address()
    lines = ListAttribute(of=Line)


def order(number: int) -> Order:
    keys = keys_of(number)
    plain = plain_order(number)
    to = plain["address"]
    address = Address(**{**to, "geo": Geo(**to["geo"])})
    lines = [Line(**line) for line in plain["lines"]]
    marks = {"entity": keys.pop("__edb_e__"), "version": keys.pop("__edb_v__")}
    return Order(**keys, **marks, **{**plain, "address": address, "lines": lines})


def facts(order: Order) -> Facts:
    last = order.lines[-1]
    return order.status, order.total, order.quantity, order.address.city, last.sku, last.qty, len(order.tags)


def open_client(endpoint: str) -> Client:
    Order.Meta.host = endpoint
    orders = [order(number) for number in range(BULK)]

    def update(number: int) -> Order:
        one = Order(partition(number), sort(number))
        one.update(
            actions=[
                Order.status.set("paid"),
                Order.address.city.set(f"City {number}"),
                Order.gsi1pk.set(status_partition("paid")),
                Order.quantity.add(1),
            ],
            condition=Order.status == "pending",
        )
        return one

    def bulk(_: int) -> None:
        with Order.batch_write() as batch:
            for each in orders:
                batch.save(each)

    return Client(
        get=lambda number: Order.get(partition(number), sort(number)),
        update=update,
        query=lambda number: list(Order.query(partition(number), Order.sk.startswith("$order_1#orderid_"))),
        bulk=bulk,
        facts=facts,
    )
