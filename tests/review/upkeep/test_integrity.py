from __future__ import annotations

import pytest

from tablewright.review import sources
from tablewright.review.upkeep.integrity import write_notes
from tests.review.applications import PUT_TASK, app, board

MONTH = 2.628  # million seconds
USER = {
    "id": "userId",
    "attributes": {
        "userId": "string",
        "email": {"type": "string", "required": True},
        "name": "string",
        "visits": "number",
    },
    "unique": ["email"],
    "size_bytes": 300,
}
GET = {"id": "get", "kind": "get", "entity": "User", "by": "userId", "rate": 1}


def write(op, **more):
    return {"id": "it", "kind": "write", "op": op, "entity": "User", "by": "userId", "rate": 2, **more}


def note(*patterns, user=None, design=None):
    found = design or app({"User": {**USER, **(user or {})}}, GET, *patterns)
    return next(each for each in write_notes(found) if each.pattern in ("it", "add"))


PLAIN = {"unique": []}


# ---- uniqueness -----------------------------------------------------------------------------------------------------


def test_a_key_that_is_the_id_keeps_it_unique():
    found = note(write("put"), user=PLAIN)
    assert found.uniqueness == (
        "The table key of User is its id (userId): a second put replaces the first, there are never two."
    )
    created = note(write("put", condition="not exists"), user=PLAIN)
    assert created.uniqueness == (
        "The table key of User is its id (userId): a second put is refused, there are never two."
    )


def test_a_key_with_more_than_the_id_relies_on_what_never_changes_and_the_remedy_has_a_price():
    found = note(design=board(PUT_TASK))
    assert found.uniqueness.startswith(
        "The table key of Task holds projectId besides the id (taskId), because it is immutable: a second put of the"
        " same id replaces the first as long as it comes with the same projectId."
    )
    assert "need a sentinel item" in found.uniqueness
    assert "(2 units, and the put itself counts twice)" in found.uniqueness


@pytest.mark.parametrize(
    ("op", "more", "says"),
    [
        ("put", {}, "email is unique: its sentinel is put in the same transaction with attribute_not_exists."),
        ("update", {"changes": ["email"]}, "A new email deletes the old sentinel and puts the new one"),
        ("update", {"changes": ["name"]}, ""),
        ("delete", {}, "The sentinel of email is deleted in the same transaction; its old value must be known."),
    ],
)
def test_unique_attributes_by_operation(op, more, says):
    found = note(write(op, **more)).uniqueness
    assert says in found if says else found == ""


# ---- conditions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        (write("put"), "none: it replaces what has the same key."),
        (write("put", condition="not exists"), "attribute_not_exists on the key: it creates"),
        (write("update", changes=["name"]), "attribute_exists on the key"),
        (write("update", changes=["name"], when="visits < 50"), "And visits < 50."),
        (write("update", changes=["name"], condition="fewer than 50 visits"), '"fewer than 50 visits" is in words'),
        (write("update", changes=["name"], condition="visits below 50"), "And visits < 50."),
        (write("delete"), "none needed"),
    ],
)
def test_conditions(pattern, says):
    assert says in note(pattern, user=PLAIN).conditions


def test_refused_conditions_are_billed():
    found = note(write("update", changes=["name"], when="visits < 50", failures=0.5), user=PLAIN)
    # 2 a second, 1 unit each, half of them refused
    assert f"50% are refused and billed all the same: ${2 * MONTH * 0.625 / 2:.2f} a month." in found.conditions


# ---- transactions ---------------------------------------------------------------------------------------------------


def test_what_a_transaction_costs():
    found = note(write("put"))
    # the user and the sentinel, 1 unit each, doubled: 4 units, of which 2 for being together
    assert found.transaction == (
        f"2 items in one transaction, 4 write units: twice what they cost one by one,"
        f" ${2 * 2 * MONTH * 0.625:.2f} a month more."
    )
    assert sources.TRANSACTIONS in found.sources
    alone = note(write("put"), user=PLAIN)
    assert alone.transaction == "One item: atomic by itself, no transaction needed."
    assert alone.sources == (sources.CONDITIONS,)


