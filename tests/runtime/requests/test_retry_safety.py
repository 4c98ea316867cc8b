from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.engine import Engine
from tablewright.errors import ServiceError
from tablewright.runtime.requests.retry_safety import is_harmless, is_read
from tablewright.wire.call import Call

KEY: dict[str, Any] = {"pk": {"S": "a"}}
VALUES = {":one": {"N": "1"}, ":five": {"N": "5"}, ":six": {"N": "6"}, ":s": {"S": "x"}, ":set": {"SS": ["x"]}}
VALUES |= {":list": {"L": [{"S": "x"}]}}


def mentioned(*texts: str | None) -> dict[str, Any]:
    said = " ".join(text for text in texts if text).replace(",", " ").replace("(", " ").replace(")", " ").split()
    return {name: value for name, value in VALUES.items() if name in said}


def update(text: str | None, condition: str | None = None, **more: Any) -> Call:
    params: dict[str, Any] = {"TableName": "things", "Key": KEY, **more}
    params |= {"UpdateExpression": text} if text else {}
    params |= {"ConditionExpression": condition} if condition else {}
    values = mentioned(text, condition)
    return Call("UpdateItem", params | ({"ExpressionAttributeValues": values} if values else {}))


def put(condition: str | None = None, **more: Any) -> Call:
    params: dict[str, Any] = {"TableName": "things", "Item": {**KEY, "v": {"N": "6"}}, **more}
    params |= {"ConditionExpression": condition} if condition else {}
    values = mentioned(condition)
    return Call("PutItem", params | ({"ExpressionAttributeValues": values} if values else {}))


def delete(condition: str | None = None, **more: Any) -> Call:
    given = {} if condition is None else {"ConditionExpression": condition}
    return Call("DeleteItem", {"TableName": "things", "Key": KEY, **given, **more})


@pytest.mark.parametrize(
    "text",
    [
        None,
        "SET a = :s",
        "SET a.b = :s, c = :one REMOVE d",
        "SET a = if_not_exists(a, :one)",
        "ADD tags :set",
        "DELETE tags :set",
    ],
)
def test_updates_that_leave_the_same_item_twice(text: str | None) -> None:
    assert is_harmless(update(text))
    assert is_harmless(update(text, ReturnValues="ALL_NEW"))
    assert not is_harmless(update(text, ReturnValues="ALL_OLD"))


@pytest.mark.parametrize(
    "text",
    [
        "ADD n :one",
        "SET n = n + :one",
        "SET n = if_not_exists(n, :one) - :one",
        "SET a = list_append(a, :list)",
        "SET a = b",
        "SET a = if_not_exists(b, :one)",
        "SET a[9] = :s",
        "SET a[0].b = :s",
        "REMOVE a[0]",
    ],
)
def test_updates_that_do_not(text: str) -> None:
    assert not is_harmless(update(text))
    assert not is_harmless(update(text, "attribute_exists(pk)"))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("ADD v :one", "v = :five"),
        ("SET v = v + :one, n = n + :one", "attribute_exists(pk) AND v = :five"),
        ("SET v = :six ADD n :one", "v = :five"),
        ("ADD n :one", "attribute_not_exists(pk)"),
        ("ADD n :one REMOVE due", "attribute_exists(due)"),
        ("ADD n :one", "attribute_not_exists(n)"),
    ],
)
def test_updates_that_break_their_condition(text: str, condition: str) -> None:
    assert is_harmless(update(text, condition))
    assert is_harmless(update(text, condition, ReturnValues="ALL_OLD"))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("ADD n :one", "v = :five"),
        ("SET v = :five ADD n :one", "v = :five"),
        ("ADD v :one", "v > :five"),
        ("ADD v :one", "v = :five OR attribute_exists(pk)"),
        ("ADD v :one", "NOT v = :five"),
        ("SET v = v + :one", "w = :five"),
    ],
)
def test_updates_whose_condition_may_hold_again(text: str, condition: str) -> None:
    assert not is_harmless(update(text, condition))


def test_puts_and_deletes() -> None:
    assert is_harmless(put())
    assert is_harmless(delete())
    assert is_harmless(put("attribute_exists(x)"))
    assert not is_harmless(put(ReturnValues="ALL_OLD"))
    assert not is_harmless(delete(ReturnValues="ALL_OLD"))
    assert is_harmless(put("attribute_not_exists(pk)", ReturnValues="ALL_OLD"))
    assert is_harmless(put("v = :five", ReturnValues="ALL_OLD"))
    assert not is_harmless(put("v = :six", ReturnValues="ALL_OLD"))
    assert is_harmless(delete("attribute_exists(pk)", ReturnValues="ALL_OLD"))


