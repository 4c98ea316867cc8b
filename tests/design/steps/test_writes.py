"""Writes: what every step comes to, what is left out and when, and in which requests it goes."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from tablewright.design.steps.errors import NotFound, WrongValue
from tablewright.design.steps.model import (
    REFUSED,
    Clause,
    Expression,
    Input,
    ItemKeys,
    ItemType,
    Read,
    Request,
    Slot,
    Sum,
    Unchanged,
    Write,
    Writing,
)
from tablewright.design.steps.writes import actions_of, write
from tests.design.steps.memory import stored

Item = dict[str, Any]
NOW = 1000
TASK = ItemType(
    entity="Task",
    table="t",
    id=("id",),
    attributes=("id", "team", "status", "points"),
    fixed={"type": "Task"},
    keys=(
        ItemKeys(needs=("id",), fields={"pk": ("T#", Slot("id")), "sk": "T"}),
        ItemKeys(index="gsi1", needs=("team",), fields={"gsi1pk": ("TEAM#", Slot("team"))}, when={"status": "open"}),
    ),
)
NOTE = ItemType(
    entity="Note",
    table="t",
    id=("noteId",),
    attributes=("noteId", "id"),
    keys=(ItemKeys(needs=("id", "noteId"), fields={"pk": ("T#", Slot("id")), "sk": ("N#", Slot("noteId"))}),),
)
STORED = stored(Task=TASK, Note=NOTE)
KEY = {"pk": ("T#", Slot("id")), "sk": "T"}
EXISTS = Expression("attribute_exists(#pk)", {"#pk": "pk"})
GET = Read(operation="GetItem", table="t", key=KEY, entities=("Task",))
PUT = Write(operation="PutItem", item="Task", table="t", key=KEY, all_attributes=True)
PLAIN_PUT = Writing(op="put", entities=("Task",), inputs=("id", "points"), writes=(PUT,))
DELETE = Write(operation="DeleteItem", item="Task", table="t", key=KEY)


def clause(name: str, value: Any, mark: str, **more: Any) -> Clause:
    path = Expression(f"#{name}", {f"#{name}": name})
    return Clause(action="SET", path=path, placeholder=mark, value=value, **more)


UPDATE = Write(
    operation="UpdateItem",
    item="Task",
    table="t",
    key=KEY,
    changes=(
        clause("team", Slot("team"), ":v0"),
        clause("status", Slot("status"), ":v1"),
        clause("gsi1pk", ("TEAM#", Slot("team")), ":v2", key_field="gsi1pk"),
    ),
    condition=EXISTS,
)
CHANGE = Writing(
    op="update", entities=("Task",), inputs=("id", "team", "status"), reads=(GET,), seen=("Task",), writes=(UPDATE,)
)
OLD = {"id": "1", "team": "a", "status": "open", "points": 3}


def one(pattern: Writing, inputs: Item, old: Item) -> Item:
    (action,) = actions_of(STORED, pattern, inputs, {"Task": old} if old else {}, NOW)
    return dict(action.params)


# ---- updates --------------------------------------------------------------------------------------------------------


def test_an_update_sets_what_is_given_and_the_keys_that_follow() -> None:
    assert one(CHANGE, {"id": "1", "team": "b"}, OLD) == {
        "TableName": "t",
        "Key": {"pk": "T#1", "sk": "T"},
        "UpdateExpression": "SET #team = :v0, #gsi1pk = :v2",
        "ConditionExpression": "attribute_exists(#pk)",
        "ExpressionAttributeNames": {"#team": "team", "#gsi1pk": "gsi1pk", "#pk": "pk"},
        "ExpressionAttributeValues": {":v0": "b", ":v2": "TEAM#b"},
    }


@pytest.mark.parametrize(
    ("given", "old", "text"),
    [
        ({"team": None}, OLD, "REMOVE #team, #gsi1pk"),
        ({"status": "done"}, OLD, "SET #status = :v1 REMOVE #gsi1pk"),
        ({"team": "b"}, {**OLD, "status": "done"}, "SET #team = :v0 REMOVE #gsi1pk"),
        ({"status": "open"}, {"id": "1", "status": "done"}, "SET #status = :v1 REMOVE #gsi1pk"),
        ({"status": "open"}, {**OLD, "status": "done"}, "SET #status = :v1, #gsi1pk = :v2"),
        ({"team": "b", "status": "open"}, {}, "SET #team = :v0, #status = :v1, #gsi1pk = :v2"),
    ],
)
def test_an_item_enters_and_leaves_an_index(given: Item, old: Item, text: str) -> None:
    assert one(CHANGE, {"id": "1", **given}, old)["UpdateExpression"] == text


def test_amounts_and_entries_of_maps() -> None:
    entry = Expression("#notes.#noteId", {"#notes": "notes", "#noteId": Slot("noteId")})
    total = Expression("#total", {"#total": "total"})
    changes = (
        Clause(action="SET", path=entry, placeholder=":v0", value=Slot("*")),
        Clause(action="REMOVE", path=Expression("#old", {"#old": "old"})),
        Clause(action="ADD", path=total, placeholder=":v1", value=Sum(((1, Slot("points")), (-1, Slot("old.points"))))),
    )
    step = replace(UPDATE, changes=changes, condition=None)
    pattern = replace(CHANGE, inputs=("id", "points", Input("noteId")), writes=(step,))
    found = one(pattern, {"id": "1", "points": 5, "noteId": "n7"}, OLD)
    assert found["UpdateExpression"] == "SET #notes.#noteId = :v0 REMOVE #old ADD #total :v1"
    assert found["ExpressionAttributeNames"]["#noteId"] == "n7"
    assert found["ExpressionAttributeValues"] == {":v0": {**OLD, "points": 5}, ":v1": 2}
    assert one(pattern, {"id": "1", "noteId": "n7"}, {"id": "1"})["ExpressionAttributeValues"][":v1"] == 0


def added(name: str, *terms: Any) -> Clause:
    path = Expression(f"#{name}", {f"#{name}": name})
    return Clause(action="ADD", path=path, placeholder=":v9", value=Sum(terms))


KEYED = replace(
    STORED.types["Task"],
    keys=(
        *TASK.keys[:1],
        ItemKeys(index="gsi1", needs=("team",), fields={"gsi1pk": ("P#", Slot("points"), "#", Slot("id"))}),
    ),
)


def test_a_key_follows_constants_and_what_is_added_to_the_value_that_was_read() -> None:
    key = clause("gsi1pk", ("S#", Slot("new.status"), "#", Slot("new.points")), ":v2", key_field="gsi1pk")
    step = replace(UPDATE, changes=(clause("status", "done", ":v1"), added("points", (1, Slot("more"))), key))
    becomes = {"Task": {"status": "done", "points": Sum(((1, Slot("more")),))}}
    pattern = replace(CHANGE, inputs=("id", Input("more")), writes=(step,), becomes=becomes)
    free = stored(Task=KEYED, Note=NOTE)
    (action,) = actions_of(free, pattern, {"id": "1", "more": 2}, {"Task": OLD}, NOW)
    assert action.params["UpdateExpression"] == "SET #status = :v1, #gsi1pk = :v2 ADD #points :v9"
    assert action.params["ExpressionAttributeValues"] == {
        ":v1": "done",
        ":v2": "S#done#1" + "5000000".zfill(26),
        ":v9": 2,
    }


def test_an_attribute_that_is_removed_takes_its_item_out_of_the_index() -> None:
    gone = Clause(action="REMOVE", path=Expression("#team", {"#team": "team"}))
    step = replace(UPDATE, changes=(gone, UPDATE.changes[2]))
    pattern = replace(CHANGE, inputs=("id",), writes=(step,), becomes={"Task": {"team": None}})
    assert one(pattern, {"id": "1"}, OLD)["UpdateExpression"] == "REMOVE #team, #gsi1pk"


def test_what_is_added_to_in_a_put_is_the_value_itself() -> None:
    pattern = replace(PLAIN_PUT, becomes={"Task": {"points": Sum(((1, Slot("points")), (1, 1)))}})
    assert one(pattern, {"id": "1", "points": 4}, {})["Item"]["points"] == 5


def test_what_a_set_assigns_may_be_more_than_its_value() -> None:
    path = Expression("#notes.#noteId", {"#notes": "notes", "#noteId": Slot("noteId")}, {":v1": 0})
    more = Clause(
        action="SET",
        path=path,
        placeholder=":v0",
        value=Sum(((-1, Slot("taken")),)),
        assigned="if_not_exists(#notes.#noteId, :v1) + :v0",
    )
    step = replace(UPDATE, changes=(more,), condition=None)
    pattern = replace(CHANGE, inputs=("id", Input("noteId"), Input("taken")), reads=(), writes=(step,))
    found = one(pattern, {"id": "1", "noteId": "n7", "taken": 2.5}, {})
    assert found["UpdateExpression"] == "SET #notes.#noteId = if_not_exists(#notes.#noteId, :v1) + :v0"
    assert found["ExpressionAttributeValues"] == {":v1": 0, ":v0": Decimal("-2.5")}


def test_refused_unless_attributes_are_as_they_were_read() -> None:
    step = replace(DELETE, unchanged=(Unchanged("team", "#team", ":v0"), Unchanged("points", "#points", ":v1")))
    pattern = replace(CHANGE, writes=(replace(step, condition=EXISTS),))
    found = one(pattern, {"id": "1"}, {"id": "1", "points": 3})
    assert found["ConditionExpression"] == ("attribute_exists(#pk) AND attribute_not_exists(#team) AND #points = :v1")
    assert found["ExpressionAttributeValues"] == {":v1": 3}


# ---- what is left out -----------------------------------------------------------------------------------------------


def test_left_out_when_what_it_is_about_stays_the_same() -> None:
    pattern = replace(CHANGE, writes=(replace(UPDATE, unless_same=("team", "status")),))
    for given, count in (({"team": "a"}, 0), ({"team": "b"}, 1), ({"status": None}, 1), ({}, 0)):
        assert len(actions_of(STORED, pattern, {"id": "1", **given}, {"Task": OLD}, NOW)) == count


def test_left_out_when_its_key_lacks_a_value() -> None:
    by_team = replace(PUT, key={"pk": ("TEAM#", Slot("team")), "sk": ("T#", Slot("id"))})
    pattern = replace(CHANGE, op="put", writes=(by_team,))
    assert actions_of(STORED, pattern, {"id": "1"}, {}, NOW) == []
    assert len(actions_of(STORED, pattern, {"id": "1", "team": "a"}, {}, NOW)) == 1


def test_where_nothing_was_nothing_old_is_deleted() -> None:
    gone = replace(DELETE, key={"pk": ("TEAM#", Slot("old.team")), "sk": "T"})
    pattern = replace(CHANGE, op="put", writes=(gone,))
    assert actions_of(STORED, pattern, {"id": "1", "team": "a"}, {}, NOW) == []
    (action,) = actions_of(STORED, pattern, {"id": "1", "team": "b"}, {"Task": OLD}, NOW)
    assert action.params["Key"]["pk"] == "TEAM#a"


def test_a_delete_of_what_is_put_is_part_of_the_put() -> None:
    pattern = replace(CHANGE, writes=(replace(DELETE, condition=EXISTS), PUT), transaction=True)
    (action,) = actions_of(STORED, pattern, {"id": "1", "team": "b"}, {"Task": OLD}, NOW)
    assert action.operation == "PutItem"
    assert action.params["ConditionExpression"] == "attribute_exists(#pk)"
    assert action.params["Item"]["gsi1pk"] == "TEAM#b"
    assert action.params["Item"]["points"] == 3


def test_a_put_keeps_nothing_of_what_was_there() -> None:
    pattern = replace(CHANGE, op="put", writes=(PUT,))
    item = one(pattern, {"id": "1", "team": "b"}, OLD)["Item"]
    assert item == {"id": "1", "team": "b", "type": "Task", "pk": "T#1", "sk": "T"}


def test_elements_of_a_list_and_inputs_of_other_entities() -> None:
    note = Write(
        operation="PutItem",
        item="Note",
        table="t",
        key={"pk": ("T#", Slot("id")), "sk": ("N#", Slot("noteId"))},
        all_attributes=True,
        each="notes",
    )
    inputs = ("id", Input("team", "team", "Task"), Input("notes", None, "Note"))
    pattern = Writing(op="transact", entities=("Task", "Note"), inputs=inputs, writes=(PUT, note), transaction=True)
    given = {"id": "1", "team": "a", "notes": [{"noteId": "x"}, {"noteId": "y"}]}
    task, first, second = actions_of(STORED, pattern, given, {}, NOW)
    assert "notes" not in task.params["Item"]
    assert first.params["Item"] == {"noteId": "x", "id": "1", "pk": "T#1", "sk": "N#x"}
    assert second.key == ("t", "T#1", "N#y")
    assert second.step is note


# ---- requests -------------------------------------------------------------------------------------------------------


def requests_of(pattern: Writing, inputs: Item, *replies: Item) -> list[Request]:
    """All that are sent, each alone; those behind the replies find nothing."""
    flow = write(STORED, "change", pattern, inputs, NOW)
    found: list[Request] = []
    waiting = list(replies)
    try:
        (request,) = next(flow)
        while True:
            found.append(request)
            (request,) = flow.send([waiting.pop(0) if waiting else {}])
    except StopIteration:
        return found


def test_reads_come_first_and_what_is_not_there_is_not_changed() -> None:
    sent = requests_of(CHANGE, {"id": "1", "team": "b"}, {"Item": OLD})
    assert [each.action for each in sent] == ["GetItem", "UpdateItem"]
    with pytest.raises(NotFound, match="change: there is no such item"):
        requests_of(CHANGE, {"id": "1", "team": "b"})
    put = replace(CHANGE, op="put", writes=(PUT,))
    assert [each.action for each in requests_of(put, {"id": "1"})] == ["GetItem", "PutItem"]


def test_several_steps_are_one_transaction() -> None:
    pattern = replace(CHANGE, writes=(UPDATE, replace(DELETE, operation="ConditionCheck")), transaction=True)
    _, request = requests_of(pattern, {"id": "1", "team": "b"}, {"Item": OLD})
    assert request.action == "TransactWriteItems"
    assert [list(each) for each in request.params["TransactItems"]] == [["Update"], ["ConditionCheck"]]
    left_out = replace(pattern, writes=(replace(UPDATE, unless_same=("team",)),))
    assert len(requests_of(left_out, {"id": "1", "team": "a"}, {"Item": OLD})) == 1


def test_steps_are_done_for_every_item_found() -> None:
    condition = Expression("#pk = :v0", {"#pk": "pk"}, {":v0": ("TEAM#", Slot("team"))})
    listed = Read(operation="Query", table="t", condition=condition, entities=("Task",))
    pattern = Writing(op="delete", entities=("Task",), inputs=("team",), reads=(listed,), writes=(DELETE,))
    items = [{**OLD, "id": name, "pk": f"T#{name}", "sk": "T"} for name in ("1", "2")]
    sent = requests_of(pattern, {"team": "a"}, {"Items": items})
    assert [each.params.get("Key") for each in sent] == [None, {"pk": "T#1", "sk": "T"}, {"pk": "T#2", "sk": "T"}]


def test_an_idempotent_write_is_a_transaction_with_the_callers_token() -> None:
    pattern = Writing(op="put", entities=("Task",), inputs=("id",), writes=(PUT,), transaction=True, idempotent=True)
    (request,) = requests_of(pattern, {"id": "1", "request_token": "abc"})
    assert request.action == "TransactWriteItems"
    assert request.params["ClientRequestToken"] == "abc"


def requests_answered(pattern: Writing, inputs: Item, *replies: Item) -> tuple[list[Request], bool]:
    """What is sent when these are the replies, and whether it came to its end."""
    flow = write(STORED, "change", pattern, inputs, NOW)
    sent: list[Request] = [*next(flow)]
    for reply in replies:
        try:
            sent += flow.send([reply])
        except StopIteration:
            return sent, True
    return sent, False


TAKE = replace(
    CHANGE,
    writes=(replace(UPDATE, changes=(clause("gsi1pk", ("N#", Slot("new.points")), ":v2", key_field="gsi1pk"),)),),
    becomes={"Task": {"points": Sum(((-1, Slot("qty")),))}},
    transaction=True,
    idempotent=True,
)
TOO_MUCH = {"id": "1", "qty": 10**30, "request_token": "abc"}
NEVER = "attribute_exists(#pk) AND attribute_not_exists(#pk)"


@pytest.mark.parametrize("found", [{}, {"Item": {**OLD, "type": "Task"}}], ids=["gone", "no longer enough"])
def test_what_cannot_be_done_again_asks_whether_its_token_has_done_it(found: Item) -> None:
    (_, asked), is_done = requests_answered(TAKE, TOO_MUCH, found, {})
    assert is_done
    assert asked.may_fail
    assert asked.params["ClientRequestToken"] == "abc"
    (action,) = asked.params["TransactItems"]
    assert action["Update"]["ConditionExpression"] == NEVER
    assert action["Update"]["Key"] == {"pk": "T#1", "sk": "T"}


def test_what_no_token_has_done_is_refused_as_ever() -> None:
    with pytest.raises(NotFound):
        requests_answered(TAKE, TOO_MUCH, {}, REFUSED)
    with pytest.raises(WrongValue):
        requests_answered(TAKE, TOO_MUCH, {"Item": {**OLD, "type": "Task"}}, REFUSED)


def test_what_may_be_missing_is_taken_as_nothing() -> None:
    more = replace(UPDATE, changes=(added("points", (1, 1)), clause("team", Slot("new.points"), ":v0")))
    pattern = replace(CHANGE, reads=(replace(GET, optional=True),), writes=(more,))
    pattern = replace(pattern, becomes={"Task": {"points": Sum(((1, 1),))}})
    _, request = requests_of(pattern, {"id": "1"})
    assert request.params["ExpressionAttributeValues"] == {":v0": 1, ":v9": 1}


# ---- parents --------------------------------------------------------------------------------------------------------

NOTE_PUT = Write(
    operation="PutItem",
    item="Note",
    table="t",
    key={"pk": ("T#", Slot("id")), "sk": ("N#", Slot("noteId"))},
    all_attributes=True,
)
CHECK = Write(
    operation="ConditionCheck",
    item="Task",
    table="t",
    key={"pk": ("T#", Slot("about")), "sk": "T"},
    condition=EXISTS,
    names_of="Note",
)


def test_a_parent_is_checked_by_what_its_child_says_once_for_all_children() -> None:
    inputs = ("id", Input("notes", None, "Note"))
    writes = (replace(NOTE_PUT, each="notes"), replace(CHECK, each="notes"))
    pattern = Writing(op="transact", entities=("Note",), inputs=inputs, writes=writes, transaction=True)
    notes = [{"noteId": "x", "about": "7"}, {"noteId": "y", "about": "7"}, {"noteId": "z"}]
    *puts, check = actions_of(STORED, pattern, {"id": "1", "notes": notes}, {}, NOW)
    assert [each.operation for each in puts] == ["PutItem"] * 3
    assert check.params["Key"] == {"pk": "T#7", "sk": "T"}


def test_a_parent_that_is_written_is_not_checked_as_well() -> None:
    inputs = ("id", "noteId", Input("about", "about", "Note"))
    writes = (PUT, NOTE_PUT, CHECK)
    pattern = Writing(op="transact", entities=("Task", "Note"), inputs=inputs, writes=writes, transaction=True)
    for about, count in (("1", 2), ("2", 3)):
        assert len(actions_of(STORED, pattern, {"id": "1", "noteId": "x", "about": about}, {}, NOW)) == count
