"""What is stored: `USER#a` / `FOLLOWS#USER#b` and `USER#b` / `FOLLOWED_BY#USER#a`, together; posts, likes and feeds."""

from __future__ import annotations

from datetime import datetime, timedelta

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

graph = tw.Service(
    "graph",
    table=tw.Table("graph", pk="PK", sk="SK", indexes={"GSI1": ("GSI1PK", "GSI1SK")}),
    identifiers=tw.Identifiers(entity="Type", version=None),
)


class User(tw.Entity, service=graph, name="User"):
    """Knows how many follow, and how many are followed."""

    user: Attr[str]
    followers: Attr[int] = attr(aggregate=True, default=0)
    following: Attr[int] = attr(aggregate=True, default=0)

    @tw.primary(pk="USER#{user}", sk="PROFILE")
    def key(self, user: str) -> None:
        """One user."""


class Follows(
    tw.Entity,
    service=graph,
    name="Follows",
    aggregates=[
        tw.count_into(User, "followers", by="followed"),
        tw.count_into(User, "following", by="user"),
    ],
):
    """One follows another; its second item is called FollowedBy."""

    user: Attr[str]
    followed: Attr[str]
    since: Attr[datetime] = attr(default_factory=tw.now, read_only=True)

    @tw.primary(pk="USER#{user}", sk="FOLLOWS#USER#{followed}")
    def key(self, user: str, *, followed: str) -> None:
        """Whether one follows another."""

    @tw.index("table")
    def of(self, user: str, *, followed: Range[str] = ANY) -> None:
        """Whom a user follows."""

    @tw.mirror("FollowedBy", pk="USER#{followed}", sk="FOLLOWED_BY#USER#{user}")
    def by(self, followed: str, *, user: Range[str] = ANY) -> None:
        """Who follows a user."""


class Post(tw.Entity, service=graph, name="Post"):
    """What a user says to the world. Very many may like it at once."""

    user: Attr[str]
    at: Attr[datetime] = attr(default_factory=tw.now, read_only=True)
    text: Attr[str]
    likes = tw.counter(shards=8)

    @tw.primary(pk="USER#{user}", sk="POST#{at}")
    def key(self, user: str, *, at: datetime) -> None:
        """One post."""

    @tw.index("table")
    def of(self, user: str, *, at: Range[datetime] = ANY) -> None:
        """What a user posted, by time."""

    @tw.index("GSI1", pk="POSTS#{shard}", sk="{at}", shards=4)
    def everyones(self, *, at: Range[datetime] = ANY) -> None:
        """What everybody posted, by time."""


class Like(tw.Entity, service=graph, name="Like"):
    """Somebody likes a post, once."""

    author: Attr[str]
    at: Attr[datetime]
    user: Attr[str]

    @tw.primary(pk="POST#{author}#{at}", sk="LIKED_BY#{user}")
    def key(self, author: str, at: datetime, *, user: str) -> None:
        """Whether somebody likes a post."""


class Entry(tw.Entity, service=graph, name="Entry"):
    """A post in the feed of somebody who follows its author; feeds go back 30 days."""

    reader: Attr[str]
    at: Attr[datetime]
    author: Attr[str]
    expires: Attr[datetime | None] = attr(default=None, ttl=timedelta(days=30), hide_expired=True)

    @tw.primary(pk="FEED#{reader}", sk="{at}#{author}")
    def key(self, reader: str, *, at: datetime, author: str) -> None:
        """A post in a feed."""

    @tw.index("table")
    def feed(self, reader: str, *, at: Range[datetime] = ANY) -> None:
        """The feed of a user, by time."""
