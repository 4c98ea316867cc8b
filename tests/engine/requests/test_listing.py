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
