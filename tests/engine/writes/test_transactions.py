from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.engine.engine import Engine
from tablewright.engine.store.numerals import NOT_NUMERIC
from tablewright.errors import ServiceError, TransactionCancelled
from tests.engine.make import create_table, fault, plain, put

if TYPE_CHECKING:
    from collections.abc import Callable

TOO_DEEP = (
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)
SCHEMA = "The provided key element does not match the schema"
EMPTY = (
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string "
    "value. Key: pk"
)


@pytest.fixture(autouse=True)
def _tables(engine: Engine) -> None:  # pyright: ignore[reportUnusedFunction]
    create_table(engine, "pk")
    create_table(engine, "pk sk", name="indexed", gsis={"gsi1": ("i", "ALL")}, lsis={"lsi1": ("pk i", "ALL")})


def key(pk: Any) -> dict[str, Any]:
    return {"pk": {"S": pk} if isinstance(pk, str) else pk}


def action(kind: str, pk: Any = "k", **more: Any) -> dict[str, Any]:
    what = {"Item": key(pk)} if kind == "Put" else {"Key": key(pk)}
    if kind == "ConditionCheck":
        more = {"ConditionExpression": "attribute_not_exists(pk)", **more}
    if kind == "Update":
        more = {"UpdateExpression": "SET a = :v", "ExpressionAttributeValues": {":v": {"S": "x"}}, **more}
    return {kind: {"TableName": "things", **what, **more}}


def write(engine: Engine, *members: dict[str, Any], **more: Any) -> dict[str, Any]:
    return engine.call("TransactWriteItems", {"TransactItems": list(members), **more})


def reasons(engine: Engine, *members: dict[str, Any]) -> list[dict[str, Any]]:
    with pytest.raises(TransactionCancelled) as refused:
        write(engine, *members)
    told = list(refused.value.details["CancellationReasons"])
    codes = ", ".join(reason["Code"] for reason in told)
    message = f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
    assert refused.value.service_message == message
    return told


def keys(engine: Engine, table: str = "things") -> set[str]:
    return {item["pk"] for item in plain(engine.call("Scan", {"TableName": table})["Items"])}


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "leaf"}
    for _ in range(depth):
        value = {"M": {"n": value}}
    return value


def test_all_four_actions(engine: Engine) -> None:
    put(engine, {"pk": "changed"}, {"pk": "deleted"})
    members = [action("Put", "new"), action("Update", "changed"), action("Delete", "deleted"), action("ConditionCheck")]
    assert write(engine, *members) == {}
    assert keys(engine) == {"new", "changed"}


def test_every_failed_condition_is_told(engine: Engine) -> None:
    put(engine, {"pk": "there", "a": 1})
    there = {"ConditionExpression": "attribute_not_exists(pk)"}
    told = reasons(
        engine,
        action("Put", "new"),
        action("Put", "there", **there, ReturnValuesOnConditionCheckFailure="ALL_OLD"),
        action("Update", "missing", ConditionExpression="attribute_exists(pk)"),
        action("ConditionCheck", "fine"),
    )
    failed = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
    item = {"pk": {"S": "there"}, "a": {"N": "1"}}
    assert told == [{"Code": "None"}, {**failed, "Item": item}, failed, {"Code": "None"}]
    assert keys(engine) == {"there"}


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (
            action("Put", {"N": "5"}),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
        ),
        (action("Update", {"N": "5"}), SCHEMA),
        (action("Delete", {"L": [{"S": "x"}]}), SCHEMA),
        (action("ConditionCheck", {"N": "5"}), SCHEMA),
        (
            action("Update", UpdateExpression="SET n = absent + :v", ExpressionAttributeValues={":v": {"N": "1"}}),
            "The provided expression refers to an attribute that does not exist in the item",
        ),
        (
            action("Update", ExpressionAttributeValues={":v": {"S": "x" * 409_600}}),
            "Item size to update has exceeded the maximum allowed size",
        ),
        (
            action("Update", ExpressionAttributeValues={":v": nested(32)}),
            "Nesting Levels have exceeded supported limits",
        ),
    ],
)
def test_validation_errors_are_reasons(engine: Engine, member: dict[str, Any], message: str) -> None:
    told = reasons(engine, action("Put", "first"), member, action("Put", "last"))
    assert told == [{"Code": "None"}, {"Code": "ValidationError", "Message": message}, {"Code": "None"}]
    assert keys(engine) == set()


