"""BatchGetItem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.errors import ServiceError
from tests.engine.make import create_table, fault, plain, put

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine


@pytest.fixture
def filled(engine: Engine) -> Engine:
    create_table(engine, "pk")
    create_table(engine, "pk sk", name="others")
    put(engine, *({"pk": f"{i}", "v": "x" * 1000 * i, "n": i} for i in range(6)))
    put(engine, {"pk": "a", "sk": "b", "n": 7}, table="others")
    return engine


def keys(*names: str) -> list[dict[str, Any]]:
    return [{"pk": {"S": name}} for name in names]


def batch(engine: Engine, requests: dict[str, Any], **more: Any) -> dict[str, Any]:
    return engine.call("BatchGetItem", {"RequestItems": requests, **more})


def test_items_of_several_tables(filled: Engine) -> None:
    reply = batch(
        filled,
        {
            "things": {"Keys": keys("0", "absent", "3"), "ProjectionExpression": "n"},
            "others": {"Keys": [{"pk": {"S": "a"}, "sk": {"S": "b"}}]},
        },
    )
    assert plain(reply["Responses"]["things"]) == [{"n": 0}, {"n": 3}]
    assert plain(reply["Responses"]["others"]) == [{"pk": "a", "sk": "b", "n": 7}]
    assert reply["UnprocessedKeys"] == {}
    assert "ConsumedCapacity" not in reply


def test_every_item_is_charged_by_itself(filled: Engine) -> None:
    requests = {
        "things": {"Keys": keys("0", "absent", "5"), "ConsistentRead": True},
        "others": {"Keys": [{"pk": {"S": "a"}, "sk": {"S": "b"}}]},
    }
    told = batch(filled, requests, ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
    assert told == [
        {"TableName": "things", "CapacityUnits": 4.0, "Table": {"CapacityUnits": 4.0}},
        {"TableName": "others", "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.5}},
    ]


def test_an_empty_projection_keeps_the_place_of_an_item(filled: Engine) -> None:
    reply = batch(filled, {"things": {"Keys": keys("1"), "ProjectionExpression": "absent"}})
    assert reply["Responses"] == {"things": [{}]}


def test_what_does_not_fit_comes_back_as_keys(engine: Engine) -> None:
    create_table(engine, "pk")
    names = [f"{i:02}" for i in range(8)]
    put(engine, *({"pk": name, "v": "x" * 400_000} for name in names))
    request = {"Keys": keys(*names), "ProjectionExpression": "#p", "ExpressionAttributeNames": {"#p": "pk"}}
    seen: list[str] = []
    requests: dict[str, Any] = {"things": request}
    rounds = 0
    while requests:
        reply = batch(engine, requests, ReturnConsumedCapacity="TOTAL")
        found = [item["pk"] for item in plain(reply["Responses"]["things"])]
        assert reply["ConsumedCapacity"][0]["CapacityUnits"] == len(found) * 49
        seen += found
        requests = reply["UnprocessedKeys"]
        rounds += 1
        if requests:
            assert {**requests["things"], "Keys": None} == {**request, "Keys": None}
    assert (seen, rounds) == (names, 3)


def test_the_whole_batch_has_a_limit_too(filled: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.engine.reads.batch.MAX_BATCH_BYTES", 9_050)
    put(filled, {"pk": "a", "sk": "c", "v": "x" * 40}, table="others")
    others = [{"pk": {"S": "a"}, "sk": {"S": name}} for name in "bc"]
    reply = batch(filled, {"things": {"Keys": keys("4", "5")}, "others": {"Keys": others}})
    assert [item["n"] for item in plain(reply["Responses"]["things"])] == [4, 5]
    assert plain(reply["Responses"]["others"]) == [{"pk": "a", "sk": "b", "n": 7}]
    assert reply["UnprocessedKeys"] == {"others": {"Keys": others[1:]}}


MIXED = (
    "Can not use both expression and non-expression parameters in the same request: "
    "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"
)


@pytest.mark.parametrize(
    ("requests", "message"),
    [
        ({"things": {"Keys": keys("1", "1")}}, "Provided list of item keys contains duplicates"),
        (
            {"things": {"Keys": keys(*map(str, range(60)))}, "others": {"Keys": keys(*map(str, range(60)))}},
            "Too many items requested for the BatchGetItem call",
        ),
        ({"others": {"Keys": keys("1")}}, "The provided key element does not match the schema"),
        ({"things": {"Keys": keys("1"), "ProjectionExpression": "a", "AttributesToGet": ["a"]}}, MIXED),
        (
            {
                "things": {"Keys": keys("1"), "ProjectionExpression": "a"},
                "others": {"Keys": [{"pk": {"S": "a"}, "sk": {"S": "b"}}], "AttributesToGet": ["a"]},
            },
            MIXED,
        ),
        (
            {"things": {"Keys": keys("1"), "AttributesToGet": ["a", "a"]}},
            "One or more parameter values were invalid: Duplicate value in attribute name: a",
        ),
        (
            {"things": {"Keys": keys("")}},
            (
                "One or more parameter values are not valid. "
                "The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
            ),
        ),
        (
            {"things": {"Keys": keys("1"), "ProjectionExpression": "pk.x"}},
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
        ),
    ],
)
def test_what_is_refused(filled: Engine, requests: dict[str, Any], message: str) -> None:
    assert fault(filled, "BatchGetItem", {"RequestItems": requests}) == message


def test_numbers_that_are_equal_are_one_key(engine: Engine) -> None:
    create_table(engine, "pk", types={"pk": "N"})
    twice = [{"pk": {"N": "1000"}}, {"pk": {"N": "1e3"}}]
    message = fault(engine, "BatchGetItem", {"RequestItems": {"things": {"Keys": twice}}})
    assert message == "Provided list of item keys contains duplicates"


def test_one_missing_table_refuses_all(filled: Engine) -> None:
    with pytest.raises(ServiceError, match="Requested resource not found"):
        batch(filled, {"things": {"Keys": keys("1")}, "nothing": {"Keys": keys("1")}})
