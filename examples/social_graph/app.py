"""What the network does.

Feeds are filled when something is posted: reading a feed, which happens all the time, is one query and one batch. An
author with a million followers is read from `Post.of` instead when a feed is put together; here nobody has that many.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import tablewright as tw
from examples.social_graph.model import Entry, Follows, Like, Post, User

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CAUGHT_UP = 10
"""How many earlier posts come into the feed of a new follower."""


# ---- followers -------------------------------------------------------------------------------------------------------


def join(db: tw.Database, user: str) -> None:
    db.run(User(user=user).create())


def follow(db: tw.Database, user: str, other: str) -> bool:
    """Both sides of the edge and both counts in one transaction, then the other's last posts into the feed."""
    try:
        db.run(Follows(user=user, followed=other).create())
    except tw.ConditionFailed:
        return False
    recent = islice(db.iter(Post.of(other).descending()), CAUGHT_UP)
    db.write_all(entry(user, post).put() for post in recent)
    return True


def unfollow(db: tw.Database, user: str, other: str) -> None:
    db.run(Follows.key(user, followed=other).delete())
    db.run(tw.delete_all(Entry.feed(user).where(Entry.author == other)))


def following(db: tw.Database, user: str) -> Iterator[str]:
    """Exact, like `followers`: both sides are in the table, which can be read consistently."""
    return (edge.followed for edge in db.iter(Follows.of(user).consistent()))


def followers(db: tw.Database, user: str) -> Iterator[str]:
    return (edge.user for edge in db.iter(Follows.by(user).consistent()))


def both_follow(db: tw.Database, one: str, other: str) -> Iterable[str]:
    return db.run(tw.common(Follows.of(one), Follows.of(other), by=Follows.followed))


# ---- posts and feeds -------------------------------------------------------------------------------------------------


def post(db: tw.Database, user: str, text: str) -> Post:
    """Write it, and put it into every follower's feed, a batch at a time. A stream handler could do the second part."""
    written = Post(user=user, text=text)
    db.run(written.create())
    db.write_all(entry(follower, written).put() for follower in followers(db, user))
    return written


def entry(reader: str, found: Post) -> Entry:
    return Entry(reader=reader, at=found.at, author=found.user)


def feed(db: tw.Database, user: str, cursor: str | None = None, size: int = 20) -> tw.Page[Post]:
    """A page of the feed, the newest first. Entries hold keys, so that posts are as they are now, or gone."""
    entries = Entry.feed(user).descending().limit(size).after(cursor)
    return db.run(tw.neighbours(entries, lambda each: Post.key(each.author, at=each.at)))


def everyones(db: tw.Database, size: int = 20) -> tw.Page[Post]:
    """The latest posts of all, gathered from the shards in order."""
    return db.run(Post.everyones().descending().limit(size))


# ---- likes -----------------------------------------------------------------------------------------------------------


def like(db: tw.Database, user: str, liked: Post) -> bool:
    """Remembered by user and counted in one of eight shards, in one transaction: twice does not count."""
    mark = Like(author=liked.user, at=liked.at, user=user)
    try:
        db.run(tw.transact(mark.create(), liked.likes.add()))
    except tw.TransactionCancelled as error:
        if error.reasons[0].code != "ConditionalCheckFailed":
            raise
        return False
    return True


def likes(db: tw.Database, posts: Iterable[Post]) -> list[int]:
    return db.run(Post.likes.values([each.key for each in posts]))


# ---- leaving ---------------------------------------------------------------------------------------------------------


def leave(db: tw.Database, user: str) -> None:
    """Edges go with their other sides and counts; posts with their likes. It may be stopped, and run again."""
    for edges in (Follows.of(user), Follows.by(user)):
        db.run(tw.delete_all(edges))
    for each in db.iter(Post.of(user)):
        db.run(tw.transact(each.delete(), *each.likes.removals()))
    db.run(tw.delete_all(Entry.feed(user)))
    db.run(User.key(user).delete())