def test_only_the_first_of_keys_that_do_not_fit_is_told(engine: Engine) -> None:
    failing = action("Put", ConditionExpression="attribute_exists(pk)")
    told = reasons(engine, action("Put", {"N": "7"}), action("Put", {"N": "8"}), failing)
    assert [reason["Code"] for reason in told] == ["ValidationError", "None", "None"]


def test_index_keys(engine: Engine) -> None:
    def with_index(value: dict[str, Any], kind: str = "Put") -> dict[str, Any]:
        full = {"pk": {"S": "k"}, "sk": {"S": "1"}}
        if kind == "Put":
            return {"Put": {"TableName": "indexed", "Item": {**full, "i": value}}}
        changed = {"UpdateExpression": "SET i = :v", "ExpressionAttributeValues": {":v": value}}
        return {"Update": {"TableName": "indexed", "Key": full, **changed}}

    mismatch = "One or more parameter values were invalid: Type mismatch for Index Key i Expected: S Actual: N "
    for kind in ("Put", "Update"):
        (reason,) = reasons(engine, with_index({"N": "5"}, kind))
        assert reason == {"Code": "ValidationError", "Message": f"{mismatch}IndexName: gsi1"}
    start = "One or more parameter values are not valid. "
    empty = "The AttributeValue for a key attribute cannot contain an empty string value."
    params = {"TransactItems": [with_index({"S": ""})]}
    unsupported = f"{start}A value specified for a secondary index key is not supported. {empty}"
    assert fault(engine, "TransactWriteItems", params) == f"{unsupported} IndexName: gsi1, IndexKey: i"
    update = "The update expression attempted to update a secondary index key to a value that is not supported."
    params = {"TransactItems": [with_index({"S": ""}, "Update")]}
    assert fault(engine, "TransactWriteItems", params) == f"{start}{update} {empty}"


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([action("Put", "")], EMPTY),
        ([action("Update", "")], EMPTY),
        ([action("Delete", "")], EMPTY),
        ([action("ConditionCheck", "")], EMPTY),
        (
            [action("Put"), action("Delete")],
            "Transaction request cannot include multiple operations on one item",
        ),
        ([{}], "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"),
        ([{**action("Put"), **action("Delete")}], "TransactItems can only contain one of Check, Put, Update or Delete"),
        (
            [
                action("Put", "a", TableName="nowhere"),
                action("ConditionCheck", ConditionExpression="attribute_exists("),
            ],
            'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("',
        ),
        (
            [action("ConditionCheck", ExpressionAttributeValues={":v": {"S": "x"}})],
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
        ),
        (
            [
                action("Put", Item={"pk": {"S": "k"}, "d": nested(32)}),
                action("ConditionCheck", ConditionExpression="a ="),
            ],
            TOO_DEEP,
        ),
        (
            [action("Delete", nested(100), ConditionExpression="a = = b")],
            'Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"',
        ),
        (
            [action("ConditionCheck", ConditionExpression="a = :v", ExpressionAttributeValues={":v": nested(33)})],
            f"ExpressionAttributeValues contains invalid value: {TOO_DEEP} for key :v",
        ),
        (
            [action("Update", ExpressionAttributeValues={":v": {"N": ""}})],
            f"ExpressionAttributeValues contains invalid value: {NOT_NUMERIC} for key :v",
        ),
        (
            [action("Put", Item={"pk": {"S": "k"}, "": {"S": "x"}, "d": nested(100)})],
            "Empty attribute name",
        ),
        (
            [action("Put", Item={"pk": {"S": "k"}, "p": {"S": "x" * 409_600}})],
            "Item size has exceeded the maximum allowed size",
        ),
        (
            [action("Put", Item={"pk": {"S": str(each)}, "p": {"S": "x" * 350_000}}) for each in range(12)],
            "Transaction payload size cannot exceed 4194304 bytes",
        ),
    ],
)
def test_the_whole_request_is_refused(engine: Engine, members: list[dict[str, Any]], message: str) -> None:
    assert fault(engine, "TransactWriteItems", {"TransactItems": members}) == message
    assert keys(engine) == set()


