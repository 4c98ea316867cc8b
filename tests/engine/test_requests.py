from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.engine.handlers import HANDLERS
from tablewright.engine.requests import check_request
from tablewright.engine.requests.check import FITS
from tablewright.engine.requests.expressions import check_mix
from tablewright.engine.requests.operations import REQUESTS
from tablewright.errors import ServiceError

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
        check_mix(action, params)
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
