"""Edges: written both ways or not at all, and followed from either end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tests.runtime.features.interleaving import FAULTS, choosing, interleave, items_in

graph = tw.Service(
    "graph", table=tw.Table("graph", pk="PK", sk="SK"), identifiers=tw.Identifiers(entity="Type", version=None)
)


class User(tw.Entity, service=graph, name="User"):
    """Knows how many follow, and how many friends there are."""

    user: Attr[str]
    followers: Attr[int] = attr(aggregate=True, default=0)
    friends: Attr[int] = attr(aggregate=True, default=0)

    @tw.primary(pk="USER#{user}", sk="PROFILE")
    def key(self, user: str) -> None:
        """One user."""


class Follows(tw.Entity, service=graph, name="Follows", aggregates=[tw.count_into("User", "followers", by="target")]):
    """Found from both ends."""

    source: Attr[str]
    target: Attr[str]
    weight: Attr[int] = attr(default=0)

    @tw.primary(pk="USER#{source}", sk="FOLLOWS#USER#{target}")
    def key(self, source: str, *, target: str) -> None:
        """Whether one follows another."""

    @tw.index("table")
    def following(self, source: str, *, target: Range[str] = ANY) -> None:
        """Whom a user follows."""

    @tw.mirror("FollowedBy", pk="USER#{target}", sk="FOLLOWED_BY#USER#{source}")
    def followed_by(self, target: str, *, source: Range[str] = ANY) -> None:
        """Who follows a user."""


class Friends(
    tw.Entity,
    service=graph,
    name="Friends",
    symmetric=("user", "friend"),
    aggregates=[tw.count_into("User", "friends", by="user")],
):
    """The same from both ends."""

    user: Attr[str]
    friend: Attr[str]
    weight: Attr[int] = attr(default=0)

    @tw.primary(pk="USER#{user}", sk="FRIEND#USER#{friend}")
    def key(self, user: str, *, friend: str) -> None:
        """Whether two are friends."""

    @tw.index("table")
    def of(self, user: str, *, friend: Range[str] = ANY) -> None:
        """Somebody's friends."""


class Membership(tw.Entity, service=graph, name="Membership"):
    """Its second item is sorted by something that changes."""

    group: Attr[str]
    user: Attr[str]
    role: Attr[str] = attr(default="guest")

    @tw.primary(pk="GROUP#{group}", sk="MEMBER#{user}")
    def key(self, group: str, *, user: str) -> None:
        """Whether somebody is in a group."""

    @tw.mirror("GroupOf", pk="USER#{user}", sk="GROUP#{role}#{group}")
    def groups(self, user: str, *, role: str = ANY, group: Range[str] = ANY) -> None:
        """Somebody's groups by role."""


def fresh() -> tw.Database:
    db = tw.Database.embedded()
    db.create(graph)
    for name in "abc":
        db.run(User(user=name).create())
    return db


def stored(db: tw.Database, kind: str) -> list[dict[str, Any]]:
    return [item for item in items_in(db.transport.call, "graph") if item["Type"] == kind]


def plain(item: dict[str, Any], *fields: str) -> tuple[Any, ...]:
    return tuple(item[field] for field in fields)


def check_both_ways(db: tw.Database) -> None:
    follows = stored(db, "Follows")
    there = {plain(each, "source", "target", "weight") for each in follows}
    assert there == {plain(each, "source", "target", "weight") for each in stored(db, "FollowedBy")}
    friends = stored(db, "Friends")
    assert {plain(each, "user", "friend", "weight") for each in friends} == {
        plain(each, "friend", "user", "weight") for each in friends
    }
    members = {plain(each, "group", "user", "role") for each in stored(db, "Membership")}
    assert members == {plain(each, "group", "user", "role") for each in stored(db, "GroupOf")}
    assert all(each["SK"] == f"GROUP#{each['role']}#{each['group']}" for each in stored(db, "GroupOf"))
    for user in stored(db, "User"):
        assert user["followers"] == sum(each["target"] == user["user"] for each in follows)
        assert user["friends"] == sum(each["user"] == user["user"] for each in friends)


