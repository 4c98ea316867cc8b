from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.engine import Engine
from tests.engine.make import fault

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


def test_what_was_not_seen_in_an_envelope_is_told_bare(engine: Engine) -> None:
    params = {"TableName": "nowhere", "Item": {"a": {"SS": []}}}
    assert fault(engine, "PutItem", params) == f"{INVALID}An string set  may not be empty"
