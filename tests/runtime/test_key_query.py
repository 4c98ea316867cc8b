"""The table's own key is queried like any access pattern, without a second declaration of it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

board = tw.Service("board", table="board")


class Task(tw.Entity, service=board, name="task"):
    """Declared for queries: sort composites that may be left out."""

    project: Attr[str]
    status: Attr[str]
    number: Attr[int] = attr(padding=(4, "0"))
    points: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, project: str, *, status: str = ANY, number: Range[int] = ANY) -> None:
        """One task."""


class Note(tw.Entity, service=board, name="note"):
    """The plain declaration."""

    project: Attr[str]
    note: Attr[str]

    @tw.primary
    def key(self, project: str, *, note: str) -> None:
        """One note."""


class Visit(tw.Entity, service=board, name="visit"):
    """A key that is spread over partitions."""

    room: Attr[str]
    visit: Attr[str]

    @tw.primary(shards=4)
    def key(self, room: str, *, visit: str) -> None:
        """One visit."""


@pytest.fixture
def db() -> tw.Database:
    db = tw.Database.embedded()
    db.create(board)
    for number in (2, 10, 100):
        db.run(Task(project="web", status="open", number=number, points=number).put())
    db.run(Task(project="web", status="shut", number=7).put())
    db.run(Task(project="other", status="open", number=1).put())
    for note in "abc":
        db.run(Note(project="web", note=note).put())
        db.run(Visit(room="hall", visit=note).put())
    return db


def numbers(db: tw.Database, query: tw.Query[Task]) -> list[int]:
    return [task.number for task in db.iter(query)]


def test_a_whole_partition(db: tw.Database) -> None:
    assert numbers(db, Task.key.query("web")) == [2, 10, 100, 7]
    assert [note.note for note in db.run(Note.key.query("web", note=ANY))] == ["a", "b", "c"]
    assert [note.note for note in db.run(Note.key.query(project="web", note=ANY))] == ["a", "b", "c"]


def test_comparisons_and_prefixes(db: tw.Database) -> None:
    assert numbers(db, Task.key.query("web", status="open")) == [2, 10, 100]
    assert numbers(db, Task.key.query("web", status="open", number=tw.gte(10))) == [10, 100]
    assert numbers(db, Task.key.query("web", status="open", number=tw.between(2, 10))) == [2, 10]
    assert numbers(db, Task.key.query("web", status="open", number=10)) == [10]


def test_everything_a_query_can(db: tw.Database) -> None:
    query = Task.key.query("web", status="open")
    assert numbers(db, query.where(Task.points > 2).descending()) == [100, 10]
    page = db.run(query.limit(1))
    assert [task.number for task in page] == [2]
    assert numbers(db, query.after(page.cursor)) == [10, 100]
    assert db.run(query.consistent().count(2)).items[-1].number == 10
    assert [task.number for task in db.run(query.only(Task.number))] == [2, 10, 100]
    db.run(tw.delete_all(query))
    assert numbers(db, Task.key.query("web")) == [7]


def test_it_is_the_query_that_a_second_declaration_would_give(db: tw.Database) -> None:
    class Again(Task, service=tw.Service("board", table="board"), name="task"):
        """The same with a view of the table."""

        @tw.index("table")
        def all(self, project: str, *, status: str = ANY, number: Range[int] = ANY) -> None:
            """All."""

    for given in ({}, {"status": "open"}, {"status": "open", "number": tw.lt(10)}):
        assert Again.all("web", **given).params() == Task.key.query("web", **given).params()


def test_shards_are_gathered(db: tw.Database) -> None:
    assert [visit.visit for visit in db.run(Visit.key.query("hall", visit=ANY))] == ["a", "b", "c"]


def test_a_tenant_is_filled_in(db: tw.Database) -> None:
    found = board.tenant("web").of(Note.key.query)(note=ANY)
    assert [note.note for note in db.run(found)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: Task.key("web"), r"Task\.key is the key of one item and needs status, number as well"),
        (lambda: Task.key("web", status="open"), r"needs number as well; Task\.key\.query\(\.\.\.\) finds all"),
        (lambda: Task.key("web", status="open", number=tw.gt(1)), r"comparisons belong into Task\.key\.query"),
        (lambda: Note.key("web", note=ANY), "needs note as well"),
        (lambda: Task.key.query("web", number=3), "number is given without status"),
        (lambda: Task.key.query("web", status=tw.gt("a"), number=3), "number is given without status"),
    ],
)
def test_what_cannot_be_meant_is_refused(ask: Any, reason: str) -> None:
    with pytest.raises(tw.RequestError, match=reason):
        ask()


def test_wrong_values_are_refused_like_anywhere() -> None:
    with pytest.raises(tw.ValidationError, match="project: must be text"):
        Task.key.query(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword"):
        Task.key.query("web", nmber=5)  # type: ignore[call-arg]


def test_help_tells_the_truth() -> None:
    assert str(inspect.signature(Note.key)) == "(project, *, note)"
    assert str(inspect.signature(Note.key.query)) == "(project, *, note=ANY)"
    assert inspect.getdoc(Task.key.query) == "One task."
