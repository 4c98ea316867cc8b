"""Who follows whom: `USER#a` / `FOLLOWS#USER#b` and `USER#b` / `FOLLOWED_BY#USER#a`, written together."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from showing import show_service

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

if TYPE_CHECKING:
    from tablewright import Transaction

graph = tw.Service(
    "graph", table=tw.Table("graph", pk="PK", sk="SK"), identifiers=tw.Identifiers(entity="Type", version=None)
)


class Follows(tw.Entity, service=graph, name="Follows"):
    """Seen from the one who follows."""

    user: Attr[str]
    followed: Attr[str]
    since: Attr[datetime] = attr(default_factory=tw.now)

    @tw.primary(pk="USER#{user}", sk="FOLLOWS#USER#{followed}")
    def key(self, user: str, *, followed: str) -> None:
        """Whether a follows b."""

    @tw.index("table")
    def of(self, user: str, *, followed: Range[str] = ANY) -> None:
        """Whom a user follows."""


class FollowedBy(tw.Entity, service=graph, name="FollowedBy"):
    """Seen from the one who is followed."""

    user: Attr[str]
    follower: Attr[str]
    since: Attr[datetime] = attr(default_factory=tw.now)

    @tw.primary(pk="USER#{user}", sk="FOLLOWED_BY#USER#{follower}")
    def key(self, user: str, *, follower: str) -> None:
        """Whether b is followed by a."""

    @tw.index("table")
    def of(self, user: str, *, follower: Range[str] = ANY) -> None:
        """Who follows a user."""


def follow(user: str, other: str, since: datetime) -> Transaction:
    """Both rows or neither; following twice is refused."""
    return tw.transact(
        Follows(user=user, followed=other, since=since).create(),
        FollowedBy(user=other, follower=user, since=since).create(),
    )


def unfollow(user: str, other: str) -> Transaction:
    return tw.transact(
        Follows.key(user, followed=other).remove(),
        FollowedBy.key(other, follower=user).remove(),
    )


def main() -> None:
    show_service(
        graph,
        {
            "Whom does a follow?": Follows.of("a"),
            "Who follows b?": FollowedBy.of("b"),
            "Does a follow b?": Follows.key("a", followed="b").get(),
            "a follows b": follow("a", "b", datetime(2026, 11, 15, tzinfo=UTC)),
            "a no longer follows b": unfollow("a", "b"),
        },
    )


if __name__ == "__main__":
    main()
