from __future__ import annotations

from typing import Any

import pytest

from tablewright.engine.requests import check_request
from tablewright.errors import ServiceError

CAPACITY = (
    "Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set:"
    " [INDEXES, TOTAL, NONE]"
)
NO_KEY = "Value null at 'key' failed to satisfy constraint: Member must not be null"
AT_LEAST = "failed to satisfy constraint: Member must have length greater than or equal to"
KEYS = [{"a": {"S": str(number)}} for number in range(101)]
PUT = {"PutRequest": {"Item": {"a": {"S": "x"}}}}


def refusal(action: str, params: dict[str, Any], words: Any = "current") -> str:
    with pytest.raises(ServiceError) as refused:
        check_request(action, params, words)
    return refused.value.service_message


def test_the_size_of_a_batch_is_told_by_its_member_alone() -> None:
    none = f"1 validation error detected: Value at 'RequestItems' {AT_LEAST} 1"
    assert refusal("BatchGetItem", {"RequestItems": {}}) == none
    assert refusal("BatchWriteItem", {"RequestItems": {}}) == none
    assert refusal("BatchGetItem", {"RequestItems": {"abc": {"Keys": KEYS}}}) == (
        "1 validation error detected: Value at 'RequestItems.abc.member.Keys' failed to satisfy constraint:"
        " Member must have length less than or equal to 100"
    )
    assert refusal("BatchGetItem", {"RequestItems": {}}, "classic").endswith(
        f"Value '{{}}' at 'requestItems' {AT_LEAST} 1"
    )


def test_a_value_that_looks_like_a_fault_changes_nothing() -> None:
    name = "' failed to satisfy constraint: Member must have length ' at 'requestItems"
    told = refusal("BatchGetItem", {"RequestItems": {name: {"Keys": [{}]}}})
    assert told.startswith("1 validation error detected: Value '{\"' failed to satisfy")


def test_a_bad_word_is_told_before_the_bad_name_of_a_table() -> None:
    params = {"RequestItems": {"a!b": [PUT]}, "ReturnConsumedCapacity": "x"}
    assert refusal("BatchWriteItem", params) == f"1 validation error detected: {CAPACITY}"


def test_an_update_without_key_or_table() -> None:
    named = f"Value '' at 'tableName' {AT_LEAST} 1"
    params = {"TableName": "", "ReturnConsumedCapacity": "x"}
    assert refusal("UpdateItem", params) == f"3 validation errors detected: {CAPACITY}; {named}; {NO_KEY}"
    assert refusal("UpdateItem", params, "classic").startswith("4 validation errors detected: ")


def test_a_bad_operator_of_a_query_is_told_by_itself() -> None:
    filters = {name: {"ComparisonOperator": "NULL"} for name in "ab"}
    params = {"TableName": "abc", "QueryFilter": filters, "ConditionalOperator": "XOR", "Select": "x"}
    assert refusal("Query", params) == "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"
    assert refusal("Query", params, "classic").startswith("2 validation errors detected: ")
    assert refusal("Query", {**params, "Limit": 0}).startswith("3 validation errors detected: ")


@pytest.mark.parametrize(("member", "low"), [("Limit", 1), ("Segment", 0)])
def test_bounds_are_told_without_the_value(member: str, low: int) -> None:
    bound = f"failed to satisfy constraint: Member must have value greater than or equal to {low}"
    params = {"TableName": "abc", member: low - 1}
    assert refusal("Scan", params) == f"1 validation error detected: Value at '{member}' {bound}"
    shown = f"Value '{low - 1}' at '{member.lower()}' {bound}"
    assert refusal("Scan", params, "classic") == f"1 validation error detected: {shown}"


RETURNS = (
    "Failed to satisfy constraint: Member must satisfy enum value set:"
    " [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"
)
METRICS = (
    "Value 'x' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set:"
    " [SIZE, NONE]"
)


def test_several_words_that_a_write_does_not_know() -> None:
    wrong = dict.fromkeys(("ReturnConsumedCapacity", "ReturnValues", "ReturnItemCollectionMetrics"), "x")
    params = {"TableName": "abc", "Item": {}, **wrong}
    assert refusal("PutItem", params) == f"3 validation errors detected: {CAPACITY}; {RETURNS}; {METRICS}"
    assert "Value 'x' at 'returnValues' failed" in refusal("PutItem", params, "classic")
    del wrong["ReturnItemCollectionMetrics"]
    told = refusal("DeleteItem", {"TableName": "abc", "Key": {}, **wrong})
    assert told == f"2 validation errors detected: {CAPACITY}; {RETURNS}"
    told = refusal("UpdateItem", {"TableName": "abc", "Key": {}, **wrong})
    assert told == f"1 validation error detected: {RETURNS}"


def test_without_something_to_write_they_are_told_as_before() -> None:
    params = {"TableName": "", "ReturnConsumedCapacity": "x", "ReturnValues": "x"}
    told = refusal("UpdateItem", params)
    assert told.startswith(f"4 validation errors detected: {CAPACITY}; Value '' at 'tableName' ")
    assert told.endswith(f" [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; {NO_KEY}")


@pytest.mark.parametrize("action", ["PutItem", "UpdateItem", "DeleteItem"])
def test_an_empty_name_of_a_table_is_all_that_is_told(action: str) -> None:
    params: dict[str, Any] = {"TableName": "", "Item" if action == "PutItem" else "Key": {}, "ReturnValues": "x"}
    assert refusal(action, params) == f"1 validation error detected: Value at 'TableName' {AT_LEAST} 1"
    assert refusal(action, params, "classic") == f"1 validation error detected: Value '' at 'tableName' {AT_LEAST} 1"


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "leaf"}
    for _ in range(levels):
        value = {"M": {"n": value}}
    return value


@pytest.mark.parametrize("action", ["PutItem", "UpdateItem", "DeleteItem"])
def test_very_deep_requests_are_told_as_before(action: str) -> None:
    subject = "Item" if action == "PutItem" else "Key"
    for levels, newer in ((40, True), (63, False)):
        expected = {"d": {"Value": deep(levels)}}
        params = {"TableName": "abc", subject: {}, "Expected": expected, "ReturnValues": "x"}
        assert (refusal(action, params) == f"1 validation error detected: {RETURNS}") is newer
        joined = {"TableName": "abc", subject: {}, "Expected": {**expected, "e": {"Exists": False}}}
        told = refusal(action, {**joined, "ConditionalOperator": "XOR"})
        assert told.endswith("[ALL, OR]" if newer else "[OR, AND]")
