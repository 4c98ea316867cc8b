from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.errors import ConditionFailed, ServiceError
from tablewright.wire.values import marshal, marshal_item, unmarshal_item
from tests.engine.make import create_table, fault, put

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

ENVELOPE = "1 validation error detected: "
INVALID = "One or more parameter values were invalid: "
NESTING = "Nesting Levels have exceeded supported limits"
TOO_DEEP = f"{NESTING}: Attributes in the item have nested levels beyond supported limit"
UPDATE_TOO_LARGE = "Item size to update has exceeded the maximum allowed size"
NO_USE = "ExpressionAttributeValues can only be specified when using expressions"
WRONG_VALUE = "ExpressionAttributeValues contains invalid value"
NOT_DEFINED = "An expression attribute value used in expression is not defined"
BOTH = "Can not use both expression and non-expression parameters in the same request"
EMPTY_KEY = (
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string "
    "value. Key: pk"
)
MAX = 409_600


@pytest.fixture(autouse=True)
def _tables(engine: Engine) -> None:  # pyright: ignore[reportUnusedFunction]
    create_table(engine, "pk")


def update(engine: Engine, expression: str | None, key: str = "k", /, returns: str = "NONE", **values: Any) -> Any:
    params: dict[str, Any] = {"TableName": "things", "Key": {"pk": {"S": key}}, "ReturnValues": returns}
    if expression is not None:
        params["UpdateExpression"] = expression
    if values:
        params["ExpressionAttributeValues"] = {f":{name}": marshal(value) for name, value in values.items()}
    reply = engine.call("UpdateItem", params)
    return unmarshal_item(reply["Attributes"]) if "Attributes" in reply else None


def stored(engine: Engine, key: str = "k") -> dict[str, Any] | None:
    item = engine.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": key}}}).get("Item")
    return None if item is None else unmarshal_item(item)


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "leaf"}
    for _ in range(depth):
        value = {"M": {"n": value}}
    return value


# ---- replies ---------------------------------------------------------------------------------------------------------


def test_put_and_delete_tell_the_old_item(engine: Engine) -> None:
    item = {"pk": {"S": "k"}, "a": {"N": "1.50"}}
    params = {"TableName": "things", "Item": item, "ReturnValues": "ALL_OLD"}
    assert engine.call("PutItem", params) == {}
    assert engine.call("PutItem", params) == {"Attributes": {"pk": {"S": "k"}, "a": {"N": "1.5"}}}
    gone = {"TableName": "things", "Key": {"pk": {"S": "k"}}, "ReturnValues": "ALL_OLD"}
    assert engine.call("DeleteItem", gone) == {"Attributes": {"pk": {"S": "k"}, "a": {"N": "1.5"}}}
    assert engine.call("DeleteItem", gone) == {}


@pytest.mark.parametrize(
    ("returns", "expression", "shown"),
    [
        ("NONE", "SET a.b = :v", None),
        ("ALL_OLD", "SET a.b = :v", {"pk": "k", "a": {"b": "dog", "c": [1, 2, 3]}, "d": "cat"}),
        ("ALL_NEW", "SET a.b = :v", {"pk": "k", "a": {"b": 7, "c": [1, 2, 3]}, "d": "cat"}),
        ("UPDATED_OLD", "SET a.b = :v", {"a": {"b": "dog"}}),
        ("UPDATED_NEW", "SET a.b = :v", {"a": {"b": 7}}),
        ("UPDATED_OLD", "SET a.c[1] = :v, d = :v", {"a": {"c": [2]}, "d": "cat"}),
        ("UPDATED_NEW", "SET a.c[1] = :v", {"a": {"c": [7]}}),
        ("UPDATED_OLD", "REMOVE a.c[1], a.c[3] SET e = :v", {"a": {"c": [2]}}),
        ("UPDATED_OLD", "SET a.x = :v", None),
        ("UPDATED_NEW", "SET a.x = :v", {"a": {"x": 7}}),
        ("UPDATED_NEW", "SET a.c[100] = :v", None),
        ("UPDATED_NEW", "REMOVE d SET e = :v", {"e": 7}),
        ("UPDATED_NEW", "REMOVE a.c[1] SET e = :v", {"a": {"c": [3]}, "e": 7}),
    ],
)
def test_update_tells_what_was_asked_for(engine: Engine, returns: str, expression: str, shown: Any) -> None:
    put(engine, {"pk": "k", "a": {"b": "dog", "c": [1, 2, 3]}, "d": "cat"})
    assert update(engine, expression, returns=returns, v=7) == shown