USERS = st.sampled_from("abc")
WEIGHTS = st.integers(0, 2)


def weighed(edge: Any, key: Any, weight: int) -> list[Any]:
    return [
        edge.create(),
        edge.put(),
        edge.upsert(),
        key.patch(type(edge).weight.set(weight)),
        key.update(type(edge).weight.add(1)),
        edge.delete(),
        key.remove(),
    ]


def follows(one: str, other: str, weight: int) -> list[Any]:
    edge = Follows(source=one, target=other, weight=weight)
    return weighed(edge, Follows.key(one, target=other), weight)


def befriends(one: str, other: str, weight: int) -> list[Any]:
    return weighed(Friends(user=one, friend=other, weight=weight), Friends.key(one, friend=other), weight)


def joins(group: str, user: str, weight: int) -> list[Any]:
    edge, key, role = Membership(group=group, user=user), Membership.key(group, user=user), f"r{weight}"
    return [edge.create(), edge.put(), key.patch(Membership.role.set(role)), key.delete()]


OPERATIONS = st.builds(
    lambda make, *ends, at: (found := make(*ends))[at % len(found)],
    st.sampled_from([follows, befriends, joins]),
    USERS,
    USERS,
    WEIGHTS,
    at=st.integers(0, 13),
)
CLEANING = st.sampled_from([Follows.following, Follows.followed_by, Friends.of])
STEPS = st.one_of(OPERATIONS, st.builds(lambda find, user: tw.delete_all(find(user)), CLEANING, USERS))
ROUNDS = st.lists(st.lists(STEPS, min_size=1, max_size=3), min_size=1, max_size=4)
EXPECTED = (tw.ConditionFailed, tw.TransactionCancelled, tw.TransportError)


@settings(max_examples=50, deadline=None)
@given(rounds=ROUNDS, data=st.data())
def test_no_edge_has_one_side_and_degrees_are_right(rounds: list[list[Any]], data: st.DataObject) -> None:
    with fresh() as db:
        for operations in rounds:
            for outcome in interleave(db.transport.call, operations, choosing(data), faults=FAULTS):
                assert outcome.error is None or isinstance(outcome.error, EXPECTED), outcome.error
            check_both_ways(db)


FRIENDS, MEMBER = Friends.key("a", friend="b"), Membership.key("g", user="u")
AT_ONCE = st.lists(
    st.one_of(
        st.builds(lambda weight: FRIENDS.patch(Friends.weight.set(weight)), WEIGHTS),
        st.builds(lambda weight: Friends.key("b", friend="a").patch(Friends.weight.set(weight)), WEIGHTS),
        st.builds(lambda: FRIENDS.patch(Friends.weight.add(1))),
        st.builds(FRIENDS.delete),
        st.builds(lambda: Friends.key("b", friend="a").delete()),
        st.builds(lambda role: MEMBER.patch(Membership.role.set(role)), st.sampled_from(["r", "s"])),
        st.builds(lambda role: Membership(group="g", user="u", role=role).put(), st.sampled_from(["r", "s"])),
        st.builds(MEMBER.delete),
    ),
    min_size=2,
    max_size=3,
)


@settings(max_examples=120, deadline=None)
@given(operations=AT_ONCE, data=st.data())
def test_writers_of_one_edge_at_the_same_time(operations: list[Any], data: st.DataObject) -> None:
    with fresh() as db:
        db.run(tw.transact(Friends(user="a", friend="b").create(), Membership(group="g", user="u").create()))
        for outcome in interleave(db.transport.call, operations, choosing(data)):
            assert outcome.error is None or isinstance(outcome.error, EXPECTED), outcome.error
        check_both_ways(db)


