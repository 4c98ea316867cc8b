"""Operations and what a database answers to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import assert_type

from shop import Account, Customer, Order, an_order

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

moment = datetime(2026, 1, 1, tzinfo=UTC)
order = an_order()
customer = Customer(customer="c1", name="Ann")
key = Order.key("c1", order_id="o1")

assert_type(key, tw.Key[Order])
assert_type(order.key, tw.Key[Order])
assert_type(Order.key(customer="c1", order_id="o1"), tw.Key[Order])
assert_type(Order.key.query("c1", order_id=tw.ANY), tw.Query[Order])


class Visit(tw.Entity, service=tw.Service("visits", table="visits", rename="camel"), name="visit"):
    """A key whose sort composites may be left out of a query, and times in milliseconds."""

    place: Attr[str]
    visited_at: Attr[int] = attr(default_factory=tw.now_ms, padding=(15, "0"))

    @tw.primary
    def key(self, place: str, *, visited_at: Range[int] = ANY) -> None:
        """One visit."""


assert_type(Visit.key.query("ulm"), tw.Query[Visit])
assert_type(Visit.key.query("ulm", visited_at=tw.gte(5)).limit(3).descending(), tw.Query[Visit])
assert_type(Visit.key("ulm", visited_at=5), tw.Key[Visit])

# Queries: a sort composite is left out, given, or compared with.
by_customer = Order.by_customer("c1")
queries = [
    by_customer,
    Order.by_customer(customer="c1"),
    Order.by_customer("c1", status="cart"),
    Order.by_customer("c1", status=tw.ANY),
    Order.by_customer("c1", status="cart", created_at=moment),
    Order.by_customer("c1", status="cart", created_at=tw.lt(moment)),
    Order.by_customer("c1", status="cart", created_at=tw.lte(moment)),
    Order.by_customer("c1", status="cart", created_at=tw.gt(moment)),
    Order.by_customer("c1", status="cart", created_at=tw.gte(moment)),
    Order.by_customer("c1", status="cart", created_at=tw.between(moment, tw.now())),
    Order.by_number(7, order_id=tw.begins_with("o")),
    Order.by_number(7, order_id="o1"),
    Order.key.query("c1", order_id=tw.ANY),
    Order.key.query(customer="c1", order_id="o1"),
    Customer.key.query("c1"),
    by_customer.where(Order.number > 1).limit(5).pages("all").descending().after(None).consistent(),
    by_customer.only(Order.number, Order.status).ascending().count(3).compare("v2").hydrate(),
    by_customer.with_options(table="other"),
]
for query in queries:
    query.params()

scan = Order.scan().where(Order.number > 1).limit(10)
found = Order.find(customer="c1", status="cart")
matched = Order.match(customer="c1", number=3)

writes = tw.transact(
    order.put(),
    customer.create().where(Customer.customer.not_exists()),
    order.upsert(Order.visits.add(1)),
    key.patch(Order.note.set("x")).where((Order.number > 1) & ~(Order.number == 3)),
    Customer.key("c1").update(Customer.orders.add(1)),
    Customer.key("c2").delete(),
    Customer.key("c3").remove().where(Customer.orders == 0),
    Customer.key("c4").check(Customer.orders > 0, Customer.name.exists()),
    customer.delete(),
    customer.remove(),
)


def one_by_one(db: tw.Database) -> None:
    assert_type(db.run(key.get()), Order | None)
    assert_type(db.run(key.get().consistent().only(Order.number, "note")), Order | None)
    assert_type(db.run(order.put()), Order | None)
    assert_type(db.run(order.create().where(Order.number > 1)), Order | None)
    assert_type(db.run(order.upsert()), Order | None)
    assert_type(db.run(order.patch(Order.visits.add(1)).returning("all_new")), Order | None)
    assert_type(db.run(order.update(Order.visits.add(1))), Order | None)
    assert_type(db.run(key.delete().returning("all_old")), Order | None)
    assert_type(db.run(order.remove()), Order | None)


def pages(db: tw.Database) -> None:
    page = db.run(by_customer.limit(5))
    assert_type(page, tw.Page[Order])
    assert_type(page.items, list[Order])
    for item in page:
        assert_type(item, Order)
    assert_type(db.run(by_customer.after(page.cursor)), tw.Page[Order])
    assert_type(db.iter(by_customer), Iterator[Order])
    assert_type(db.iter(scan), Iterator[Order])
    assert_type(db.run(scan), tw.Page[Order])
    assert_type(db.run(found), tw.Page[Order])
    assert_type(list(db.iter(matched.where(Order.number > 1))), list[Order])


def collections(db: tw.Database) -> None:
    account = db.run(Account.of("c1"))
    assert_type(account, Account)
    assert_type(account.customers, list[Customer])
    assert_type(account.orders, list[Order])
    assert_type(account.cursor, str | None)
    assert_type(db.run(Account.of(customer="c1").where(Order.number > 1).limit(5).after(account.cursor)), Account)


def together(db: tw.Database) -> None:
    assert_type(db.run(writes.token("once")), None)
    assert_type(db.run(tw.transact_get(key.get())), tuple[Order | None])
    first, second = db.run(tw.transact_get(key.get(), customer.key.get()))
    assert_type(first, Order | None)
    assert_type(second, Customer | None)
    assert_type(
        db.run(tw.transact_get(key.get(), customer.key.get(), key.get())),
        tuple[Order | None, Customer | None, Order | None],
    )
    assert_type(db.run(tw.transact_get(*[key.get()])), tuple[Order | None, ...])
    assert_type(db.run(tw.batch_get(key.get(), order.key.get())), list[Order | None])
    assert_type(db.run(tw.batch_write(order.put(), customer.put(), key.delete())), None)
    assert_type(db.run(tw.delete_all(by_customer)), int)
    assert_type(db.run(tw.delete_all(scan)), int)
    assert_type(db.run(tw.delete_all(Account.of("c1"))), int)
    assert_type(db.run(by_customer.total()), int)
    assert_type(db.run(Account.of("c1").total()), int)
    assert_type(db.run(scan.parallel(4).limit(5)), tw.Page[Order])
    assert_type(db.iter(scan.parallel(4)), Iterator[Order])
    assert_type(db.write_all(each for each in (order.put(), customer.put(), key.delete())), tw.Written)
    assert_type(db.get_all([key.get(), order.key.get()], concurrent=2, consistent=True), Iterator[Order | None])
    try:
        db.run(writes)
    except tw.TransactionCancelled as error:
        assert_type(error.reasons[0].entity, str | None)
    except tw.Incomplete as error:
        assert_type(error.done, int)


async def streams(db: tw.AsyncDatabase) -> None:
    async def puts() -> AsyncIterator[tw.Put[Order]]:
        yield order.put()

    assert_type(await db.write_all(puts()), tw.Written)
    assert_type(await db.write_all([order.put(), key.delete()]), tw.Written)
    assert_type(db.get_all([key.get()]), AsyncIterator[Order | None])


def short_form(db: tw.Database) -> None:
    assert_type(key.get().go(), Order | None)
    assert_type(by_customer.go(), tw.Page[Order])
    assert_type(Account.of("c1").go(), Account)
    assert_type(writes.go(), None)
