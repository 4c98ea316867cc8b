"""The parameters from before expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.legacy import legacy_condition, legacy_key_conditions, legacy_update, update_fault
from tablewright.errors import ServiceError
from tablewright.expr.apply import WRONG_TYPE, apply
from tablewright.expr.evaluate import evaluate
from tablewright.wire.values import marshal
from tests.engine.make import create_table, fault, plain, put

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

ITEM = {"s": "hello", "n": 5, "b": b"bytes", "l": [1, "x"], "ss": {"a", "b"}, "flag": True, "none": None}


def comparison(operator: str, *values: Any) -> dict[str, Any]:
    return {"ComparisonOperator": operator, "AttributeValueList": [marshal(value) for value in values]}


def holds(conditions: dict[str, Any], parameter: str = "ScanFilter", **more: Any) -> bool:
    condition = legacy_condition({parameter: conditions, **more}, parameter)
    assert condition is not None
    return evaluate(condition, ITEM)


def refusal(read: Any, *args: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        read(*args)
    return refused.value.service_message


@pytest.mark.parametrize(
    ("name", "operator", "values", "expected"),
    [
        ("n", "EQ", [5], True),
        ("n", "EQ", ["5"], False),
        ("flag", "EQ", [True], True),
        ("ss", "EQ", [{"b", "a"}], True),
        ("l", "EQ", [[1, "x"]], True),
        ("n", "NE", [4], True),
        ("absent", "NE", [4], True),
        ("n", "LE", [5], True),
        ("n", "LT", [5], False),
        ("n", "GE", [6], False),
        ("n", "GT", [4], True),
        ("s", "GT", [4], False),
        ("none", "NOT_NULL", [], True),
        ("absent", "NOT_NULL", [], False),
        ("absent", "NULL", [], True),
        ("s", "CONTAINS", ["ell"], True),
        ("ss", "CONTAINS", ["a"], True),
        ("l", "CONTAINS", [1], True),
        ("s", "NOT_CONTAINS", ["dog"], True),
        ("s", "NOT_CONTAINS", ["ell"], False),
        ("absent", "NOT_CONTAINS", ["ell"], False),
        ("s", "BEGINS_WITH", ["he"], True),
        ("b", "BEGINS_WITH", [b"by"], True),
        ("n", "IN", [4, 5], True),
        ("n", "IN", [4], False),
        ("n", "BETWEEN", [5, 6], True),
        ("n", "BETWEEN", [6, 7], False),
    ],
)
def test_comparisons(name: str, operator: str, values: list[Any], expected: bool) -> None:
    assert holds({name: comparison(operator, *values)}) is expected


@pytest.mark.parametrize(
    ("operator", "values", "message"),
    [
        ("EQ", [], "Invalid number of argument(s) for the EQ ComparisonOperator"),
        ("EQ", [1, 2], "Invalid number of argument(s) for the EQ ComparisonOperator"),
        ("NULL", [1], "Invalid number of argument(s) for the NULL ComparisonOperator"),
        ("IN", [], "Invalid number of argument(s) for the IN ComparisonOperator"),
        ("BETWEEN", [1], "Invalid number of argument(s) for the BETWEEN ComparisonOperator"),
        ("IN", [1, "a"], "AttributeValues inside AttributeValueList must be of same type"),
        ("LT", [True], "ComparisonOperator LT is not valid for BOOL AttributeValue type"),
        ("CONTAINS", [[1]], "ComparisonOperator CONTAINS is not valid for L AttributeValue type"),
        ("BEGINS_WITH", [1], "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"),
    ],
)
def test_comparisons_that_are_refused(operator: str, values: list[Any], message: str) -> None:
    conditions = {"a": comparison(operator, *values)}
    told = refusal(legacy_condition, {"ScanFilter": conditions}, "ScanFilter")
    assert told == f"One or more parameter values were invalid: {message}"


def test_bounds_in_the_wrong_order() -> None:
    told = refusal(legacy_condition, {"ScanFilter": {"a": comparison("BETWEEN", 2, 1)}}, "ScanFilter")
    assert told == "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"


def test_conditions_are_joined() -> None:
    both = {"n": comparison("EQ", 5), "s": comparison("EQ", "?")}
    assert not holds(both)
    assert not holds(both, ConditionalOperator="AND")
    assert holds(both, ConditionalOperator="OR")
    assert legacy_condition({"Expected": {}}, "Expected") is None
    assert legacy_condition({}, "Expected") is None


@pytest.mark.parametrize(
    ("expected", "result"),
    [
        ({"n": {"Value": {"N": "5"}}}, True),
        ({"n": {"Value": {"N": "6"}}}, False),
        ({"n": {"Exists": True, "Value": {"N": "5"}}}, True),
        ({"n": {"Exists": False}}, False),
        ({"absent": {"Exists": False}}, True),
        ({"n": {"ComparisonOperator": "GT", "Value": {"N": "4"}}}, True),
        ({"n": comparison("IN", 5, 6)}, True),
        ({"absent": {"ComparisonOperator": "NULL"}}, True),
    ],
)
def test_expected(expected: dict[str, Any], result: bool) -> None:
    assert holds(expected, "Expected") is result


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({}, "Value must be provided when Exists is null for Attribute: a"),
        ({"Exists": True}, "Value must be provided when Exists is true for Attribute: a"),
        ({"Exists": False, "Value": {"N": "1"}}, "Value cannot be used when Exists is false for Attribute: a"),
        (
            {"Value": {"N": "1"}, "AttributeValueList": [{"N": "1"}]},
            "Value and AttributeValueList cannot be used together for Attribute: a",
        ),
        (
            {"AttributeValueList": [{"N": "1"}]},
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
        ),
        (
            {"Exists": False, **comparison("EQ", 1)},
            "Exists and ComparisonOperator cannot be used together for Attribute: a",
        ),
        (
            {"ComparisonOperator": "EQ"},
            "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a",
        ),
        (
            {"ComparisonOperator": "BETWEEN", "Value": {"N": "1"}},
            "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
        ),
    ],
)
def test_expected_that_is_refused(expected: dict[str, Any], message: str) -> None:
    told = refusal(legacy_condition, {"Expected": {"a": expected}}, "Expected")
    assert told == f"One or more parameter values were invalid: {message}"


def updated(updates: dict[str, Any], item: dict[str, Any]) -> dict[str, Any]:
    update = legacy_update({"AttributeUpdates": updates})
    assert update is not None
    return apply(update, item)


def test_attribute_updates() -> None:
    changes = {
        "put": {"Action": "PUT", "Value": {"S": "new"}},
        "default": {"Value": {"S": "new"}},
        "count": {"Action": "ADD", "Value": {"N": "2"}},
        "fresh": {"Action": "ADD", "Value": {"N": "2"}},
        "tags": {"Action": "ADD", "Value": {"SS": ["b"]}},
        "list": {"Action": "ADD", "Value": {"L": [{"N": "2"}]}},
        "gone": {"Action": "DELETE"},
        "less": {"Action": "DELETE", "Value": {"SS": ["a"]}},
        "dot.ted": {"Action": "PUT", "Value": {"N": "1"}},
    }
    before = {"count": 1, "tags": {"a"}, "list": [1], "gone": 1, "less": {"a", "b"}}
    assert updated(changes, before) == {
        "put": "new",
        "default": "new",
        "count": 3,
        "fresh": 2,
        "tags": {"a", "b"},
        "list": [1, 2],
        "less": {"b"},
        "dot.ted": 1,
    }
    assert legacy_update({}) is None


def test_what_applying_an_update_meets() -> None:
    assert update_fault(WRONG_TYPE) == "Type mismatch for attribute to update"
    assert update_fault("something else") == "something else"


@pytest.mark.parametrize(
    ("update", "message"),
    [
        ({"Action": "PUT"}, "Only DELETE action is allowed when no attribute value is specified"),
        ({"Action": "ADD"}, "Only DELETE action is allowed when no attribute value is specified"),
        ({"Action": "ADD", "Value": {"S": "x"}}, "ADD action is not supported for the type S"),
        (
            {"Action": "DELETE", "Value": {"N": "1"}},
            "DELETE action with value is not supported for the type N",
        ),
    ],
)
def test_updates_that_are_refused(update: dict[str, Any], message: str) -> None:
    told = refusal(legacy_update, {"AttributeUpdates": {"a": update}})
    assert told == f"One or more parameter values were invalid: {message}"


# ---- in requests -----------------------------------------------------------------------------------------------------


@pytest.fixture
def filled(engine: Engine) -> Engine:
    create_table(engine, lsis={"local": ("pk n", "ALL")}, types={"n": "N"})
    put(engine, *({"pk": "p", "sk": f"s{i}", "n": i, "tag": "odd" if i % 2 else "even"} for i in range(5)))
    return engine


PK = {"pk": comparison("EQ", "p")}


@pytest.mark.parametrize(
    ("condition", "places"),
    [
        ({}, range(5)),
        ({"sk": comparison("EQ", "s1")}, [1]),
        ({"sk": comparison("LT", "s1")}, [0]),
        ({"sk": comparison("GE", "s3")}, [3, 4]),
        ({"sk": comparison("BEGINS_WITH", "s")}, range(5)),
        ({"sk": comparison("BETWEEN", "s1", "s3")}, [1, 2, 3]),
    ],
)
def test_key_conditions(filled: Engine, condition: dict[str, Any], places: Any) -> None:
    reply = filled.call("Query", {"TableName": "things", "KeyConditions": {**PK, **condition}})
    assert [item["n"] for item in plain(reply["Items"])] == list(places)


def test_filters_in_requests(filled: Engine) -> None:
    odd = {"tag": comparison("EQ", "odd")}
    reply = filled.call("Query", {"TableName": "things", "KeyConditions": PK, "QueryFilter": odd})
    assert (reply["Count"], reply["ScannedCount"]) == (2, 5)
    reply = filled.call("Scan", {"TableName": "things", "ScanFilter": odd, "AttributesToGet": ["n", "absent"]})
    assert reply["Items"] == [{"n": {"N": "1"}}, {"n": {"N": "3"}}]


def test_key_conditions_may_stand_beside_expressions(filled: Engine) -> None:
    params = {"TableName": "things", "KeyConditions": PK, "ProjectionExpression": "n", "Limit": 1}
    assert filled.call("Query", params)["Items"] == [{"n": {"N": "0"}}]


MIXED = "Can not use both expression and non-expression parameters in the same request: "


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"KeyConditions": PK, "KeyConditionExpression": "pk = :p", "QueryFilter": {}},
            (
                f"{MIXED}Non-expression parameters: {{QueryFilter, KeyConditions}} "
                "Expression parameters: {KeyConditionExpression}"
            ),
        ),
        ({"KeyConditions": {}}, "Conditions can be of length 1 or 2 only"),
        ({"KeyConditions": {"sk": comparison("EQ", "s")}}, "Query condition missed key schema element: pk"),
        (
            {"KeyConditions": {**PK, "sk": comparison("NE", "s")}},
            "Attempted conditional constraint is not an indexable operation",
        ),
        ({"KeyConditions": {"pk": comparison("LT", "s")}}, "Query key condition not supported"),
        (
            {"KeyConditions": PK, "QueryFilter": {"sk": comparison("EQ", "s")}},
            "QueryFilter can only contain non-primary key attributes: Primary key attribute: sk",
        ),
        (
            {"KeyConditions": PK, "ConditionalOperator": "AND"},
            "ConditionalOperator cannot be used without Filter or Expected",
        ),
        (
            {"KeyConditions": PK, "ConditionalOperator": "AND", "QueryFilter": {"a": comparison("EQ", "s")}},
            "ConditionalOperator can only be used when Filter or Expected has two or more elements",
        ),
        (
            {"KeyConditions": PK, "ExpressionAttributeNames": {"#a": "a"}},
            "ExpressionAttributeNames can only be specified when using expressions",
        ),
        (
            {"KeyConditions": PK, "ExpressionAttributeValues": {":a": {"S": "a"}}},
            (
                "ExpressionAttributeValues can only be specified when using expressions: "
                "FilterExpression and KeyConditionExpression are null"
            ),
        ),
    ],
)
def test_queries_that_are_refused(filled: Engine, params: dict[str, Any], message: str) -> None:
    assert fault(filled, "Query", {"TableName": "things", **params}) == message


def test_key_conditions_are_optional() -> None:
    assert legacy_key_conditions({}) is None
