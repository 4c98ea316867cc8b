"""What a transaction does to each of its entities."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.spec.facts import Facts, assume, operation_in
from tablewright.spec.read import SpecFaults, read_spec

ENTITIES: dict[str, Any] = {
    "Post": {"id": ["postId"], "attributes": {"postId": "string", "likes": "number"}},
    "Like": {"id": ["postId", "userId"], "attributes": {"postId": "string", "userId": "string"}},
    "Order": {"id": ["orderId"], "attributes": {"orderId": "string", "total": "number"}},
    "Line": {"id": ["orderId", "productId"], "attributes": {"orderId": "string", "productId": "string"}},
    "Account": {"id": ["accountId"], "attributes": {"accountId": "string", "balance": "number"}},
    "Booking": {"id": ["bookingId"], "attributes": {"bookingId": "string", "accountId": "string"}},
}


def operations(pattern: dict[str, Any], *others: dict[str, Any]) -> dict[str, str]:
    facts = assume(
        read_spec({"name": "app", "entities": ENTITIES, "access_patterns": [{"kind": "write", **pattern}, *others]})
    )
    first = facts.spec.patterns[0]
    return {name: operation_in(facts.spec, facts.references, first, name) for name in first.entities}


LIKE = {"id": "like", "op": "transact", "entities": ["Like", "Post"], "by": ["postId", "userId"]}


def test_a_child_named_by_its_whole_id_changes_its_parent() -> None:
    assert operations(LIKE) == {"Like": "put", "Post": "update"}


def test_a_reference_makes_a_parent_as_well() -> None:
    booking = {"id": "book", "op": "transact", "entities": ["Account", "Booking"], "by": ["accountId", "bookingId"]}
    assert operations(booking) == {"Account": "update", "Booking": "put"}


def test_a_parent_with_any_number_of_children_is_new() -> None:
    order = {"id": "order", "op": "transact", "entities": ["Order", "Line"], "by": ["orderId"]}
    assert operations(order) == {"Order": "put", "Line": "put"}


def test_what_another_write_puts_is_there_already() -> None:
    put = {"id": "sell", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId"]}
    order = {"id": "change", "op": "transact", "entities": ["Order", "Line"], "by": ["orderId"]}
    assert operations(order, put) == {"Order": "update", "Line": "put"}


def test_a_transaction_can_say_it() -> None:
    said = {**LIKE, "id": "unlike", "ops": {"Like": "remove", "Post": "update"}}
    assert operations(said) == {"Like": "delete", "Post": "update"}


def test_what_is_changed_by_all_transactions_is_put_by_someone() -> None:
    spec = {"name": "app", "entities": ENTITIES, "access_patterns": [{"kind": "write", **LIKE}]}
    assert "put Post" in [each.id for each in assume(read_spec(spec)).implied]


@pytest.mark.parametrize(("ops", "fault"), [({"Like": "burn"}, "ops.Like"), ({"Like": "transact"}, "ops.Like")])
def test_an_unknown_operation_is_named(ops: dict[str, str], fault: str) -> None:
    with pytest.raises(SpecFaults, match=fault):
        operations({**LIKE, "ops": ops})


# ---- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "name", "title"),
    [
        ("shop", "shop", ""),
        ("Online shop", "online-shop", "Online shop"),
        ("é", "application", "é"),
        ("ab", "ab-", "ab"),
    ],
)
def test_a_name_becomes_one_that_a_table_may_have(given: str, name: str, title: str) -> None:
    spec = read_spec({"name": given, "entities": ENTITIES, "access_patterns": [{"kind": "write", **LIKE}]})
    assert (spec.name, spec.title) == (name, title)


def test_attributes_may_not_be_called_like_key_fields() -> None:
    entities = {"Thing": {"id": ["pk"], "attributes": {"pk": "string", "gsi12sk": "string", "pkx": "string"}}}
    read = {"id": "AP1", "kind": "get", "entity": "Thing", "by": ["pk"]}
    with pytest.raises(SpecFaults) as caught:
        read_spec({"name": "app", "entities": entities, "access_patterns": [read]})
    assert caught.value.message.count("key field of its own") == 2


def test_an_input_is_no_filter_as_well() -> None:
    read = {"id": "AP1", "kind": "query", "entity": "Order", "by": ["total"], "filter": {"total": 5}}
    with pytest.raises(SpecFaults, match="leave it out of `by`"):
        read_spec({"name": "app", "entities": ENTITIES, "access_patterns": [read]})


# ---- what may change ------------------------------------------------------------------------------------------------

TASK: dict[str, Any] = {
    "id": ["taskId"],
    "attributes": {
        "title": {"required": True},
        "status": "string",
        "createdAt": {"type": "timestamp", "immutable": True},
    },
}
CREATE = {"id": "make", "kind": "write", "op": "put", "entity": "Task", "by": ["taskId"], "condition": "not exists"}
REPLACE = {"id": "save", "kind": "write", "op": "put", "entity": "Task", "by": ["taskId"]}
CLOSE = {"id": "close", "kind": "write", "op": "update", "entity": "Task", "by": ["taskId"], "changes": ["status"]}
EDIT = {"id": "edit", "kind": "write", "op": "update", "entity": "Task", "by": ["taskId"]}
READ = {"id": "read", "kind": "get", "entity": "Task", "by": ["taskId"]}


def task_facts(*patterns: dict[str, Any], **said: Any) -> Facts:
    return assume(read_spec({"name": "app", "entities": {"Task": {**TASK, **said}}, "access_patterns": [*patterns]}))


@pytest.mark.parametrize(
    ("patterns", "changing"),
    [
        ((CREATE,), set[str]()),
        ((CREATE, CLOSE), {"status"}),
        ((CREATE, EDIT), {"title", "status"}),
        ((REPLACE,), {"title", "status"}),
        ((CREATE, REPLACE), {"title", "status"}),
        ((CLOSE,), {"title", "status"}),  # somebody puts tasks, and nobody says that these are new
        ((READ,), {"title", "status"}),
        (({**CREATE, "condition": "", "description": "create a task"},), {"title", "status"}),
    ],
)
def test_what_may_change_follows_from_updates_and_from_puts_that_replace(
    patterns: tuple[dict[str, Any], ...], changing: set[str]
) -> None:
    assert task_facts(*patterns).changing["Task"] == changing


def test_only_the_id_and_what_is_immutable_is_fixed() -> None:
    assert task_facts(CREATE).fixed["Task"] == {"taskId", "createdAt"}


def test_a_version_changes_with_every_write() -> None:
    assert task_facts(CREATE, version=True).changing["Task"] == {"version"}


def test_a_transaction_says_for_each_entity_what_it_changes() -> None:
    ops = {"Post": {"op": "update", "changes": {"likes": {"add": 1}}}, "Like": {"op": "put", "condition": "not exists"}}
    puts = [
        {**CREATE, "id": f"put {name}", "entity": name, "by": ENTITIES[name]["id"]}
        for name in ("Post", "Order", "Line", "Account", "Booking")
    ]
    like = {"kind": "write", **LIKE, "ops": ops}
    facts = assume(read_spec({"name": "app", "entities": ENTITIES, "access_patterns": [like, *puts]}))
    assert facts.changing["Post"] == {"likes"}
    assert facts.changing["Like"] == set()


def test_an_attribute_that_not_every_item_has_is_not_present() -> None:
    entities = {**ENTITIES, "Note": {"id": "noteId", "attributes": {"postId": {"presence": "60%"}, "text": {}}}}
    note = {"id": "note", "kind": "write", "op": "put", "entity": "Note", "by": ["noteId"]}
    facts = assume(read_spec({"name": "app", "entities": entities, "access_patterns": [note]}))
    assert facts.references["Note"] == {"postId": "Post"}
    assert facts.present["Note"] == {"noteId"}


def test_an_attribute_may_say_what_it_refers_to() -> None:
    entities = {**ENTITIES, "Note": {"id": "noteId", "attributes": {"about": {"references": "Post"}}}}
    note = {"id": "note", "kind": "write", "op": "put", "entity": "Note", "by": ["noteId"]}
    facts = assume(read_spec({"name": "app", "entities": entities, "access_patterns": [note]}))
    assert facts.references["Note"] == {"about": "Post"}


def test_what_an_upsert_does_not_give_may_be_absent() -> None:
    put = {**REPLACE, "by": ["taskId", "status", "title"]}
    upsert = {**EDIT, "upsert": True, "changes": ["title"]}
    assert task_facts(put).present["Task"] == {"taskId", "title", "status"}
    assert task_facts(put, upsert).present["Task"] == {"taskId", "title"}
