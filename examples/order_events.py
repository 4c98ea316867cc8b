"""Stream processing: a confirmation when an order is placed, a notification when its status changes, a log of removals.

The same handlers serve a Lambda function (`examples.order_events.handlers.lambda_handler`) and, here, the stream of the
embedded engine.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.engine import Engine
from tablewright.engine.simulation import Clock

Status = Literal["placed", "paid", "sent", "cancelled"]

shop = tw.Service("shop", table="shop")


class Order(tw.Entity, service=shop, name="order"):
    """What a customer bought."""

    customer: Attr[str]
    order: Attr[str]
    status: Attr[Status] = attr(default="placed")
    total: Attr[int]
    expires: Attr[int | None] = attr(default=None)

    @tw.primary
    def key(self, customer: str, *, order: str) -> None:
        """One order."""

    @tw.index("gsi1")
    def by_status(self, status: Status, *, customer: str = ANY) -> None:
        """Orders in a state."""


# A batch that comes again does not send its messages again.
handlers = tw.Handlers(shop, seen=tw.SeenInMemory())


@handlers.on(tw.Inserted[Order])
def confirm(event: tw.Inserted[Order]) -> None:
    print(f"mail to {event.new.customer}: thank you for order {event.new.order}, {event.new.total} EUR")


@handlers.on(tw.Modified[Order], changed=Order.status)
def notify(event: tw.Modified[Order]) -> None:
    moved = event.changed(Order.status)
    if moved:
        print(f"mail to {event.new.customer}: order {event.new.order} is {moved.new} (it was {moved.old})")


@handlers.on(tw.Removed[Order])
def log(event: tw.Removed[Order]) -> None:
    why = "expired" if event.expired else "was deleted"
    print(f"log: order {event.old.order} of {event.old.customer} {why}")


def main() -> None:
    clock = Clock()
    engine = Engine(clock=clock)
    with tw.Database.embedded(engine=engine) as db:
        db.create(shop, stream="new_and_old_images", ttl="expires")
        soon = int(clock() + timedelta(hours=1).total_seconds())
        ann, bob = (
            Order(customer="ann", order="o1", total=40),
            Order(customer="bob", order="o2", total=15, expires=soon),
        )
        db.run(ann.create())
        db.run(bob.create())
        db.run(ann.patch(Order.total.add(2)))  # no change of status: nobody hears of it
        db.run(ann.patch(Order.status.set("paid")))
        handlers.catch_up(db)
        db.run(Order.key("ann", order="o1").remove())
        clock.step(hours=2)
        engine.expire()
        handlers.catch_up(db)


if __name__ == "__main__":
    main()
