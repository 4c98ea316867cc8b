from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.engine import Engine
from tablewright.engine.engine import HANDLERS
from tablewright.engine.requests import check_request
from tablewright.engine.requests.check import FITS
from tablewright.engine.requests.operations import REQUESTS
from tablewright.engine.server import serve
from tablewright.errors import ServiceError
from tests.engine.make import create_table
from tests.engine.wire import JSON_1_0, SIGNED, Client, message, target

NULL = "failed to satisfy constraint: Member must not be null"
PATTERN = "failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
CAPACITY = "failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
CAST = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class"
STRUCTURE = "Start of structure or map found where not expected"


def refusal(action: str, params: Any) -> tuple[str, str]:
    with pytest.raises(ServiceError) as refused:
        check_request(action, params)
    return refused.value.name, refused.value.service_message


def faults(action: str, params: Any) -> list[str]:
    """The faults of a request, without the count in front, which must be right."""
    name, message = refusal(action, params)
    assert name == "ValidationException"
    count, _, told = message.partition(" detected: ")
    found = told.split("; ")
    assert count == f"{len(found)} validation error{'s' * (len(found) > 1)}"
    return found


def test_every_operation_has_a_shape() -> None:
    assert set(REQUESTS) >= set(HANDLERS)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (True, "TRUE_VALUE cannot be converted to String"),
        (False, "FALSE_VALUE cannot be converted to String"),
        (23, "NUMBER_VALUE cannot be converted to String"),
        (34.56, "DECIMAL_VALUE cannot be converted to String"),
        ([], "Unrecognized collection type class java.lang.String"),
        ({}, STRUCTURE),
    ],
)
def test_a_string_is_a_string(value: Any, told: str) -> None:
    assert refusal("PutItem", {"TableName": value}) == ("SerializationException", told)
    assert refusal("PutItem", {"Item": {"a": {"SS": [value]}}}) == ("SerializationException", told)
    assert refusal("PutItem", {"Item": {"a": {"M": {"b": {"N": value}}}}}) == ("SerializationException", told)


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"Limit": "23"}, "STRING_VALUE cannot be converted to Integer"),
        ({"Limit": True}, "TRUE_VALUE cannot be converted to Integer"),
        ({"Limit": []}, "Unrecognized collection type class java.lang.Integer"),
        ({"ConsistentRead": "23"}, "Unexpected token received from parser"),
        ({"ConsistentRead": 23}, "NUMBER_VALUE cannot be converted to Boolean"),
        ({"ConsistentRead": {}}, STRUCTURE),
        ({"AttributesToGet": "a"}, "Unexpected field type"),
        ({"AttributesToGet": {}}, STRUCTURE),
        ({"KeyConditions": 1}, "Unexpected field type"),
        ({"KeyConditions": {"a": 1}}, "Unexpected value type in payload"),
        (
            {"KeyConditions": {"a": []}},
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Condition",
        ),
        (
            {"KeyConditions": []},
            "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.Condition>",
        ),
        (
            {"ExpressionAttributeNames": []},
            "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>",
        ),
        ({"ExclusiveStartKey": {"a": 1}}, "Unexpected value type in payload"),
        ({"ExclusiveStartKey": {"a": {"L": 1}}}, "Unexpected field type"),
        ({"ExclusiveStartKey": {"a": {"B": 1}}}, "only base-64-encoded strings are convertible to bytes"),
        (
            {"ExclusiveStartKey": {"a": {"B": "23456"}}},
            "Base64 encoded length is expected a multiple of 4 bytes but found: 5",
        ),
        ({"ExclusiveStartKey": {"a": {"BS": ["=+/="]}}}, "Invalid last non-pad Base64 character dectected"),
        ({"ExclusiveStartKey": {"a": {"BS": ["+/+="]}}}, "Invalid last non-pad Base64 character dectected"),
    ],
)
def test_wrong_json_types(params: dict[str, Any], told: str) -> None:
    assert refusal("Query", params) == ("SerializationException", told)


def test_collections_inside_collections_are_told_about_in_java() -> None:
    for action, params in (
        ("BatchGetItem", {"RequestItems": {"a": {"Keys": ["a"]}}}),
        ("BatchWriteItem", {"RequestItems": {"a": 1}}),
    ):
        name, told = refusal(action, params)
        assert (name, told[: len(CAST)]) == ("SerializationException", CAST)


