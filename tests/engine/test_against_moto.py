"""The same random requests to this engine and to moto, where moto is known to be right.

Left out is what moto gets wrong or leaves open: capacity, messages, the order of a scan and of equal keys in an index,
how many items a page of an index holds, comparisons of different types or with what is missing, and updates that take
something from an item that is not there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from tablewright.engine import Engine
from tablewright.errors import ServiceError

pytestmark = pytest.mark.slow

Params = dict[str, Any]
Answer = tuple[str, Any]

ROUNDS, REQUESTS = 12, 40
PARTITIONS = ("p1", "p2", "p3")
SORTS = {"S": ("a", "ab", "abc", "b", "ba", "~", "é"), "N": ("-2", "-1", "0", "1", "1.5", "10", "9")}
VALUES: dict[str, tuple[Params, ...]] = {
    "a": ({"S": "x"}, {"S": "xy"}, {"S": "y"}, {"S": "é"}),
    "b": ({"N": "1"}, {"N": "2.5"}, {"N": "-3"}, {"N": "1000"}),
    "c": ({"SS": ["a", "b"]}, {"SS": ["b", "c"]}),
    "d": ({"L": [{"N": "1"}, {"S": "x"}]}, {"L": []}),
    "e": ({"M": {"in": {"S": "x"}}}, {"M": {"in": {"S": "y"}, "n": {"N": "4"}}}),
    "f": ({"BOOL": True}, {"BOOL": False}),
}
ORDERED = "ab"
COMPARED = ("=", "<>", "<", "<=", ">", ">=")


class Moto:
    """Answers as `Engine.call` does, with what boto3 makes of them."""

    def __init__(self) -> None:
        keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x"}
        self.client = boto3.client("dynamodb", region_name="us-east-1", **keys)

    def call(self, action: str, params: Params) -> Params:
        method = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in action).lstrip("_")
        reply: Params = getattr(self.client, method)(**params)
        return reply


@pytest.fixture
def moto() -> Iterator[Moto]:
    with mock_aws():
        yield Moto()


class Requests:
    """Random requests about one table, whose sort key is of either type."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kind = self.random.choice(("S", "N"))

    def table(self) -> Params:
        schema = [("pk", "HASH"), ("sk", "RANGE")], [("by", "HASH"), ("sk", "RANGE")]
        table, index = ([{"AttributeName": name, "KeyType": role} for name, role in each] for each in schema)
        types = {"pk": "S", "sk": self.kind, "by": "S"}
        return {
            "TableName": "things",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": code} for name, code in types.items()],
            "KeySchema": table,
            "GlobalSecondaryIndexes": [
                {"IndexName": "index", "KeySchema": index, "Projection": {"ProjectionType": "ALL"}}
            ],
        }

    def key(self) -> Params:
        return {"pk": {"S": self.random.choice(PARTITIONS)}, "sk": self.sort_value()}

    def sort_value(self) -> Params:
        return {self.kind: self.random.choice(SORTS[self.kind])}

    def attributes(self) -> Params:
        chosen = {name: self.random.choice(values) for name, values in VALUES.items() if self.random.random() < 0.6}
        return {**chosen, "by": {"S": self.random.choice("gh")}} if self.random.random() < 0.7 else chosen

    def condition(self) -> tuple[str, Params]:
        """A condition on attributes, and its values."""
        name = self.random.choice(list(VALUES))
        comparator = self.random.choice(COMPARED if name in ORDERED else COMPARED[:2])
        compared = f"attribute_exists({name}) AND {name} {comparator} :v"
        text = self.random.choice((compared, f"attribute_not_exists({name}) OR {name} = :v", f"{name} = :v"))
        return text, {":v": self.random.choice(VALUES[name])}

    def write(self) -> tuple[str, Params]:
        action = self.random.choice(("PutItem", "PutItem", "UpdateItem", "DeleteItem"))
        params: Params = {"TableName": "things", "ReturnValues": "ALL_OLD"}
        values: Params = {}
        if action == "PutItem":
            params["Item"] = {**self.key(), **self.attributes()}
        else:
            params["Key"] = self.key()
        if action == "UpdateItem":
            params["UpdateExpression"], values = self.update()
            params["ReturnValues"] = "ALL_NEW"
        if self.random.random() < 0.4:
            params["ConditionExpression"], more = self.condition()
            values = {**values, **more}
        return action, {**params, "ExpressionAttributeValues": values} if values else params

    def update(self) -> tuple[str, Params]:
        name, other = self.random.sample(list(VALUES), 2)
        new = {":new": self.random.choice(VALUES[name])}
        return self.random.choice(
            (
                (f"SET {name} = :new", new),
                (f"SET {name} = if_not_exists({name}, :new) REMOVE {other}", new),
                (f"ADD n :one SET {name} = :new", {":one": {"N": "1"}, **new}),
                ("ADD tags :more", {":more": {"SS": [self.random.choice("xyz")]}}),
                (
                    "SET d = list_append(if_not_exists(d, :none), :more)",
                    {":none": {"L": []}, ":more": {"L": [{"N": "8"}]}},
                ),
            )
        )

    def query(self) -> Params:
        index = self.random.random() < 0.4
        values: Params = {":pk": {"S": self.random.choice("gh" if index else PARTITIONS)}}
        text = "#pk = :pk"
        if self.random.random() < 0.7:
            condition, more = self.sort_condition()
            text, values = f"{text} AND {condition}", {**values, **more}
        params: Params = {"TableName": "things", "ScanIndexForward": self.random.random() < 0.6}
        if self.random.random() < 0.5:
            params["FilterExpression"], more = self.condition()
            values = {**values, **more}
        return {
            **params,
            **({"IndexName": "index"} if index else {}),
            "KeyConditionExpression": text,
            "ExpressionAttributeNames": {"#pk": "by" if index else "pk"},
            "ExpressionAttributeValues": values,
        }

    def sort_condition(self) -> tuple[str, Params]:
        low, high = sorted((self.sort_value() for _ in range(2)), key=self.place)
        comparator = self.random.choice(("=", "<", "<=", ">", ">="))
        choices = [(f"sk {comparator} :s", {":s": low}), ("sk BETWEEN :s AND :t", {":s": low, ":t": high})]
        if self.kind == "S":
            choices.append(("begins_with(sk, :s)", {":s": low}))
        return self.random.choice(choices)

    def place(self, value: Params) -> Any:
        text = value[self.kind]
        return text.encode() if self.kind == "S" else float(text)


