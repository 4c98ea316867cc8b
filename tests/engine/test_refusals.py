"""Requests that DynamoDB refuses, and that look harmless: names, starting keys, filters of shards, sums, paths."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.server import serve
from tablewright.errors import ServiceError
from tests.engine.make import create_table, fault, put
from tests.engine.wire import action_message, ask_once

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

LONG = "a" * 65_536
BELOW = "a" * 65_535
TOO_LONG = "Attribute name is too large, must be less than 65536 bytes"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
SCALARS = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed"
ONE_ROW = "The query can return at most one row and cannot be restarted"
KEY = {"TableName": "things", "Key": {"pk": {"S": "a"}}}
EQUALS = {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}
BY_KEY = {"TableName": "things", "KeyConditions": {"pk": EQUALS}}


def with_name(name: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Every place where a request from before expressions names an attribute."""
    some, exists = {"S": "x"}, {"ComparisonOperator": "NOT_NULL"}
    return {
        "AttributeUpdates": ("UpdateItem", {**KEY, "AttributeUpdates": {name: {"Value": some}}}),
        "AttributeUpdates, deleting": ("UpdateItem", {**KEY, "AttributeUpdates": {name: {"Action": "DELETE"}}}),
        "Expected of a put": (
            "PutItem",
            {"TableName": "things", "Item": {"pk": some}, "Expected": {name: {"Exists": False}}},
        ),
        "Expected of an update": ("UpdateItem", {**KEY, "Expected": {name: exists}}),
        "Expected of a delete": ("DeleteItem", {**KEY, "Expected": {name: {"Value": some}}}),
        "AttributesToGet of a get": ("GetItem", {**KEY, "AttributesToGet": ["pk", name]}),
        "AttributesToGet of a batch": (
            "BatchGetItem",
            {"RequestItems": {"things": {"Keys": [KEY["Key"]], "AttributesToGet": [name]}}},
        ),
        "AttributesToGet of a query": ("Query", {**BY_KEY, "AttributesToGet": [name]}),
        "AttributesToGet of a scan": ("Scan", {"TableName": "things", "AttributesToGet": [name]}),
        "QueryFilter": ("Query", {**BY_KEY, "QueryFilter": {name: exists}}),
        "KeyConditions": ("Query", {"TableName": "things", "KeyConditions": {name: EQUALS}}),
        "ScanFilter": ("Scan", {"TableName": "things", "ScanFilter": {name: exists}}),
    }


@pytest.mark.parametrize("place", with_name(""))
def test_no_attribute_has_an_empty_name(engine: Engine, place: str) -> None:
    create_table(engine, "pk")
    assert fault(engine, *with_name("")[place]) == "Empty attribute name"


@pytest.mark.parametrize("place", with_name(""))
def test_no_attribute_has_a_name_of_64_kb(engine: Engine, place: str) -> None:
    create_table(engine, "pk")
    assert fault(engine, *with_name(LONG)[place]) == TOO_LONG


@pytest.mark.parametrize("place", [each for each in with_name("") if each != "KeyConditions"])
def test_a_name_may_be_a_byte_shorter(engine: Engine, place: str) -> None:
    create_table(engine, "pk")
    action, params = with_name(BELOW)[place]
    expected = ServiceError if place in ("Expected of an update", "Expected of a delete") else None
    with pytest.raises(expected, match="The conditional request failed") if expected else nullcontext():
        engine.call(action, params)


def test_names_are_measured_in_bytes(engine: Engine) -> None:
    create_table(engine, "pk")
    assert fault(engine, "GetItem", {**KEY, "AttributesToGet": ["\N{BLACK STAR}" * 21_846]}) == TOO_LONG
    engine.call("GetItem", {**KEY, "AttributesToGet": ["\N{BLACK STAR}" * 21_845]})


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("INSERT INTO things VALUE {'pk': 'b', '': 1}", "Empty attribute name"),
        ("INSERT INTO things VALUE {'pk': 'b', 'm': {'': 1}}", "Empty attribute name"),
        ("UPDATE things SET m = {'': 1} WHERE pk = 'a'", "Empty attribute name"),
        ("UPDATE things SET m = [{'': 1}] WHERE pk = 'a'", "Empty attribute name"),
        ("UPDATE things SET \"\" = 1 WHERE pk = 'a'", "Path component cannot be an empty string"),
        ("UPDATE things SET m.\"\" = 1 WHERE pk = 'a'", "Path component cannot be an empty string"),
        ("UPDATE things REMOVE m[''] WHERE pk = 'a'", "Path component cannot be an empty string"),
        ("SELECT \"\" FROM things WHERE pk = 'a'", "Path component cannot be an empty string"),
        ("SELECT * FROM things WHERE pk = 'a' AND \"\" = 1", "Path component cannot be an empty string"),
    ],
)
def test_nor_in_a_statement(engine: Engine, statement: str, message: str) -> None:
    create_table(engine, "pk")
    engine.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}, "m": {"M": {}}}})
    assert fault(engine, "ExecuteStatement", {"Statement": statement}) == message