def test_updates_make_items_that_are_not_there(engine: Engine) -> None:
    assert update(engine, "SET a = :v", "new", returns="ALL_NEW", v=1) == {"pk": "new", "a": 1}
    assert update(engine, None, "bare", returns="ALL_NEW") == {"pk": "bare"}
    assert update(engine, "REMOVE a", "none", returns="ALL_NEW") is None
    assert update(engine, "DELETE a :v", "none", returns="ALL_NEW", v={"x"}) is None
    assert [stored(engine, key) for key in ("new", "bare", "none")] == [{"pk": "new", "a": 1}, {"pk": "bare"}, None]


def test_legacy_updates(engine: Engine) -> None:
    base = {"TableName": "things", "Key": {"pk": {"S": "k"}}}
    engine.call("UpdateItem", {**base, "AttributeUpdates": {"a": {"Action": "DELETE"}}})
    assert stored(engine) is None
    engine.call("UpdateItem", {**base, "AttributeUpdates": {}})
    engine.call("UpdateItem", {**base, "AttributeUpdates": {"a": {"Action": "ADD", "Value": {"N": "2"}}}})
    assert stored(engine) == {"pk": "k", "a": 2}
    with pytest.raises(ConditionFailed):
        engine.call("DeleteItem", {**base, "Expected": {"a": {"Value": {"N": "3"}}}})
    wrong = {**base, "AttributeUpdates": {"a": {"Action": "DELETE", "Value": {"NS": ["1"]}}}}
    assert fault(engine, "UpdateItem", wrong) == "Type mismatch for attribute to update"
    engine.call("DeleteItem", {**base, "Expected": {"a": {"Value": {"N": "2"}}}})
    assert stored(engine) is None


def test_collections(engine: Engine) -> None:
    create_table(engine, "pk sk", name="local", lsis={"by_l": ("pk l", "ALL")})
    params = {"Item": {"pk": {"S": "k"}, "sk": {"S": "1"}}, "ReturnItemCollectionMetrics": "SIZE"}
    told = {"ItemCollectionKey": {"pk": {"S": "k"}}, "SizeEstimateRangeGB": [0.0, 1.0]}
    assert engine.call("PutItem", {**params, "TableName": "local"}) == {"ItemCollectionMetrics": told}
    assert engine.call("PutItem", {**params, "TableName": "things"}) == {}
    batch = {
        "RequestItems": {"local": [{"PutRequest": {"Item": params["Item"]}}]},
        "ReturnItemCollectionMetrics": "SIZE",
    }
    assert engine.call("BatchWriteItem", batch)["ItemCollectionMetrics"] == {"local": [told]}


