"""Mistakes in making databases and tables."""

from __future__ import annotations

from shop import Order, shop

import tablewright as tw

db = tw.Database.embedded()
key = Order.key("c1", order_id="o1")

tw.Database("app.db")  # error: a file is opened with embedded("app.db")
tw.Database(object())  # error: no transport; a client is given to aws(client=...)
tw.Database.aws(regon_name="eu-west-1")  # error: the argument is region_name
tw.Database.aws(transport="curl")  # error: there are two transports
tw.Database.aws(retry=3)  # error: retries are said with Retry(...)
tw.Database.embedded(observe=5)  # error: an observer is a function
tw.Provisioned(5)  # error: write units are missing
tw.Retry(3)  # error: arguments are named
db.create(shop, billing="free")  # error: on-demand, or Provisioned(...)
db.create(shop, streams="new_image")  # error: the setting is stream
db.create(shop, ttl=60)  # error: ttl names an attribute
db.create(Order)  # error: an entity is no service
db.check(shop, stream="all")  # error: a stream has four views
db.run(key.get(), explain=True).customer  # error: the order is in result
db.run(key.get()).rcu  # error: explained only with explain=True
shop.bind(tw.AsyncDatabase.embedded())  # error: go() awaits nothing
