"""Aggregates: always what a count of the items would give, whatever happens between requests."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.engine import Engine
from tablewright.engine.simulation import Clock, Instruments
from tests.runtime.features.interleaving import FAULTS, choosing, interleave
from tests.runtime.features.office import (
    Employee,
    Project,
    Task,
    check_sums,
    fresh,
    lost,
    office,
    stored,
)

PLACES = st.tuples(st.sampled_from("pqx"), st.sampled_from("123"))  # there is no project x
EFFORTS = st.sampled_from([1, 2, 5, None])
STATUS: Any = st.sampled_from(["open", "done"])
ASSIGNEES = st.sampled_from(["a", "b", None])


def task(place: tuple[str, str], effort: Any, status: Any, assignee: Any) -> Task:
    return Task(project=place[0], task=place[1], effort=effort, status=status, assignee=assignee, number=int(place[1]))


def assigned(assignee: Any) -> tw.Change:
    return Task.assignee.remove() if assignee is None else Task.assignee.set(assignee)


def keyed(place: tuple[str, str]) -> tw.Key[Task]:
    return Task.key(place[0], task=place[1])


WHOLE = (PLACES, EFFORTS, STATUS, ASSIGNEES)
OPERATIONS = st.one_of(
    st.builds(lambda *given: task(*given).create(), *WHOLE),
    st.builds(lambda *given: task(*given).put(), *WHOLE),
    st.builds(lambda *given: task(*given).upsert(), *WHOLE),
    st.builds(lambda place, who: keyed(place).patch(assigned(who)), PLACES, ASSIGNEES),
    st.builds(lambda place, effort: keyed(place).patch(Task.effort.set(effort)), PLACES, st.sampled_from([1, 3])),
    st.builds(lambda place: keyed(place).patch(Task.effort.add(1)), PLACES),
    st.builds(lambda place, status: keyed(place).patch(Task.status.set(status)), PLACES, STATUS),
    st.builds(lambda place: keyed(place).patch(Task.note.set("n")), PLACES),
    st.builds(lambda place: keyed(place).delete(), PLACES),
    st.builds(lambda *given: tw.transact(task(("p", "1"), *given).put(), task(("p", "2"), *given).put()), *WHOLE[1:]),
    st.builds(lambda name: Project(project=name, title="t").upsert(), st.sampled_from("pq")),
    st.builds(lambda name: tw.recount(Project.key(name)), st.sampled_from("pq")),
)
ROUNDS = st.lists(st.lists(OPERATIONS, min_size=1, max_size=3), min_size=1, max_size=4)
EXPECTED = (tw.ConditionFailed, tw.TransactionCancelled, tw.TransportError)


@settings(max_examples=50, deadline=None)
@given(rounds=ROUNDS, data=st.data())
def test_aggregates_are_what_a_count_would_give(rounds: list[list[Any]], data: st.DataObject) -> None:
    with fresh() as db:
        for operations in rounds:
            for outcome in interleave(db.transport.call, operations, choosing(data), faults=FAULTS):
                assert outcome.error is None or isinstance(outcome.error, EXPECTED), outcome.error
            check_sums(db)
        for name in "pq":
            db.run(tw.recount(Project.key(name)))
        assert lost(db) == []
        check_sums(db)


@settings(max_examples=20, deadline=None)
@given(rounds=ROUNDS, data=st.data())
def test_without_failures_nothing_stays_lost(rounds: list[list[Any]], data: st.DataObject) -> None:
    with fresh() as db:
        for operations in rounds:
            interleave(db.transport.call, operations, choosing(data))
            check_sums(db)
            assert lost(db) == []


ONE = Task.key("p", task="1")
AT_ONCE = st.lists(
    st.one_of(
        st.builds(lambda effort: ONE.patch(Task.effort.set(effort)), st.sampled_from([1, 3])),
        st.builds(lambda status: ONE.patch(Task.status.set(status)), STATUS),
        st.builds(lambda who: ONE.patch(assigned(who)), ASSIGNEES),
        st.builds(lambda *given: task(("p", "1"), *given).put(), *WHOLE[1:]),
        st.builds(ONE.delete),
        st.builds(lambda: tw.recount(Project.key("p"))),
        st.builds(lambda effort: Task(project="p", task="2", effort=effort).put(), EFFORTS),
    ),
    min_size=2,
    max_size=3,
)


@settings(max_examples=120, deadline=None)
@given(operations=AT_ONCE, data=st.data())
def test_writers_of_one_item_at_the_same_time(operations: list[Any], data: st.DataObject) -> None:
    with fresh() as db:
        db.run(task(("p", "1"), 2, "open", "a").create())
        for outcome in interleave(db.transport.call, operations, choosing(data)):
            assert outcome.error is None or isinstance(outcome.error, EXPECTED), outcome.error
        check_sums(db)
        assert lost(db) == []


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
            check_sums(db)
            assert lost(db) == []

    asyncio.run(run())


# ---- one by one ------------------------------------------------------------------------------------------------------


def project(db: tw.Database, name: str = "p") -> Project:
    found = db.run(Project.key(name).get())
    assert found is not None
    return found


def waiting(db: tw.Database) -> dict[str, int]:
    return {each["employee"]: each["waiting"] for each in stored(db, "employee")}


def test_every_write_counts_in_its_own_transaction() -> None:
    with fresh() as db:
        calls = db.run(Task(project="p", task="1", effort=3, number=1, assignee="a").create(), explain=True).calls
        assert [call.action for call in calls] == ["TransactWriteItems"]
        assert project(db) == Project(project="p", open_tasks=1, hours=3, longest=3, shortest=3, newest="1")
        calls = db.run(Task.key("p", task="1").patch(Task.note.set("n")), explain=True).calls
        assert [call.action for call in calls] == ["UpdateItem"]
        db.run(Task.key("p", task="1").patch(Task.status.set("done")))
        assert (project(db).open_tasks, db.run(Employee.key("a").get())) == (0, Employee(employee="a", waiting=0))


def test_an_item_that_moves_counts_where_it_is() -> None:
    with fresh() as db:
        db.run(Task(project="p", task="1", assignee="a").create())
        db.run(Task.key("p", task="1").patch(Task.assignee.set("b")))
        assert waiting(db) == {"a": 0, "b": 1}
        db.run(Task.key("p", task="1").patch(Task.assignee.remove()))
        assert waiting(db) == {"a": 0, "b": 0}


def test_an_extreme_that_goes_is_found_again_in_the_same_run() -> None:
    with fresh() as db:
        for at, effort in enumerate((3, 9, 5)):
            db.run(Task(project="p", task=str(at), effort=effort, number=at).create())
        calls = db.run(Task.key("p", task="1").delete(), explain=True).calls
        actions = ["GetItem", "TransactWriteItems", "TransactWriteItems", "GetItem", "Query", "UpdateItem"]
        assert [call.action for call in calls] == actions
        assert (project(db).longest, project(db).shortest, project(db).newest) == (5, 3, "2")


def test_what_a_crash_leaves_lost_a_recount_finds() -> None:
    with fresh() as db:
        db.run(Task(project="p", task="1", effort=3).create())
        db.run(Task(project="p", task="2", effort=9).create())
        steps = iter([0, 0, 0, 7, 2])  # a read, two transactions, and a crash instead of the fourth request
        (outcome,) = interleave(
            db.transport.call, [Task.key("p", task="2").delete()], lambda _: next(steps), faults=FAULTS
        )
        assert outcome.crashed
        assert "longest" in lost(db)
        assert project(db).longest is None
        db.run(Task(project="p", task="4", effort=4).create())  # whether that is the longest, nobody knows
        assert project(db).longest is None
        db.run(tw.recount(Project.key("p")))
        assert lost(db) == []
        assert project(db).longest == 4


lagging = tw.Service("lagging", table="lagging")


class Shelf(tw.Entity, service=lagging, name="shelf"):
    """Knows its thickest book."""

    shelf: Attr[str]
    thickest: Attr[int | None] = attr(aggregate=True, default=None)

    @tw.primary
    def key(self, shelf: str) -> None: ...


class Book(
    tw.Entity, service=lagging, name="book", aggregates=[tw.max_into("shelf", "thickest", by="shelf", of="pages")]
):
    """Found by its shelf in an index only."""

    book: Attr[str]
    shelf: Attr[str]
    pages: Attr[int]

    @tw.primary
    def key(self, book: str) -> None: ...

    @tw.index("gsi1")
    def on(self, shelf: str, *, book: str = ANY) -> None: ...


def test_an_extreme_that_only_an_index_could_find_again_is_absent_and_never_wrong() -> None:
    """An index lags behind the very write that took the extreme away."""
    engine = Engine(clock=(clock := Clock()), instruments=Instruments(gsi_lag=2))
    with tw.Database.embedded(engine=engine) as db:
        db.create(lagging)
        db.run(Shelf(shelf="s").create())
        for name, pages in (("a", 300), ("b", 200)):
            db.run(Book(book=name, shelf="s", pages=pages).create())
        clock.step(10)
        db.run(Book(book="c", shelf="s", pages=250).create())
        db.run(Book.key("a").delete())
        assert db.run(Shelf.key("s").get().consistent()).thickest is None
        clock.step(10)
        assert db.run(tw.recount(Shelf.key("s"))).thickest == 250


def test_a_put_over_an_aggregated_item_is_refused() -> None:
    with fresh() as db:
        with pytest.raises(tw.RequestError, match=r"a put would write over open_tasks, hours.*patch"):
            db.run(Project(project="p").put())
        with pytest.raises(tw.ValidationError, match="read-only"):
            Project.key("p").patch(Project.hours.set(3)).params()
        db.run(Project(project="new").put())
        assert project(db, "new").hours == 0


def test_items_without_a_parent_count_nowhere_until_a_recount() -> None:
    with fresh() as db:
        db.run(Task(project="later", task="1", effort=4).create())
        assert db.run(tw.recount(Project.key("later"))) is None
        db.run(Project(project="later").create())
        assert project(db, "later").hours == 0
        assert db.run(tw.recount(Project.key("later"))) == project(db, "later")
        assert (project(db, "later").hours, project(db, "later").longest) == (4, 4)


def test_a_recount_is_bounded() -> None:
    with fresh() as db:
        for at in range(3):
            db.run(Task(project="p", task=str(at), effort=1).create())
        with pytest.raises(tw.RequestError, match="more than 2 items of task"):
            db.run(tw.recount(Project.key("p"), most=2))
        with pytest.raises(tw.RequestError, match="no aggregates"):
            tw.recount(Task.key("p", task="1"))


def test_delete_all_counts_down() -> None:
    with fresh() as db:
        for at in range(3):
            db.run(Task(project="p", task=str(at), effort=at, assignee="a").create())
        assert db.run(tw.delete_all(Task.by_assignee("a"))) == 3
        check_sums(db)
        assert project(db).open_tasks == 0


def test_two_members_for_one_item_are_refused_before_sending() -> None:
    with fresh() as db, pytest.raises(tw.RequestError, match="one member for an item"):
        db.run(tw.transact(Task(project="p", task="1").create(), Project.key("p").patch(Project.title.set("t"))))


def test_what_does_not_exist_is_told() -> None:
    app = tw.Service("app", table="app")

    class Child(tw.Entity, service=app, name="child", aggregates=[tw.count_into("parent", "children", by="parent")]):
        child: Attr[str]
        parent: Attr[str]

        @tw.primary
        def key(self, child: str) -> None: ...

    with tw.Database.embedded() as db:
        db.create(app)
        with pytest.raises(tw.SchemaError, match=r"child adds to parent.children, but no entity of that name"):
            db.run(Child(child="c", parent="p").create())

        class Parent(tw.Entity, service=app, name="parent"):
            parent: Attr[str]
            children: Attr[int] = attr(default=0)

            @tw.primary
            def key(self, parent: str) -> None: ...

        with pytest.raises(tw.SchemaError, match=r"parent.children is no aggregate; declare it there"):
            db.run(Child(child="c", parent="p").create())


@pytest.mark.parametrize(
    ("aggregate", "message"),
    [
        (tw.sum_into("project", "hours", by="name", of="name"), 'adds up "name", which is no number'),
        (tw.count_into("project", "hours", by="nobody"), "nobody"),
        (tw.max_into("project", "hours", by="name", of="tags"), "no scalar"),
    ],
)
def test_what_cannot_be_counted_is_refused(aggregate: Any, message: str) -> None:
    app = tw.Service("app", table="app")

    class Child(tw.Entity, service=app, name="child", aggregates=[aggregate]):
        name: Attr[str]
        tags: Attr[set[str]] = attr(default_factory=set)

        @tw.primary
        def key(self, name: str) -> None: ...

    with pytest.raises(tw.SchemaError, match=message):
        Child.schema()


def test_an_aggregate_stands_in_no_key() -> None:
    app = tw.Service("app", table="app")

    class Parent(tw.Entity, service=app, name="parent"):
        parent: Attr[str]
        children: Attr[int] = attr(aggregate=True, default=0)

        @tw.primary
        def key(self, parent: str) -> None: ...
        @tw.index("gsi1")
        def by_children(self, children: int) -> None: ...

    with pytest.raises(tw.SchemaError, match="is an aggregate and stands in a key"):
        Parent.schema()


def test_they_are_part_of_the_schema() -> None:
    from tablewright.schema.dump import dump
    from tablewright.schema.load import load

    written = dump(office.schema)
    assert load(written) == office.schema
    assert "count in project.open_tasks" in office.describe()
    loaded = tw.Service.load(written)
    with fresh() as db:
        loaded.bind(db)
        loaded.task.create(project="p", task="1", effort=3, number=4).go()
        assert project(db).hours == 3
