"""Databases: settings, explanations, tables, observers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import assert_type

from shop import Account, Order, shop

import tablewright as tw

key = Order.key("c1", order_id="o1")
seen: list[tw.Observation] = []


def blocking() -> None:
    db = tw.Database.aws(region_name="eu-west-1", timeout=(1, 5), retry=tw.Retry(attempts=3), observe=seen.append)
    with tw.Database.embedded(observe=[seen.append, print]) as embedded:
        assert_type(embedded, tw.Database)
    assert_type(db.run(key.get()), Order | None)
    assert_type(db.run(key.get(), explain=False), Order | None)
    told = db.run(key.get(), explain=True)
    assert_type(told, tw.Explained[Order | None])
    assert_type(told.result, Order | None)
    assert_type(db.run(Order.by_customer("c1"), explain=True).result, tw.Page[Order])
    assert_type(db.iter(Order.by_customer("c1")), Iterator[Order])
    assert_type(db.iter(Account.of("c1")), Iterator[Account])
    db.create(shop, billing="on-demand", ttl="expires", stream="new_image", tags={"team": "blue"}, wait=False)
    db.create(shop, billing=tw.Provisioned(rcu=1, wcu=1), pitr=True, table_class="infrequent_access")
    assert_type(db.check(shop, deletion_protection=True), list[tw.Difference])
    db.wait(shop, timeout_seconds=5)
    db.delete_table(shop)


async def awaited(db: tw.AsyncDatabase) -> None:
    assert_type(await db.run(key.get()), Order | None)
    assert_type(await db.run(key.get(), explain=True), tw.Explained[Order | None])
    assert_type(db.iter(Order.by_customer("c1")), AsyncIterator[Order])
    assert_type(db.iter(Account.of("c1")), AsyncIterator[Account])
    assert_type(await db.check(shop), list[tw.Difference])
    await db.create(shop, pitr=True)
