"""Mistakes with counters, aggregates and edges."""

from __future__ import annotations

import tablewright as tw
from tablewright import ANY, Attr, Range

graph = tw.Service("graph", table="graph")


class User(tw.Entity, service=graph, name="user"):
    user: Attr[str]
    views = tw.counter(shards=16)

    @tw.primary
    def key(self, user: str) -> None: ...


class Follows(tw.Entity, service=graph, name="follows"):
    source: Attr[str]
    target: Attr[str]
    weight: Attr[int]

    @tw.primary
    def key(self, source: str, *, target: str) -> None: ...
    @tw.mirror("followed_by")
    def followed_by(self, target: str, *, source: Range[str] = ANY) -> None: ...


User(user="a", views=3)  # error: a counter is no attribute
User.views.of(Follows.key("a", target="b"))  # error: another entity's key
User.views.add()  # error: which item's?
User(user="a").views.add("1")  # error: counts are numbers
tw.counter(shards="16")  # error: so are shards
Follows.followed_by("b", "a")  # error: sort composites are given by name
Follows.followed_by(1)  # error: the target is text
Follows.followed_by("b", weight=1)  # error: no part of this key
tw.count_into("user", "followers")  # error: by is missing
tw.sum_into("user", "weight", by="target")  # error: of is missing
tw.count_into("user", "followers", by="target", kept="later")  # error: no such way
tw.neighbours(Follows.followed_by("b"), lambda edge: User.key(edge.soruce))  # error: misspelt attribute
tw.common(Follows.followed_by("a"), Follows.followed_by("b"), by="source")  # error: attributes, not names
tw.recount("user")  # error: a key
tw.exists(Follows.followed_by("b"))  # error: a key, not a query
