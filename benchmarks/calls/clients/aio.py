"""aiodynamo over aiohttp, on asyncio's own loop. Keys are composed by hand."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import yarl
from aiodynamo.client import Client as Aiodynamo
from aiodynamo.credentials import Key, StaticCredentials
from aiodynamo.expressions import F, HashKey, RangeKey
from aiodynamo.http.aiohttp import AIOHTTP
from aiodynamo.models import BatchWriteRequest, ReturnValues

from benchmarks.calls.client import Client
from benchmarks.calls.workload import (
    ACCESS_KEY,
    BATCH,
    BULK,
    REGION,
    SECRET_KEY,
    TABLE,
    facts,
    keys_of,
    partition,
    plain_order,
    sort,
    status_partition,
)


def open_client(endpoint: str) -> Client:
    loop = asyncio.new_event_loop()
    return loop.run_until_complete(opened(endpoint, loop))


async def opened(endpoint: str, loop: asyncio.AbstractEventLoop) -> Client:
    credentials = StaticCredentials(Key(ACCESS_KEY, SECRET_KEY))
    session = aiohttp.ClientSession()
    client = Aiodynamo(AIOHTTP(session), credentials, REGION, yarl.URL(endpoint))
    table = client.table(TABLE)
    orders = [{**keys_of(number), **plain_order(number)} for number in range(BULK)]

    def key(number: int) -> dict[str, Any]:
        return {"pk": partition(number), "sk": sort(number)}

    def update(number: int) -> Any:
        changes = (
            F("status").set("paid")
            & F("address", "city").set(f"City {number}")
            & F("gsi1pk").set(status_partition("paid"))
            & F("quantity").add(1)
        )
        condition = F("status").equals("pending")
        return table.update_item(key(number), changes, condition=condition, return_values=ReturnValues.all_new)

    async def query(number: int) -> list[Any]:
        condition = HashKey("pk", partition(number)) & RangeKey("sk").begins_with("$order_1#orderid_")
        return [each async for each in table.query(condition)]

    async def bulk(_: int) -> None:
        for start in range(0, BULK, BATCH):
            await client.batch_write({TABLE: BatchWriteRequest(items_to_put=orders[start : start + BATCH])})

    return Client(
        get=lambda number: table.get_item(key(number)),
        update=update,
        query=query,
        bulk=bulk,
        facts=facts,
        loop=loop,
        close=session.close,
    )
