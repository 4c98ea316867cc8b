"""Tenants: keys that nothing confuses, a database that runs nothing of others, questions across tenants on purpose."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.schema.dump import dump
from tests.runtime.features.interleaving import items_in
from tests.runtime.features.lifeos import Board, Card, Comment, Folder, Lane, Plan, Space, Task, TreePath, fresh, life

S1, S2 = life.tenant("s1"), life.tenant("s2")


def filled() -> tw.Database:
    db = fresh()
    for space in ("s1", "s2"):
        db.run(Space(space=space).create())
        db.run(Task(space=space, task=1, title="same").create())
        db.run(Folder(space=space, path=TreePath("a")).create())
        db.run(Card(space=space, card="c").create())
        db.run(Lane(space=space, lane="l").create())
    db.run(Plan(plan="p").create())
    return db


OPERATIONS: dict[str, Any] = {
    "get": lambda space: Task.key(space, task=1).get(),
    "query": lambda space: Task.of_space(space, title="same"),
    "total": lambda space: Task.of_space(space).total(),
    "exists": lambda space: tw.exists(Task.key(space, task=1)),
    "common": lambda space: tw.common(Task.of_space("s1"), Task.of_space(space), by=(Task.title, Task.title)),
    "put": lambda space: Task(space=space, task=2).put(),
    "create": lambda space: Task(space=space, task=3).create(),
    "upsert": lambda space: Task(space=space, task=1).upsert(),
    "patch": lambda space: Task.key(space, task=1).patch(Task.title.set("x")),
    "update": lambda space: Task(space=space, task=1).update(Task.title.set("y")),
    "delete": lambda space: Task.key(space, task=1).delete(),
    "batch_get": lambda space: tw.batch_get(Task.key("s1", task=1).get(), Folder.key(space, path=TreePath("a")).get()),
    "batch_write": lambda space: tw.batch_write(Task(space="s1", task=5).put(), Task.key(space, task=6).delete()),
    "transact": lambda space: tw.transact(
        Task(space="s1", task=7).put(), Folder.key(space, path=TreePath("a")).check(Folder.space.exists())
    ),
    "transact_get": lambda space: tw.transact_get(Task.key(space, task=1).get()),
    "collection": Board.of,
    "collection total": lambda space: Board.of(space).total(),
    "delete_all": lambda space: tw.delete_all(Task.of_space(space)),
    "delete_all of a collection": lambda space: tw.delete_all(Board.of(space)),
    "resolve": lambda space: tw.resolve([tw.ref(Task.key(space, task=1))]),
    "subtree": lambda space: tw.tree(Folder.key(space, path=TreePath("a"))).subtree(),
    "children": lambda space: tw.tree(Folder.key(space, path=TreePath("a"))).children(),
    "ancestors": lambda space: tw.tree(Folder.key(space, path=TreePath("a", "b"))).ancestors(),
    "move": lambda space: tw.tree(Folder.key(space, path=TreePath("a"))).move(TreePath("b")),
    "move, dry": lambda space: tw.tree(Folder.key(space, path=TreePath("a"))).move(TreePath("b")).dry_run(),
    "remove a tree": lambda space: tw.tree(Folder.key(space, path=TreePath("a"))).delete(),
    "cascade": lambda space: tw.cascade(Space.key(space)),
    "cascade, status": lambda space: tw.cascade(Space.key(space)).status(),
    "cascade, a step": lambda space: tw.cascade(Space.key(space)).next(None),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_bound_database_runs_its_own_and_refuses_others(name: str) -> None:
    with filled() as db:
        bound = db.tenant(S1)
        bound.run(OPERATIONS[name]("s1"))
        before = items_in(db.transport.call, "life")
        with pytest.raises(tw.RequestError, match="bound to the tenant 's1' of life"):
            bound.run(OPERATIONS[name]("s2"))
        assert items_in(db.transport.call, "life") == before


@pytest.mark.parametrize(
    "operation",
    [
        Task.scan(),
        tw.across_tenants(Task.scan()),
        tw.across_tenants(Task.scan()).parallel(2),
        Task.by_title("same"),
        tw.across_tenants(Task.by_title("same")),
        tw.delete_all(Task.by_title("same")),
        Task.find(title="same"),
    ],
)
def test_nothing_across_tenants_in_a_bound_database(operation: Any) -> None:
    with filled() as db, pytest.raises(tw.RequestError, match="all tenants"):
        db.tenant(S1).run(operation)


def test_a_bound_database_has_no_way_around() -> None:
    with filled() as db:
        bound = db.tenant(S1)
        with pytest.raises(tw.RequestError, match="bound to"):
            list(bound.iter(Task.of_space("s2")))
        with pytest.raises(tw.RequestError, match="bound to"):
            bound.write_all([Task(space="s1", task=8).put(), Task(space="s2", task=8).put()])
        with pytest.raises(tw.RequestError, match="bound to"):
            list(bound.get_all([Task.key("s2", task=1).get()]))
        with pytest.raises(tw.RequestError, match="bound to"):
            bound.run(Task.key("s2", task=1).get(), explain=True)
        with pytest.raises(tw.RequestError, match="not about one tenant"):
            bound.delete_table(life)
        with pytest.raises(tw.RequestError, match="its own parameters"):
            bound.run(Task.key("s1", task=1).get().with_options(params={"Key": {"pk": "$life#space_s2", "sk": "x"}}))
        assert bound.run(Plan.key("p").get()) == Plan(plan="p")
        assert bound.run(tw.batch_get()) == []


def test_another_service_is_another_matter() -> None:
    other = tw.Service("other", table="life")

    class Thing(tw.Entity, service=other, name="thing", tenant="space"):
        space: Attr[str]

        @tw.primary
        def key(self, space: str) -> None: ...

    with filled() as db, pytest.raises(tw.RequestError, match="thing belongs to the service other"):
        db.tenant(S1).run(Thing.key("s1").get())


def test_a_bound_database_may_be_awaited() -> None:
    async def story() -> None:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(life)
            bound = db.tenant(S1)
            await bound.run(Task(space="s1", task=1).create())
            assert await bound.run(S1.of(Task.key)(task=1).get()) is not None
            with pytest.raises(tw.RequestError, match="bound to"):
                await bound.run(S2.of(Task.key)(task=1).get())
            with pytest.raises(tw.RequestError, match="bound to"):
                [task async for task in bound.iter(Task.of_space("s2"))]

    asyncio.run(story())


def test_patterns_with_the_tenant_filled_in() -> None:
    assert S1.of(Task.key)(task=1) == Task.key("s1", task=1)
    assert S1.of(Task.of_space)(title="x") == Task.of_space("s1", title="x")
    assert S1.of(Board.of)().params() == Board.of("s1").params()


def test_a_scan_has_to_be_meant() -> None:
    with filled() as db:
        for operation in (
            Task.scan(),
            Task.scan().parallel(2),
            Task.find(),
            tw.delete_all(Task.scan()),
            Task.scan().total(),
        ):
            with pytest.raises(tw.RequestError, match="reads the items of all tenants; query it by space, or say"):
                db.run(operation)
        assert len(db.run(tw.across_tenants(Task.scan()))) == 2
        assert db.run(tw.across_tenants(Task.scan()).total()) == 2
        assert len(db.run(Task.by_title("same"))) == 2
        assert db.run(Plan.scan()).items == [Plan(plan="p")]


# ---- keys ------------------------------------------------------------------------------------------------------------


def test_the_keys_of_a_tenant() -> None:
    assert life.tenant_keys("s1") == ["$life#space_s1", "$life#space_s1#on_*"]
    with pytest.raises(tw.RequestError, match="a wildcard"):
        life.tenant_keys("s*")
    assert life.tenant_keys("S1") == ["$life#space_S1", "$life#space_S1#on_*"]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("aA1#_o/n", min_size=1, max_size=6), min_size=2, max_size=2, unique=True),
    st.text("aA#_on", min_size=1),
)
def test_no_partition_key_of_one_tenant_fits_another(tenants: list[str], name: str) -> None:
    """Either a value is refused, or its keys fit its own patterns and nobody else's."""
    one, other = tenants
    try:
        ref = tw.ref(Task.key(one, task=1))
        keys = [Comment.about(one, ref).params()["ExpressionAttributeValues"][":pk"], Space.key(one).values()["pk"]]
        mine, theirs = life.tenant_keys(one), life.tenant_keys(other)
    except tw.RequestError:
        return
    assert all(any(fits(pattern, key) for pattern in mine) for key in keys)
    assert not any(fits(pattern, key) for pattern in theirs for key in keys)


