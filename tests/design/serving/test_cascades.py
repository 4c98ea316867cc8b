"""How much a delete reaches, and what it consists of."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tablewright.design.serving.cascades import cascade_patterns, cascade_steps, is_job, resumes
from tablewright.spec.facts import Facts, assume
from tablewright.spec.model import PatternSpec
from tablewright.spec.read import read_spec
from tests.proof.forum import FORUM


def forum(**changes: dict[str, Any]) -> Facts:
    """`changes` by pattern."""
    spec = copy.deepcopy(FORUM)
    for each in spec["access_patterns"]:
        each.update(changes.get(each["id"].replace(" ", "_"), {}))
    return assume(read_spec(spec))


def pattern(facts: Facts, id_: str) -> PatternSpec:
    found = facts.spec.pattern(id_)
    assert found is not None
    return found


def test_items_of_every_level():
    facts = forum()
    found = {each.link.child: each for each in cascade_steps(facts, pattern(facts, "drop post"))}
    assert found["Comment"].link.parent in ("Post", "Comment")
    by_parent = {
        (each.link.parent, each.link.child): each for each in cascade_steps(facts, pattern(facts, "drop board"))
    }
    assert by_parent["Board", "Post"].found == 100
    assert by_parent["Board", "Post"].most == 500
    assert by_parent["Post", "Comment"].found == 500
    assert by_parent["Post", "Comment"].most == 50_000
    assert by_parent["Post", "Like"].found == 300  # three likes of each post
    assert by_parent["Comment", "Comment"].found == 0  # found with the post already


def test_an_item_that_was_there_is_looked_at_twice():
    facts = forum()
    looks = {
        (each.link.parent, each.link.child): each.looks for each in cascade_steps(facts, pattern(facts, "drop board"))
    }
    assert looks["Board", "Post"] == 1
    assert looks["Post", "Comment"] == 200


def test_a_tree_has_as_many_below_an_item_as_levels_above():
    facts = forum()
    (tree,) = cascade_steps(facts, pattern(facts, "drop comment"))
    assert tree.found == pytest.approx(9.85, abs=0.01)  # log of 50,000 to the base of 3


@pytest.mark.parametrize(
    ("id_", "job"), [("drop board", True), ("drop post", False), ("drop comment", False), ("drop user", False)]
)
def test_more_than_a_call_should_do_is_a_job(id_: str, job: bool):
    facts = forum()
    assert is_job(cascade_steps(facts, pattern(facts, id_))) == job


def test_reads_and_deletes_are_patterns_with_their_rates():
    facts = forum()
    steps = cascade_steps(facts, pattern(facts, "drop user"))
    read, delete, *others = cascade_patterns(facts, steps)
    assert (read.id, read.kind, read.by) == ("drop user: Like of User by userId", "query", ("userId",))
    assert (delete.op, delete.entities, delete.cascade_of) == ("delete", ("Like",), "drop user")
    assert delete.rate is not None
    assert delete.rate.avg == pytest.approx(0.01 * 30)
    assert len(others) == 4


@pytest.mark.parametrize(
    ("change", "goes_on"),
    [
        ({}, True),
        ({"by": ["boardId", "title"]}, False),
        ({"when": "title = {title}"}, False),
        ({"condition": "exists"}, False),
    ],
)
def test_which_deletes_go_on_where_the_item_is_gone(change: dict[str, Any], goes_on: bool):
    facts = forum(drop_board=change)
    assert resumes(facts, pattern(facts, "drop board")) == goes_on
