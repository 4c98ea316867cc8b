"""Tablewright, by every way that leads to a DynamoDB: its own transports, botocore, and the embedded engine."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

import tablewright as tw
from benchmarks.calls.client import Client
from benchmarks.calls.clients.shop import Order, facts, order, shop
from benchmarks.calls.workload import ACCESS_KEY, BULK, CREATED, PAGE, REGION, SECRET_KEY, customer, order_id

KEYS: dict[str, Any] = {
    "region_name": REGION,
    "aws_access_key_id": ACCESS_KEY,
    "aws_secret_access_key": SECRET_KEY,
}


def get_of(number: int) -> Any:
    return Order.key(customer(number), order_id=order_id(number)).get()


def update_of(number: int, status: str = "paid") -> Any:
    changes = (Order.status.set(status), Order.address.city.set(f"City {number}"), Order.quantity.add(1))
    one = Order.key(customer(number), order_id=order_id(number)).update(*changes).composite(created_at=CREATED)
    return one.where(Order.status == "pending").returning("all_new")


def query_of(number: int) -> tw.Query[Order]:
    return Order.of_customer(customer(number))


# ---- blocking --------------------------------------------------------------------------------------------------------


def open_fast(endpoint: str) -> Client:
    return blocking(tw.Database.aws(endpoint_url=endpoint, **KEYS))


def open_botocore(endpoint: str) -> Client:
    return blocking(tw.Database.aws(endpoint_url=endpoint, transport="botocore", **KEYS))


def blocking(database: tw.Database) -> Client:
    run = database.run
    orders = [order(number) for number in range(BULK)]
    return Client(
        get=lambda number: run(get_of(number)),
        update=lambda number: run(update_of(number)),
        query=lambda number: run(query_of(number)).items,
        bulk=lambda _: database.write_all(each.put() for each in orders),
        facts=facts,
        close=database.close,
    )


def open_embedded(_: str) -> Client:
    """A real database in this process instead of the server: it finds what is asked for, and writes are kept."""
    database = tw.Database.embedded()
    database.create(shop)
    database.write_all(order(number, customer=customer(0)).put() for number in range(PAGE))
    run = database.run
    orders = [order(number + PAGE) for number in range(BULK)]
    return Client(
        get=lambda _: run(get_of(0)),
        update=lambda _: run(update_of(0, "pending")),
        query=lambda _: run(query_of(0)).items,
        bulk=lambda _: database.write_all(each.put() for each in orders),
        facts=facts,
        close=database.close,
    )


# ---- awaited ---------------------------------------------------------------------------------------------------------


def open_asyncio(endpoint: str) -> Client:
    return awaited(endpoint, asyncio.new_event_loop())


def open_uvloop(endpoint: str) -> Client:
    return awaited(endpoint, import_module("uvloop").new_event_loop())


def awaited(endpoint: str, loop: asyncio.AbstractEventLoop) -> Client:
    database = tw.AsyncDatabase.aws(endpoint_url=endpoint, **KEYS)
    run = database.run
    orders = [order(number) for number in range(BULK)]

    async def query(number: int) -> list[Order]:
        return (await run(query_of(number))).items

    return Client(
        get=lambda number: run(get_of(number)),
        update=lambda number: run(update_of(number)),
        query=query,
        bulk=lambda _: database.write_all(each.put() for each in orders),
        facts=facts,
        loop=loop,
        close=database.close,
    )