def fits(pattern: str, key: str) -> bool:
    return key.startswith(pattern[:-1]) if pattern.endswith("*") else key == pattern


@pytest.mark.parametrize(("value", "why"), [("s#1", "must not contain '#'"), ("", "empty")])
def test_values_that_keys_would_confuse(value: str, why: str) -> None:
    for make in (
        lambda: Task.key(value, task=1),
        lambda: Task.of_space(value),
        lambda: Task(space=value, task=1).put(),
    ):
        with pytest.raises(tw.ValidationError, match=why):
            make()


def test_keys_in_lower_case_take_tenants_in_lower_case() -> None:
    shared = tw.Service("shared", table="shared", casing="default")

    class Seat(tw.Entity, service=shared, name="seat", tenant="space"):
        space: Attr[str]

        @tw.primary
        def key(self, space: str) -> None: ...

    assert shared.tenant_keys("s1") == ["$shared#space_s1"]
    for make in (lambda: Seat.key("S1"), lambda: Seat(space="S1").put()):
        with pytest.raises(tw.ValidationError, match="like that of another"):
            make()
    with pytest.raises(tw.RequestError, match="like that of another"):
        shared.tenant_keys("S1")


def test_case_and_separators_are_those_of_the_keys() -> None:
    shop = tw.Service("shop", table="shop")

    class Order(tw.Entity, service=shop, name="order", tenant="shop"):
        shop: Attr[str]
        order: Attr[str]

        @tw.primary(pk="SHOP|{shop}|", sk="ORDER|{order}")
        def key(self, shop: str, *, order: str) -> None: ...

    assert Order.key("S#1", order="o").values()["pk"] == "SHOP|S#1|"
    assert shop.tenant_keys("S#1") == ["SHOP|S#1|"]
    with pytest.raises(tw.ValidationError, match=r"must not contain '\|'"):
        Order.key("a|b", order="o")