# ---- conditions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["PutItem", "UpdateItem", "DeleteItem"])
def test_conditions_see_the_old_item(engine: Engine, action: str) -> None:
    where = {"Item": {"pk": {"S": "k"}, "a": {"N": "2"}}} if action == "PutItem" else {"Key": {"pk": {"S": "k"}}}
    params = {
        "TableName": "things",
        **where,
        "ConditionExpression": "a = :old",
        "ExpressionAttributeValues": {":old": {"N": "1"}},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    with pytest.raises(ConditionFailed) as refused:
        engine.call(action, params)
    assert (refused.value.service_message, refused.value.details) == ("The conditional request failed", {})
    put(engine, {"pk": "k", "a": 3})
    with pytest.raises(ConditionFailed) as refused:
        engine.call(action, params)
    assert refused.value.details == {"Item": {"pk": {"S": "k"}, "a": {"N": "3"}}}
    with pytest.raises(ConditionFailed) as refused:
        engine.call(action, {**params, "ReturnValuesOnConditionCheckFailure": "NONE"})
    assert refused.value.details == {}
    put(engine, {"pk": "k", "a": 1})
    engine.call(action, params)


def test_a_failed_condition_leaves_the_engine_usable(engine: Engine) -> None:
    put(engine, {"pk": "k"})
    with pytest.raises(ConditionFailed):
        engine.call(
            "PutItem",
            {"TableName": "things", "Item": {"pk": {"S": "k"}}, "ConditionExpression": "attribute_not_exists(pk)"},
        )
    put(engine, {"pk": "k", "a": 1})
    assert stored(engine) == {"pk": "k", "a": 1}


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "change", "message"),
    [
        (
            "PutItem",
            {"Item": {"pk": {"S": "k"}, "a": {"SS": []}}},
            f"{ENVELOPE}{INVALID}An string set  may not be empty",
        ),
        (
            "PutItem",
            {"ExpressionAttributeValues": {":v": {"S": "x"}}},
            f"{ENVELOPE}{NO_USE}",
        ),
        (
            "UpdateItem",
            {"ExpressionAttributeValues": {":v": {"S": "x"}}},
            f"{ENVELOPE}{NO_USE}",
        ),
        (
            "DeleteItem",
            {"ExpressionAttributeNames": {"#a": "a"}},
            f"{ENVELOPE}ExpressionAttributeNames can only be specified when using expressions",
        ),
        (
            "DeleteItem",
            {"ConditionExpression": ""},
            f"{ENVELOPE}Invalid ConditionExpression: The expression can not be empty;",
        ),
        (
            "DeleteItem",
            {"ConditionExpression": "attribute_exists(a)", "ExpressionAttributeValues": {}},
            f"{ENVELOPE}ExpressionAttributeValues must not be empty",
        ),
        (
            "DeleteItem",
            {"ConditionExpression": "attribute_exists(#a)", "ExpressionAttributeNames": {"a": "a"}},
            f'{ENVELOPE}ExpressionAttributeNames contains invalid key: Syntax error; key: "a"',
        ),
        (
            "UpdateItem",
            {
                "UpdateExpression": "SET b = :w",
                "ExpressionAttributeValues": {":w": {"S": "x"}, ":unused": {"S": "x"}},
            },
            f"{ENVELOPE}Value provided in ExpressionAttributeValues unused in expressions: keys: {{:unused}}",
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "SET a = :v", "ExpressionAttributeValues": {":v": {"N": "b"}}},
            f"{ENVELOPE}The parameter cannot be converted to a numeric value: b",
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "SET a = :v", "ExpressionAttributeValues": {":v": {"SS": []}}},
            f"{ENVELOPE}{WRONG_VALUE}: {INVALID}An string set  may not be empty for key :v",
        ),
        (
            "PutItem",
            {"ReturnValues": "ALL_NEW", "Expected": {"a": {"Exists": True}}},
            f"{ENVELOPE}ReturnValues can only be ALL_OLD or NONE",
        ),
        (
            "PutItem",
            {"Item": {"pk": {"S": "k" * 409_600}}, "Expected": {"a": {"Exists": True}}},
            "Item size has exceeded the maximum allowed size",
        ),
        (
            "DeleteItem",
            {"Key": {"pk": {"N": ""}}, "Expected": {"a": {"Exists": True}}},
            f"{ENVELOPE}The parameter cannot be converted to a numeric value: ",
        ),
        (
            "PutItem",
            {"Expected": {"a": {"Exists": False}}, "ConditionExpression": "attribute_exists(a)"},
            f"{ENVELOPE}{BOTH}: Non-expression parameters: {{Expected}} Expression parameters: {{ConditionExpression}}",
        ),
    ],
)
def test_requests_are_refused(engine: Engine, action: str, change: dict[str, Any], message: str) -> None:
    what = "Item" if action == "PutItem" else "Key"
    params = {"TableName": "nowhere", what: {"pk": {"S": "k"}}, **change}
    assert fault(engine, action, params) == message


@pytest.mark.parametrize(
    ("action", "change", "message"),
    [
        (
            "UpdateItem",
            {
                "UpdateExpression": "SET b = :w",
                "ConditionExpression": "a = :v",
                "ExpressionAttributeValues": {":w": {"S": "x"}},
            },
            f"Invalid ConditionExpression: {NOT_DEFINED}; attribute value: :v",
        ),
        ("DeleteItem", {"ReturnValues": "ALL_NEW"}, "ReturnValues can only be ALL_OLD or NONE"),
        ("PutItem", {"Item": {"pk": {"S": "k"}, "d": nested(32)}}, TOO_DEEP),
        ("PutItem", {"Item": {"pk": {"S": "k"}, "d": nested(61)}}, TOO_DEEP),
        (
            "UpdateItem",
            {"ConditionExpression": "a = :v", "ExpressionAttributeValues": {":v": nested(32)}},
            TOO_DEEP,
        ),
    ],
)
def test_some_requests_are_refused_in_an_envelope(
    engine: Engine, action: str, change: dict[str, Any], message: str
) -> None:
    what = "Item" if action == "PutItem" else "Key"
    params = {"TableName": "nowhere", what: {"pk": {"S": "k"}}, **change}
    assert fault(engine, action, params) == ENVELOPE + message


