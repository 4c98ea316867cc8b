"""Who follows whom: `USER#a` / `FOLLOWS#USER#b` and `USER#b` / `FOLLOWED_BY#USER#a`, written together."""

from __future__ import annotations

from datetime import UTC, datetime

from showing import show_service

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

graph = tw.Service(
    "graph", table=tw.Table("graph", pk="PK", sk="SK"), identifiers=tw.Identifiers(entity="Type", version=None)
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
        tw.count_into("User", "followers", by="followed"),
        tw.count_into("User", "following", by="user"),
    ],
):
    """One follows another; its second item is called FollowedBy."""

    user: Attr[str]
    followed: Attr[str]
    since: Attr[datetime] = attr(default_factory=tw.now)

    @tw.primary(pk="USER#{user}", sk="FOLLOWS#USER#{followed}")
    def key(self, user: str, *, followed: str) -> None:
        """Whether a follows b."""

    @tw.index("table")
    def of(self, user: str, *, followed: Range[str] = ANY) -> None:
        """Whom a user follows."""

    @tw.mirror("FollowedBy", pk="USER#{followed}", sk="FOLLOWED_BY#USER#{user}")
    def by(self, followed: str, *, user: Range[str] = ANY) -> None:
        """Who follows a user."""


def run() -> None:
    """A small network on the embedded engine."""
    with tw.Database.embedded() as db:
        db.create(graph)
        for name in "abc":
            db.run(User(user=name).create())
        for user, followed in ("ab", "ac", "bc", "cb"):
            db.run(Follows(user=user, followed=followed).create())
        print()
        print("a follows", [edge.followed for edge in db.iter(Follows.of("a"))])
        print("b is followed by", [edge.user for edge in db.iter(Follows.by("b"))])
        print("b:", db.run(User.key("b").get()))
        both = tw.common(Follows.of("a"), Follows.of("b"), by=Follows.followed)
        print("a and b both follow", db.run(both))
        fans = db.run(tw.neighbours(Follows.by("c"), lambda edge: User.key(edge.user)))
        print("who follows c:", [user.user for user in fans])
        for edges in (Follows.of("b"), Follows.by("b")):  # b leaves
            db.run(tw.delete_all(edges))
        db.run(User.key("b").delete())
        print("when b has left, a follows", [edge.followed for edge in db.iter(Follows.of("a"))])


def main() -> None:
    show_service(
        graph,
        {
            "Whom does a follow?": Follows.of("a"),
            "Who follows b?": Follows.by("b"),
            "Does a follow b?": Follows.key("a", followed="b").get(),
            "a follows b": Follows(user="a", followed="b", since=datetime(2026, 11, 15, tzinfo=UTC)).create(),
            "a no longer follows b": Follows.key("a", followed="b").remove(),
        },
    )
    run()


if __name__ == "__main__":
    main()
