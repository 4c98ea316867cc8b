from __future__ import annotations

import pytest

from tablewright.review.upkeep.relationships import relationship_notes
from tests.review.applications import (
    CASES,
    GET_TASK,
    HOLDS,
    PROJECT,
    PROJECT_WITH_TASKS,
    PUT_TASK,
    TASK,
    app,
    board,
    made,
)

TAG = {"id": ["taskId", "label"], "attributes": {"taskId": "string", "label": "string"}, "count": 6000}


def note(design):
    return relationship_notes(design)[0]


def test_children_in_the_partition_of_their_parent():
    found = note(board(PUT_TASK))
    assert found.relationship == "Project -> Task"
    assert found.held == (
        "Task lies in the same partition as its Project, in the table under PROJECT#{projectId}: one Query reads both."
    )
    assert found.copied == ""
    assert found.in_step == ""


def test_children_listed_by_an_index_are_kept_by_dynamodb():
    by_project = {"id": "of-project", "kind": "query", "entity": "Task", "by": "projectId", "sort": "due", "rate": 1}
    task = {**TASK, "attributes": {**TASK["attributes"], "projectId": {"required": True}}}
    design = app(
        {"Project": PROJECT, "Task": task},
        GET_TASK,
        by_project,
        {"id": "move", "kind": "write", "op": "update", "entity": "Task", "by": "taskId", "changes": ["projectId"]},
        relationships=[{"from": "Project", "to": "Task", "kind": "one-to-many"}],
    )
    found = note(design)
    assert found.held == "Task items of one Project are one Query, on gsi1 under PROJECT#{projectId}."
    assert found.in_step == "DynamoDB keeps gsi1 in step with the table, a moment later."


def test_a_reference_that_nothing_lists():
    design = app(
        {
            "Customer": {"id": "customerId", "attributes": {"customerId": "string"}, "count": 10},
            "Order": {"id": "orderId", "attributes": {"orderId": "string", "customerId": "string"}, "count": 50},
        },
        {"id": "order", "kind": "get", "entity": "Order", "by": "orderId"},
        relationships=[{"from": "Customer", "to": "Order", "kind": "one-to-many"}],
    )
    found = note(design)
    assert found.held.startswith("By reference only: Order.customerId tells the Customer")
    assert "No key finds them: add a pattern on Order by [customerId] before anyone deletes a Customer." in (
        found.on_delete
    )


def test_what_a_delete_goes_on_to():
    found = note(board(PUT_TASK, holds={"cascade": True}))
    # 20 tasks of 1,000 bytes are 20 units
    assert found.on_delete == (
        "Deleting a Project reaches about 20 Task items (150 items at most), 20 write units (twice that in a"
        " transaction). They are found by a Query in the table under PROJECT#{projectId}. The parent goes first and"
        " they follow, in requests of their own, until none is left."
    )


@pytest.mark.parametrize(
    ("holds", "says"),
    [
        ({"cascade": None, "max": 99}, "All fits one transaction: 100 of 100 actions at most."),
        ({"cascade": None, "max": 100}, "Usually one transaction (21 actions), but not for the largest (101)"),
        ({"cascade": None, "avg": 120, "max": 200}, "No transaction holds it (121 actions, 100 are the most)"),
        ({"max": 1001}, "until none is left. So many are a job."),
        ({"cascade": False}, "Deleting a Project leaves about 20 Task items (150 items at most) that still name it"),
        (
            {"cascade": None},
            "Deleting a Project, if its children go too (`cascade` is not said), reaches about 20 Task",
        ),
    ],
)
def test_deletes_by_their_size_and_what_is_said(holds, says):
    assert says in note(board(PUT_TASK, holds={"cascade": True, **holds})).on_delete


def test_a_delete_reaches_what_hangs_on_the_children():
    design = app(
        {"Project": PROJECT, "Task": TASK, "Tag": TAG},
        PROJECT_WITH_TASKS,
        {"id": "tags", "kind": "query", "entity": "Tag", "by": "taskId"},
        relationships=[
            {**HOLDS, "cascade": True},
            {"from": "Task", "to": "Tag", "kind": "one-to-many", "cascade": True},
        ],
    )
    found = note(design)
    # 20 tasks with 3 tags each are 60 tags
    assert "reaches about 20 Task items (150 items at most) and below them 60 Tag items (450 items at most)" in (
        found.on_delete
    )
    assert found.on_delete.endswith("until none is left.")


