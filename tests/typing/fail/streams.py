"""Mistakes in handling changes."""

from __future__ import annotations

from shop import Customer, Order, shop

import tablewright as tw

handlers = tw.Handlers(shop)


@handlers.on(tw.Inserted[Order])  # error: the handler is for another entity
def another_entity(event: tw.Inserted[Customer]) -> None: ...


@handlers.on(tw.Inserted[Order])  # error: the handler is for another kind
def another_kind(event: tw.Removed[Order]) -> None: ...


@handlers.on(tw.Inserted[Order])  # error: a handler takes one event
def too_many(event: tw.Inserted[Order], context: object) -> None: ...


@handlers.on(tw.Event[Order])  # error: any change is more than insertions
def too_narrow(event: tw.Inserted[Order]) -> None: ...


@handlers.on(tw.Inserted[Order], tw.Removed[Order])  # error: removals come too
def one_of_two(event: tw.Inserted[Order]) -> None: ...


@handlers.on(tw.Modified[Order])
def inside(event: tw.Modified[Order]) -> None:
    event.new.statsu  # error: no such attribute
    event.changed("status")  # error: give the attribute itself
    event.changed(Order.status).old  # error: it may not have changed
    event.expired  # error: only removals expire


@handlers.on(tw.Removed[Order])
def gone(event: tw.Removed[Order]) -> None:
    event.new  # error: it is gone


@handlers.on(tw.Inserted[Order])
def made(event: tw.Inserted[Order]) -> None:
    event.old  # error: there was nothing before


handlers.on(Order)  # error: say which change
handlers.on(tw.Inserted[int])  # error: no entity
handlers.on(tw.Modified[Order], changed="status")  # error: give the attribute itself
handlers.on(tw.Inserted[Order], when=lambda event: event.old is None)  # error: there was nothing before
handlers.follow(tw.AsyncDatabase.embedded())  # error: use afollow
handlers.catch_up(tw.Database.embedded(), start="newest")  # error: oldest or latest


@handlers.unknown  # error: it gets a record
def stranger(record: tw.Inserted[Order]) -> None: ...