# ---- starting keys ---------------------------------------------------------------------------------------------------


def test_a_query_for_one_item_cannot_be_restarted(engine: Engine) -> None:
    create_table(engine, "pk")
    put(engine, {"pk": "a"})
    asked = {
        "TableName": "things",
        "KeyConditionExpression": "pk = :a",
        "ExpressionAttributeValues": {":a": {"S": "a"}},
    }
    for query in (asked, BY_KEY):
        assert fault(engine, "Query", {**query, "ExclusiveStartKey": {"pk": {"S": "a"}}}) == ONE_ROW
        outside = "The provided starting key is outside query boundaries based on provided conditions"
        assert fault(engine, "Query", {**query, "ExclusiveStartKey": {"pk": {"S": "b"}}}) == outside


def test_so_it_does_not_say_that_there_is_more(engine: Engine) -> None:
    create_table(engine, "pk", gsis={"by_kind": ("kind", "ALL")})
    put(engine, *({"pk": each, "kind": "k"} for each in "ab"))
    page = engine.call("Query", {**BY_KEY, "Limit": 1})
    assert page["Count"] == 1
    assert "LastEvaluatedKey" not in page
    first = engine.call("Scan", {"TableName": "things", "Limit": 1})
    rest = engine.call("Scan", {"TableName": "things", "ExclusiveStartKey": first["LastEvaluatedKey"]})
    assert first["Count"] == rest["Count"] == 1


def test_a_partition_of_an_index_without_sort_key_has_pages(engine: Engine) -> None:
    create_table(engine, "pk", gsis={"by_kind": ("kind", "ALL")})
    put(engine, *({"pk": each, "kind": "k"} for each in "ab"))
    query = {
        "TableName": "things",
        "IndexName": "by_kind",
        "KeyConditionExpression": "kind = :k",
        "ExpressionAttributeValues": {":k": {"S": "k"}},
        "Limit": 1,
    }
    first = engine.call("Query", query)
    rest = engine.call("Query", {**query, "ExclusiveStartKey": first["LastEvaluatedKey"]})
    assert first["Items"] != rest["Items"]
    assert first["Count"] == rest["Count"] == 1


def test_statements_still_page_over_items_without_sort_key(engine: Engine) -> None:
    create_table(engine, "pk")
    put(engine, *({"pk": each} for each in "abc"))
    params: dict[str, Any] = {"Statement": "SELECT * FROM things WHERE pk IN ['a', 'b', 'c']", "Limit": 1}
    found: list[str] = []
    for _ in range(9):
        page = engine.call("ExecuteStatement", params)
        found += [item["pk"]["S"] for item in page["Items"]]
        if "NextToken" not in page:
            break
        params["NextToken"] = page["NextToken"]
    assert sorted(found) == ["a", "b", "c"]


# ---- shards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "missing"),
    [({}, ["type", "shardId"]), ({"Type": "CHILD_SHARDS"}, ["shardId"]), ({"ShardId": "x" * 30}, ["type"])],
)
def test_a_filter_of_shards_says_which_and_of_what(engine: Engine, given: dict[str, str], missing: list[str]) -> None:
    create_table(engine, "pk", StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
    arn = engine.call("ListStreams", {})["Streams"][0]["StreamArn"]
    told = fault(engine, "DescribeStream", {"StreamArn": arn, "ShardFilter": given})
    null = "Value null at 'shardFilter.{}' failed to satisfy constraint: Member must not be null"
    assert told.partition(" detected: ")[2] == "; ".join(null.format(each) for each in missing)


# ---- sums ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "sign", "right"),
    [
        ("1e50", "+", "1"),
        ("1e50", "-", "1"),
        ("1", "+", "1e-38"),
        ("-1e50", "+", "1"),
        ("9e125", "+", "9e125"),
        ("9e125", "-", "-9e125"),
        ("99999999999999999999999999999999999999", "+", "0.1"),
    ],
)
def test_a_sum_that_needs_more_digits_is_an_overflow(engine: Engine, left: str, sign: str, right: str) -> None:
    create_table(engine, "pk")
    engine.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}, "n": {"N": left}}})
    given = {"ExpressionAttributeValues": {":n": {"N": right}}}
    assert fault(engine, "UpdateItem", {**KEY, **given, "UpdateExpression": f"SET n = n {sign} :n"}) == OVERFLOW
    if sign == "+":
        assert fault(engine, "UpdateItem", {**KEY, **given, "UpdateExpression": "ADD n :n"}) == OVERFLOW
        old_style = {"n": {"Action": "ADD", "Value": {"N": right}}}
        assert fault(engine, "UpdateItem", {**KEY, "AttributeUpdates": old_style}) == OVERFLOW
    statement = f"UPDATE things SET n = n {sign} ? WHERE pk = 'a'"
    assert fault(engine, "ExecuteStatement", {"Statement": statement, "Parameters": [{"N": right}]}) == OVERFLOW