def test_tables_must_be_there(engine: Engine) -> None:
    with pytest.raises(ServiceError) as refused:
        write(engine, action("Put", TableName="nowhere"))
    assert refused.value.name == "ResourceNotFoundException"


def test_what_updateitem_finds_too_heavy_a_transaction_writes(engine: Engine) -> None:
    write(engine, action("Update", "X", ExpressionAttributeValues={":v": {"S": "x" * (409_600 - 3 - 1)}}))
    assert keys(engine) == {"X"}


# ---- tokens ----------------------------------------------------------------------------------------------------------


def counter(engine: Engine, token: str, by: str = "1") -> int:
    more = {"UpdateExpression": "ADD n :v", "ExpressionAttributeValues": {":v": {"N": by}}}
    write(engine, action("Update", "count", **more), ClientRequestToken=token)
    item = engine.call("GetItem", {"TableName": "things", "Key": key("count")})["Item"]
    return int(item["n"]["N"])


def test_tokens_make_transactions_idempotent() -> None:
    now = 1_000.0
    clock: Callable[[], float] = lambda: now  # noqa: E731
    with Engine(clock=clock) as engine:
        create_table(engine, "pk")
        assert [counter(engine, "one"), counter(engine, "one"), counter(engine, "two")] == [1, 1, 2]
        with pytest.raises(ServiceError) as refused:
            counter(engine, "one", by="5")
        assert refused.value.name == "IdempotentParameterMismatchException"
        now += 601
        assert counter(engine, "one", by="5") == 7


def test_a_transaction_that_failed_may_be_tried_again(engine: Engine) -> None:
    member = action("Put", "k", ConditionExpression="attribute_not_exists(pk)")
    put(engine, {"pk": "k"})
    with pytest.raises(TransactionCancelled):
        write(engine, member, ClientRequestToken="token")
    engine.call("DeleteItem", {"TableName": "things", "Key": key("k")})
    write(engine, member, ClientRequestToken="token")
    assert keys(engine) == {"k"}


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_gets(engine: Engine) -> None:
    put(engine, {"pk": "a", "x": {"y": 1, "z": 2}}, {"pk": "b"})
    gets = [
        {"Get": {"TableName": "things", "Key": key("a"), "ProjectionExpression": "x.y"}},
        {"Get": {"TableName": "things", "Key": key("missing")}},
        {"Get": {"TableName": "things", "Key": key("b")}},
    ]
    reply = engine.call("TransactGetItems", {"TransactItems": gets})
    assert reply == {"Responses": [{"Item": {"x": {"M": {"y": {"N": "1"}}}}}, {}, {"Item": {"pk": {"S": "b"}}}]}


def test_gets_that_are_refused(engine: Engine) -> None:
    get = {"Get": {"TableName": "things", "Key": key("a")}}
    double = fault(engine, "TransactGetItems", {"TransactItems": [get, get]})
    assert double == "Transaction request cannot include multiple operations on one item"
    syntax = {"Get": {**get["Get"], "ProjectionExpression": "!!!"}}
    message = 'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"'
    assert fault(engine, "TransactGetItems", {"TransactItems": [syntax]}) == message
    with pytest.raises(TransactionCancelled) as refused:
        engine.call("TransactGetItems", {"TransactItems": [get, {"Get": {"TableName": "things", "Key": {}}}]})
    told = refused.value.details["CancellationReasons"]
    assert told == [{"Code": "None"}, {"Code": "ValidationError", "Message": SCHEMA}]
