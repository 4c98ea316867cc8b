"""Counters, aggregates and edges."""

from __future__ import annotations

from typing import assert_type

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

graph = tw.Service("graph", table="graph")


class User(tw.Entity, service=graph, name="user"):
    user: Attr[str]
    followers: Attr[int] = attr(aggregate=True, default=0)
    latest: Attr[str | None] = attr(aggregate=True, default=None)
    views = tw.counter(shards=16)

    @tw.primary
    def key(self, user: str) -> None: ...


class Follows(
    tw.Entity,
    service=graph,
    name="follows",
    aggregates=[
        tw.count_into(User, "followers", by="target", where={"source": ["a", "b"]}),
        tw.latest_into("user", "latest", by={"user": "target"}, of="source", at="weight", kept="stream"),
    ],
):
    source: Attr[str]
    target: Attr[str]
    weight: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, source: str, *, target: str) -> None: ...
    @tw.index("table")
    def following(self, source: str, *, target: Range[str] = ANY) -> None: ...
    @tw.mirror("followed_by")
    def followed_by(self, target: str, *, source: Range[str] = ANY) -> None: ...


class Friends(tw.Entity, service=graph, name="friends", symmetric=("user", "friend")):
    user: Attr[str]
    friend: Attr[str]

    @tw.primary
    def key(self, user: str, *, friend: str) -> None: ...


def counters(db: tw.Database, user: User) -> None:
    assert_type(user.views, tw.CounterOf)
    assert_type(User.views, tw.Counters[User])
    assert_type(db.run(user.views.value()), int)
    assert_type(db.run(User.views.values([User.key("a")])), list[int])
    db.run(tw.transact(user.delete(), user.views.add(2), *User.views.of(User.key("b")).removals()))
    db.run(user.views.reset())
    assert_type(User(user="a").followers, int)


def edges(db: tw.Database) -> None:
    assert_type(db.run(Follows.followed_by("b", source=tw.gt("a"))), tw.Page[Follows])
    found = tw.neighbours(Follows.following("a"), lambda edge: User.key(edge.target))
    assert_type(db.run(found), tw.Page[User])
    assert_type(db.run(tw.common(Follows.following("a"), Follows.followed_by("b"), by=Follows.target)), list[str])
    pair = tw.common(Follows.following("a"), Follows.followed_by("a"), by=(Follows.target, Follows.source))
    assert_type(db.run(pair), list[str])
    assert_type(db.run(tw.exists(Follows.key("a", target="b"))), bool)
    assert_type(db.run(tw.recount(User.key("a"))), User | None)
    assert_type(db.run(tw.delete_all(Follows.followed_by("b"))), int)


async def awaited(db: tw.AsyncDatabase, user: User) -> None:
    assert_type(await db.run(user.views.value()), int)
    assert_type(await db.run(tw.recount(User.key("a"))), User | None)
