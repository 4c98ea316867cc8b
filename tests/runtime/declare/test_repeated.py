"""One attribute in the partition key and in the sort key: `USER#ann` twice, as many tables have it."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tablewright.schema.dump import dump
from tablewright.schema.electro import dump_service

club = tw.Service("club", table="club")


class User(tw.Entity, service=club, name="user"):
    """Templates on both sides, and an index of composed keys."""

    user: Attr[str]
    team: Attr[str] = attr(default="core")
    name: Attr[str] = attr(default="")

    @tw.primary(pk="USER#{user}", sk="USER#{user}")
    def key(self, user: str) -> None:
        """One user."""

    @tw.index("gsi1", sort="user")
    def by_team(self, team: str, user: str) -> None:
        """A user of a team."""


class Post(tw.Entity, service=club, name="post"):
    """What lies beside the user."""

    user: Attr[str]
    post: Attr[str]

    @tw.primary(pk="USER#{user}", sk="POST#{post}")
    def key(self, user: str, *, post: Range[str] = ANY) -> None:
        """One post."""


class Badge(tw.Entity, service=club, name="badge"):
    """Composed keys in the table itself."""

    badge: Attr[str]

    @tw.primary(sort="badge", casing="none")
    def key(self, badge: str) -> None:
        """One badge."""


@pytest.fixture
def db() -> tw.Database:
    db = tw.Database.embedded()
    db.create(club)
    for name in ("ann", "bob"):
        db.run(User(user=name, name=name.title()).put())
        db.run(Post(user=name, post="p1").put())
        db.run(Badge(badge=name).put())
    return db


def test_keys_hold_it_twice() -> None:
    assert User.key("ann").values() == {"pk": "USER#ann", "sk": "USER#ann"}
    assert Badge.key("x").values() == {"pk": "$club#badge_x", "sk": "$badge_1#badge_x"}
    item = User(user="ann").put().params()["Item"]
    assert (item["gsi1pk"], item["gsi1sk"]) == ("$club#team_core#user_ann", "$user_1#user_ann")


def test_reading_writing_and_querying(db: tw.Database) -> None:
    found = db.run(User.key("ann").get())
    assert found is not None
    assert found.name == "Ann"
    assert [user.name for user in db.run(User.key.query("ann"))] == ["Ann"]
    assert [user.name for user in db.run(User.by_team("core", "bob"))] == ["Bob"]
    assert [badge.badge for badge in db.run(Badge.key.query("ann"))] == ["ann"]
    db.run(found.patch(User.team.set("rest")))
    assert not db.run(User.by_team("core", "ann")).items
    assert [user.name for user in db.run(User.by_team("rest", "ann"))] == ["Ann"]
    db.run(found.delete())
    assert db.run(User.key("ann").get()) is None
    assert [post.post for post in db.run(Post.key.query("ann"))] == ["p1"]


def test_described_dumped_and_parsed(db: tw.Database) -> None:
    line = next(each for each in club.describe().splitlines() if each.startswith("user    key"))
    assert line.split()[3:5] == ["USER#{user}", "USER#{user}"]
    item = User(user="ann").put().params()["Item"]
    assert User.parse(item) == User(user="ann")
    again = tw.Service.load(dump(club.schema), client=db)
    assert again.schema.entities["user"] == club.schema.entities["user"]
    assert again.entities["user"].get(user="ann").go()["data"]["name"] == "Ann"


def test_electrodb_takes_it(db: tw.Database) -> None:
    loaded = tw.Service.load(dump_service(club.schema), table="club", client=db)
    user = loaded.entities["user"]
    assert user.query.key(user="bob").go()["data"][0]["name"] == "Bob"
    assert user.query.by_team(team="core", user="bob").go()["data"][0]["name"] == "Bob"
    user.put(user="eve", name="Eve").go()
    found = db.run(User.key("eve").get())
    assert found is not None
    assert found.name == "Eve"
    assert user.conversions.from_composite.to_keys({"user": "eve", "team": "core"}) == {
        "pk": "USER#eve",
        "sk": "USER#eve",
        "gsi1pk": "$club#team_core#user_eve",
        "gsi1sk": "$user_1#user_eve",
    }


def entity(**options: Any) -> Any:
    class Odd(tw.Entity, service=tw.Service("club", table="club"), name="odd"):
        user: Attr[str]
        team: Attr[str]

        @tw.primary(**options)
        def key(self, user: str, team: str) -> None:
            """One."""

    return Odd


def test_what_electrodb_refuses_is_refused() -> None:
    with pytest.raises(tw.SchemaError, match="is in the partition key and in the sort key") as refused:
        entity(pk="U#{user}#{team}", sk="T#{team}#U#{user}").key("u", "t")
    assert refused.value.code == 1015
    with pytest.raises(tw.SchemaError, match=r"sort='tem' is not in the partition key; name one of \(user, team\)"):
        entity(sort="tem").key("u", "t")

    class Both(tw.Entity, service=club, name="both"):
        user: Attr[str]
        at: Attr[str]

        @tw.primary(sort="user")
        def key(self, user: str, *, at: str) -> None:
            """One."""

    try:
        with pytest.raises(tw.SchemaError, match="has sort composites, but sort='user'"):
            Both.key("u", at="x")
    finally:
        del club.entities["both"]


def test_a_sort_key_that_repeats_an_attribute_beside_another_says_what_to_do() -> None:
    class Entry(tw.Entity, service=tw.Service("e", table="e"), name="entry"):
        u: Attr[str]
        p: Attr[str]

        @tw.primary(pk="U#{u}", sk="U#{u}#P#{p}")
        def key(self, u: str, *, p: str) -> None:
            """One entry."""

    with pytest.raises(tw.SchemaError, match=r"repeats u.*leave \{u\} out.*only a sort key of that one alone") as told:
        Entry.schema()
    assert told.value.code == 1015


def test_a_mirror_that_repeats_an_attribute_beside_another_is_told_the_same() -> None:
    class Follow(tw.Entity, service=tw.Service("f", table="f"), name="follow"):
        source: Attr[str]
        target: Attr[str]

        @tw.primary
        def key(self, source: str, *, target: str) -> None:
            """Who follows whom."""

        @tw.mirror("FollowedBy", pk="USER#{target}", sk="USER#{target}#BY#{source}")
        def followed_by(self, target: str, *, source: Range[str] = ANY) -> None:
            """Who follows a user."""

    with pytest.raises(tw.SchemaError, match=r"Follow.followed_by: .*leave \{target\} out") as told:
        Follow.schema()
    assert told.value.code == 1015
