"""pydynox, whose core is written in Rust: its blocking methods, with models. Keys are composed by hand."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from pydynox import DynamoDBClient, Model, ModelConfig, SyncBatchWriter, set_default_client
from pydynox.attributes import (
    BooleanAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    StringAttribute,
    StringSetAttribute,
)

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


class Order(Model):
    """What a customer bought."""

    model_config = ModelConfig(table=TABLE)

    pk = StringAttribute(partition_key=True)
    sk = StringAttribute(sort_key=True)
    gsi1pk = StringAttribute()
    gsi1sk = StringAttribute()
    customer = StringAttribute()
    orderId = StringAttribute()  # noqa: N815 - as it is stored
    status = StringAttribute()
    total = NumberAttribute()
    quantity = NumberAttribute()
    createdAt = StringAttribute()  # noqa: N815 - as it is stored
    paid = BooleanAttribute()
    tags = StringSetAttribute()
    address = MapAttribute()
    lines = ListAttribute()


def facts(order: Any) -> Facts:
    last = order.lines[-1]
    return order.status, order.total, order.quantity, order.address["city"], last["sku"], last["qty"], len(order.tags)


def open_client(endpoint: str) -> Client:
    logging.getLogger("pydynox").setLevel(logging.ERROR)  # it warns of slow calls, as all are on a busy machine
    client = DynamoDBClient(region=REGION, access_key=ACCESS_KEY, secret_key=SECRET_KEY, endpoint_url=endpoint)
    set_default_client(client)
    orders = [Order(**own_keys(number), **plain_order(number)) for number in range(BULK)]

    def update(number: int) -> None:
        """It cannot answer with the new item, nor set part of a map, so the address is set as a whole."""
        Order.sync_update_by_key(
            condition=Order.status == "pending",
            pk=partition(number),
            sk=sort(number),
            status="paid",
            gsi1pk=status_partition("paid"),
            quantity=number,
            address={"city": f"City {number}"},
        )

    def bulk(_: int) -> None:
        with SyncBatchWriter(client, TABLE) as batch:
            for each in orders:
                batch.put(each.to_dict())

    return Client(
        get=lambda number: Order.sync_get(pk=partition(number), sk=sort(number)),
        update=update,
        query=lambda number: list(
            Order.sync_query(
                partition_key=partition(number), sort_key_condition=Order.sk.begins_with("$order_1#orderid_")
            )
        ),
        bulk=bulk,
        facts=facts,
    )


def own_keys(number: int) -> dict[str, str]:
    return {name: value for name, value in keys_of(number).items() if not name.startswith("__")}
