"""Classic wording is what dynalite expects, which compared itself with the service before the rewording of 2026."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.engine import Engine
from tablewright.errors import ServiceError

if TYPE_CHECKING:
    from tests.conftest import Node

TABLE: dict[str, Any] = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "g", "AttributeType": "S"},
    ],
    "BillingMode": "PAY_PER_REQUEST",
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_g",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}
KEY = {"TableName": "things", "Key": {"pk": {"S": "a"}}}
PUT = {"TableName": "things", "Item": {"pk": {"S": "a"}}}
V = {"ExpressionAttributeValues": {":v": {"S": "x"}}}


def update(text: str, value: dict[str, Any] | None = None, **more: Any) -> tuple[str, dict[str, Any]]:
    given = {} if value is None else {"ExpressionAttributeValues": {":v": value}}
    return "UpdateItem", {**KEY, "UpdateExpression": text, **given, **more}


def put(condition: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "PutItem", {**PUT, "ConditionExpression": condition, **more}


REQUESTS = [
    update(""),
    update("SET a = :v, a.b = :v", {"S": "x"}),
    update("SET a.b = :v, a[1] = :v", {"S": "x"}),
    update("SET a = :v SET b = :v", {"S": "x"}),
    update("SET a = :missing"),
    update("SET #missing = :v", {"S": "x"}),
    update("REMOVE a", {"S": "x"}),
    update("SET a = :v", {"S": "x"}, ExpressionAttributeNames={"#n": "n"}),
    update("SET abort = :v", {"S": "x"}),
    update("SET a = nothing(:v)", {"S": "x"}),
    update("SET a = list_append(:v, a)", {"S": "x"}),
    update("SET a = if_not_exists(:v, a)", {"S": "x"}),
    update("ADD a :v", {"S": "x"}),
    update("ADD a :v", {"BOOL": True}),
    update("DELETE a :v", {"N": "1"}),
    update("SET pk = :v", {"S": "x"}),
    update("SET g.x = :v", {"S": "x"}),
    update("SET pk.x = :v", {"S": "x"}),
    put(""),
    put("((attribute_exists(a)))"),
    put("contains(a, a)"),
    put("attribute_exists(:v)", **V),
    put("begins_with(a)", **V),
    put("size(a)"),
    put("attribute_type(a, :v)", **V),
    put("a between :v and :w", ExpressionAttributeValues={":v": {"S": "b"}, ":w": {"S": "a"}}),
    put("a between :v and :w", ExpressionAttributeValues={":v": {"B": "Yg=="}, ":w": {"B": "YQ=="}}),
    put("a between :v and :w", ExpressionAttributeValues={":v": {"S": "b"}, ":w": {"N": "1"}}),
    put("a = :v", ExpressionAttributeNames={"n": "n"}, **V),
    put("attribute_exists(a)", Expected={}),
    ("PutItem", {**PUT, **V}),
    ("PutItem", {**PUT, "ReturnValues": "ALL_NEW"}),
    ("PutItem", {**PUT, "Expected": {"a": {"Exists": True}}}),
    ("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}, "s": {"SS": []}}}),
    ("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}, "s": {"SS": ["b", "a", "b"]}}}),
    ("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}, "n": {"NULL": False}}}),
    ("GetItem", {**KEY, "ProjectionExpression": "a, a"}),
    ("GetItem", {**KEY, "ProjectionExpression": "pk.a"}),
    ("GetItem", {**KEY, "AttributesToGet": ["a", "a"]}),
]


def test_each_message_is_the_same(node: Node) -> None:
    theirs = node.run("dynalite.cjs", {"tables": [TABLE], "requests": REQUESTS})
    with Engine(wording="classic") as engine:
        engine.call("CreateTable", TABLE)
        ours = [message(engine, action, params) for action, params in REQUESTS]
    assert all(theirs)
    assert dict(enumerate(ours)) == dict(enumerate(theirs))


def message(engine: Engine, action: str, params: dict[str, Any]) -> str | None:
    try:
        engine.call(action, params)
    except ServiceError as refused:
        return refused.service_message
    return None
