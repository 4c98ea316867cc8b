"""Changes: handlers take what they are registered for, events know their items."""

from __future__ import annotations

from datetime import date
from typing import assert_type

from shop import Address, Customer, Order, Status, shop

import tablewright as tw

handlers = tw.Handlers(shop, seen=tw.SeenInMemory(), concurrent=4)


@handlers.on(tw.Inserted[Order])
def confirm(event: tw.Inserted[Order]) -> None:
    assert_type(event.new, Order)
    assert_type(event.key, tw.Key[Order])
    assert_type(event.entity, type[Order])


@handlers.on(tw.Modified[Order], changed=Order.status)
async def tell(event: tw.Modified[Order]) -> None:
    assert_type(event.old, Order)
    moved = event.changed(Order.status)
    assert_type(moved, tw.Moved[Status] | None)
    if moved:
        assert_type(moved.old, Status | None)
        old, new = moved
        assert_type((old, new), tuple[Status | None, Status | None])
    assert_type(event.changed(Order.due), tw.Moved[date] | None)
    assert_type(event.changed(Order.receiver.address), tw.Moved[Address] | None)
    assert_type(event.changed(Order.receiver.address.city), tw.Moved[str] | None)
    assert_type("status" in event.changed, bool)


@handlers.on(tw.Modified[Order], changed=[Order.status, Order.receiver], when=Order.number > 5)
def several(event: tw.Modified[Order]) -> None: ...


@handlers.on(tw.Removed[Order], when=lambda event: event.expired and event.old.is_gift)
def log(event: tw.Removed[Order]) -> None:
    assert_type(event.old, Order)


@handlers.on(tw.Event[Customer])
def anything(event: tw.Event[Customer]) -> None:
    assert_type(event.item, Customer)
    if isinstance(event, tw.Removed):
        assert_type(event.expired, bool)


@handlers.on(tw.Inserted[Order], tw.Removed[Customer])
def either(event: tw.Inserted[Order] | tw.Removed[Customer]) -> None:
    assert_type(event.item, Order | Customer)


@handlers.on(tw.Inserted[Order])
def wider(event: tw.Event[Order]) -> str:
    return event.id


@handlers.unknown
def stranger(record: tw.StreamRecord) -> None: ...


def blocking(db: tw.Database) -> None:
    assert_type(handlers.handle({"Records": []}), tw.Handled)
    assert_type(handlers.lambda_handler({"Records": []}, None), dict[str, list[dict[str, str]]])
    assert_type(handlers.catch_up(db, checkpoints=tw.Checkpoints("places.json")), int)
    handlers.follow(db, stop=lambda: True, start="latest")
    assert_type(tw.stream_records([]), list[tw.StreamRecord])


async def awaited(db: tw.AsyncDatabase) -> None:
    assert_type(await handlers.ahandle([]), tw.Handled)
    assert_type(await handlers.acatch_up(db), int)
    tw.Handlers(shop, seen=tw.SeenInTable(db, shop, expires="expires"))