# ---- retries and concurrency ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        (write("put"), "Harmless to repeat, unless someone changed the item in between"),
        (write("put", condition="not exists"), "refused by attribute_not_exists: ask for the old item"),
        (write("update", changes=["name"]), "Harmless to repeat: it sets the same values again."),
        (write("update", changes={"visits": {"add": 1}}), "it would add to visits twice. `idempotent: true` sends it"),
        (write("delete"), "Harmless to repeat: what is gone stays gone."),
    ],
)
def test_which_retries_are_harmless(pattern, says):
    assert says in note(pattern, user=PLAIN).idempotency


def test_a_transaction_has_a_token():
    assert note(write("put")).idempotency.startswith(
        "Send the same ClientRequestToken with every attempt: for 10 minutes"
    )


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        (write("put"), "Last writer wins, with the whole item."),
        (write("put", condition="not exists"), "Of two writers with the same key the first wins"),
        (write("update"), "keep a version (SET version = version + 1"),
        (write("update", changes=["name"]), "Last writer wins, attribute by attribute"),
        (write("update", changes=["name"], when="visits < 50"), "The condition is checked with the write itself"),
        (write("update", changes={"visits": {"add": 1}}), "Adding is done by the table"),
    ],
)
def test_two_writers(pattern, says):
    assert says in note(pattern, user=PLAIN).concurrency


def test_a_hot_counter_is_pointed_out():
    hot = write("update", changes=["visits"], rate={"avg": 100, "peak": 800}, skew={"hottest": 1.0})
    assert "the hottest key of table takes 800 units a second, 80% of what it can" in note(hot, user=PLAIN).concurrency
    cold = write("update", changes=["visits"], rate={"avg": 100, "peak": 400}, skew={"hottest": 1.0})
    assert "hottest" not in note(cold, user=PLAIN).concurrency


def test_a_look_up_before_the_write():
    one = {"id": "one", "kind": "get", "entity": "Task", "by": "taskId"}
    move = {"id": "move", "kind": "write", "op": "update", "entity": "Task", "by": "taskId", "changes": ["points"]}
    board_of = {"id": "all", "kind": "query", "entity": "Task", "by": "projectId", "consistency": "strong"}
    found = {each.pattern: each for each in write_notes(board(PUT_TASK, board_of, one, move))}
    assert "looked up" not in found["add"].concurrency
    assert "The key of Task is looked up in gsi1, which lags a moment, before the write" in found["move"].concurrency


# ---- beyond the item ------------------------------------------------------------------------------------------------


def test_nothing_checks_the_parent_and_what_a_check_costs():
    found = note(design=board(PUT_TASK))
    # doubled put: 1 unit more; a check of the project of 500 bytes: 2 units; 1 a second
    assert found.cascade == (
        "Nothing checks that its Project exists. A ConditionCheck in the same transaction would"
        f" (3 units more, ${3 * MONTH * 0.625:.2f} a month)."
    )


def test_a_delete_tells_what_it_reaches():
    drop = {"id": "add", "kind": "write", "op": "delete", "entity": "Project", "by": "projectId"}
    assert note(design=board(drop, holds={"cascade": True})).cascade == (
        "Goes on to about 20 Task items (150 items at most). The parent goes first and they follow, in requests of"
        " their own, until none is left."
    )
    assert note(design=board(drop, holds={"cascade": True, "max": 1001})).cascade.endswith("So many are a job.")
    assert note(design=board(drop, holds={"cascade": True})).transaction.startswith("One item: atomic by itself")
    assert note(design=board(drop, holds={"cascade": None})).cascade.startswith(
        "Reaches about 20 Task items (150 items at most). Usually one transaction (21 actions)"
    )
    assert note(design=board(drop, holds={"cascade": False})).cascade == (
        "Leaves about 20 Task items (150 items at most) that still name it."
    )
    assert note(write("delete"), user=PLAIN).cascade == "Nothing hangs on a User."