@pytest.mark.parametrize("body", [[], "x", 1, None, True])
def test_a_request_is_an_object(body: Any) -> None:
    assert refusal("ListTables", body)[0] == "SerializationException"


def test_all_faults_are_told_at_once() -> None:
    wrong = {"TableName": "abc;", "ReturnConsumedCapacity": "hi", "ReturnValues": "hi"}
    assert faults("PutItem", wrong) == [
        f"Value 'hi' at 'returnConsumedCapacity' {CAPACITY}",
        f"Value 'abc;' at 'tableName' {PATTERN}",
        (
            "Value 'hi' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set:"
            " [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
        ),
        f"Value null at 'item' {NULL}",
    ]


def test_ten_faults_are_enough() -> None:
    params = {"TableName": "abc", "AttributeDefinitions": [], "KeySchema": [], "GlobalSecondaryIndexes": [{}] * 9}
    found = faults("CreateTable", params)
    assert len(found) == 10
    assert found[-1] == f"Value null at 'globalSecondaryIndexes.3.member.projection' {NULL}"


def test_paths_go_through_maps_and_lists() -> None:
    found = faults("BatchWriteItem", {"RequestItems": {"aa;": [{"PutRequest": {}, "DeleteRequest": {}}]}})
    assert found[0].startswith("Value '{aa;=[WriteRequest(putRequest=PutRequest(")
    assert "Map keys must satisfy constraint: [Member must have length less than or equal to 255, " in found[0]
    assert found[1:] == [
        f"Value null at 'requestItems.aa;.member.1.member.putRequest.item' {NULL}",
        f"Value null at 'requestItems.aa;.member.1.member.deleteRequest.key' {NULL}",
    ]
    assert faults("TransactWriteItems", {"TransactItems": [{"Put": {}}]}) == [
        f"Value null at 'transactItems.1.member.put.item' {NULL}"
    ]
    assert faults("Query", {"TableName": "abc", "QueryFilter": {"a": {}}}) == [
        f"Value null at 'queryFilter.a.member.comparisonOperator' {NULL}"
    ]


def test_lists_have_lengths() -> None:
    keys = [{"AttributeName": name, "KeyType": "HASH"} for name in "abc"]
    (told,) = faults("CreateTable", {"TableName": "abc", "AttributeDefinitions": [], "KeySchema": keys})
    shown = ", ".join(f"KeySchemaElement(attributeName={name}, keyType=HASH)" for name in "abc")
    rule = "Member must have length less than or equal to 2"
    assert told == f"Value '[{shown}]' at 'keySchema' failed to satisfy constraint: {rule}"
    (told,) = faults("TransactGetItems", {"TransactItems": []})
    assert told.startswith("Value '[]' at 'transactItems' failed")
    (told,) = faults("BatchWriteItem", {"RequestItems": {"abc": []}})
    assert told.endswith(
        "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
        "Member must have length greater than or equal to 1]"
    )


