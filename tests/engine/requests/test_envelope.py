from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.engine import Engine
from tests.engine.make import create_table, fault

if TYPE_CHECKING:
    from collections.abc import Iterator

ENVELOPE = "1 validation error detected: "
INVALID = "One or more parameter values were invalid: "
NO_VALUES = "ExpressionAttributeValues can only be specified when using expressions"


@pytest.fixture
def classic() -> Iterator[Engine]:
    with Engine(wording="classic") as engine:
        yield engine


@pytest.mark.parametrize(
    ("action", "change", "current", "classic_words"),
    [
        ("PutItem", {"Item": {"a": {"N": "x"}}}, "{e}{n}: x", "{n}: x"),
        ("PutItem", {"Item": {"a": {"N": ""}}}, "{e}{n}: ", "{n}"),
        (
            "PutItem",
            {"Item": {"a": {"NS": ["1", "1"]}}},
            "{e}{i}Input collection contains duplicates.",
            "Input collection contains duplicates",
        ),
        (
            "PutItem",
            {"ExpressionAttributeValues": {}},
            f"{{e}}{NO_VALUES}",
            f"{NO_VALUES}: ConditionExpression is null",
        ),
        (
            "PutItem",
            {"Expected": {"a": {"Exists": True}}},
            "{e}{i}Value must be provided when Exists is true for Attribute: a",
            "{i}Value must be provided when Exists is true for Attribute: a",
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "SET a = :v", "ExpressionAttributeValues": {":v": {"N": ""}}},
            "{e}{n}: ",
            "ExpressionAttributeValues contains invalid value: {n} for key :v",
        ),
        ("DeleteItem", {"ReturnValues": "ALL_NEW"}, "{e}{r}", "{r}"),
        (
            "DeleteItem",
            {"Expected": {"a": {"ComparisonOperator": "BETWEEN", "Value": {"S": "x"}}}},
            "{e}{i}Invalid number of argument(s) for the BETWEEN ComparisonOperator",
            "{i}Invalid number of argument(s) for the BETWEEN ComparisonOperator",
        ),
        ("GetItem", {"Key": {"a": {"N": ""}}}, "{n}: ", "{n}"),
        (
            "Query",
            {"KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"SS": ["b", "a", "b"]}}},
            '{i}Input collection ["a", "b", "b"] contains duplicates.',
            (
                "ExpressionAttributeValues contains invalid value: {i}Input collection [b, a, b] contains duplicates."
                " for key :a"
            ),
        ),
        (
            "Query",
            {
                "KeyConditionExpression": "a > :a AND a < :a",
                "ExpressionAttributeValues": {":a": {"S": "x"}},
            },
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
            "KeyConditionExpressions must only contain one condition per key",
        ),
        (
            "Scan",
            {"Segment": 1, "TotalSegments": 1},
            "The Segment parameter is zero-based and must be less than parameter TotalSegments",
            (
                "The Segment parameter is zero-based and must be less than parameter TotalSegments:"
                " Segment: 1 is not less than TotalSegments: 1"
            ),
        ),
    ],
)
def test_each_engine_keeps_to_its_words(
    engine: Engine, classic: Engine, action: str, change: dict[str, Any], current: str, classic_words: str
) -> None:
    what = {"PutItem": {"Item": {}}, "Query": {}, "Scan": {}}.get(action, {"Key": {}})
    params = {"TableName": "nowhere", **what, **change}
    texts = {
        "e": ENVELOPE,
        "i": INVALID,
        "n": "The parameter cannot be converted to a numeric value",
        "r": "ReturnValues can only be ALL_OLD or NONE",
    }
    assert fault(engine, action, params) == current.format(**texts)
    assert fault(classic, action, params) == classic_words.format(**texts)


SOME = {"ExpressionAttributeValues": {":v": {"S": "x"}}}
OVERLAP = "Two document paths overlap with each other; must remove or rewrite one of these paths"
ADDED = "Incorrect operand type for operator or function; operator: {}, operand type: {}"
TOO_LONG = "Expression size has exceeded the maximum allowed size;"


@pytest.mark.parametrize(
    ("action", "change", "message"),
    [
        ("PutItem", {"Item": {"a": {"SS": []}}}, f"{INVALID}An string set  may not be empty"),
        ("PutItem", {"Item": {"a": {"NS": []}}}, f"{INVALID}An number set  may not be empty"),
        ("PutItem", {"Item": {"a": {"BS": []}}}, f"{INVALID}Binary sets should not be empty"),
        (
            "PutItem",
            {"Item": {"a": {"M": {"b": {"NULL": False}}}}},
            f"{INVALID}Null attribute value types must have the value of true",
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "SET a = :v, a.b = :v", **SOME},
            f"Invalid UpdateExpression: {OVERLAP}; path one: [a], path two: [a, b]",
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "SET a = :v REMOVE a", **SOME},
            f"Invalid UpdateExpression: {OVERLAP}; path one: [a], path two: [a]",
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "SET a = :v", "ExpressionAttributeNames": {"#n": "n"}, **SOME},
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}",
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "REMOVE a", **SOME},
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
        ),
        ("UpdateItem", {"UpdateExpression": ""}, "Invalid UpdateExpression: The expression can not be empty;"),
        (
            "UpdateItem",
            {"UpdateExpression": "INVALID SYNTAX HERE"},
            'Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"',
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "SET a = :w"},
            (
                "Invalid UpdateExpression: An expression attribute value used in expression is not defined;"
                " attribute value: :w"
            ),
        ),
        (
            "UpdateItem",
            {"UpdateExpression": "SET a = :v", "AttributeUpdates": {}, **SOME},
            (
                "Can not use both expression and non-expression parameters in the same request: Non-expression"
                " parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}"
            ),
        ),
        (
            "PutItem",
            {"ConditionExpression": "((attribute_not_exists(a)))"},
            "Invalid ConditionExpression: The expression has redundant parentheses;",
        ),
        (
            "DeleteItem",
            {"ConditionExpression": "count = :v", **SOME},
            "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: count",
        ),
        ("PutItem", {"ReturnValues": "ALL_NEW"}, "ReturnValues can only be ALL_OLD or NONE"),
        (
            "UpdateItem",
            {"Expected": {"a": {"ComparisonOperator": "EQ"}}},
            f"{INVALID}Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a",
        ),
    ],
)
def test_what_a_request_alone_shows_is_enveloped(
    engine: Engine, classic: Engine, action: str, change: dict[str, Any], message: str
) -> None:
    params = {"TableName": "nowhere", **({"Item": {}} if action == "PutItem" else {"Key": {}}), **change}
    assert fault(engine, action, params) == ENVELOPE + message
    assert fault(classic, action, params) == message


