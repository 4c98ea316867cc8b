"""Scan: all of a table or index, in pages and in segments."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.engine import Engine
from tablewright.wire.values import marshal, marshal_item
from tests.engine.make import create_table, fault, plain, put

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNT = 40


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        create_table(
            engine,
            gsis={"some": ("g sk", ["a"])},
            lsis={"local": ("pk n", "KEYS_ONLY")},
            types={"n": "N"},
        )
        for i in range(COUNT):
            sparse = {"g": f"g{i % 3}"} if i % 2 else {}
            put(engine, {"pk": f"p{i % 20}", "sk": f"s{i}", "n": i, "a": i, "b": "y" * i, **sparse})
        yield engine


def walk(engine: Engine, **params: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    start: dict[str, Any] = {}
    while True:
        reply = engine.call("Scan", {"TableName": "things", **params, **start})
        found += plain(reply["Items"])
        if "LastEvaluatedKey" not in reply:
            return found
        start = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}


def places(items: list[dict[str, Any]]) -> list[int]:
    return [int(item["sk"][1:]) for item in items]


@pytest.mark.parametrize("limit", [1, 7, COUNT, 100])
@pytest.mark.parametrize(("index", "count"), [("", COUNT), ("some", COUNT // 2), ("local", COUNT)])
def test_pages_give_every_item_once(engine: Engine, limit: int, index: str, count: int) -> None:
    more = {"IndexName": index} if index else {}
    found = places(walk(engine, Limit=limit, **more))
    assert len(found) == len(set(found)) == count
    assert found == places(walk(engine, **more))


def test_partitions_stay_together_in_no_obvious_order(engine: Engine) -> None:
    found = [item["pk"] for item in walk(engine)]
    assert len([one for one, other in itertools.pairwise(found) if one != other]) == 19
    assert found != sorted(found)


@pytest.mark.parametrize("total", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("index", ["", "some"])
def test_segments_share_the_items(engine: Engine, total: int, index: str) -> None:
    more = {"IndexName": index} if index else {}
    parts = [walk(engine, Segment=segment, TotalSegments=total, Limit=4, **more) for segment in range(total)]
    assert [item for part in parts for item in part] == walk(engine, **more)
    if total == 3 and not index:
        assert all(parts)


def test_filters_count_what_they_read(engine: Engine) -> None:
    values = {":low": marshal(30), ":p": marshal("p1")}
    reply = engine.call(
        "Scan",
        {
            "TableName": "things",
            "FilterExpression": "n >= :low AND begins_with(pk, :p)",
            "ExpressionAttributeValues": values,
            "ReturnConsumedCapacity": "TOTAL",
        },
    )
    assert (reply["Count"], reply["ScannedCount"]) == (10, COUNT)
    assert reply["ConsumedCapacity"] == {"TableName": "things", "CapacityUnits": 0.5}


def test_an_index_knows_only_what_it_projects(engine: Engine) -> None:
    assert walk(engine, IndexName="some")[0].keys() == {"pk", "sk", "g", "a"}
    values = {":y": marshal("y")}
    absent = walk(engine, IndexName="some", FilterExpression="b = :y", ExpressionAttributeValues=values)
    assert absent == []


def test_a_local_index_fetches_what_it_lacks(engine: Engine) -> None:
    params = {"TableName": "things", "IndexName": "local", "ReturnConsumedCapacity": "INDEXES", "Limit": 3}
    reply = engine.call("Scan", {**params, "ProjectionExpression": "b"})
    assert [set(item) for item in reply["Items"]] == [{"b"}] * 3
    assert reply["ConsumedCapacity"]["Table"] == {"CapacityUnits": 1.5}
    assert engine.call("Scan", params)["ConsumedCapacity"]["Table"] == {"CapacityUnits": 0}


def test_counting(engine: Engine) -> None:
    reply = engine.call("Scan", {"TableName": "things", "Select": "COUNT", "ReturnConsumedCapacity": "NONE"})
    assert reply == {"Count": COUNT, "ScannedCount": COUNT}


def test_a_page_ends_behind_a_megabyte() -> None:
    with Engine() as engine:
        create_table(engine, "pk")
        put(engine, *({"pk": f"{i}", "v": "x" * 300_000} for i in range(5)))
        reply = engine.call("Scan", {"TableName": "things"})
        assert reply["Count"] == 4
        assert len(walk(engine)) == 5


START = "The provided starting key is invalid"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"Segment": 0},
            (
                "The TotalSegments parameter is required but was not present in the request "
                "when Segment parameter is present"
            ),
        ),
        (
            {"TotalSegments": 4},
            (
                "The Segment parameter is required but was not present in the request "
                "when parameter TotalSegments is present"
            ),
        ),
        (
            {"Segment": 5, "TotalSegments": 5},
            "The Segment parameter is zero-based and must be less than parameter TotalSegments",
        ),
        (
            {"Select": "SPECIFIC_ATTRIBUTES"},
            (
                "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression "
                "when choosing to get SPECIFIC_ATTRIBUTES"
            ),
        ),
        (
            {"Select": "ALL_PROJECTED_ATTRIBUTES"},
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        (
            {"Select": "ALL_PROJECTED_ATTRIBUTES", "ProjectionExpression": "pk"},
            "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES",
        ),
        (
            {"Select": "COUNT", "AttributesToGet": ["pk"]},
            "Cannot specify the AttributesToGet when choosing to get only the Count",
        ),
        ({"IndexName": "absent"}, "The table does not have the specified index: absent"),
        (
            {"IndexName": "some", "ConsistentRead": True},
            "Consistent reads are not supported on global secondary indexes",
        ),
        (
            {"IndexName": "some", "Select": "ALL_ATTRIBUTES"},
            (
                "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for "
                "global secondary index some because its projection type is not ALL"
            ),
        ),
        (
            {"ExclusiveStartKey": marshal_item({"bad": "p"})},
            START,
        ),
        (
            {"ExclusiveStartKey": marshal_item({"pk": "p", "sk": 1})},
            f"{START}: The provided key element does not match the schema",
        ),
        ({"ExclusiveStartKey": marshal_item({"pk": "p", "sk": "s"}), "IndexName": "some"}, START),
        (
            {"ExclusiveStartKey": marshal_item({"pk": "p", "sk": "s", "g": 1}), "IndexName": "some"},
            "The provided key element does not match the schema",
        ),
        (
            {"ExclusiveStartKey": {"pk": {"NULL": False}}},
            (
                f"{START}: One or more parameter values were invalid: "
                "Null attribute value types must have the value of true"
            ),
        ),
        (
            {"AttributesToGet": ["a", "a"]},
            "One or more parameter values were invalid: Duplicate value in attribute name: a",
        ),
        (
            {"FilterExpression": "pk.x = :v", "ExpressionAttributeValues": {":v": {"S": "v"}}},
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
        ),
    ],
)
def test_what_is_refused(engine: Engine, params: dict[str, Any], message: str) -> None:
    assert fault(engine, "Scan", {"TableName": "things", **params}) == message


def test_a_starting_key_belongs_to_its_segment(engine: Engine) -> None:
    key = engine.call("Scan", {"TableName": "things", "Limit": 1})["LastEvaluatedKey"]
    params = {"TableName": "things", "ExclusiveStartKey": key, "TotalSegments": 2}
    engine.call("Scan", {**params, "Segment": 0})
    assert fault(engine, "Scan", {**params, "Segment": 1}) == (
        f"{START}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "
        "TotalSegments: 2 Segment: 1"
    )
