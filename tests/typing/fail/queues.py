"""Mistakes with queues, history and soft delete."""

from __future__ import annotations

from shop import Order, an_order

import tablewright as tw

order = an_order()
key = Order.key("c1", order_id="o1")
query = Order.by_customer("c1")

tw.claim(key)  # error: a key is no queue
tw.claim(Order)  # error: an entity is no queue
tw.claim(query, lease=60)  # error: a lease is a timedelta
tw.claim(query, worker=1)  # error: a worker has a name
tw.extend(order)  # error: an item is no claim
tw.finish(key)  # error: a key is no claim
tw.versions(query)  # error: versions are of one item
tw.version_of(key, "1")  # error: a version is a number
tw.as_of(key, "2026-11-15")  # error: a moment is a datetime
tw.restore(key, "1")  # error: a version is a number
tw.purge(query)  # error: purge deletes one item
tw.index("gsi1", queue=60)  # error: a queue is True or a Lease
tw.Lease(minutes=1)  # error: a lease counts seconds
key.delete().including_deleted()  # error: a deletion reads nothing