def test_both_sides_of_a_many_to_many_relationship():
    shop = made(next(each for each in CASES if each.stem == "online-shop"))
    found = {each.relationship: each for each in relationship_notes(shop)}["Order -> Product via OrderItem"]
    assert found.held.startswith("OrderItem lies in the same partition as its Order, in the table under ")
    assert "OrderItem items of one Product are one Query, on gsi" in found.held
    assert found.copied == "OrderItem carries customerId of its Order."
    assert "Whoever changes Order.customerId must write it to about 10 OrderItem items as well" in found.in_step


def test_both_ends_of_a_relationship_of_an_entity_with_itself():
    network = made(next(each for each in CASES if each.stem == "social-network"))
    found = {each.relationship: each for each in relationship_notes(network)}["User -> User via Follow"]
    assert found.held.count("Follow items of one User are one Query, ") == 2
    assert "Follow is written 2 times in the table." in found.copied
    assert found.in_step.startswith("Whoever writes a Follow writes its copies in the same transaction")


def test_an_entity_above_its_own_kind():
    manager = made(next(each for each in CASES if each.stem == "task-manager"))
    found = {each.relationship: each for each in relationship_notes(manager)}["Employee -> Employee"]
    assert "does not say which attribute of Employee tells its Employee" in found.held
    assert found.on_delete.startswith("An Employee can stand above others")


def test_a_relationship_that_no_entity_holds():
    design = app(
        {"A": {"id": "a", "attributes": {"a": "string"}}, "B": {"id": "b", "attributes": {"b": "string"}}},
        {"id": "get", "kind": "get", "entity": "A", "by": "a"},
        relationships=[{"from": "A", "to": "B", "kind": "many-to-many"}],
    )
    assert note(design).held.startswith("By no entity of the spec: add one that names both A and B")


def test_a_changing_attribute_that_children_repeat_must_be_written_to_them():
    owner = {"ownerId": {"type": "string", "required": True}}
    design = board(
        {
            "id": "hand over",
            "kind": "write",
            "op": "update",
            "entity": "Project",
            "by": "projectId",
            "changes": ["ownerId"],
        },
        task={"attributes": {**TASK["attributes"], **owner}},
        entities={"Owner": {"id": "ownerId", "attributes": {"ownerId": "string"}, "count": 10}},
    )
    assert note(design).in_step == (
        "Whoever changes Project.ownerId must write it to about 20 Task items as well, in one transaction or through a"
        " stream."
    )


def test_embedded_children_go_with_their_parent():
    design = app(
        {
            "Order": {"id": "orderId", "attributes": {"orderId": "string"}, "count": 1000},
            "Line": {"id": ["orderId", "line"], "attributes": {"orderId": "string", "line": "string"}, "count": 3000},
        },
        {"id": "lines", "kind": "query", "entity": "Line", "by": "orderId", "rate": 10},
        {"id": "order", "kind": "get", "entity": "Order", "by": "orderId", "rate": 10},
        relationships=[
            {"from": "Order", "to": "Line", "kind": "1:n", "avg": 3, "max": 9, "cascade": True, "integrity": "checked"}
        ],
    )
    found = note(design)
    assert found.held == "Line is embedded: the map Order.lines has an entry for each, at most 9, under its line."
    assert found.on_delete == "Deleting an Order deletes them with it: one action."


def test_a_parent_with_a_compound_id_gives_all_of_it():
    attributes = {"tenantId": "string", "folderId": "string", "documentId": "string"}
    design = app(
        {
            "Folder": {"id": ["tenantId", "folderId"], "attributes": {"tenantId": "string", "folderId": "string"}},
            "Document": {"id": ["tenantId", "documentId"], "attributes": attributes},
        },
        {"id": "list", "kind": "query", "entity": "Document", "by": ["tenantId", "folderId"]},
        relationships=[{"from": "Folder", "to": "Document", "kind": "one-to-many", "by": "folderId"}],
    )
    assert note(design).held.startswith("Document items of one Folder are one Query, in the table under ")


def test_no_more_items_are_reached_than_there_are():
    found = note(board(PUT_TASK, holds={"cascade": True, "max": 1_000_000}))
    assert "about 20 Task items (2,000 items at most)" in found.on_delete
