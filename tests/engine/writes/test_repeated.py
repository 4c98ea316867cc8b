"""A request like an earlier one is answered as the first of its kind was, and refused as it would have been."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.engine import Engine
from tablewright.engine.writes import repeated
from tablewright.errors import ServiceError

KEY = {"pk": {"S": "a"}}
TABLE = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture
def engine() -> Engine:
    repeated._known.clear()
    engine = Engine()
    engine.call("CreateTable", TABLE)
    return engine


def update(engine: Engine, value: Any, *, text: str = "SET #a = :a", **others: Any) -> Any:
    params = {
        "TableName": "things",
        "Key": KEY,
        "UpdateExpression": text,
        "ExpressionAttributeNames": {"#a": "a"},
        "ExpressionAttributeValues": {":a": value},
        "ReturnValues": "ALL_NEW",
        **others,
    }
    try:
        return engine.call("UpdateItem", params)
    except ServiceError as error:
        return error.name, error.service_message


VALUES = [{"S": "x"}, {"N": "1"}, {"N": "01"}, {"L": [{"S": "y"}]}, {"M": {"b": {"N": "2"}}}, {"SS": ["q", "p"]}]
BAD = [{"N": "one"}, {"S": "x", "N": "1"}, {}, {"SS": []}, {"N": "1" * 39}, {"M": {"": {"S": "x"}}}]


@pytest.mark.parametrize("value", VALUES + BAD)
@pytest.mark.parametrize("before", VALUES)
def test_what_came_before_changes_nothing(engine: Engine, before: Any, value: Any) -> None:
    update(engine, before)
    update(engine, before)
    after_others = update(engine, value)
    fresh = Engine()
    fresh.call("CreateTable", TABLE)
    repeated._known.clear()
    update(fresh, before)
    repeated._known.clear()
    assert after_others == update(fresh, value)


def test_a_request_is_remembered_at_all(engine: Engine) -> None:
    update(engine, {"S": "x"})
    update(engine, {"S": "y"})
    assert len(repeated._known) == 1


def test_bounds_are_looked_at_each_time(engine: Engine) -> None:
    def between(low: str, high: str) -> Any:
        condition = "pk = :k AND NOT #a BETWEEN :low AND :high"
        values = {":a": {"S": "x"}, ":k": {"S": "a"}, ":low": {"N": low}, ":high": {"N": high}}
        return update(engine, None, ConditionExpression=condition, ExpressionAttributeValues=values)

    engine.call("PutItem", {"TableName": "things", "Item": KEY})
    assert "Attributes" in between("1", "2")
    assert "Attributes" in between("1", "2")
    name, message = between("2", "1")
    assert name == "ValidationException"
    assert "BETWEEN" in message


def test_unused_names_are_refused_after_a_good_request(engine: Engine) -> None:
    update(engine, {"S": "x"})
    names = {"#a": "a", "#b": "b"}
    assert "unused in expressions: keys: {#b}" in update(engine, {"S": "x"}, ExpressionAttributeNames=names)[1]


def test_old_requests_make_room(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated, "MOST_KNOWN", 2)
    for name in "bcdef":
        update(engine, {"S": "x"}, ExpressionAttributeNames={"#a": name})
    assert len(repeated._known) <= 2


def test_the_new_item_is_shown_as_the_request_ordered_it(engine: Engine) -> None:
    """A map that is given again in another order is no change; the answer shows it as it was given."""
    update(engine, {"M": {"b": {"N": "1"}, "c": {"N": "2"}}})
    turned = {"M": {"c": {"N": "2"}, "b": {"N": "1"}}}
    values = {":a": turned, ":d": {"S": "new"}}
    shown = update(engine, None, text="SET #a = :a, d = :d", ExpressionAttributeValues=values)["Attributes"]
    assert list(shown["a"]["M"]) == ["c", "b"]
    assert shown["d"] == {"S": "new"}
    stored = engine.call("GetItem", {"TableName": "things", "Key": KEY})["Item"]
    assert stored == shown


@pytest.mark.parametrize("inside", [{"N": "1"}, {"BOOL": True}])
def test_true_and_one_are_told_apart_inside_maps(engine: Engine, inside: Any) -> None:
    other = {"N": "1"} if "BOOL" in inside else {"BOOL": True}
    for outer in ({"M": {"b": inside}}, {"L": [inside]}, {"M": {"b": {"L": [inside]}}}):
        update(engine, outer)
        changed = exchanged(outer, inside, other)
        assert update(engine, changed)["Attributes"]["a"] == changed
        assert engine.call("GetItem", {"TableName": "things", "Key": KEY})["Item"]["a"] == changed


def exchanged(value: Any, old: Any, new: Any) -> Any:
    if value == old and set(value) == set(old):
        return new
    if isinstance(value, dict):
        return {name: exchanged(each, old, new) for name, each in value.items()}
    return [exchanged(each, old, new) for each in value] if isinstance(value, list) else value