def test_in_a_transaction_it_is_the_reason(engine: Engine) -> None:
    create_table(engine, "pk")
    update = {
        **KEY,
        "UpdateExpression": "SET n = :a + :b",
        "ExpressionAttributeValues": {":a": {"N": "1e50"}, ":b": {"N": "1"}},
    }
    with pytest.raises(ServiceError) as refused:
        engine.call("TransactWriteItems", {"TransactItems": [{"Update": update}]})
    reason = {"Code": "ValidationError", "Message": OVERFLOW}
    assert refused.value.details is not None
    assert refused.value.details["CancellationReasons"] == [reason]


@pytest.mark.parametrize(
    ("left", "sign", "right", "result"),
    [
        ("9e125", "+", "9e124", "99" + "0" * 124),
        ("1e37", "+", "1", "1" + "0" * 36 + "1"),
        ("1e50", "-", "1e50", "0"),
        ("1e-100", "+", "1e-130", None),
        ("1.1e-129", "-", "1e-129", "0." + "0" * 129 + "1"),
    ],
)
def test_a_sum_that_fits_is_exact(engine: Engine, left: str, sign: str, right: str, result: str | None) -> None:
    create_table(engine, "pk")
    reply = engine.call(
        "UpdateItem",
        {
            **KEY,
            "UpdateExpression": f"SET n = :a {sign} :b",
            "ExpressionAttributeValues": {":a": {"N": left}, ":b": {"N": right}},
            "ReturnValues": "UPDATED_NEW",
        },
    )
    assert reply["Attributes"]["n"]["N"] == (result or "0." + "0" * 99 + "1" + "0" * 29 + "1")


# ---- paths -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("update", ["SET g.x = :v", "SET g[0] = :v", "REMOVE g.x", "ADD g.x :v", "SET l.x = :v"])
def test_nothing_below_the_key_of_an_index_can_be_updated(engine: Engine, update: str) -> None:
    create_table(engine, "pk sk", gsis={"by_g": ("g", "ALL")}, lsis={"by_l": ("pk l", "ALL")})
    key = {"TableName": "things", "Key": {"pk": {"S": "a"}, "sk": {"S": "b"}}}
    params: dict[str, Any] = {**key, "UpdateExpression": update}
    if ":v" in update:
        params["ExpressionAttributeValues"] = {":v": {"N": "1"}}
    name = "l" if " l." in update else "g"
    assert fault(engine, "UpdateItem", params) == f"{SCALARS}: IndexKey: {name}"
    with pytest.raises(ServiceError) as refused:
        engine.call("TransactWriteItems", {"TransactItems": [{"Update": params}]})
    assert refused.value.details is not None
    assert refused.value.details["CancellationReasons"][0]["Message"] == f"{SCALARS}: IndexKey: {name}"


def test_nor_by_a_statement(engine: Engine) -> None:
    create_table(engine, "pk", gsis={"by_g": ("g", "ALL")})
    put(engine, {"pk": "a"})
    for update in ("SET g.x = 1", "REMOVE g.x"):
        told = fault(engine, "ExecuteStatement", {"Statement": f"UPDATE things {update} WHERE pk = 'a'"})
        assert told == f"{SCALARS}: IndexKey: g"


def test_below_the_key_of_the_table_it_is_the_key_that_cannot_be_updated(engine: Engine) -> None:
    create_table(engine, "pk")
    params = {**KEY, "UpdateExpression": "SET pk.x = :v", "ExpressionAttributeValues": {":v": {"N": "1"}}}
    told = "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"
    assert fault(engine, "UpdateItem", params) == told


def test_transactions_look_for_nothing_inside_keys(engine: Engine) -> None:
    create_table(engine, "pk", gsis={"by_g": ("g", "ALL")})
    for path, told in (("pk.x", "Key: pk"), ("g[1]", "IndexKey: g")):
        with pytest.raises(ServiceError) as refused:
            engine.call("TransactGetItems", {"TransactItems": [{"Get": {**KEY, "ProjectionExpression": path}}]})
        assert refused.value.details is not None
        assert refused.value.details["CancellationReasons"][0]["Message"] == f"{SCALARS}: {told}"


# ---- over the wire ---------------------------------------------------------------------------------------------------


def test_the_server_refuses_them_too(engine: Engine) -> None:
    create_table(engine, "pk", gsis={"by_g": ("g", "ALL")})
    below = {"UpdateExpression": "SET g.x = :v", "ExpressionAttributeValues": {":v": {"N": "1"}}}
    asked = [
        ("UpdateItem", {**KEY, "AttributeUpdates": {"": {"Value": {"S": "x"}}}}, "Empty attribute name"),
        ("GetItem", {**KEY, "AttributesToGet": [LONG]}, TOO_LONG),
        ("Query", {**BY_KEY, "ExclusiveStartKey": {"pk": {"S": "a"}}}, ONE_ROW),
        ("UpdateItem", {**KEY, **below}, f"{SCALARS}: IndexKey: g"),
    ]
    with serve(engine) as server:
        for action, params, message in asked:
            reply = ask_once(server.port, action_message(action, params))
            assert reply.status == 400
            assert reply.json() == {"__type": "com.amazon.coral.validate#ValidationException", "message": message}
