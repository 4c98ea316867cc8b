"""Query: key conditions, paging, what it shows, what it costs, and what it refuses."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies

from tablewright.engine.engine import Engine
from tablewright.engine.reads.page_limit import most_stored_bytes, stored_bytes
from tablewright.engine.store.values import to_text
from tablewright.wire.values import marshal, marshal_item
from tests.engine.make import create_table, fault, plain, put

if TYPE_CHECKING:
    from collections.abc import Iterator


SCALARS = strategies.one_of(
    strategies.text(max_size=3), strategies.integers(-99, 99), strategies.booleans(), strategies.none()
)
VALUES = strategies.recursive(
    SCALARS,
    lambda inner: (
        strategies.lists(inner, max_size=3)
        | strategies.dictionaries(strategies.text(min_size=1, max_size=2), inner, max_size=3)
        | strategies.sets(strategies.text(min_size=1, max_size=2), min_size=1, max_size=3)
    ),
    max_leaves=8,
)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        create_table(
            engine,
            gsis={
                "everything": ("g n", "ALL"),
                "keys": ("g", "KEYS_ONLY"),
                "some": ("g n", ["a"]),
            },
            lsis={"local": ("pk n", ["a"])},
            types={"n": "N"},
        )
        for i in range(10):
            put(engine, {"pk": "p", "sk": f"s{i}", "g": "x", "n": i % 4, "a": i, "b": "y" * i})
        put(engine, {"pk": "q", "sk": "s0", "g": "x", "n": -5}, {"pk": "q", "sk": "s1"})
        yield engine


def ask(engine: Engine, condition: str, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    typed = {name: marshal(value) for name, value in values.items()}
    return engine.call(
        "Query",
        {
            "TableName": "things",
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": typed,
            **more,
        },
    )


def sks(reply: dict[str, Any]) -> list[str]:
    return [item["sk"]["S"] for item in reply["Items"]]


def walk(engine: Engine, condition: str, values: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """All pages; every key of a page must lead to the next."""
    found: list[dict[str, Any]] = []
    start: dict[str, Any] = {}
    while True:
        reply = ask(engine, condition, values, **more, **start)
        found += plain(reply["Items"])
        if "LastEvaluatedKey" not in reply:
            return found
        start = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}


# ---- which items -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "values", "found"),
    [
        ("pk = :p", {}, range(10)),
        ("pk = :p AND sk = :a", {":a": "s3"}, [3]),
        ("sk < :a AND pk = :p", {":a": "s3"}, range(3)),
        ("pk = :p AND sk <= :a", {":a": "s3"}, range(4)),
        ("pk = :p AND :a < sk", {":a": "s7"}, [8, 9]),
        ("pk = :p AND sk >= :a", {":a": "s7"}, [7, 8, 9]),
        ("pk = :p AND sk BETWEEN :a AND :b", {":a": "s2", ":b": "s4"}, [2, 3, 4]),
        ("pk = :p AND begins_with(sk, :a)", {":a": "s"}, range(10)),
        ("pk = :p AND begins_with(sk, :a)", {":a": "s9x"}, []),
    ],
)
def test_conditions_on_the_sort_key(engine: Engine, condition: str, values: dict[str, Any], found: Any) -> None:
    expected = [f"s{i}" for i in found]
    reply = ask(engine, condition, {":p": "p", **values})
    assert sks(reply) == expected
    assert reply["Count"] == reply["ScannedCount"] == len(expected)
    assert "LastEvaluatedKey" not in reply
    assert sks(ask(engine, condition, {":p": "p", **values}, ScanIndexForward=False)) == expected[::-1]


def test_numbers_sort_by_value(engine: Engine) -> None:
    create_table(engine, name="numbers", types={"sk": "N"})
    numbers = [
        Decimal(text) for text in ("-2e10", "-7.1", "-0.1", "-1e-5", "0", "2e-5", "0.15", "1", "1.1", "31", "1e9")
    ]
    put(engine, *({"pk": "p", "sk": number} for number in reversed(numbers)), table="numbers")
    reply = ask(engine, "pk = :p AND sk > :a", {":p": "p", ":a": Decimal("-0.1")}, TableName="numbers")
    assert [Decimal(item["sk"]["N"]) for item in reply["Items"]] == numbers[3:]


def test_bytes_at_the_end_of_their_order(engine: Engine) -> None:
    create_table(engine, name="bytes", types={"sk": "B"})
    put(engine, *({"pk": "p", "sk": key} for key in (b"\xff", b"\xff\xff", b"\xfe", b"a")), table="bytes")
    reply = ask(engine, "pk = :p AND begins_with(sk, :a)", {":p": "p", ":a": b"\xff"}, TableName="bytes")
    assert [item["sk"] for item in plain(reply["Items"])] == [b"\xff", b"\xff\xff"]


def test_filters_count_what_they_read(engine: Engine) -> None:
    reply = ask(engine, "pk = :p", {":p": "p", ":a": 7}, FilterExpression="a >= :a", Limit=8)
    assert (sks(reply), reply["Count"], reply["ScannedCount"]) == (["s7"], 1, 8)
    assert reply["LastEvaluatedKey"] == marshal_item({"pk": "p", "sk": "s7"})


def test_counting_gives_no_items(engine: Engine) -> None:
    reply = ask(engine, "pk = :p", {":p": "p", ":a": 7}, FilterExpression="a >= :a", Select="COUNT", Limit=9)
    assert reply == {
        "Count": 2,
        "ScannedCount": 9,
        "LastEvaluatedKey": marshal_item({"pk": "p", "sk": "s8"}),
    }


# ---- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 3, 10, 11])
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(
    ("index", "condition", "count"),
    [
        ("", "pk = :p", 10),
        ("", "pk = :p AND begins_with(sk, :s)", 10),
        ("", "pk = :p AND sk > :s1", 8),
        ("", "pk = :p AND sk < :s1", 1),
        ("local", "pk = :p", 10),
        ("local", "pk = :p AND n = :n", 3),
        ("everything", "g = :x", 11),
        ("everything", "g = :x AND n = :n", 3),
        ("everything", "g = :x AND n <= :n", 7),
        ("keys", "g = :x", 11),
    ],
)
def test_pages_give_every_item_once(
    engine: Engine, limit: int, forward: bool, index: str, condition: str, count: int
) -> None:
    known = {":p": "p", ":x": "x", ":n": 1, ":s": "s", ":s1": "s1"}
    words = condition.replace("(", " ").replace(")", " ").replace(",", " ").split()
    values = {name: value for name, value in known.items() if name in words}
    more: dict[str, Any] = {"IndexName": index} if index else {}
    whole = walk(engine, condition, values, ScanIndexForward=forward, **more)
    assert len(whole) == count
    assert walk(engine, condition, values, ScanIndexForward=forward, Limit=limit, **more) == whole


def test_a_limit_on_the_last_item_still_gives_its_key(engine: Engine) -> None:
    reply = ask(engine, "pk = :p", {":p": "p"}, Limit=10)
    assert reply["LastEvaluatedKey"] == marshal_item({"pk": "p", "sk": "s9"})
    rest = ask(engine, "pk = :p", {":p": "p"}, Limit=10, ExclusiveStartKey=reply["LastEvaluatedKey"])
    assert rest == {"Items": [], "Count": 0, "ScannedCount": 0}


def test_the_key_of_an_index_page_has_both_keys(engine: Engine) -> None:
    reply = ask(engine, "g = :x", {":x": "x"}, Limit=1, IndexName="everything")
    assert reply["LastEvaluatedKey"] == marshal_item({"pk": "q", "sk": "s0", "g": "x", "n": -5})


def test_a_page_ends_behind_a_megabyte_before_the_filter(engine: Engine) -> None:
    create_table(engine, name="large")
    put(engine, *({"pk": "p", "sk": f"{i:02}", "v": "x" * 99_000} for i in range(12)), table="large")
    reply = ask(
        engine, "pk = :p", {":p": "p", ":z": 1}, TableName="large", FilterExpression="z = :z",
        ReturnConsumedCapacity="TOTAL",
    )  # fmt: skip
    assert (reply["Count"], reply["ScannedCount"]) == (0, 11)
    assert reply["LastEvaluatedKey"] == marshal_item({"pk": "p", "sk": "10"})
    assert reply["ConsumedCapacity"]["CapacityUnits"] == -(-11 * 99_008 // 4096) / 2


@pytest.mark.parametrize(("length", "is_full"), [(41_645, False), (41_646, True)])
def test_a_megabyte_is_counted_in_stored_bytes(engine: Engine, length: int, is_full: bool) -> None:
    """An item of one such text and a partition key of ten characters takes 41,943 bytes: 25 of them lack one byte."""
    create_table(engine, name="stored")
    items = [{"pk": "0123456789", "sk": f"{i:02}", "e": "e" * 41_645} for i in range(25)]
    items[-1]["e"] = "e" * length
    put(engine, *items, table="stored")
    params = {"TableName": "stored", "Select": "COUNT", "ReturnConsumedCapacity": "TOTAL"}
    reply = ask(engine, "pk = :p", {":p": "0123456789"}, **params)
    assert (reply["Count"], "LastEvaluatedKey" in reply) == (25, is_full)
    assert reply["ConsumedCapacity"]["CapacityUnits"] == 127.5


def test_what_an_item_takes_in_storage() -> None:
    item = {"pk": "p", "sk": "123", "n": 12, "t": "x" * 200, "none": None, "yes": True, "b": b"ab"}
    nested = {"l": ["a", [1]], "m": {"k": "v"}, "ss": {"a", "bc"}, "ns": {1}, "bs": {b"a"}}
    plain_size = (1 + 1 + 1) + (1 + 1 + 2) + (1 + 200 + 2) + 1 + (1 + 1) + (1 + 1 + 2)
    nested_size = (1 + 3 + 2 + 2 + (3 + 1 + 3)) + (1 + 3 + 2 + 2) + (1 + 1 + 2 + 3) + (1 + 1 + 1 + 2) + (1 + 1 + 1 + 1)
    assert stored_bytes(marshal_item(item), "sk") == 2 + plain_size + 18 + 3
    assert stored_bytes(marshal_item({**item, **nested}), "sk") == 2 + plain_size + nested_size + 18 + 3
    long = marshal_item({"pk": "p", "t": "x" * 3064})
    assert stored_bytes(long, None) == 2 + 3070 + 18
    assert stored_bytes(marshal_item({"pk": "p", "t": "x" * 3065}), "absent") == 2 + 3071 + 2 * 18


@settings(max_examples=100, deadline=None)
@given(strategies.dictionaries(strategies.text(min_size=1, max_size=3), VALUES, min_size=1, max_size=5))
def test_an_item_never_takes_more_than_its_text_allows(item: dict[str, Any]) -> None:
    item["sk"] = "sort"
    assert stored_bytes(marshal_item(item), "sk") <= most_stored_bytes(len(to_text(item)), 1, 4)


# ---- indexes ---------------------------------------------------------------------------------------------------------


def test_a_global_index_shows_what_it_projects(engine: Engine) -> None:
    def first(**more: Any) -> dict[str, Any]:
        return plain(
            ask(engine, "g = :x AND n = :n", {":x": "x", ":n": 3}, IndexName="some", Limit=1, **more)["Items"]
        )[0]

    keys = {"pk": "p", "sk": "s3", "g": "x", "n": 3}
    assert first() == first(Select="ALL_PROJECTED_ATTRIBUTES") == {**keys, "a": 3}
    assert first(ProjectionExpression="a, pk") == {"a": 3, "pk": "p"}
    assert plain(ask(engine, "g = :x", {":x": "x"}, IndexName="keys")["Items"])[-1].keys() == {"pk", "sk", "g"}


def test_a_local_index_fetches_what_it_lacks_and_charges_each_item(engine: Engine) -> None:
    def local(**more: Any) -> dict[str, Any]:
        return ask(
            engine, "pk = :p AND n = :n", {":p": "p", ":n": 3}, IndexName="local", ReturnConsumedCapacity="INDEXES",
            ConsistentRead=True, **more,
        )  # fmt: skip

    def cost(table: float, index: float) -> dict[str, Any]:
        return {
            "TableName": "things",
            "CapacityUnits": table + index,
            "Table": {"CapacityUnits": table},
            "LocalSecondaryIndexes": {"local": {"CapacityUnits": index}},
        }

    assert plain(local()["Items"]) == [{"pk": "p", "sk": f"s{i}", "n": 3, "a": i} for i in (3, 7)]
    assert local()["ConsumedCapacity"] == cost(0, 1)
    whole = local(Select="ALL_ATTRIBUTES")
    assert [item["b"] for item in plain(whole["Items"])] == ["yyy", "yyyyyyy"]
    assert whole["ConsumedCapacity"] == cost(2, 1)
    named = local(ProjectionExpression="b, a")
    assert plain(named["Items"]) == [{"b": "y" * i, "a": i} for i in (3, 7)]
    assert named["ConsumedCapacity"] == cost(2, 1)
    assert local(ProjectionExpression="a")["ConsumedCapacity"] == cost(0, 1)


def test_capacity_of_a_global_index(engine: Engine) -> None:
    more = {"IndexName": "keys", "ReturnConsumedCapacity": "INDEXES"}
    assert ask(engine, "g = :x", {":x": "none"}, **more)["ConsumedCapacity"] == {
        "TableName": "things",
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"keys": {"CapacityUnits": 0.5}},
    }


def test_items_move_with_their_index_keys(engine: Engine) -> None:
    put(engine, {"pk": "p", "sk": "s0", "g": "z"})
    assert sks(ask(engine, "g = :z", {":z": "z"}, IndexName="keys")) == ["s0"]
    assert ask(engine, "g = :z", {":z": "z"}, IndexName="everything")["Count"] == 0
    assert "s0" not in sks(ask(engine, "g = :x AND n >= :n", {":x": "x", ":n": 0}, IndexName="everything"))


@pytest.fixture
def composite() -> Iterator[Engine]:
    with Engine() as engine:
        create_table(
            engine, "id", gsis={"multi": ("h1,h2 r1,r2,r3", "ALL")}, types={"h2": "N", "r2": "N"}
        )  # fmt: skip
        rows = [
            (i, {"h1": "h", "h2": 2, "r1": r1, "r2": r2, "r3": r3})
            for i, (r1, r2, r3) in enumerate(
                (r1, r2, r3) for r1 in ("a", "a\0", "ab", "b") for r2 in (-1, 0, 10) for r3 in ("x", "xy", "z")
            )
        ]
        put(engine, *({"id": f"{i:02}", **row} for i, row in reversed(rows)))
        put(engine, {"id": "without", "h1": "h", "h2": 2, "r1": "a", "r2": 1})
        put(engine, {"id": "other", "h1": "h", "h2": 3, "r1": "a", "r2": 1, "r3": "x"})
        yield engine


@pytest.mark.parametrize(
    ("condition", "places"),
    [
        ("", range(36)),
        ("r1 = :a", range(9)),
        ("r1 > :a", range(9, 36)),
        ("r1 >= :a", range(36)),
        ("r1 < :ab", range(18)),
        ("r1 <= :ab", range(27)),
        ("begins_with(r1, :a)", range(27)),
        ("r1 = :a AND r2 > :n0", range(6, 9)),
        ("r1 = :a AND r2 < :n0", range(3)),
        ("r1 = :a AND r2 BETWEEN :n0 AND :n10", range(3, 9)),
        ("r1 = :ab AND r2 = :n10", range(24, 27)),
        ("r1 = :ab AND r2 = :n10 AND begins_with(r3, :x)", [24, 25]),
        ("r1 = :ab AND r2 = :n10 AND r3 > :x", [25, 26]),
        ("r3 = :x AND r1 = :ab AND r2 = :n10", [24]),
    ],
)
def test_several_attributes_in_the_keys_of_an_index(composite: Engine, condition: str, places: Any) -> None:
    known = {":a": "a", ":ab": "ab", ":n0": 0, ":n10": 10, ":x": "x"}
    words = condition.replace("(", " ").replace(")", " ").replace(",", " ").split()
    values = {":h": "h", ":two": 2, **{name: value for name, value in known.items() if name in words}}
    whole = f"h1 = :h AND h2 = :two{' AND ' if condition else ''}{condition}"
    expected = [f"{i:02}" for i in places]
    for more in ({}, {"Limit": 4}):
        found = walk(composite, whole, values, IndexName="multi", **more)
        assert [item["id"] for item in found] == expected
        back = walk(composite, whole, values, IndexName="multi", ScanIndexForward=False, **more)
        assert [item["id"] for item in back] == expected[::-1]


def test_a_page_of_such_an_index_names_all_its_keys(composite: Engine) -> None:
    reply = ask(composite, "h1 = :h AND h2 = :two", {":h": "h", ":two": 2}, IndexName="multi", Limit=1)
    assert list(reply["LastEvaluatedKey"]) == ["id", "h1", "h2", "r1", "r2", "r3"]


# ---- what is refused -------------------------------------------------------------------------------------------------

BASE = {"TableName": "things"}
P = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "p"}}}
X = {"KeyConditionExpression": "g = :p", "ExpressionAttributeValues": {":p": {"S": "x"}}}
INVALID_START = "The provided starting key is invalid"
MISMATCH = "The provided key element does not match the schema"


def condition(text: str, *values: Any) -> dict[str, Any]:
    typed = {f":{letter}": marshal(value) for letter, value in zip("abc", values, strict=False)}
    return {"KeyConditionExpression": text, "ExpressionAttributeValues": typed}


def filtered(text: str, **more: Any) -> dict[str, Any]:
    return {"FilterExpression": text, **more}


def started(key: dict[str, Any]) -> dict[str, Any]:
    return {"ExclusiveStartKey": marshal_item(key)}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."),
        (
            {"FilterExpression": "a", "ExpressionAttributeNames": {}},
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
        ),
        (condition("sk = :a", "s"), "Query condition missed key schema element: pk"),
        (condition("x = :a", "s"), "Query condition missed key schema element: pk"),
        (condition("pk = :a AND x = :a", "s"), "Query condition missed key schema element: sk"),
        (
            condition("pk = :a AND sk = :a AND x = :a", "s"),
            "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)",
        ),
        (
            {**condition("pk = :a AND sk = :a AND x = :a", "s"), "TableName": "nowhere"},
            "Conditions can be of length 1 or 2 only",
        ),
        ({"KeyConditions": {}, "TableName": "nowhere"}, "Conditions can be of length 1 or 2 only"),
        (condition("pk > :a", "s"), "Query key condition not supported"),
        ({**condition("g = :a AND n = :a", "s"), "IndexName": "keys"}, "Query key condition not supported"),
        (
            condition("pk > :a", 1),
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        (
            condition("pk = :a AND begins_with(sk, :b)", "p", b"s"),
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        (
            condition("pk = :a AND begins_with(sk, :b)", "p", 1),
            (
                "Invalid KeyConditionExpression: Incorrect operand type for operator or function; "
                "operator or function: begins_with, operand type: N"
            ),
        ),
        (
            condition("pk = :a AND sk BETWEEN :b AND :c", "p", "z", "a"),
            (
                "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be "
                "greater than or equal to lower bound; lower bound operand: AttributeValue: {S:z}, "
                "upper bound operand: AttributeValue: {S:a}"
            ),
        ),
        (
            condition("pk = :a AND sk = :b", "p", ""),
            (
                "One or more parameter values are not valid. "
                "The AttributeValue for a key attribute cannot contain an empty string value. Key: sk"
            ),
        ),
        (
            {**condition("pk = :a OR sk = :a", "s"), "FilterExpression": "x"},
            'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "x"',
        ),
        (condition("pk = :a OR sk = :a", "s"), "Invalid operator used in KeyConditionExpression: OR"),
        ({**P, "IndexName": "absent"}, "The table does not have the specified index: absent"),
        (
            {**X, "IndexName": "keys", "ConsistentRead": True},
            "Consistent reads are not supported on global secondary indexes",
        ),
        # starting keys
        ({**P, **started({"pk": "p"})}, INVALID_START),
        ({**P, **started({"pk": "p", "x": "s"})}, INVALID_START),
        ({**P, **started({"pk": "p", "sk": 1})}, MISMATCH),
        ({**P, "ExclusiveStartKey": {"pk": {}}}, None),
        ({**X, "IndexName": "keys", **started({"g": "x", "pk": 1, "sk": "s"})}, f"{INVALID_START}: {MISMATCH}"),
        ({**X, "IndexName": "keys", **started({"g": 1, "pk": "p", "sk": "s"})}, MISMATCH),
        (
            {**P, **started({"pk": "q", "sk": "s"})},
            "The provided starting key is outside query boundaries based on provided conditions",
        ),
        (
            {**condition("pk = :a AND sk > :b", "p", "s5"), **started({"pk": "p", "sk": "s5"})},
            "The provided starting key does not match the range key predicate",
        ),
        (
            {**condition("pk = :a AND sk > :b", "p", "s5"), **started({"pk": "q", "sk": "s6"})},
            "The query can return at most one row and cannot be restarted",
        ),
        # filters
        (
            {**P, **filtered("pk = :p")},
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk",
        ),
        (
            {**P, **filtered("attribute_exists(sk.x)")},
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk",
        ),
        (
            {**P, **filtered("attribute_exists(g.x)")},
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g",
        ),
        (
            {**X, "IndexName": "some", **filtered("b = :p AND a = :p")},
            (
                "One or more parameter values were invalid: "
                "Secondary index some does not project one or more filter attributes: [b]"
            ),
        ),
        # what is to be shown
        (
            {**X, "IndexName": "some", "Select": "ALL_ATTRIBUTES"},
            (
                "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for "
                "global secondary index some because its projection type is not ALL"
            ),
        ),
        (
            {**X, "IndexName": "some", "ProjectionExpression": "a, z, b.c, pk"},
            "One or more parameter values were invalid: Global secondary index some does not project [z, b]",
        ),
        (
            {**P, "Select": "ALL_PROJECTED_ATTRIBUTES"},
            "1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        (
            {**P, "Select": "SPECIFIC_ATTRIBUTES"},
            (
                "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression "
                "when choosing to get SPECIFIC_ATTRIBUTES"
            ),
        ),
        (
            {**P, "Select": "COUNT", "ProjectionExpression": "a"},
            "1 validation error detected: Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
    ],
)
def test_what_is_refused(engine: Engine, params: dict[str, Any], message: str | None) -> None:
    told = fault(engine, "Query", {**BASE, **params})
    assert message is None or told == message


def test_indexes_of_several_attributes_refuse_gaps(composite: Engine) -> None:
    params = {
        **BASE,
        "IndexName": "multi",
        "KeyConditionExpression": "h1 = :h AND h2 = :two AND r1 > :h AND r2 = :two",
        "ExpressionAttributeValues": {":h": {"S": "h"}, ":two": {"N": "2"}},
    }
    needed = "must have equality conditions specified in the query because a condition is present on key attribute r2"
    assert fault(composite, "Query", params) == f"RANGE key attributes r1 {needed}"


@pytest.mark.parametrize(("rows", "index"), [(200, False), (3000, False), (3000, True)])
def test_a_page_touches_only_its_own_rows(rows: int, index: bool) -> None:
    """SQLite's own count of the rows it stepped over, behind a starting key in the middle of a partition."""
    with Engine() as engine:
        create_table(engine, gsis={"other": ("g sk", "KEYS_ONLY")})
        put(engine, *({"pk": "p", "sk": f"{i:05}", "g": "p"} for i in range(rows)))
        middle = {"pk": "p", "sk": f"{rows // 2:05}", **({"g": "p"} if index else {})}
        steps = 0

        def count() -> None:
            nonlocal steps
            steps += 1

        engine.storage.connection.set_progress_handler(count, 1)
        reply = ask(
            engine, f"{'g' if index else 'pk'} = :p AND sk > :low", {":p": "p", ":low": "00000"}, Limit=10,
            ExclusiveStartKey=marshal_item(middle), **({"IndexName": "other"} if index else {}),
        )  # fmt: skip
        assert sks(reply)[0] == f"{rows // 2 + 1:05}"
        assert steps < 600
