"""Items and copies whose keys hold what changes: they move, in one transaction, and nothing is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from tablewright.architect.assembly.writes.steps import write_steps
from tablewright.architect.designer import design
from tablewright.design.model import ItemKeys
from tablewright.design.values.templates import KeyTemplate, Template
from tablewright.proof.run import facts_of, prove

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemType, PatternDesign

SPEC: dict[str, Any] = {
    "name": "shop",
    "entities": {
        "Order": {
            "id": ["orderId"],
            "attributes": {
                "orderId": "string",
                "status": {"type": "string", "required": True, "cardinality": 5},
                "note": "string",
            },
        }
    },
    "access_patterns": [
        {"id": "of-status", "kind": "query", "entity": "Order", "by": ["status"]},
        {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId"]},
        {"id": "annotate", "kind": "write", "op": "update", "entity": "Order", "by": ["orderId"], "changes": ["note"]},
        {"id": "drop", "kind": "write", "op": "delete", "entity": "Order", "by": ["orderId"]},
    ],
    "constraints": {"key_style": "plain"},
}
PAY = {"id": "pay", "kind": "write", "op": "update", "entity": "Order", "by": ["orderId"], "changes": ["status"]}
BY_STATUS = ItemKeys(
    partition=("status",),
    rest=("orderId",),
    pk=(KeyTemplate("pk", Template.parse("STATUS#{status}")),),
    sk=(KeyTemplate("sk", Template.parse("ORDER#{orderId}")),),
)


def rekeyed(spec: dict[str, Any], items: tuple[ItemType, ...]) -> Design:
    """A design with other item types, its requests made for these."""
    made = design(spec, aim="cost")
    facts = facts_of(made)
    meant = {each.id: each for each in facts.writes}

    def change(pattern: PatternDesign) -> PatternDesign:
        if pattern.kind != "write":
            read = tuple(each.name for each in items if BY_STATUS in each.keys)
            steps = (replace(each, index=None, pk=BY_STATUS.pk, sk=(), items=read) for each in pattern.reads)
            return replace(pattern, reads=tuple(steps))
        found = write_steps(facts, meant[pattern.id], items, {})
        return replace(pattern, reads=found.reads, writes=found.writes, transaction=found.transaction)

    table = replace(made.tables[0], gsis=())
    return replace(made, tables=(table,), items=items, patterns=tuple(map(change, made.patterns)))


def pattern(made: Design, id_: str) -> PatternDesign:
    return next(each for each in made.patterns if each.id == id_)


class TestItems:
    """The status in the table key, and a pointer by the id that says where the order is."""

    @pytest.fixture
    def made(self) -> Design:
        return design({**SPEC, "access_patterns": [*SPEC["access_patterns"], PAY]}, aim="gsis")

    def test_a_move_is_a_delete_and_a_put(self, made: Design):
        found = pattern(made, "pay")
        assert [each.operation for each in found.reads] == ["GetItem", "GetItem"]
        assert [each.operation for each in found.writes] == ["DeleteItem", "PutItem", "UpdateItem"]
        assert found.transaction
        assert found.writes[0].unchanged == ("note", "status")

    def test_a_put_looks_where_the_old_one_is(self, made: Design):
        found = pattern(made, "put")
        assert [each.items for each in found.reads] == [("OrderOrderId",)]
        assert [each.operation for each in found.writes] == ["DeleteItem", "PutItem", "PutItem", "PutItem"]

    def test_proof(self, made: Design):
        assert prove(made).failure == ""


class TestCopies:
    """A copy under its status, which may lie elsewhere for the order that is overwritten, paid or dropped."""

    @pytest.fixture
    def made(self) -> Design:
        spec = {**SPEC, "access_patterns": [*SPEC["access_patterns"], PAY]}
        (order,) = design(spec, aim="cost").items
        own = replace(order, keys=tuple(each for each in order.keys if each.index is None))
        copy = replace(own, name="OrderCopy", kind="copy", keys=(BY_STATUS,))
        return rekeyed(spec, (own, copy))

    def test_a_put_looks_where_the_old_copy_is(self, made: Design):
        found = pattern(made, "put")
        assert [each.operation for each in found.reads] == ["GetItem"]
        assert [each.operation for each in found.writes] == ["PutItem", "DeleteItem", "PutItem"]
        assert found.writes[0].unchanged == ("orderId", "status")

    def test_a_change_moves_the_copy(self, made: Design):
        found = pattern(made, "pay")
        assert [each.operation for each in found.writes] == ["UpdateItem", "DeleteItem", "PutItem"]

    def test_proof(self):
        """Both lists must be consistent, so that one of the two keys is a second item's."""
        note = {"id": "of-note", "kind": "query", "entity": "Order", "by": ["note"], "consistency": "strong"}
        strong = [{**SPEC["access_patterns"][0], "consistency": "strong"}, note, *SPEC["access_patterns"][1:], PAY]
        order = SPEC["entities"]["Order"]
        noted = {**order, "attributes": {**order["attributes"], "note": {"required": True}}}
        spec = {**SPEC, "entities": {"Order": noted}, "access_patterns": strong}
        made = design({**spec, "constraints": {"key_style": "plain", "copies": "any"}}, aim="gsis")
        assert any(each.kind == "copy" for each in made.items)
        assert prove(made).failure == ""
