"""Indexes whose keys consist of several attributes: who is in them, what is refused, and what they can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from tablewright.engine import Engine
from tablewright.engine.server import serve
from tests.engine.make import create_table, index_of, key_schema

TYPES = {"h1": "S", "h2": "N", "r1": "S", "r2": "N", "r3": "B"}
PARTITION, SORT = ("h1", "h2"), ("r1", "r2", "r3")
VALUES: dict[str, Any] = {
    "h1": {"S": "h"},
    "h2": {"N": "2"},
    "r1": {"S": "m"},
    "r2": {"N": "5"},
    "r3": {"B": b"m"},
}
WRONG: dict[str, list[Any]] = {
    "S": [{"N": "1"}, {"B": b"x"}, {"BOOL": True}, {"NULL": True}, {"SS": ["x"]}, {"M": {}}],
    "N": [{"S": "1"}, {"BOOL": True}, {"NS": ["1"]}, {"L": []}],
    "B": [{"S": "x"}, {"BS": [b"x"]}, {"NULL": True}],
}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with Engine() as engine, serve(engine) as server:
        create_table(engine, "id", gsis={"multi": ("h1,h2 r1,r2,r3", "KEYS_ONLY")}, types=TYPES)
        yield boto3.client(
            "dynamodb",
            endpoint_url=server.url,
            region_name="us-east-1",
            aws_access_key_id="local",
            aws_secret_access_key="local",
        )


@pytest.fixture(autouse=True)
def emptied(client: Any) -> None:
    for item in client.scan(TableName="things")["Items"]:
        client.delete_item(TableName="things", Key={"id": item["id"]})


def put(client: Any, item_id: str, **attributes: Any) -> None:
    client.put_item(TableName="things", Item={"id": {"S": item_id}, **attributes})


def indexed(client: Any) -> list[str]:
    return sorted(item["id"]["S"] for item in client.scan(TableName="things", IndexName="multi")["Items"])


def refusal(call: Any, **params: Any) -> str:
    with pytest.raises(ClientError) as refused:
        call(**params)
    return str(refused.value)


# ---- who is in them --------------------------------------------------------------------------------------------------


def test_only_items_with_all_attributes_are_in_the_index(client: Any) -> None:
    for count in range(len(VALUES)):
        for names in combinations(VALUES, count):
            put(client, "+".join(names) or "none", **{name: VALUES[name] for name in names})
    assert indexed(client) == []
    put(client, "all", **VALUES)
    assert indexed(client) == ["all"]


@pytest.mark.parametrize("name", list(VALUES))
def test_an_item_comes_and_goes_with_each_attribute(client: Any, name: str) -> None:
    put(client, "item", **VALUES)
    key = {"TableName": "things", "Key": {"id": {"S": "item"}}, "ExpressionAttributeNames": {"#n": name}}
    client.update_item(**key, UpdateExpression="REMOVE #n")
    assert indexed(client) == []
    client.update_item(**key, UpdateExpression="SET #n = :v", ExpressionAttributeValues={":v": VALUES[name]})
    assert indexed(client) == ["item"]


# ---- types and lengths -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, kind in TYPES.items() for value in WRONG[kind]], ids=str
)
def test_another_type_is_refused_by_every_write(client: Any, name: str, value: Any) -> None:
    put(client, "item", **VALUES)
    item = {"id": {"S": "item"}, name: value}
    write = {"TableName": "things", "Item": item}
    update = {
        "TableName": "things",
        "Key": {"id": {"S": "item"}},
        "UpdateExpression": f"SET {name} = :v",
        "ExpressionAttributeValues": {":v": value},
    }
    for told in (
        refusal(client.put_item, **write),
        refusal(client.update_item, **update),
        refusal(client.batch_write_item, RequestItems={"things": [{"PutRequest": {"Item": item}}]}),
        refusal(client.transact_write_items, TransactItems=[{"Put": write}]),
        refusal(client.transact_write_items, TransactItems=[{"Update": update}]),
    ):
        assert "ValidationE" in told
    assert f"Type mismatch for Index Key {name}" in refusal(client.put_item, **write)
    assert client.get_item(TableName="things", Key={"id": {"S": "item"}})["Item"] == {"id": {"S": "item"}, **VALUES}
    assert indexed(client) == ["item"]


@pytest.mark.parametrize("name", ["h1", "r1", "r3"])
def test_no_attribute_may_be_empty(client: Any, name: str) -> None:
    empty = {TYPES[name]: "" if TYPES[name] == "S" else b""}
    told = refusal(put, client=client, item_id="item", **{**VALUES, name: empty})
    assert "cannot contain an empty" in told
    assert f"IndexKey: {name}" in told


@pytest.mark.parametrize("letter", ["x", "é", "€", "😀"])
def test_the_attributes_of_a_key_share_its_length(letter: str) -> None:
    """Together 2,048 bytes of partition key and 1,024 of sort key, whatever their letters take."""
    wide = len(letter.encode())
    with Engine() as engine:
        create_table(engine, "id", gsis={"multi": ("h1,h2,h3 r1,r2,r3", "ALL")})
        for kind, limit in (("h", 2048), ("r", 1024)):
            half = letter * (limit // 2 // wide)
            item = {"id": {"S": "a"}, f"{kind}1": {"S": half}, f"{kind}2": {"S": half}}
            engine.call("PutItem", {"TableName": "things", "Item": item})
            third = {**item, f"{kind}3": {"S": letter * 2}}
            with pytest.raises(Exception, match="size"):
                engine.call("PutItem", {"TableName": "things", "Item": third})
            update = {
                "TableName": "things",
                "Key": {"id": {"S": "a"}},
                "UpdateExpression": f"SET {kind}3 = :v",
                "ExpressionAttributeValues": {":v": {"S": letter * 2}},
            }
            with pytest.raises(Exception, match="beyond allowed size"):
                engine.call("UpdateItem", update)


def test_an_index_that_comes_later_passes_over_what_does_not_fit() -> None:
    attributes = {name: value if name != "r3" else {"B": "bQ=="} for name, value in VALUES.items()}
    with Engine() as engine:
        create_table(engine, "id")
        for number, (name, value) in enumerate(
            [("none", {}), ("h2", {"S": "text"}), ("r3", {"NULL": True}), ("r1", {"S": ""}), ("r1", {"S": "€" * 400})]
        ):
            item = {"id": {"S": f"{number}"}, **attributes, **({name: value} if value else {})}
            engine.call("PutItem", {"TableName": "things", "Item": item})
        create = index_of("multi", "h1,h2 r1,r2,r3", "ALL")
        types = [{"AttributeName": name, "AttributeType": kind} for name, kind in TYPES.items()]
        update = {"AttributeDefinitions": types, "GlobalSecondaryIndexUpdates": [{"Create": create}]}
        engine.call("UpdateTable", {"TableName": "things", **update})
        found = engine.call("Scan", {"TableName": "things", "IndexName": "multi"})["Items"]
        assert [item["id"]["S"] for item in found] == ["0"]


def test_four_and_four_are_the_limit() -> None:
    with Engine() as engine:
        create_table(engine, "id", gsis={"most": ("a,b,c,d e,f,g,h", "ALL")})
        for keys in ("a,b,c,d,e f", "a b,c,d,e,f"):
            with pytest.raises(Exception, match="exceeds the maximum allowed number of"):
                create_table(engine, "id", name="other", gsis={"more": (keys, "ALL")})
        with pytest.raises(Exception, match="length less than or equal to 2"):
            create_table(engine, "a b,c", name="other")
        with pytest.raises(Exception, match="length less than or equal to 2"):
            create_table(engine, "a b", name="other", lsis={"local": ("a b,c", "ALL")})
        mixed = [*key_schema("a b"), {"AttributeName": "c", "KeyType": "HASH"}]
        with pytest.raises(Exception, match="All HASH key attributes must precede"):
            engine.call(
                "CreateTable",
                {
                    "TableName": "other",
                    "BillingMode": "PAY_PER_REQUEST",
                    "KeySchema": key_schema("a"),
                    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in "abc"],
                    "GlobalSecondaryIndexes": [{**index_of("mixed", "a", "ALL"), "KeySchema": mixed}],
                },
            )


# ---- what they can be asked ------------------------------------------------------------------------------------------


def is_askable(operators: dict[str, str]) -> bool:
    """All partition attributes by equality, sort attributes from the left, and only the last by anything else."""
    if any(operators[name] != "=" for name in PARTITION):
        return False
    given = [operators[name] for name in SORT]
    named = max((place for place, operator in enumerate(given, 1) if operator), default=0)
    return all(operator == "=" for operator in given[: max(named - 1, 0)])


OPERATORS = [dict(zip(TYPES, chosen, strict=True)) for chosen in product(("", "=", ">"), repeat=len(TYPES))][1:]


def test_every_combination_of_conditions_is_answered_or_refused(client: Any) -> None:
    """243 ways to ask, each compared with the rule and, where it may be asked, with looking at every item."""
    spread = {"h1": "hi", "h2": (2, 3), "r1": "lmn", "r2": (4, 5, 6), "r3": (b"l", b"m", b"n")}
    items = [dict(zip(TYPES, values, strict=True)) for values in product(*spread.values())]
    put_all(client, items)
    asked = dict.fromkeys(TYPES) | {"h1": "h", "h2": 2, "r1": "m", "r2": 5, "r3": b"m"}
    answered = 0
    for operators in OPERATORS:
        wanted = [name for name, operator in operators.items() if operator]
        query = {
            "TableName": "things",
            "IndexName": "multi",
            "KeyConditionExpression": " AND ".join(f"{name} {operators[name]} :{name}" for name in reversed(wanted)),
            "ExpressionAttributeValues": {f":{name}": VALUES[name] for name in wanted},
        }
        if not is_askable(operators):
            assert "ValidationException" in refusal(client.query, **query), operators
            continue
        answered += 1
        right = [
            name_of(item)
            for item in items
            if all(item[name] == asked[name] if operators[name] == "=" else item[name] > asked[name] for name in wanted)
        ]
        assert [item["id"]["S"] for item in client.query(**query)["Items"]] == right, operators
    assert answered == 7


def name_of(item: dict[str, Any]) -> str:
    return "-".join(map(str, item.values()))


def put_all(client: Any, items: list[dict[str, Any]]) -> None:
    requests = [
        {
            "PutRequest": {
                "Item": {
                    "id": {"S": name_of(item)},
                    **{name: {kind: str(item[name]) if kind == "N" else item[name]} for name, kind in TYPES.items()},
                }
            }
        }
        for item in items
    ]
    for start in range(0, len(requests), 25):
        client.batch_write_item(RequestItems={"things": requests[start : start + 25]})


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("h1 = :h", "Query condition missed key schema element: h2"),
        ("h2 = :two", "Query condition missed key schema element: h1"),
        ("h1 = :h AND h2 > :two", "Query key condition not supported"),
        (
            "h1 = :h AND h2 = :two AND r2 = :two",
            "because a condition is present on key attribute r2",
        ),
        (
            "h1 = :h AND h2 = :two AND r3 > :b",
            "RANGE key attributes r1, r2 must have equality conditions specified in the query",
        ),
        ("h1 = :h AND h2 = :h", "Condition parameter type does not match schema type"),
        ("h1 = :h AND h2 = :two AND r1 = :h AND r2 = :h", "Condition parameter type does not match schema type"),
    ],
)
def test_what_is_said_of_conditions_that_do_not_fit(client: Any, condition: str, told: str) -> None:
    values = {":h": {"S": "h"}, ":two": {"N": "2"}, ":b": {"B": b"x"}}
    used = {name: value for name, value in values.items() if name in condition.split()}
    query = {"TableName": "things", "IndexName": "multi", "KeyConditionExpression": condition}
    assert told in refusal(client.query, **query, ExpressionAttributeValues=used)