def test_parameters_from_before_expressions_are_not_judged() -> None:
    assert not is_harmless(update(None, AttributeUpdates={"a": {"Value": {"S": "x"}}}))
    assert not is_harmless(put(Expected={"pk": {"Exists": False}}))


def test_what_cannot_be_read_is_not_repeated() -> None:
    assert not is_harmless(update("SET open = = :s"))
    assert not is_harmless(Call("PutItem", {"TableName": "things"}))


def test_other_actions() -> None:
    reads = ("GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems", "DescribeTable", "ListTables")
    assert all(is_read(Call(action, {})) and is_harmless(Call(action, {})) for action in reads)
    assert is_harmless(Call("BatchWriteItem", {"RequestItems": {}}))
    assert is_harmless(Call("CreateTable", {}))
    assert not is_harmless(Call("CreateBackup", {}))
    assert not is_harmless(Call("TransactWriteItems", {"TransactItems": []}))
    assert is_harmless(Call("TransactWriteItems", {"TransactItems": [], "ClientRequestToken": "t"}))


def test_partiql() -> None:
    select, insert = "select * from things", "INSERT INTO things VALUE {'pk': 'a'}"
    assert is_read(Call("ExecuteStatement", {"Statement": f" {select}"}))
    assert not is_harmless(Call("ExecuteStatement", {"Statement": insert}))
    assert is_read(Call("BatchExecuteStatement", {"Statements": [{"Statement": select}] * 2}))
    assert not is_harmless(
        Call("BatchExecuteStatement", {"Statements": [{"Statement": select}, {"Statement": insert}]})
    )


# ---- the rule against the engine -------------------------------------------------------------------------------------

SETS = ["a = :s", "v = :six", "v = v + :one", "n = if_not_exists(n, :one)", "l = list_append(l, :list)", "l[7] = :s"]
REST = ["REMOVE w", "REMOVE k[0]", "ADD c :one", "ADD tags :set", "DELETE tags :set"]
CONDITIONS = ["v = :five", "attribute_not_exists(pk)", "attribute_exists(w)", "attribute_not_exists(n)", "v > :one"]
CALLS = st.one_of(
    st.builds(
        lambda sets, rest, condition, wanted: update(
            " ".join([f"SET {', '.join(sets)}" if sets else "", rest]).strip() or None,
            " AND ".join(condition) or None,
            ReturnValues=wanted,
        ),
        st.lists(st.sampled_from(SETS), max_size=2, unique_by=lambda text: text[0]),
        st.sampled_from(["", *REST]),
        st.lists(st.sampled_from(CONDITIONS), max_size=2, unique=True),
        st.sampled_from(["NONE", "ALL_NEW", "ALL_OLD"]),
    ),
    st.builds(
        lambda make, condition, wanted: make(condition, ReturnValues=wanted),
        st.sampled_from([put, lambda condition, **more: delete(condition and "attribute_exists(pk)", **more)]),
        st.sampled_from([None, *CONDITIONS]),
        st.sampled_from(["NONE", "ALL_OLD"]),
    ),
)
ITEM: dict[str, Any] = {
    **KEY,
    "v": {"N": "5"},
    "w": {"S": "w"},
    "l": {"L": [{"S": "l"}]},
    "k": {"L": [{"S": "1"}, {"S": "2"}]},
    "tags": {"SS": ["x", "y"]},
}


def tried(engine: Engine, call: Call) -> Any:
    try:
        return engine.call(call.action, call.params)
    except ServiceError as error:
        return error.name


@settings(deadline=None, max_examples=300)
@given(CALLS, st.booleans())
def test_what_is_called_harmless_is(call: Call, exists: bool) -> None:
    with Engine() as engine:
        keys = [{"AttributeName": "pk", "KeyType": "HASH"}]
        types = [{"AttributeName": "pk", "AttributeType": "S"}]
        engine.call(
            "CreateTable",
            {"TableName": "things", "KeySchema": keys, "AttributeDefinitions": types, "BillingMode": "PAY_PER_REQUEST"},
        )
        if exists:
            engine.call("PutItem", {"TableName": "things", "Item": ITEM})
        first = tried(engine, call)
        once = engine.call("Scan", {"TableName": "things"})
        second = tried(engine, call)
        twice = engine.call("Scan", {"TableName": "things"})
    if is_harmless(call):
        assert once == twice
        if not isinstance(first, str):  # a success that is repeated is the same success, or recognisably not one
            assert second in (first, "ConditionalCheckFailedException")
