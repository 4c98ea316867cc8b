"""Requests nobody would write, for a bounded time: the answer is a reply or a ServiceError, never anything else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablewright.engine import Engine
from tablewright.engine.engine import handlers
from tablewright.engine.server import Server, serve
from tablewright.errors import ServiceError
from tests.engine.wire import JSON_1_0, SIGNED, Client, message, target

TABLES = [
    {
        "TableName": "plain",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
    },
    {
        "TableName": "sorted",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            {"AttributeName": "a", "AttributeType": "S"},
            {"AttributeName": "b", "AttributeType": "N"},
            {"AttributeName": "c", "AttributeType": "S"},
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "by_c",
                "KeySchema": [{"AttributeName": "c", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    },
]
# What changes tables themselves would leave the others nothing to work on.
ACTIONS = sorted(set(handlers()) - {"DeleteTable", "UpdateTable"})

names = st.sampled_from(["a", "b", "c", "d", "#n", ":v", "", "x.y", "a[0]"]) | st.text(max_size=4)
numbers = st.sampled_from(["0", "1", "-1.5", "1e126", "1E-131", "NaN", "", "007", "9" * 39]) | st.integers().map(str)
base64 = st.sampled_from(["", "AA==", "AAAA", "A", "????"])
typed = st.recursive(
    st.one_of(
        st.builds(lambda text: {"S": text}, st.text(max_size=5)),
        st.builds(lambda text: {"N": text}, numbers),
        st.builds(lambda text: {"B": text}, base64),
        st.builds(lambda truth: {"BOOL": truth}, st.booleans()),
        st.builds(lambda truth: {"NULL": truth}, st.booleans()),
        st.builds(lambda texts: {"SS": texts}, st.lists(st.text(max_size=3), max_size=3)),
        st.builds(lambda texts: {"NS": texts}, st.lists(numbers, max_size=3)),
        st.builds(lambda texts: {"BS": texts}, st.lists(base64, max_size=3)),
    ),
    lambda inner: st.one_of(
        st.builds(lambda values: {"L": values}, st.lists(inner, max_size=3)),
        st.builds(lambda values: {"M": values}, st.dictionaries(names, inner, max_size=3)),
    ),
    max_leaves=5,
)
junk: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
expressions = st.sampled_from(
    [
        *("a = :v", "#n = :v", "a = :v and b > :v", "begins_with(a, :v)", "size(d) > :v", "attribute_not_exists(a)"),
        *("SET d = :v", "SET d = if_not_exists(d, :v) + :v REMOVE c", "ADD d :v", "DELETE d :v", "SET x.y[3] = :v"),
        *("a", "a, b, c.d[1]", "d between :v and :v", "d in (:v, :v)", "((a = :v))", "not a = :v or b <> :v", "", "("),
    ]
) | st.text(alphabet="ab#:v=<>()[]., \x00é", max_size=20)
items = st.dictionaries(names, typed, max_size=4)
keys = st.fixed_dictionaries({"a": typed}, optional={"b": typed})
tables = st.sampled_from(
    ["plain", "sorted", "missing", "x", "a" * 300, "arn:aws:dynamodb:us-east-1:000000000000:table/plain"]
)
conditions = st.dictionaries(
    names,
    st.fixed_dictionaries(
        {"ComparisonOperator": st.sampled_from(["EQ", "NE", "BETWEEN", "NULL", "CONTAINS", "X"])},
        optional={"AttributeValueList": st.lists(typed, max_size=3), "Value": typed, "Exists": st.booleans()},
    ),
    max_size=2,
)
write = st.fixed_dictionaries(
    {},
    optional={
        kind: st.fixed_dictionaries(
            {"TableName": tables},
            optional={
                "Item": items,
                "Key": keys,
                "UpdateExpression": expressions,
                "ConditionExpression": expressions,
                "ExpressionAttributeValues": st.dictionaries(st.just(":v"), typed),
            },
        )
        for kind in ("Put", "Update", "Delete", "ConditionCheck", "Get")
    },
)
statements = st.sampled_from(
    [
        "SELECT * FROM plain",
        'SELECT a, b FROM "sorted"."by_c" WHERE c = ?',
        "INSERT INTO plain VALUE {'a': ?}",
        "UPDATE plain SET d = ? WHERE a = 'x'",
        "DELETE FROM plain WHERE a = ?",
        "SELECT",
    ]
) | st.text(alphabet="SELECT *FROMplain WHERE'\"?{}[]<>=", max_size=30)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "TableName": tables,
    "IndexName": st.sampled_from(["by_c", "nope", ""]),
    "Item": items,
    "Key": keys,
    "ConditionExpression": expressions,
    "FilterExpression": expressions,
    "KeyConditionExpression": expressions,
    "ProjectionExpression": expressions,
    "UpdateExpression": expressions,
    "ExpressionAttributeNames": st.dictionaries(st.sampled_from(["#n", "#x", "n"]), names, max_size=2),
    "ExpressionAttributeValues": st.dictionaries(st.sampled_from([":v", ":w", "v"]), typed, max_size=2),
    "Expected": conditions,
    "KeyConditions": conditions,
    "QueryFilter": conditions,
    "ScanFilter": conditions,
    "AttributeUpdates": st.dictionaries(
        names,
        st.fixed_dictionaries({}, optional={"Value": typed, "Action": st.sampled_from(["PUT", "ADD", "DELETE", "X"])}),
    ),
    "AttributesToGet": st.lists(names, max_size=3),
    "ConditionalOperator": st.sampled_from(["AND", "OR", "X"]),
    "ReturnValues": st.sampled_from(["NONE", "ALL_OLD", "UPDATED_NEW", "X"]),
    "ReturnConsumedCapacity": st.sampled_from(["TOTAL", "INDEXES", "NONE", "X"]),
    "ReturnValuesOnConditionCheckFailure": st.sampled_from(["ALL_OLD", "NONE"]),
    "ReturnItemCollectionMetrics": st.sampled_from(["SIZE", "NONE"]),
    "Select": st.sampled_from(["COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "X"]),
    "ScanIndexForward": st.booleans(),
    "ConsistentRead": st.booleans(),
    "Limit": st.integers(-1, 5),
    "Segment": st.integers(-1, 3),
    "TotalSegments": st.integers(-1, 3),
    "ExclusiveStartKey": keys,
    "ExclusiveStartTableName": tables,
    "RequestItems": st.dictionaries(
        tables,
        st.lists(
            st.one_of(
                st.fixed_dictionaries({"PutRequest": st.fixed_dictionaries({"Item": items})}),
                st.fixed_dictionaries({"DeleteRequest": st.fixed_dictionaries({"Key": keys})}),
            ),
            max_size=3,
        )
        | st.fixed_dictionaries({"Keys": st.lists(keys, max_size=3)}, optional={"ProjectionExpression": expressions}),
        max_size=2,
    ),
    "TransactItems": st.lists(write, max_size=3),
    "TransactStatements": st.lists(st.fixed_dictionaries({"Statement": statements}), max_size=3),
    "Statements": st.lists(st.fixed_dictionaries({"Statement": statements}), max_size=3),
    "Statement": statements,
    "Parameters": st.lists(typed, max_size=2),
    "NextToken": st.text(max_size=5),
    "ClientRequestToken": st.text(max_size=5),
    "ResourceArn": tables,
    "Tags": st.lists(st.fixed_dictionaries({"Key": names, "Value": names}), max_size=2),
    "TagKeys": st.lists(names, max_size=2),
    "StreamArn": st.text(max_size=10),
    "ShardId": st.text(max_size=10),
    "ShardIterator": st.text(max_size=10),
    "ShardIteratorType": st.sampled_from(["LATEST", "TRIM_HORIZON", "AT_SEQUENCE_NUMBER", "X"]),
    "SequenceNumber": st.text(max_size=5),
    "TimeToLiveSpecification": st.fixed_dictionaries({"Enabled": st.booleans(), "AttributeName": names}),
    "AttributeDefinitions": st.lists(
        st.fixed_dictionaries({"AttributeName": names, "AttributeType": st.sampled_from(["S", "N", "B", "X"])}),
        max_size=3,
    ),
    "KeySchema": st.lists(
        st.fixed_dictionaries({"AttributeName": names, "KeyType": st.sampled_from(["HASH", "RANGE", "X"])}), max_size=3
    ),
    "BillingMode": st.sampled_from(["PAY_PER_REQUEST", "PROVISIONED", "X"]),
}


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """An operation with fields that may or may not be its own, some of them not of their type."""
    action = draw(st.sampled_from(ACTIONS))
    chosen = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=6, unique=True))
    fields = {name: draw(FIELDS[name]) for name in {"TableName", *chosen}}
    for name in draw(st.lists(st.sampled_from(sorted(fields)), max_size=1)):
        fields[name] = draw(junk)
    return action, fields


EXAMPLES = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "full" else 300
BOUNDED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as opened:
        for table in TABLES:
            opened.call("CreateTable", table)
        yield opened


@pytest.fixture(scope="module")
def client(engine: Engine) -> Iterator[Client]:
    with serve(engine) as server, Client(server.port) as connected:
        yield connected


@BOUNDED
@given(requests())
def test_the_engine_gives_a_reply_or_a_service_error(engine: Engine, request: tuple[str, dict[str, Any]]) -> None:
    with suppress(ServiceError):
        assert isinstance(engine.call(*request), dict)


def headers(action: str) -> dict[str, str]:
    streams = ("ListStreams", "DescribeStream", "GetShardIterator", "GetRecords")
    version = "DynamoDBStreams_20120810" if action in streams else "DynamoDB_20120810"
    return {**JSON_1_0, **SIGNED, **target(action, version)}


@BOUNDED
@given(requests())
def test_the_server_answers_200_or_400(client: Client, request: tuple[str, dict[str, Any]]) -> None:
    action, params = request
    reply = client.ask(message(json.dumps(params).encode(), headers=headers(action)))
    assert reply.status in (200, 400), (request, reply)


@BOUNDED
@given(requests(), st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=3)), min_size=1, max_size=4))
def test_the_server_survives_mutated_bodies(
    client: Client, request: tuple[str, dict[str, Any]], changes: list[tuple[int, bytes]]
) -> None:
    body = bytearray(json.dumps(request[1]).encode())
    for at, new in changes:
        body[at % len(body) : at % len(body) + 1] = new or b"}"
    reply = client.ask(message(bytes(body), headers=headers(request[0])))
    assert reply.status in (200, 400), (request, changes, reply)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=3)), min_size=1, max_size=4))
def test_the_server_survives_mutated_requests(mutation_server: Server, changes: list[tuple[int, bytes]]) -> None:
    whole = bytearray(message(b'{"TableName":"x"}', headers=headers("DescribeTable")))
    for at, new in changes:
        whole[at % len(whole) : at % len(whole) + 1] = new
    with Client(mutation_server.port, timeout=0.05) as client, suppress(ConnectionError, TimeoutError):
        client.send(bytes(whole))
        assert client.reply().status < 500 or b"501" in whole


@pytest.fixture(scope="module")
def mutation_server() -> Iterator[Server]:
    with serve() as server:
        yield server
