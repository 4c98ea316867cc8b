"""GetItem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright.errors import ServiceError
from tablewright.wire.values import marshal_item
from tests.engine.make import create_table, fault, put

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

KEY = {"pk": {"S": "a"}, "sk": {"S": "b"}}
ITEM = {"pk": "a", "sk": "b", "n": 1, "list": ["x", {"in": True}, "y"], "map": {"one": 1, "two": 2}}


@pytest.fixture
def filled(engine: Engine) -> Engine:
    create_table(engine, gsis={"by_n": ("n", "ALL")}, types={"n": "N"})
    put(engine, ITEM)
    return engine


def get(engine: Engine, key: dict[str, Any] = KEY, **more: Any) -> dict[str, Any]:
    return engine.call("GetItem", {"TableName": "things", "Key": key, **more})


def test_an_item_comes_back_whole(filled: Engine) -> None:
    assert get(filled) == {"Item": marshal_item(ITEM)}


def test_the_text_is_not_read_on_the_way(filled: Engine) -> None:
    assert isinstance(filled.handle("GetItem", {"TableName": "things", "Key": KEY})["Item"], msgspec.Raw)


def test_nothing_is_an_empty_reply(filled: Engine) -> None:
    assert get(filled, {"pk": {"S": "a"}, "sk": {"S": "?"}}) == {}


@pytest.mark.parametrize(
    ("projection", "shown"),
    [
        ("n, absent", {"n": 1}),
        ("absent", {}),
        ("#l[2], #l[0]", {"list": ["x", "y"]}),
        ("#l[1].#i, #m.two", {"list": [{"in": True}], "map": {"two": 2}}),
    ],
)
def test_projections(filled: Engine, projection: str, shown: dict[str, Any]) -> None:
    names = {"#l": "list", "#i": "in", "#m": "map"}
    used = {name: field for name, field in names.items() if name in projection}
    more = {"ExpressionAttributeNames": used} if used else {}
    assert get(filled, ProjectionExpression=projection, **more) == {"Item": marshal_item(shown)}


def test_attributes_to_get_are_names_and_no_paths(filled: Engine) -> None:
    assert get(filled, AttributesToGet=["n", "map.one"]) == {"Item": {"n": {"N": "1"}}}


@pytest.mark.parametrize(
    ("size", "consistent", "units"),
    [(0, False, 0.5), (0, True, 1.0), (4096, False, 0.5), (4097, False, 1.0), (4097, True, 2.0), (9000, True, 3.0)],
)
def test_capacity_goes_in_steps_of_4_kb(engine: Engine, size: int, consistent: bool, units: float) -> None:
    create_table(engine, "pk")
    if size:
        put(engine, {"pk": "a", "v": "x" * (size - 4)})
    reply = engine.call(
        "GetItem",
        {
            "TableName": "things",
            "Key": {"pk": {"S": "a"}},
            "ConsistentRead": consistent,
            "ReturnConsumedCapacity": "INDEXES",
        },
    )
    assert reply["ConsumedCapacity"] == {
        "TableName": "things",
        "CapacityUnits": units,
        "Table": {"CapacityUnits": units},
    }


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"Key": {"pk": {"S": "a"}}}, "The provided key element does not match the schema"),
        ({"Key": {**KEY, "x": {"S": "a"}}}, "The provided key element does not match the schema"),
        ({"Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}}, "The provided key element does not match the schema"),
        (
            {"Key": {"pk": {"S": ""}, "sk": {"S": "b"}}},
            (
                "One or more parameter values are not valid. "
                "The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
            ),
        ),
        (
            {"Key": {"pk": {"S": "é" * 1025}, "sk": {"S": "b"}}},
            (
                "One or more parameter values were invalid: "
                "Size of hashkey has exceeded the maximum size limit of2048 bytes"
            ),
        ),
        (
            {"AttributesToGet": ["a", "b", "a"]},
            "One or more parameter values were invalid: Duplicate value in attribute name: a",
        ),
        (
            {"ProjectionExpression": "sk.x"},
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sk",
        ),
        (
            {"ProjectionExpression": "n[0]"},
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: n",
        ),
        (
            {"ProjectionExpression": "a, a"},
            (
                "Invalid ProjectionExpression: Two document paths overlap with each other; "
                "must remove or rewrite one of these paths; path one: [a], path two: [a]"
            ),
        ),
        (
            {"ProjectionExpression": "a", "ExpressionAttributeNames": {"#b": "b"}},
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}",
        ),
    ],
)
def test_what_is_refused(filled: Engine, params: dict[str, Any], message: str) -> None:
    assert fault(filled, "GetItem", {"TableName": "things", "Key": KEY, **params}) == message


def test_a_fault_in_an_expression_is_told_before_a_missing_table(engine: Engine) -> None:
    params = {"TableName": "nothing", "Key": KEY, "ProjectionExpression": "a b"}
    assert fault(engine, "GetItem", params).startswith("Invalid ProjectionExpression: Syntax error")
    with pytest.raises(ServiceError, match="Requested resource not found"):
        engine.call("GetItem", {"TableName": "nothing", "Key": KEY})