def test_no_value_is_named_where_it_has_a_null_that_is_not_true(engine: Engine, classic: Engine) -> None:
    values = {"UpdateExpression": "SET a = :v", "ExpressionAttributeValues": {":v": {"NULL": False}}}
    told = f"{INVALID}Null attribute value types must have the value of true"
    params = {"TableName": "nowhere", "Key": {}, **values}
    assert fault(engine, "UpdateItem", params) == ENVELOPE + told
    named = f"ExpressionAttributeValues contains invalid value: {told} for key :v"
    assert fault(classic, "UpdateItem", params) == named


@pytest.mark.parametrize(
    ("section", "value", "name"), [("ADD", {"S": "x"}, "STRING"), ("DELETE", {"N": "1"}, "NUMBER")]
)
def test_operands_of_add_and_delete(
    engine: Engine, classic: Engine, section: str, value: dict[str, str], name: str
) -> None:
    update = {
        "TableName": "nowhere",
        "Key": {},
        "UpdateExpression": f"{section} a :v",
        "ExpressionAttributeValues": {":v": value},
    }
    told = f"Invalid UpdateExpression: {ADDED.format(section, name)}"
    by_now = f"{told}, typeSet: ALLOWED_FOR_ADD_OPERAND"
    assert fault(engine, "UpdateItem", update) == ENVELOPE + by_now
    assert fault(engine, "TransactWriteItems", {"TransactItems": [{"Update": update}]}) == by_now
    assert fault(classic, "UpdateItem", update) == told


def test_a_boolean_has_a_shorter_name_by_now(engine: Engine, classic: Engine) -> None:
    values = {"UpdateExpression": "ADD a :v", "ExpressionAttributeValues": {":v": {"BOOL": True}}}
    params = {"TableName": "nowhere", "Key": {}, **values}
    assert fault(engine, "UpdateItem", params).endswith("operand type: BOOL, typeSet: ALLOWED_FOR_ADD_OPERAND")
    assert fault(classic, "UpdateItem", params).endswith("operand type: BOOLEAN")


def test_only_the_older_layer_tells_how_long_an_expression_is(engine: Engine, classic: Engine) -> None:
    long = f"attribute_exists({'a' * 4_080})"
    put = {"TableName": "nowhere", "Item": {}, "ConditionExpression": long}
    told = f"Invalid ConditionExpression: {TOO_LONG}"
    assert fault(engine, "PutItem", put) == ENVELOPE + told
    assert fault(classic, "PutItem", put) == f"{told} expression size: 4098"
    assert fault(engine, "TransactWriteItems", {"TransactItems": [{"Put": put}]}) == f"{told} expression size: 4098"
    read = {"TableName": "nowhere", "FilterExpression": long}
    assert fault(engine, "Scan", read) == f"Invalid FilterExpression: {TOO_LONG} expression size: 4098"
    query = {**read, "KeyConditionExpression": "a = :v", **SOME}
    assert fault(engine, "Query", query) == f"Invalid FilterExpression: {TOO_LONG}"


def test_what_was_not_seen_in_an_envelope_is_told_bare(engine: Engine) -> None:
    bare = {
        "Empty attribute name": {"": {"S": "x"}},
        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes": {"a": {}},
        "Item size has exceeded the maximum allowed size": {"a": {"S": "x" * 409_600}},
    }
    for told, item in bare.items():
        assert fault(engine, "PutItem", {"TableName": "nowhere", "Item": item}) == told


def test_what_needs_the_table_is_told_bare(engine: Engine) -> None:
    create_table(engine, "pk")
    update = {"TableName": "things", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET pk = :v", **SOME}
    part = "Cannot update attribute pk. This attribute is part of the key"
    assert fault(engine, "UpdateItem", update) == f"{INVALID}{part}"
    assert fault(engine, "PutItem", {"TableName": "things", "Item": {}}) == f"{INVALID}Missing the key pk in the item"


def test_reads_and_transactions_tell_all_bare(engine: Engine) -> None:
    told = f"Invalid ProjectionExpression: {OVERLAP}; path one: [a], path two: [a]"
    shown = {"TableName": "nowhere", "ProjectionExpression": "a, a"}
    assert fault(engine, "GetItem", {**shown, "Key": {}}) == told
    assert fault(engine, "Scan", shown) == told
    asked = {"RequestItems": {"nowhere": {"Keys": [{"a": {"S": "x"}}], "ProjectionExpression": "a, a"}}}
    assert fault(engine, "BatchGetItem", asked) == told
    put = {"TableName": "nowhere", "Item": {}, "ConditionExpression": "((attribute_exists(a)))"}
    redundant = "Invalid ConditionExpression: The expression has redundant parentheses;"
    assert fault(engine, "TransactWriteItems", {"TransactItems": [{"Put": put}]}) == redundant