# ---- what a schema must be -------------------------------------------------------------------------------------------


def declared(**keywords: Any) -> type[tw.Entity]:
    service = tw.Service("svc", table="svc")

    class Thing(tw.Entity, service=service, name="thing", **keywords):
        space: Attr[str]
        maybe: Attr[str | None] = attr(default=None)
        thing: Attr[str]
        many: Attr[list[str]] = attr(default_factory=list)

        @tw.primary
        def key(self, thing: str, *, space: str) -> None: ...

        @tw.index("gsi1")
        def by_space(self, space: str, *, thing: str = ANY) -> None: ...

    return Thing


@pytest.mark.parametrize(
    ("keywords", "why"),
    [
        ({"tenant": "space"}, '"key": its partition key does not begin with the tenant "space". Put "space" first'),
        ({"tenant": "maybe"}, 'the tenant "maybe" can be left out'),
        ({"tenant": "nothing"}, "tenant names 'nothing'"),
        ({"tenant": "many"}, 'the tenant "many" is no scalar'),
    ],
)
def test_a_tenant_stands_first_and_cannot_be_left_out(keywords: dict[str, Any], why: str) -> None:
    with pytest.raises(tw.SchemaError, match=why):
        declared(**keywords).schema()


def test_being_across_tenants_must_make_sense() -> None:
    service = tw.Service("svc", table="svc")

    class Thing(tw.Entity, service=service, name="thing"):
        thing: Attr[str]

        @tw.primary
        def key(self, thing: str) -> None: ...

        @tw.index("gsi1", across_tenants=True)
        def again(self, thing: str) -> None: ...

    class Other(tw.Entity, service=service, name="other", tenant="thing"):
        thing: Attr[str]

        @tw.primary
        def key(self, thing: str) -> None: ...

        @tw.index("gsi1", across_tenants=True)
        def again(self, thing: str) -> None: ...

    with pytest.raises(tw.SchemaError, match="but the entity has none"):
        Thing.schema()
    with pytest.raises(tw.SchemaError, match="Leave out across_tenants"):
        Other.schema()


def test_features_are_part_of_the_schema() -> None:
    setter = next(each.set for each in Folder.schema().attributes if each.set is not None)
    functions: dict[str, Any] = {"parent": setter, "set": set}
    loaded = tw.Service.load(dump(life.schema, functions=functions), functions=functions)
    assert loaded.schema.entities["comment"].features == Comment.schema().features
    assert "tenant in space; on points at task or folder; belongs to task or folder by about" in life.describe()
    assert "Tasks of all spaces. (across tenants)" in life.describe()


def test_where_edges_lead_is_not_known_beforehand() -> None:
    with filled() as db, pytest.raises(tw.RequestError, match=r"may lead out of .*tw\.batch_get"):
        db.tenant(S1).run(tw.neighbours(Task.of_space("s1"), lambda task: Task.key("s2", task=task.task)))