def test_names_may_be_too_long(engine: Engine) -> None:
    name, base = "n" * 65_536, {"TableName": "nowhere", "Key": {"pk": {"S": "k"}}}
    message = "Attribute name is too large, must be less than 65536 bytes"
    assert fault(engine, "UpdateItem", {**base, "AttributeUpdates": {name: {"Action": "DELETE"}}}) == message
    assert fault(engine, "DeleteItem", {**base, "Expected": {name: {"Exists": False}}}) == message
    named = {"ConditionExpression": "attribute_exists(#n)", "ExpressionAttributeNames": {"#n": name}}
    assert fault(engine, "DeleteItem", {**base, **named}) == message


def test_very_deep_requests_are_read_by_the_older_layer(engine: Engine) -> None:
    assert fault(engine, "PutItem", {"TableName": "nowhere", "Item": {"pk": {"S": "k"}, "d": nested(63)}}) == TOO_DEEP
    params = {
        "TableName": "nowhere",
        "Key": {"pk": {"S": "k"}},
        "ConditionExpression": "d = :deep",
        "ExpressionAttributeValues": {":deep": nested(63)},
    }
    wrapped = f"ExpressionAttributeValues contains invalid value: {TOO_DEEP} for key :deep"
    assert fault(engine, "UpdateItem", params) == wrapped
    assert fault(engine, "DeleteItem", {**params, "ReturnValues": "ALL_NEW"}) == (
        "ReturnValues can only be ALL_OLD or NONE"
    )


def test_keys_are_refused_without_one(engine: Engine) -> None:
    for key in ("PutItem", "Item"), ("UpdateItem", "Key"), ("DeleteItem", "Key"):
        action, what = key
        assert fault(engine, action, {"TableName": "things", what: {"pk": {"S": ""}}}) == EMPTY_KEY
        with pytest.raises(ServiceError, match="Requested resource not found"):
            engine.call(action, {"TableName": "nowhere", what: {"pk": {"S": "k"}}})
    schema = "The provided key element does not match the schema"
    assert fault(engine, "DeleteItem", {"TableName": "things", "Key": {"pk": {"N": "1"}}}) == schema
    assert fault(engine, "UpdateItem", {"TableName": "things", "Key": {}}) == schema


@pytest.mark.parametrize("expression", ["SET pk = :v", "REMOVE pk", "ADD pk :v", "SET pk.x = :v"])
def test_keys_are_not_updated(engine: Engine, expression: str) -> None:
    params: dict[str, Any] = {"TableName": "things", "Key": {"pk": {"S": "k"}}, "UpdateExpression": expression}
    if ":v" in expression:
        params["ExpressionAttributeValues"] = {":v": {"N": "1"}}
    message = f"{INVALID}Cannot update attribute pk. This attribute is part of the key"
    assert fault(engine, "UpdateItem", params) == message


def test_index_keys_are_not_updated_to_just_anything(engine: Engine) -> None:
    create_table(engine, "pk", name="indexed", gsis={"gsi": ("g", "ALL")})
    params: dict[str, Any] = {"TableName": "indexed", "Key": {"pk": {"S": "k"}}, "UpdateExpression": "SET g = :v"}
    not_valid = "One or more parameter values are not valid. The update expression attempted to update a secondary "
    not_valid += "index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an "
    not_valid += "empty string value."
    for value, message in (
        ({"S": ""}, not_valid),
        ({"N": "1"}, f"{INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi"),
        (
            {"S": "x" * 2049},
            f"{INVALID}The update expression attempted to update the secondary index key beyond allowed size limits.",
        ),
    ):
        assert fault(engine, "UpdateItem", {**params, "ExpressionAttributeValues": {":v": value}}) == message
    assert "Item" not in engine.call("GetItem", {"TableName": "indexed", "Key": {"pk": {"S": "k"}}})


# ---- sizes -----------------------------------------------------------------------------------------------------------


def test_400_kilobytes_to_the_byte(engine: Engine) -> None:
    put(engine, {"pk": "k", "p": "x" * (MAX - 4)})
    item = marshal_item({"pk": "k", "p": "x" * (MAX - 3)})
    message = "Item size has exceeded the maximum allowed size"
    assert fault(engine, "PutItem", {"TableName": "nowhere", "Item": item}) == message
    batch = {"RequestItems": {"things": [{"PutRequest": {"Item": item}}]}}
    assert fault(engine, "BatchWriteItem", batch) == message