def ask(database: Any, action: str, params: Params) -> Answer:
    """What is answered, or the name of the error."""
    try:
        reply = database.call(action, params)
    except ClientError as error:
        return "error", error.response["Error"]["Code"]
    except ServiceError as error:
        return "error", error.name
    return "reply", {
        name: told(reply[name]) for name in ("Item", "Attributes", "Count", "ScannedCount") if reply.get(name)
    }


def told(value: Any) -> Any:
    """A value with its sets in order."""
    if isinstance(value, dict):
        return {name: sorted(each) if name in ("SS", "NS") else told(each) for name, each in value.items()}
    return [told(each) for each in value] if isinstance(value, list) else value


def all_items(database: Any, action: str, params: Params, limit: int) -> list[Any]:
    """Every item, page by page."""
    items: list[Any] = []
    start: Params = {}
    while True:
        reply = database.call(action, {**params, **start, "Limit": limit})
        items += [told(each) for each in reply["Items"]]
        if "LastEvaluatedKey" not in reply:
            return items
        start = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}


def in_some_order(items: list[Any]) -> list[str]:
    return sorted(map(repr, [dict(sorted(each.items())) for each in items]))


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_both_answer_alike(engine: Engine, moto: Moto, seed: int) -> None:
    requests = Requests(seed)
    for database in (engine, moto):
        database.call("CreateTable", requests.table())
    for _ in range(REQUESTS):
        action, params = requests.write()
        assert ask(engine, action, params) == ask(moto, action, params), (action, params)
        get = {"TableName": "things", "Key": requests.key()}
        assert ask(engine, "GetItem", get) == ask(moto, "GetItem", get), get
        query = requests.query()
        ours, theirs = (all_items(each, "Query", query, limit=1000) for each in (engine, moto))
        if "IndexName" not in query:
            assert ours == theirs, query
        assert in_some_order(ours) == in_some_order(theirs), query
        assert in_some_order(all_items(engine, "Query", query, limit=2)) == in_some_order(ours), query
    scan = {"TableName": "things"}
    assert in_some_order(all_items(engine, "Scan", scan, 3)) == in_some_order(all_items(moto, "Scan", scan, 1000))