@settings(max_examples=15, deadline=None)
@given(rounds=ROUNDS)
def test_awaited_writes_do_the_same(rounds: list[list[Any]]) -> None:
    async def run() -> None:
        with fresh() as db:
            engine: Any = db.transport
            other = tw.AsyncDatabase.embedded(engine=engine.engine)
            for operations in rounds:
                results = await asyncio.gather(*(other.run(each) for each in operations), return_exceptions=True)
                assert all(not isinstance(each, Exception) or isinstance(each, EXPECTED) for each in results), results
            check_both_ways(db)

    asyncio.run(run())


# ---- one by one ------------------------------------------------------------------------------------------------------


def test_keys_are_written_as_they_are_declared() -> None:
    with fresh() as db:
        db.run(Follows(source="a", target="b", weight=2).create())
        keys = {(each["PK"], each["SK"], each["Type"]) for each in items_in(db.transport.call, "graph")}
        assert keys >= {("USER#a", "FOLLOWS#USER#b", "Follows"), ("USER#b", "FOLLOWED_BY#USER#a", "FollowedBy")}


def test_an_edge_is_one_item_from_either_end() -> None:
    with fresh() as db:
        edge = Follows(source="a", target="b", weight=2)
        db.run(edge.create())
        assert db.run(Follows.followed_by("b")).items == db.run(Follows.following("a")).items == [edge]
        (found,) = db.run(Follows.followed_by("b", source="a")).items
        db.run(found.patch(Follows.weight.add(1)))
        assert [each.weight for each in db.run(Follows.followed_by("b"))] == [3]
        assert list(db.run(Follows.scan())) == db.run(Follows.following("a")).items
        with pytest.raises(tw.ConditionFailed):
            db.run(edge.create())
        db.run(found.remove())
        assert not stored(db, "FollowedBy")


def test_queries_by_the_second_item_are_queries_like_any_other() -> None:
    with fresh() as db:
        for name in "abcd":
            db.run(Follows(source=name, target="z", weight=ord(name)).create())
        assert [each.source for each in db.run(Follows.followed_by("z", source=tw.gt("b")))] == ["c", "d"]
        assert [each.source for each in db.run(Follows.followed_by("z").where(Follows.weight == 98))] == ["b"]
        assert db.run(Follows.followed_by("z").total()) == 4
        page = db.run(Follows.followed_by("z").limit(3))
        rest = db.run(Follows.followed_by("z").after(page.cursor))
        assert [each.source for each in (*page, *rest)] == ["a", "b", "c", "d"]


def test_a_second_item_moves_when_its_key_does() -> None:
    with fresh() as db:
        db.run(Membership(group="g", user="u").create())
        db.run(Membership.key("g", user="u").patch(Membership.role.set("owner")))
        assert [each.role for each in db.run(Membership.groups("u"))] == ["owner"]
        db.run(Membership(group="g", user="u", role="x").put())
        assert [each.role for each in db.run(Membership.groups("u"))] == ["x"]
        assert len(stored(db, "GroupOf")) == 1


def test_a_friend_of_oneself_is_one_item() -> None:
    with fresh() as db:
        db.run(Friends(user="a", friend="a").create())
        assert len(stored(db, "Friends")) == 1
        assert db.run(User.key("a").get()) == User(user="a", friends=1)
        db.run(Friends.key("a", friend="a").delete())
        check_both_ways(db)


def test_following_edges() -> None:
    with fresh() as db:
        for source, target in ("ab", "ac", "ax", "bc", "bx", "ca"):
            db.run(Follows(source=source, target=target).create())
        assert db.run(tw.exists(Follows.key("a", target="b"))) is True
        assert db.run(tw.exists(Follows.key("b", target="a"))) is False
        found = db.run(tw.neighbours(Follows.following("a"), lambda edge: User.key(edge.target)))
        assert [each.user for each in found] == ["b", "c"]  # there is no user x
        page = db.run(tw.neighbours(Follows.following("a").limit(1), lambda edge: User.key(edge.target)))
        assert page.cursor is not None
        assert db.run(tw.common(Follows.following("a"), Follows.following("b"), by=Follows.target)) == ["c", "x"]
        mutual = tw.common(Follows.following("a"), Follows.followed_by("a"), by=(Follows.target, Follows.source))
        assert db.run(mutual) == ["c"]
        with pytest.raises(tw.RequestError, match="more than 2 ends"):
            db.run(tw.common(Follows.following("a"), Follows.following("b"), by=Follows.target, most=2))


