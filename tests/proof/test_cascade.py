"""Deletes that go on: whatever names the item is gone afterwards, with its companions, and nothing else is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.designer import design
from tablewright.design.read import design_json, read_design, round_report
from tablewright.design.reports import cost_report
from tablewright.design.steps.compile import compile_design
from tablewright.engine import Engine
from tablewright.engine.simulation import Clock, Instruments
from tablewright.proof.database import create_tables, run_write
from tablewright.proof.expected import expected_items
from tablewright.proof.run import prove
from tablewright.wire.document import marshal_item, unmarshal_item
from tests.proof.forum import FORUM, Dictionaries, small_forum
from tests.proof.mutations.designs import right_design

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.design.model import Design
    from tablewright.proof.database import Outcome

Call = dict[str, Any]
WAYS = [("single", "plain"), ("several", "electrodb")]


@cache
def forum_design(tables: str = "single", style: str = "plain") -> Design:
    return design(FORUM, tables=tables, key_style=style)  # type: ignore[arg-type]


class Forum:
    """A database that holds the small forum, and the same forum in dictionaries."""

    def __init__(self, made: Design, engine: Engine, things: Dictionaries | None = None) -> None:
        self.made, self.engine = made, engine
        self.compiled = compile_design(made)
        self.things = small_forum() if things is None else things
        create_tables(engine, made)
        for (table, _, _), item in expected_items(made, self.things.instances).items():
            engine.call("PutItem", {"TableName": table, "Item": marshal_item(item)})

    def run(self, pattern: str, inputs: dict[str, Any], database: Any = None, **how: Any) -> Outcome:
        return run_write(database or self.engine, self.compiled, pattern, inputs, **how)

    def stored(self) -> dict[Any, dict[str, Any]]:
        found: dict[Any, dict[str, Any]] = {}
        for table in self.made.tables:
            reply = self.engine.call("Scan", {"TableName": table.name})
            assert "LastEvaluatedKey" not in reply
            for item in map(unmarshal_item, reply["Items"]):
                if item.get("total") != 0:  # of a group that nothing is left of
                    found[table.name, item[table.pk.name], item[table.sk.name]] = item
        return found

    def check(self) -> None:
        """The tables hold what the dictionaries say, companions included, and nothing else."""
        assert self.stored() == expected_items(self.made, self.things.instances)


@pytest.fixture(params=WAYS, ids="-".join)
def forum(request: pytest.FixtureRequest) -> Iterator[Forum]:
    with Engine() as engine:
        yield Forum(forum_design(*request.param), engine)


DELETES = [
    ("drop board", "Board", {"boardId": "b0"}),
    ("drop post", "Post", {"postId": "p3"}),
    ("drop comment", "Comment", {"commentId": "c1-1"}),
    ("drop user", "User", {"userId": "u2"}),
]


class TestOneDelete:
    @pytest.mark.parametrize(("pattern", "entity", "ids"), DELETES, ids=str)
    def test_all_that_names_it_goes(self, forum: Forum, pattern: str, entity: str, ids: dict[str, str]):
        before = len(forum.stored())
        assert forum.run(pattern, ids).result == "written"
        forum.things.delete(entity, **ids)
        forum.check()
        assert len(forum.stored()) < before - 1

    def test_one_after_the_other(self, forum: Forum):
        for pattern, entity, ids in DELETES:
            assert forum.run(pattern, ids).result == "written"
            forum.things.delete(entity, **ids)
            forum.check()

    def test_a_condition_that_fails_keeps_everything(self, forum: Forum):
        before = forum.stored()
        assert forum.run("drop titled", {"boardId": "b0", "title": "one"}).result == "refused"
        assert forum.stored() == before
        assert forum.run("drop titled", {"boardId": "b0", "title": "zero"}).result == "written"
        forum.things.delete("Board", boardId="b0")
        forum.check()

    def test_what_it_takes_is_near_what_was_predicted(self, forum: Forum):
        """A post with five comments in no tree and with no likes, as the average says."""
        (pattern,) = (each for each in forum.made.patterns if each.id == "drop post")
        taken = forum.run("drop post", {"postId": "p1"})
        assert sum(taken.wcu.values()) == pytest.approx(pattern.predicted.wcu, rel=0.35)


class Interrupted:
    """An engine that stops working after some writes."""

    def __init__(self, engine: Engine, writes: int) -> None:
        self.engine, self.left = engine, writes

    def call(self, action: str, params: Call) -> Call:
        if action in ("DeleteItem", "TransactWriteItems"):
            if not self.left:
                raise ConnectionError
            self.left -= 1
        return self.engine.call(action, params)


class Watched:
    """An engine in which something else happens before a call, once."""

    def __init__(self, engine: Engine, when: Callable[[str, Call], bool], happens: Callable[[], object]) -> None:
        self.engine, self.when, self.happens = engine, when, happens
        self.done = False

    def call(self, action: str, params: Call) -> Call:
        if not self.done and self.when(action, params):
            self.done = True
            self.happens()
        return self.engine.call(action, params)


class TestInterruptions:
    @pytest.mark.parametrize("way", WAYS, ids="-".join)
    def test_a_repeated_delete_finishes_the_job(self, way: tuple[str, str]):
        for writes in range(1, 60, 4):
            with Engine() as engine:
                forum = Forum(forum_design(*way), engine)
                try:
                    forum.run("drop board", {"boardId": "b1"}, Interrupted(engine, writes))
                except ConnectionError:
                    forum.run("drop board", {"boardId": "b1"})
                forum.things.delete("Board", boardId="b1")
                forum.check()

    def test_also_where_the_item_has_to_be_read_first(self, forum: Forum):
        with pytest.raises(ConnectionError):
            forum.run("drop post", {"postId": "p2"}, Interrupted(forum.engine, 2))
        assert forum.run("drop post", {"postId": "p2"}).result == "written"
        forum.things.delete("Post", postId="p2")
        forum.check()

    def test_a_delete_of_what_is_not_there_finds_nothing(self, forum: Forum):
        before = forum.stored()
        assert forum.run("drop board", {"boardId": "b7"}).result == "written"
        assert forum.run("drop post", {"postId": "p77"}).result == "written"
        assert forum.stored() == before


def test_children_inside_of_their_parent_are_nothing_to_go_on_to():
    (leave,) = (each for each in right_design("phones").patterns if each.id == "leave")
    assert (leave.cascade, leave.resumes) == ((), False)


class TestOtherWriters:
    @pytest.mark.parametrize("name", ["p1", "c1-4"])
    def test_a_child_that_comes_meanwhile(self, forum: Forum, name: str):
        """Below an item that is being deleted: it goes too, though its siblings were read before."""
        late = {"commentId": "late", "postId": "p1", "text": "x"} | ({} if name == "p1" else {"parentId": name})
        watched = Watched(
            forum.engine,
            lambda action, params: action == "DeleteItem" and "c1-0" in str(params),
            lambda: forum.run("put comment", late),
        )
        assert forum.run("drop board", {"boardId": "b1"}, watched).result == "written"
        assert watched.done
        forum.things.delete("Board", boardId="b1")
        forum.check()

    def test_a_child_that_is_gone_already(self, forum: Forum):
        watched = Watched(
            forum.engine,
            lambda action, params: action == "TransactWriteItems" and "p3" in str(params),
            lambda: forum.run("drop post", {"postId": "p3"}),
        )
        assert forum.run("drop board", {"boardId": "b1"}, watched).result == "written"
        assert watched.done
        forum.things.delete("Board", boardId="b1")
        forum.check()

    def test_a_child_that_is_changed(self, forum: Forum):
        """Its slug and its state are of items beside it: they are read again, and it goes with those it has now."""
        watched = Watched(
            forum.engine,
            lambda action, params: action == "TransactWriteItems" and "p3" in str(params),
            lambda: forum.run("close", {"postId": "p3", "slug": "other", "state": "open"}),
        )
        assert forum.run("drop board", {"boardId": "b1"}, watched).result == "written"
        assert watched.done
        forum.things.delete("Board", boardId="b1")
        forum.check()

    def test_a_child_that_answers_another_one_by_now(self, forum: Forum):
        """It names the deleted comment no longer, so that it stays."""
        watched = Watched(
            forum.engine,
            lambda action, params: action == "DeleteItem" and "c1-4" in str(params),
            lambda: forum.run("answer", {"commentId": "c1-4", "parentId": "c2-0"}),
        )
        assert forum.run("drop comment", {"commentId": "c1-1"}, watched).result == "written"
        assert watched.done
        forum.things.put("Comment", {"commentId": "c1-4", "postId": "p1", "parentId": "c2-0", "text": "x"})
        forum.things.delete("Comment", commentId="c1-1")
        forum.check()

    @pytest.mark.parametrize("parent", [{}, {"parentId": "c1-5"}], ids=["of the post", "of a comment"])
    @pytest.mark.parametrize("way", WAYS, ids="-".join)
    def test_indexes_that_lag(self, way: tuple[str, str], parent: dict[str, str]):
        clock = Clock()
        with Engine(clock=clock, instruments=Instruments(gsi_lag=0.6)) as engine:
            forum = Forum(forum_design(*way), engine)
            clock.step(seconds=5)
            forum.run("put comment", {"commentId": "late", "postId": "p1", "text": "x", **parent})
            assert forum.run("drop post", {"postId": "p1"}, wait=clock.step).result == "written"
            forum.things.delete("Post", postId="p1")
            forum.check()


class TestCircles:
    def test_comments_that_answer_each_other(self, forum: Forum):
        for comment, parent in (("c0-1", "c0-2"), ("c0-2", "c0-1")):
            forum.run("answer", {"commentId": comment, "parentId": parent})
            forum.things.things["Comment"][(comment,)]["parentId"] = parent
        assert forum.run("drop comment", {"commentId": "c0-1"}).result == "written"
        forum.things.delete("Comment", commentId="c0-1")
        forum.check()

    def test_a_long_line_of_answers(self, forum: Forum):
        """Deeper than a call may be nested."""
        for number in range(1200):
            item = {"commentId": f"l{number}", "postId": "p0", "text": "x"}
            item |= {"parentId": f"l{number - 1}"} if number else {}
            forum.run("put comment", item)
        assert forum.run("drop comment", {"commentId": "l0"}).result == "written"
        forum.check()


# ---- other kinds of deletes -----------------------------------------------------------------------------------------


def with_pattern(**pattern: Any) -> Design:
    spec = {**FORUM, "access_patterns": [*FORUM["access_patterns"], {"id": "more", "kind": "write", **pattern}]}
    return design(spec, key_style="plain")


class TestMoreDeletes:
    def test_inside_a_transaction(self):
        """Refused as a whole, or done and gone on with."""
        made = with_pattern(
            op="transact",
            entities=["Board", "User"],
            by=["boardId", "userId"],
            ops={"Board": {"op": "delete"}, "User": {"op": "update", "changes": ["name"]}},
        )
        with Engine() as engine:
            forum = Forum(made, engine)
            before = forum.stored()
            assert forum.run("more", {"boardId": "b0", "userId": "nobody", "name": "x"}).result != "written"
            assert forum.stored() == before
            assert forum.run("more", {"boardId": "b0", "userId": "u1", "name": "x"}).result == "written"
            forum.things.delete("Board", boardId="b0")
            forum.things.put("User", {"userId": "u1", "name": "x"})
            forum.check()

    def test_another_item_than_the_one_meant(self):
        """The board has this id and another title: it stays, and so does what names it."""
        made = with_pattern(op="delete", entity="Board", by=["boardId", "title"])
        with Engine() as engine:
            forum = Forum(made, engine)
            before = forum.stored()
            assert forum.run("more", {"boardId": "b0", "title": "one"}).result != "written"
            assert forum.stored() == before
            assert forum.run("more", {"boardId": "b0", "title": "zero"}).result == "written"
            forum.things.delete("Board", boardId="b0")
            forum.check()

    def test_found_by_something_else(self):
        made = with_pattern(op="delete", entity="Post", by=["slug"])
        with Engine() as engine:
            forum = Forum(made, engine)
            assert forum.run("more", {"slug": "s4"}).result == "written"
            assert forum.run("more", {"slug": "s44"}).result == "absent"
            forum.things.delete("Post", postId="p4")
            forum.check()


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_the_proof_agrees(way: tuple[str, str]):
    """Another application, other data, other calls."""
    report = prove(forum_design(*way))
    assert report.passed, report.failure


def test_a_design_that_was_read_goes_on_as_it_was_made():
    made = forum_design()
    read = read_design(design_json(made).decode())
    assert read == made
    assert compile_design(read) == compile_design(made)
    assert cost_report(read) == cost_report(made)
    assert round_report(cost_report(read)).patterns == made.cost.patterns


def test_a_tenant_cannot_delete_what_hangs_on_the_items_of_another():
    """The tenant is in the key: of another tenant there is no such item, and nothing names it."""
    tenant = {"tenant": "orgId", "rate": 1}
    space = {"wsId": "string", "orgId": {"type": "string", "required": True, "immutable": True}}
    made = design(
        {
            "name": "spaces",
            "entities": {
                "Space": {"id": ["wsId"], "attributes": space},
                "Task": {"id": ["taskId"], "attributes": {"taskId": "string", "wsId": "string"}},
            },
            "relationships": [{"from": "Space", "to": "Task", "kind": "one-to-many", "avg": 5, "cascade": True}],
            "access_patterns": [
                {"id": "space", "kind": "get", "entity": "Space", "by": ["orgId", "wsId"], **tenant},
                {"id": "put", "kind": "write", "op": "put", "entity": "Space", "by": ["orgId", "wsId"], **tenant},
                {"id": "add", "kind": "write", "op": "put", "entity": "Task", "by": ["taskId"]},
                {"id": "drop", "kind": "write", "op": "delete", "entity": "Space", "by": ["orgId", "wsId"], **tenant},
            ],
        },
        key_style="plain",
    )
    compiled = compile_design(made)
    with Engine() as engine:
        create_tables(engine, made)
        for pattern, inputs in (("put", {"orgId": "o1", "wsId": "w"}), ("add", {"taskId": "t", "wsId": "w"})):
            assert run_write(engine, compiled, pattern, inputs).result == "written"
        before = engine.call("Scan", {"TableName": "spaces"})["Count"]
        assert run_write(engine, compiled, "drop", {"orgId": "o2", "wsId": "w"}).result != "written"
        assert engine.call("Scan", {"TableName": "spaces"})["Count"] == before
        assert run_write(engine, compiled, "drop", {"orgId": "o1", "wsId": "w"}).result == "written"
        assert engine.call("Scan", {"TableName": "spaces"})["Count"] == 0