@pytest.mark.parametrize(
    ("action", "params", "message"),
    [
        ("CreateTable", {}, "The parameter 'TableName' is required but was not present in the request"),
        ("DescribeTable", {"TableName": ""}, "TableName must be at least 3 characters long and at most 255"),
        ("DeleteTable", {"TableName": "a" * 256}, "TableName must be at least 3 characters long and at most 255"),
        ("PutItem", {}, f"2 validation errors detected: Value null at 'tableName' {NULL}; Value null at 'item' {NULL}"),
        (
            "PutItem",
            {"TableName": "", "Item": {}, "ReturnValues": "x"},
            (
                "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member must have"
                " length"
                " greater than or equal to 1"
            ),
        ),
        (
            "CreateTable",
            {"TableName": "ab", "AttributeDefinitions": [], "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]},
            (
                "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have"
                " length greater than or equal to 3"
            ),
        ),
        ("BatchWriteItem", {"RequestItems": {}}, "1 validation error detected: Value at 'RequestItems' failed"),
        (
            "Query",
            {"TableName": "abc", "Limit": 0},
            (
                "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value"
                " greater"
                " than or equal to 1"
            ),
        ),
        (
            "UpdateItem",
            {"TableName": "abc", "Key": {}, "ReturnValues": "x", "ReturnConsumedCapacity": "x"},
            (
                "1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set:"
                " [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"
            ),
        ),
        ("Scan", {"TableName": "abc", "Limit": 0}, "1 validation error detected: Value at 'Limit' failed"),
    ],
)
def test_table_names_and_other_oddities(action: str, params: dict[str, Any], message: str) -> None:
    assert refusal(action, params)[1].startswith(message)


def test_an_arn_may_stand_for_a_table_name() -> None:
    params = {"TableName": "arn:aws:dynamodb:us-east-1:123456789012:table/things", "Key": {"a": {"S": "1"}}}
    assert check_request("GetItem", params) == params
    long = {"TableName": "arn:" + "a" * 1024, "Key": {}}
    assert refusal("GetItem", long)[1].endswith("Member must have length less than or equal to 1024")


def test_nulls_unknown_fields_and_words_are_taken_care_of() -> None:
    given_params = {"TableName": "abc", "Key": {"a": {"S": "1", "X": 2}}, "ConsistentRead": "yes", "Foo": 1}
    given_params["AttributesToGet"] = None
    assert check_request("GetItem", given_params) == {
        "TableName": "abc",
        "Key": {"a": {"S": "1"}},
        "ConsistentRead": True,
    }
    assert check_request("Query", {"TableName": "abc", "Limit": 2.9})["Limit"] == 2
    assert check_request("PutItem", {"TableName": "abc", "Item": {"a": None}})["Item"] == {"a": {}}


@pytest.mark.parametrize(
    ("action", "params", "message"),
    [
        (
            "PutItem",
            {"Item": {}, "Expected": {}, "ConditionExpression": ""},
            (
                "Can not use both expression and non-expression parameters in the same request: Non-expression"
                " parameters:"
                " {Expected} Expression parameters: {ConditionExpression}"
            ),
        ),
        (
            "Query",
            {"KeyConditions": {}, "AttributesToGet": ["a"], "FilterExpression": ""},
            (
                "Can not use both expression and non-expression parameters in the same request: Non-expression"
                " parameters:"
                " {AttributesToGet} Expression parameters: {FilterExpression}"
            ),
        ),
        (
            "Query",
            {"ExpressionAttributeNames": {}},
            "ExpressionAttributeNames can only be specified when using expressions",
        ),
        (
            "Scan",
            {"ExpressionAttributeValues": {}},
            "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null",
        ),
        (
            "Query",
            {"ExpressionAttributeValues": {}, "ProjectionExpression": "a"},
            (
                "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and"
                " KeyConditionExpression are null"
            ),
        ),
        (
            "UpdateItem",
            {"Key": {}, "ExpressionAttributeValues": {}},
            (
                "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and"
                " ConditionExpression are null"
            ),
        ),
    ],
)
def test_expressions_and_their_forerunners_do_not_mix(action: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ServiceError) as refused:
        check_request(action, {"TableName": "abc", **params}, "classic")
    assert refused.value.service_message == message
    short = message.removesuffix(": UpdateExpression and ConditionExpression are null")
    told = f"1 validation error detected: {short}" if action in ("PutItem", "UpdateItem") else message
    assert refusal(action, {"TableName": "abc", **params}) == ("ValidationException", told)


def test_batches_and_transactions_do_not_mix_either() -> None:
    one = {"Keys": [{}], "AttributesToGet": ["a"], "ProjectionExpression": "a"}
    assert refusal("BatchGetItem", {"RequestItems": {"abc": one}})[1].startswith("Can not use both")
    get = {"TableName": "abc", "Key": {}, "ExpressionAttributeNames": {"#a": "a"}}
    assert refusal("TransactGetItems", {"TransactItems": [{"Get": get}]})[1].endswith("when using expressions")


def test_bottomless_values_are_left_to_those_who_read_them() -> None:
    value: dict[str, Any] = {"S": "x"}
    for _ in range(5000):
        value = {"L": [value]}
    params = {"TableName": "abc", "Item": {"a": value}}
    assert check_request("PutItem", params) is params
    assert check_request("PutItem", {**params, "Unknown": 1}).keys() == params.keys()


# ---- text that is none -----------------------------------------------------------------------------------------------

HALF = "a\ud800b"
NAMED = {"TableName": "things"}
VALUE = {"S": "x"}
HALVES: list[tuple[str, dict[str, Any], str]] = [
    ("PutItem", {**NAMED, "Item": {"pk": {"S": HALF}}}, "Item.pk.S"),
    ("PutItem", {**NAMED, "Item": {"pk": VALUE, HALF: VALUE}}, "Item"),
    ("PutItem", {**NAMED, "Item": {"pk": VALUE, "a": {"M": {HALF: VALUE}}}}, "Item.a.M"),
    ("PutItem", {**NAMED, "Item": {"pk": VALUE, "a": {"L": [VALUE, {"SS": ["b", HALF]}]}}}, "Item.a.L[1].SS[1]"),
    ("PutItem", {**NAMED, "Item": {"pk": {"N": HALF}}}, "Item.pk.N"),
    ("PutItem", {**NAMED, "Item": {"pk": {"B": HALF}}}, "Item.pk.B"),
    ("PutItem", {"TableName": HALF, "Item": {"pk": VALUE}}, "TableName"),
    ("GetItem", {**NAMED, "Key": {"pk": {"S": HALF}}}, "Key.pk.S"),
    ("GetItem", {**NAMED, "Key": {HALF: VALUE}}, "Key"),
    ("GetItem", {**NAMED, "Key": {"pk": VALUE}, "ProjectionExpression": HALF}, "ProjectionExpression"),
    (
        "GetItem",
        {**NAMED, "Key": {"pk": VALUE}, "ExpressionAttributeNames": {"#a": HALF}},
        "ExpressionAttributeNames.#a",
    ),
    ("DeleteItem", {**NAMED, "Key": {"pk": {"S": HALF}}}, "Key.pk.S"),
    ("Scan", {**NAMED, "FilterExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": HALF}}}, "Values.:a.S"),
    ("Query", {**NAMED, "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": HALF}}}, ":a.S"),
    ("Query", {**NAMED, "KeyConditions": {"pk": {"ComparisonOperator": HALF}}}, "KeyConditions.pk.ComparisonOperator"),
    ("BatchGetItem", {"RequestItems": {"things": {"Keys": [{"pk": {"S": HALF}}]}}}, "RequestItems.things.Keys[0].pk.S"),
    ("BatchWriteItem", {"RequestItems": {HALF: []}}, "RequestItems"),
    ("ExecuteStatement", {"Statement": f"SELECT * FROM things WHERE pk = '{HALF}'"}, "Statement"),
    ("ExecuteStatement", {"Statement": "SELECT * FROM t WHERE pk = ?", "Parameters": [{"S": HALF}]}, "Parameters[0].S"),
    ("DescribeTable", {"TableName": HALF}, "TableName"),
    ("ListTables", {"Unknown": HALF}, "Unknown"),
]