def test_a_node_goes_with_all_its_edges() -> None:
    with fresh() as db:
        for source, target in ("ab", "ac", "ba", "bc"):
            db.run(Follows(source=source, target=target).create())
        assert db.run(tw.delete_all(Follows.following("a"))) == 2
        assert db.run(tw.delete_all(Follows.followed_by("a"))) == 1
        check_both_ways(db)
        assert [plain(each, "source", "target") for each in stored(db, "FollowedBy")] == [("b", "c")]


def test_degrees_can_be_recounted() -> None:
    with fresh() as db:
        db.run(Friends(user="new", friend="a").create())
        db.run(User(user="new").create())
        with pytest.raises(tw.RequestError, match="no access pattern surely finds all items of Follows by target"):
            db.run(tw.recount(User.key("new")))
        assert db.run(tw.recount(User.key("new"), scan=True)) == User(user="new", friends=1)


def test_they_are_part_of_the_schema() -> None:
    from tablewright.schema.dump import dump
    from tablewright.schema.electro.write import dump_service
    from tablewright.schema.load import load

    written = dump(graph.schema)
    assert load(written) == graph.schema
    assert "mirrored as FollowedBy, found by followed_by" in graph.describe()
    electro = dump_service(graph.schema)
    assert electro["FollowedBy"]["indexes"]["followed_by"]["pk"]["template"] == "USER#${target}"


def mirrored(**options: Any) -> type[tw.Entity]:
    app = tw.Service("app", table="app")

    class Edge(tw.Entity, service=app, name="edge"):
        source: Attr[str]
        target: Attr[str]
        note: Attr[str | None] = attr(default=None)

        @tw.primary
        def key(self, source: str, *, target: str) -> None: ...

        if options["by"] == "note":

            @tw.mirror(options["name"])
            def back(self, note: str, *, source: str, target: str) -> None: ...  # pyright: ignore[reportRedeclaration]
        elif options["by"] == "target":

            @tw.mirror(options["name"])
            def back(self, target: str) -> None: ...  # pyright: ignore[reportRedeclaration]
        else:

            @tw.mirror(options["name"])
            def back(self, target: str, *, source: str) -> None: ...

    return Edge


@pytest.mark.parametrize(
    ("name", "by", "message"),
    [
        ("edge", "", "is called like its entity"),
        ("back", "target", "leaves out source"),
        ("back", "note", "can be absent"),
    ],
)
def test_mirrors_that_cannot_work_are_refused(name: str, by: str, message: str) -> None:
    with pytest.raises(tw.SchemaError, match=message):
        mirrored(name=name, by=by).schema()


def test_symmetric_names_two_attributes_of_the_key() -> None:
    app = tw.Service("app", table="app")

    class Pair(tw.Entity, service=app, name="pair", symmetric=("one", "note")):
        one: Attr[str]
        note: Attr[str]

        @tw.primary
        def key(self, one: str) -> None: ...

    with pytest.raises(tw.SchemaError, match="must stand in the table's key"):
        Pair.schema()


def test_second_items_and_counters_are_nobodys_in_a_stream() -> None:
    with tw.Database.embedded() as db:
        db.create(graph, stream="new_and_old_images")
        handlers, seen, unknown = tw.Handlers(graph), list[Any](), list[Any]()
        handlers.on(tw.Event[Follows])(seen.append)
        handlers.unknown(unknown.append)
        db.run(Follows(source="a", target="b").create())
        handlers.catch_up(db)
        assert ([event.item.target for event in seen], unknown) == (["b"], [])
