"""What a write says of each of its entities, with every short form written out."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.spec.facts import assume
from tablewright.spec.model import Change
from tablewright.spec.read import read_spec
from tablewright.spec.writes import Effect, Parent, effects_of, slots_of, unread_of

ENTITIES: dict[str, Any] = {
    "User": {"id": "userId", "attributes": {"name": {}}},
    "Post": {"id": "postId", "attributes": {"authorId": {}, "likes": "number", "status": {}}},
    "Like": {"id": ["postId", "userId"], "attributes": {"at": "timestamp"}},
    "Order": {"id": "orderId", "attributes": {"status": {"values": ["open", "paid"]}, "total": "number"}},
    "Line": {"id": ["orderId", "lineNo"], "attributes": {"sku": {}, "qty": "number"}},
    "Stock": {"id": "sku", "attributes": {"available": "number", "status": {}}, "version": True},
    "Folder": {"id": "folderId", "attributes": {"inside": {"references": "Folder"}, "title": {}}},
}
RELATIONSHIPS = [
    {"from": "User", "to": "Post", "kind": "1:n", "by": "authorId", "integrity": "checked"},
    {"from": "Post", "to": "Like", "kind": "1:n"},
    {"from": "Order", "to": "Line", "kind": "1:n"},
]


def effects(**pattern: Any) -> dict[str, Effect]:
    write = {"id": "AP1", "kind": "write", **pattern}
    spec = {"name": "app", "entities": ENTITIES, "relationships": RELATIONSHIPS, "access_patterns": [write]}
    facts = assume(read_spec(spec))
    return {each.entity: each for each in effects_of(facts, facts.spec.patterns[0])}


def on(op: str, entity: str, **pattern: Any) -> Effect:
    return effects(op=op, entity=entity, by=ENTITIES[entity]["id"], **pattern)[entity]


# ---- one entity -----------------------------------------------------------------------------------------------------


def test_a_put_replaces_whatever_its_description_says() -> None:
    assert on("put", "User", description="create a user").existence == "any"
    assert on("put", "User", condition="not exists").existence == "new"


def test_an_update_needs_its_item_unless_it_may_make_it() -> None:
    assert on("update", "User").existence == "there"
    assert on("update", "User", upsert=True, changes=["name"]).existence == "any"


def test_an_update_that_says_nothing_may_change_what_may_change() -> None:
    found = on("update", "Stock")
    assert (found.changes, found.gives_any, found.version) == (
        (Change("available"), Change("status")),
        True,
        "version",
    )


def test_conditions_in_words_and_as_conditions_hold_together() -> None:
    found = on("update", "Order", when="total > 0", condition="status is open", changes=["total"])
    assert str(found.when) == "total > 0 AND status = 'open'"


def test_a_delete_needs_nothing_unless_that_is_said() -> None:
    assert on("delete", "User").existence == "any"
    assert on("delete", "User", condition="exists").existence == "there"


# ---- parents --------------------------------------------------------------------------------------------------------


def test_a_relationship_that_is_checked_demands_the_parent() -> None:
    assert on("put", "Post").parents == (Parent("User", (("userId", "authorId"),)),)
    assert on("delete", "Post").parents == ()


@pytest.mark.parametrize(
    ("changes", "demanded"),
    [
        (["authorId"], True),
        (["status"], False),
        ({"authorId": {"remove": True}}, False),
        (None, True),  # whatever the caller brings
    ],
)
def test_an_update_demands_a_checked_parent_only_where_it_may_name_another(changes: Any, demanded: bool) -> None:
    said = {} if changes is None else {"changes": changes}
    assert bool(on("update", "Post", **said).parents) == demanded


def test_an_update_that_may_make_an_item_demands_the_parents_that_it_names() -> None:
    ware = {"id": ["shopId", "wareId"], "attributes": {"price": "number"}}
    spec = {
        "name": "app",
        "entities": {"Shop": {"id": "shopId"}, "Ware": ware},
        "relationships": [{"from": "Shop", "to": "Ware", "kind": "1:n", "integrity": "checked"}],
        "access_patterns": [
            {"id": id_, "kind": "write", "op": "update", "entity": "Ware", "by": ["shopId", "wareId"], **more}
            for id_, more in (
                ("make", {"changes": ["price"], "upsert": True}),
                ("change", {"changes": ["price"]}),
            )
        ],
    }
    facts = assume(read_spec(spec))
    found = {each.id: effects_of(facts, each)[0].parents for each in facts.spec.patterns}
    assert found == {"make": (Parent("Shop", (("shopId", "shopId"),)),), "change": ()}


@pytest.mark.parametrize("words", ["PARENT exists", "Post exists and User exists"])
def test_words_demand_parents(words: str) -> None:
    found = on("put", "Like", condition=words)
    assert set(found.parents) == {Parent("Post", (("postId", "postId"),)), Parent("User", (("userId", "userId"),))}


def test_an_item_may_need_another_one_of_its_own_entity() -> None:
    assert on("put", "Folder", condition="PARENT exists").parents == (Parent("Folder", (("folderId", "inside"),)),)


@pytest.mark.parametrize(
    ("op", "words"), [("put", "Order exists"), ("delete", "PARENT exists"), ("put", "Stock exists and Post exists")]
)
def test_a_parent_that_nothing_names_is_not_read(op: str, words: str) -> None:
    found = on(op, "Like", condition=words)
    assert (found.unread, found.parents) == (words, ())


def test_a_parent_that_the_same_write_puts_is_not_demanded() -> None:
    found = effects(op="transact", ops={"Order": "put", "Line": "put"}, by="orderId", condition="not exists")
    assert {name: (each.existence, each.is_list, each.parents) for name, each in found.items()} == {
        "Order": ("new", False, ()),
        "Line": ("new", True, ()),
    }


# ---- transactions ---------------------------------------------------------------------------------------------------

LIKE = {"op": "transact", "ops": {"Like": "put", "Post": "update"}, "by": ["postId", "userId"]}


def test_not_exists_holds_for_what_is_put_and_changes_for_what_is_updated() -> None:
    found = effects(**LIKE, changes={"likes": {"add": 1}}, condition="not exists")
    assert (found["Like"].existence, found["Post"].existence) == ("new", "there")
    assert found["Post"].changes == (Change("likes", "add", 1),)
    assert found["Like"].changes == ()


def test_each_entity_may_say_it_by_itself() -> None:
    ops = {
        "Order": {"op": "put", "condition": "not exists"},
        "Stock": {
            "op": "update",
            "by": "sku",
            "changes": {"available": {"add": "-{qty}"}},
            "when": "available >= {qty}",
        },
    }
    found = effects(op="transact", ops=ops, by=["orderId", "sku"])
    assert found["Order"].existence == "new"
    assert str(found["Stock"].when) == "available >= {qty}"
    assert found["Stock"].by == ("sku",)
    assert slots_of(found.values()) == {"qty": ("Stock", "available")}


def test_parts_of_a_condition_go_to_the_entities_that_they_are_about() -> None:
    found = effects(
        op="transact",
        ops={"Order": "update", "Stock": "update"},
        by=["orderId", "sku"],
        changes=["total", "available"],
        when="available >= {qty} AND Order.status = 'open' AND (total > 3 OR total = 0)",
    )
    assert str(found["Order"].when) == "status = 'open' AND (total > 3 OR total = 0)"
    assert str(found["Stock"].when) == "available >= {qty}"


def test_what_nobody_can_read_is_kept() -> None:
    write = {"id": "AP1", "kind": "write", **LIKE, "condition": "not liked before"}
    facts = assume(read_spec({"name": "app", "entities": ENTITIES, "access_patterns": [write]}))
    assert unread_of(facts, facts.spec.patterns[0]) == ("not liked before",)