@pytest.mark.parametrize(("action", "params", "place"), HALVES)
def test_half_a_character_is_refused_with_its_place(action: str, params: dict[str, Any], place: str) -> None:
    """JSON readers other than the server's make such text of an escape, and nothing can store or compare it."""
    with Engine() as engine:
        create_table(engine)
        with pytest.raises(ServiceError) as refused:
            engine.call(action, params)
        assert engine.call("Scan", NAMED)["Count"] == 0
    assert refused.value.name == "SerializationException"
    assert f"{place}'" in refused.value.service_message
    assert "surrogate" in refused.value.service_message
    assert "a\\ud800b" in refused.value.service_message
    assert refused.value.service_message.isascii()


@pytest.mark.parametrize("name", [5, None, b"pk", ("pk",), 1.5, True, pytest.param(10**5000, id="long")])
@pytest.mark.parametrize(
    ("action", "make"),
    [
        ("GetItem", lambda name: {**NAMED, "Key": {name: VALUE}}),
        ("PutItem", lambda name: {**NAMED, "Item": {"pk": VALUE, name: VALUE}}),
        ("PutItem", lambda name: {**NAMED, "Item": {"pk": VALUE, "sk": VALUE, "a": {"M": {name: VALUE}}}}),
        ("PutItem", lambda name: {**NAMED, "Item": {"pk": VALUE, "sk": VALUE, "a": {name: "x"}}}),
        ("Scan", lambda name: {**NAMED, "ExpressionAttributeNames": {name: "a"}}),
        ("Scan", lambda name: {**NAMED, "ExpressionAttributeValues": {name: VALUE}}),
        ("BatchGetItem", lambda name: {"RequestItems": {name: {"Keys": [{"pk": VALUE}]}}}),
        ("ListTables", lambda name: {name: 1}),
    ],
)
def test_names_are_text(action: str, make: Callable[[Any], dict[str, Any]], name: Any) -> None:
    with Engine() as engine:
        create_table(engine)
        with pytest.raises(ServiceError, match="names are text") as refused:
            engine.call(action, make(name))
    assert refused.value.name == "SerializationException"
    assert type(name).__name__ in refused.value.service_message