@pytest.mark.parametrize(
    ("clause", "seed", "values", "charge"),
    [
        ("", {}, {}, 0),
        (", c = :c", {}, {"c": "y"}, 19 + 1 + 1),
        (" REMOVE r", {"r": "z"}, {}, 2),
        (", c = m.a.z", {"m": {"a": {"z": "y"}}}, {}, 19 + 1 + 1 + 3 * 14 + 3),
        (", c = l[10]", {"l": ["e"] * 11}, {}, 19 + 1 + 1 + 2 * 14 + 1 + 2),
        (", l = list_append(l, :n)", {"l": ["e"]}, {"n": ["y" * 10]}, 19 + 1 + 37 + 16 + 14),
        (", n = n + :one", {"n": 12345678901234567890}, {"one": 1}, 19 + 1 + 34 + 16 + 2),
        (", n = n - :one", {"n": 1}, {"one": 1}, 19 + 1 + 37 + 16 + 2),
        (", c = if_not_exists(c, :v)", {}, {"v": "y" * 10}, 19 + 1 + 39 + 16 + 10),
        (" ADD ss :n", {"ss": {"ppppp"}}, {"n": {"s" * 500}}, 19 + 2 + 500),
        (" DELETE ss :n", {"ss": {"p", "q"}}, {"n": {"p"}}, 1 + 2),
    ],
)
def test_an_update_may_not_weigh_too_much(
    engine: Engine, clause: str, seed: dict[str, Any], values: dict[str, Any], charge: int
) -> None:
    put(engine, {"pk": "k", **seed})
    room = MAX - 3 - 19 - 1 - charge
    with pytest.raises(ServiceError, match=UPDATE_TOO_LARGE):
        update(engine, f"SET b = :pad{clause}", pad="x" * (room + 1), **values)
    update(engine, f"SET b = :pad{clause}", pad="x" * room, **values)


def test_an_update_may_not_make_too_large_an_item(engine: Engine) -> None:
    key = "k" * 100
    put(engine, {"pk": key, "p": "x" * (MAX - 103 - 3)})
    update(engine, "SET b = :v", key, v="ab")
    with pytest.raises(ServiceError, match=UPDATE_TOO_LARGE):
        update(engine, "SET b = :v", key, v="abc")


def test_an_update_may_not_nest_too_deeply(engine: Engine) -> None:
    deep = unmarshal_item({"v": nested(30)})["v"]
    put(engine, {"pk": "k", "m": {"m": {}}})
    update(engine, "SET m.x = :v", v=deep)
    with pytest.raises(ServiceError, match=NESTING):
        update(engine, "SET m.m.x = :v", v=deep)


# ---- batches ---------------------------------------------------------------------------------------------------------


def test_batches(engine: Engine) -> None:
    put(engine, {"pk": "old"})
    requests = [{"PutRequest": {"Item": {"pk": {"S": "new"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "old"}}}}]
    assert engine.call("BatchWriteItem", {"RequestItems": {"things": requests}}) == {"UnprocessedItems": {}}
    assert (stored(engine, "new"), stored(engine, "old")) == ({"pk": "new"}, None)


@pytest.mark.parametrize(
    ("requests", "message"),
    [
        ([{"PutRequest": {"Item": {"pk": {"N": "5"}}}}], "The provided key element does not match the schema"),
        ([{"PutRequest": {"Item": {"x": {"S": "5"}}}}], "The provided key element does not match the schema"),
        (
            [{"PutRequest": {"Item": {"pk": {"S": ""}}}}],
            EMPTY_KEY,
        ),
        (
            [{"PutRequest": {"Item": {"pk": {"S": "k"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "k"}}}}],
            "Provided list of item keys contains duplicates",
        ),
        ([{"PutRequest": {"Item": {"pk": {"S": "k"}, "d": nested(32)}}}], TOO_DEEP),
        ([{"DeleteRequest": {"Key": {"pk": {"N": ""}}}}], "The parameter cannot be converted to a numeric value"),
    ],
)
def test_batches_that_are_refused_write_nothing(engine: Engine, requests: list[Any], message: str) -> None:
    before = [{"PutRequest": {"Item": {"pk": {"S": "first"}}}}]
    assert fault(engine, "BatchWriteItem", {"RequestItems": {"things": [*before, *requests]}}) == message
    assert stored(engine, "first") is None


def test_25_requests_in_all(engine: Engine) -> None:
    create_table(engine, "pk", name="others")
    many = [{"PutRequest": {"Item": {"pk": {"S": str(each)}}}} for each in range(13)]
    message = fault(engine, "BatchWriteItem", {"RequestItems": {"things": many, "others": many}})
    assert message == "Too many items requested for the BatchWriteItem call"
