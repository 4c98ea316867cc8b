"""What DynamoDB cannot hold is told as our own error, with the attribute, whatever the transport."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

import tablewright as tw
from tablewright import Attr
from tablewright.engine.server.databases import Separate
from tablewright.engine.server.run import Server

if TYPE_CHECKING:
    from collections.abc import Iterator

shop = tw.Service("shop", table="shop")
HALF = "\ud800"


class Order(tw.Entity, service=shop, name="order"):
    customer: Attr[str]
    number: Attr[str]
    note: Attr[str | None] = tw.attr(default=None)
    amount: Attr[int | None] = tw.attr(default=None)

    @tw.primary
    def key(self, customer: str, *, number: str) -> None:
        """One order."""


@pytest.fixture(params=["embedded", "fast", "botocore"])
def db(request: pytest.FixtureRequest) -> Iterator[tw.Database]:
    if request.param == "embedded":
        with tw.Database.embedded() as made:
            made.create(shop)
            yield made
        return
    keys: dict[str, Any] = {"aws_access_key_id": "id", "aws_secret_access_key": "x", "region_name": "eu-west-1"}
    with (
        Server(Separate()) as server,
        tw.Database.aws(endpoint_url=server.url, transport=request.param, **keys) as made,
    ):
        made.create(shop)
        yield made


def refused(db: tw.Database, operation: Any, name: str) -> None:
    with pytest.raises(tw.ValidationError) as told:
        db.run(operation)
    assert name in told.value.fields[0].path
    str(told.value).encode()


def test_values(db: tw.Database) -> None:
    refused(db, Order(customer="a", number="b", note=HALF).put(), "note")


def test_keys(db: tw.Database) -> None:
    refused(db, Order(customer=HALF, number="b").put(), "customer")


def test_numbers(db: tw.Database) -> None:
    refused(db, Order(customer="a", number="b", amount=10**5000).put(), "amount")


@pytest.mark.parametrize("db", ["fast", "botocore"], indirect=True)
def test_keys_and_conditions_of_requests(db: tw.Database) -> None:
    refused(db, Order.key(HALF, number="b").get(), "pk")
    refused(db, Order.scan().where(Order.note == HALF), "note")
    refused(db, Order.key("a", number="b").update(Order.note.set(HALF)), "note")


def test_awaited() -> None:
    async def run() -> None:
        async with tw.AsyncDatabase.embedded() as made:
            await made.create(shop)
            with pytest.raises(tw.ValidationError, match="note"):
                await made.run(Order(customer="a", number="b", note=HALF).put())

    asyncio.run(run())


SCHEMA = {
    "model": {"service": "shop", "entity": "parcel", "version": "1"},
    "attributes": {"customer": {"type": "string"}, "note": {"type": "string"}, "amount": {"type": "number"}},
    "indexes": {"parcels": {"pk": {"field": "pk", "composite": ["customer"]}, "sk": {"field": "sk", "composite": []}}},
}


@pytest.mark.parametrize(("name", "value"), [("note", HALF), ("amount", 10**5000)], ids=["text", "number"])
def test_loaded_values(db: tw.Database, name: str, value: Any) -> None:
    parcels: Any = tw.Service.load(SCHEMA, table="shop", client=db).parcel
    with pytest.raises(tw.TablewrightError, match=name):
        parcels.put({"customer": "a", name: value}).go()