def test_long_text_is_not_repeated_whole_when_it_is_refused() -> None:
    told = refusal("PutItem", {**NAMED, "Item": {"pk": {"S": "x" * 100_000 + HALF}}})[1]
    assert "ud800" in told
    assert len(told) < 300
    assert len(refusal("PutItem", {**NAMED, "Item": {"pk" * 30_000: {"S": HALF}}})[1]) < 500


def test_what_is_too_deep_to_be_looked_at_is_left_to_those_who_read_it() -> None:
    value: Any = object()
    for _ in range(70):
        value = {"L": [value]}
    with Engine() as engine:
        create_table(engine)
        with pytest.raises(ServiceError, match="Nesting"):
            engine.call("PutItem", {**NAMED, "Item": {"pk": VALUE, "sk": VALUE, "a": value}})


def test_whole_characters_of_every_plane_are_text() -> None:
    item = {"pk": {"S": "é€😀\ue000\U0010ffff\0"}, "sk": {"S": "😀"}, "😀": {"M": {"é": {"SS": ["\ufffd", "😀"]}}}}
    with Engine() as engine:
        create_table(engine)
        engine.call("PutItem", {**NAMED, "Item": item})
        assert engine.call("Scan", NAMED)["Items"] == [item]


@pytest.mark.parametrize("text", ["\\ud800", "a\\ud800b", "\\udc00", "\\ud800\\u0041", "\\ud800\\ud800"])
@pytest.mark.parametrize(
    "body",
    ['{"TableName":"things","Item":{"pk":{"S":"%"}}}', '{"TableName":"things","Item":{"pk":{"S":"x"},"%":{"S":"x"}}}'],
)
def test_servers_refuse_it_too(text: str, body: str) -> None:
    with Engine() as engine, serve(engine) as server, Client(server.port) as client:
        create_table(engine)
        headers = {**JSON_1_0, **SIGNED, **target("PutItem")}
        reply = client.ask(message(body.replace("%", text).encode(), headers=headers))
        assert reply.status == 400
        assert reply.json()["__type"].endswith("#SerializationException")


SCALARS = st.none() | st.booleans() | st.integers(-5, 2000) | st.floats(allow_nan=False, allow_infinity=False)
FIELDS = st.sampled_from(["S", "N", "B", "L", "M", "SS", "NULL", "Keys", "Put", "Key", "a"])
JSON = st.recursive(
    SCALARS | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=3),
    max_leaves=12,
)


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_whatever_comes_is_refused_or_fits(data: st.DataObject) -> None:
    action = data.draw(st.sampled_from(sorted(REQUESTS)))
    names = st.sampled_from([*REQUESTS[action].fields, "Other"])
    params = data.draw(st.dictionaries(names, JSON, max_size=5))
    try:
        passed = check_request(action, params)
    except ServiceError as error:
        assert error.name in ("ValidationException", "SerializationException")  # noqa: PT017
        return
    again: list[str] = []
    REQUESTS[action].faults(passed, "", again)
    assert not again


def test_good_requests_take_the_fast_way() -> None:
    good = {
        "TableName": "things",
        "Item": {"a": {"S": "x"}, "b": {"L": [{"M": {"c": {"B": "AAAA"}}}, {"NS": ["1"]}, {"NULL": True}]}},
        "ConditionExpression": "attribute_not_exists(a)",
    }
    assert FITS["PutItem"](good)
    assert check_request("PutItem", good) is good
