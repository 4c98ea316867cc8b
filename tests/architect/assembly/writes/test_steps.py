"""The requests of writes: which items, which key fields, what is read first, and on what condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.designer import design
from tablewright.errors import DesignError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.model import PatternDesign, WriteStep
    from tablewright.design.values.templates import Path, Template

ORDER: dict[str, Any] = {
    "id": ["orderId"],
    "attributes": {
        "orderId": "string",
        "customerId": {"type": "string", "required": True, "immutable": True},
        "status": {"type": "string", "required": True},
        "date": {"type": "timestamp", "required": True, "immutable": True},
        "courier": "string",
        "note": "string",
    },
    "count": 1000,
}
GET = {"id": "get", "kind": "get", "entity": "Order", "by": ["orderId"]}
OF_STATUS = {"id": "of-status", "kind": "query", "entity": "Order", "by": ["status"], "sort": "date"}
OF_CUSTOMER = {**OF_STATUS, "id": "of-customer", "by": ["customerId", "status"]}
BY_STATUS = {**OF_STATUS, "id": "by-status", "by": ["customerId"], "sort": ["status", "date"]}
OF_COURIER = {**OF_STATUS, "id": "of-courier", "by": ["courier"]}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId"]}
PAY = {**PUT, "id": "pay", "op": "update", "changes": ["status"]}
DROP = {**PUT, "id": "drop", "op": "delete"}


def pattern(id_: str, *patterns: dict[str, Any], **top: Any) -> PatternDesign:
    spec = {"name": "shop", "entities": {"Order": ORDER}, "access_patterns": [GET, *patterns]}
    made = design({**spec, "constraints": {"key_style": "plain"}, **top}, aim="gsis")
    return next(each for each in made.patterns if each.id == id_)


def texts(changes: Mapping[Path, Template]) -> dict[str, str]:
    return {str(path): str(template) for path, template in changes.items()}


def step(found: PatternDesign) -> WriteStep:
    (only,) = found.writes
    return only


class TestPut:
    def test_the_whole_item(self):
        found = pattern("put", PUT, OF_STATUS)
        assert (step(found).operation, step(found).all_attributes, step(found).condition) == ("PutItem", True, None)
        assert not found.reads
        assert not found.transaction
        assert {each.name: each.required for each in found.parameters} == {
            "orderId": True,
            "customerId": True,
            "status": True,
            "date": True,
            "courier": False,
            "note": False,
        }

    def test_where_nothing_is(self):
        assert str(step(pattern("put", {**PUT, "condition": "not exists"})).condition) == "attribute_not_exists(pk)"

    def test_nobody_describes_it(self):
        found = pattern("put Order")
        assert found.implied
        assert step(found).operation == "PutItem"


class TestUpdate:
    def test_a_key_field_of_what_changes_is_set_again(self):
        found = pattern("pay", PUT, PAY, OF_STATUS)
        assert texts(step(found).set) == {"status": "{status}", "gsi1pk": "STATUS#{status}"}
        assert str(step(found).condition) == "attribute_exists(pk)"
        assert not found.reads  # the date does not change, nor does the field it stands in

    def test_what_else_stands_in_it_is_read_first(self):
        found = pattern("pay", PUT, PAY, BY_STATUS)
        (read,) = found.reads
        assert (read.operation, read.consistent, read.pk[0].text) == ("GetItem", True, "ORDER#{orderId}")
        assert texts(step(found).set)["gsi1sk"] == "ORDER#{status}#{date}"
        assert step(found).unchanged == ()  # the date never changes

    def test_and_must_be_unchanged_if_it_can_change(self):
        moved = {**PUT, "id": "move", "op": "update", "changes": ["date"]}
        order = {**ORDER, "attributes": {**ORDER["attributes"], "date": {"type": "timestamp", "required": True}}}
        found = pattern("pay", PUT, PAY, moved, BY_STATUS, entities={"Order": order})
        assert step(found).unchanged == ("date",)

    def test_both_fields_where_the_item_may_enter_or_leave_the_index(self):
        found = pattern("send", PUT, {**PAY, "id": "send", "changes": ["courier"]}, OF_COURIER)
        assert set(texts(step(found).set)) == {"courier", "gsi1pk", "gsi1sk"}

    def test_anything_may_change_where_nothing_is_listed(self):
        edit = {key: each for key, each in PAY.items() if key != "changes"}
        found = pattern("pay", PUT, edit, OF_STATUS)
        assert [each.name for each in found.parameters if not each.required] == ["status", "courier", "note"]
        assert len(found.reads) == 1

    def test_what_the_caller_knows_besides_the_key_must_be_so(self):
        found = pattern("pay", PUT, {**PAY, "by": ["orderId", "customerId"]})
        assert str(step(found).condition) == "attribute_exists(pk) AND customerId = {customerId}"

    def test_a_formal_condition_is_sent_and_its_values_are_parameters(self):
        order = {**ORDER, "attributes": {**ORDER["attributes"], "weight": "number"}}
        found = pattern("pay", PUT, {**PAY, "when": "weight < {most}"}, entities={"Order": order})
        assert (found.parameters[-1].name, found.parameters[-1].type) == ("most", "number")
        found = pattern("pay", PUT, {**PAY, "when": "status = :before OR attribute_not_exists(courier)"})
        assert (
            str(step(found).condition)
            == "attribute_exists(pk) AND (status = {before} OR attribute_not_exists(courier))"
        )
        assert found.parameters[-1].name == "before"

    def test_words_are_not_sent(self):
        found = pattern("pay", PUT, {**PAY, "condition": "only by its customer"})
        assert str(step(found).condition) == "attribute_exists(pk)"
        assert "only by its customer" in step(found).why
        assert found.unproven == '"only by its customer" is in words that cannot be read'

    def test_words_that_are_understood_are_sent(self):
        found = pattern("pay", PUT, {**PAY, "condition": "customerId equals caller"})
        assert str(step(found).condition) == "attribute_exists(pk) AND customerId = {caller}"
        assert (step(found).why, found.unproven) == ("", "")
        assert found.parameters[-1].name == "caller"

    def test_a_bad_formal_condition_is_an_error(self):
        with pytest.raises(DesignError, match=r"\.when: .only by its customer. is no DynamoDB condition"):
            pattern("pay", PUT, {**PAY, "when": "only by its customer"})

    def test_the_old_and_the_new_value_of_one_attribute(self):
        found = pattern("pay", PUT, {**PAY, "by": ["orderId", "status"]}, OF_STATUS)
        assert [each.name for each in found.parameters] == ["orderId", "status", "new_status"]
        assert texts(step(found).set) == {"status": "{new_status}", "gsi1pk": "STATUS#{new_status}"}
        assert str(step(found).condition) == "attribute_exists(pk) AND status = {status}"


class TestDelete:
    def test_by_the_key(self):
        found = pattern("drop", PUT, DROP, OF_STATUS)
        assert [(each.field, each.text) for each in step(found).key] == [("pk", "ORDER#{orderId}"), ("sk", "ORDER")]
        assert not found.reads


class TestLocated:
    def test_an_item_whose_key_is_not_known_is_looked_for(self):
        strong = {"id": "mine", "kind": "query", "entity": "Order", "by": ["customerId"], "consistency": "strong"}
        found = pattern("pay", PUT, PAY, strong)
        (read,) = found.reads
        assert read.index == "gsi1"
        assert [each.text for each in step(found).key] == ["CUSTOMER#{customerId}", "ORDER#{orderId}"]


class TestCopies:
    FOLLOW: dict[str, Any] = {"entity": "Follow", "by": ["fan", "star"], "kind": "write"}
    SPEC: dict[str, Any] = {
        "name": "social",
        "entities": {
            "Follow": {"id": ["fan", "star"], "attributes": {"fan": "string", "star": "string", "since": "string"}}
        },
        "access_patterns": [
            {"id": "stars", "kind": "query", "entity": "Follow", "by": ["fan"]},
            {"id": "fans", "kind": "query", "entity": "Follow", "by": ["star"]},
            {**FOLLOW, "id": "follow", "op": "put"},
            {**FOLLOW, "id": "note", "op": "update", "changes": ["since"]},
            {**FOLLOW, "id": "unfollow", "op": "delete"},
        ],
    }

    @pytest.mark.parametrize(
        ("id_", "operation"), [("follow", "PutItem"), ("note", "UpdateItem"), ("unfollow", "DeleteItem")]
    )
    def test_an_item_and_its_copy_in_one_transaction(self, id_: str, operation: str):
        made = design(self.SPEC, aim="gsis")
        found = next(each for each in made.patterns if each.id == id_)
        assert [each.operation for each in found.writes] == [operation, operation]
        assert len({each.item for each in found.writes}) == 2
        assert found.transaction


class TestTransactions:
    GAME: dict[str, Any] = {"id": ["gameId"], "attributes": {"gameId": "string", "people": "number", "at": "string"}}
    SEAT: dict[str, Any] = {
        "id": ["gameId", "player"],
        "attributes": {"gameId": "string", "player": "string", "at": "string"},
    }
    JOIN: dict[str, Any] = {"id": "join", "kind": "write", "op": "transact", "entities": ["Game", "Seat"]}

    def spec(self, *patterns: dict[str, Any], **top: Any) -> dict[str, Any]:
        entities = {"Game": self.GAME, "Seat": self.SEAT}
        reads = [{"id": "all", "kind": "query", "entities": ["Game", "Seat"], "by": ["gameId"]}]
        return {"name": "games", "entities": entities, "access_patterns": [*reads, *patterns], **top}

    def found(self, spec: dict[str, Any]) -> PatternDesign:
        return next(each for each in design(spec, aim="gsis").patterns if each.id == "join")

    def test_what_another_write_makes_is_updated_and_the_rest_is_put(self):
        start = {"id": "start", "kind": "write", "op": "put", "entity": "Game", "by": ["gameId"]}
        found = self.found(self.spec(start, {**self.JOIN, "by": ["gameId", "player"]}))
        assert [(each.operation, each.item) for each in found.writes] == [("UpdateItem", "Game"), ("PutItem", "Seat")]
        assert found.transaction
        assert [each.name for each in found.parameters] == ["gameId", "player", "people", "Game_at", "Seat_at"]

    def test_children_come_as_a_list(self):
        relationship = {"from": "Game", "to": "Seat", "kind": "one-to-many"}
        found = self.found(self.spec({**self.JOIN, "by": ["gameId"]}, relationships=[relationship]))
        assert [each.each for each in found.writes] == ["", "Seat"]
        assert found.parameters[-1].each
