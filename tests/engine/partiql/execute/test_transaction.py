from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import ServiceError
from tests.engine.partiql.conftest import Session

FAILED = "Validation failed in TransactStatements[0]: "
NEEDS_KEY = "Select statements within ExecuteTransaction must specify the primary key in the where clause."
NOT_THE_KEY = "The provided key element does not match the schema"


def reasons(db: Session, *statements: Any) -> list[tuple[str, str | None]]:
    error = db.refused(lambda: db.transact(*statements), "TransactionCanceledException")
    told = error.details["CancellationReasons"]
    codes = ", ".join(each["Code"] for each in told)
    assert error.service_message.endswith(f"specific reasons [{codes}]")
    return [(each["Code"], each.get("Message")) for each in told]


@pytest.fixture
def orders(db: Session) -> Session:
    for sk in ("1", "2"):
        db.put("orders", pk={"S": "a"}, sk={"S": sk}, flag={"S": "x"})
    return db


def test_reads(orders: Session) -> None:
    select = "SELECT flag FROM orders WHERE "
    reply = orders.transact(
        select + "pk = 'a' AND sk = '1'",
        select + "(sk = '2') AND pk IN ['a'] AND pk = 'a'",
        select + "pk = 'b' AND sk = '1'",
        ReturnConsumedCapacity="TOTAL",
    )
    assert reply["Responses"] == [{"Item": {"flag": {"S": "x"}}}, {"Item": {"flag": {"S": "x"}}}, {}]
    assert reply["ConsumedCapacity"][0]["CapacityUnits"] == 6


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("SELECT * FROM orders WHERE", "Statement wasn't well formed, can't be processed: Unexpected term"),
        ("SELECT * FROM orders WHERE pk = 'a'", NEEDS_KEY),
        ("SELECT * FROM orders WHERE pk = 'a' AND sk = '1' AND flag = 'x'", NEEDS_KEY),
        ("SELECT * FROM orders WHERE pk = 'a' AND sk = '1' AND pk = 'b'", NEEDS_KEY),
        ("SELECT * FROM orders WHERE pk IN ['b'] AND pk = 'a' AND sk = '1'", NEEDS_KEY),
        (
            "SELECT * FROM orders WHERE pk IN ['a', 'a'] AND sk = '1'",
            "Overlapping conditions with range keys are not supported in where clause",
        ),
        ('SELECT * FROM "orders"."idx" WHERE pk = \'a\'', "Reads on indices are not supported within transactions."),
        ('UPDATE "orders"."idx" SET a = 1 WHERE pk = \'a\'', "This operation is not supported on an index"),
        (
            "UPDATE orders SET a = 1 WHERE pk = 'a' AND sk = '1' RETURNING ALL NEW *",
            "RETURNING clause is not supported in ExecuteTransaction.",
        ),
        (
            "UPDATE orders SET a = a + [1] WHERE pk = 'a' AND sk = '1'",
            "Incorrect operand type for operator or function; operator or function: +, operand type: L",
        ),
        (
            "EXISTS(SELECT * FROM orders WHERE pk = 'a' AND sk = '1')",
            "EXISTS() must contain a single item read with additional condition",
        ),
        (
            "EXISTS(SELECT * FROM orders WHERE pk IN ['a'] AND sk = '1' AND flag = 'x')",
            "EXISTS() must contain a single item read with additional condition",
        ),
    ],
)
def test_statements_that_are_refused(orders: Session, statement: str, message: str) -> None:
    assert orders.refused(lambda: orders.transact(statement)).service_message == FAILED + message


def test_wrong_parameters_are_told_without_the_statement(orders: Session) -> None:
    update = {"Statement": "UPDATE orders SET a = ? WHERE", "Parameters": [{"N": "x"}]}
    error = orders.refused(lambda: orders.transact("SELECT * FROM", update))
    assert error.service_message == "The parameter cannot be converted to a numeric value: x"


def test_writes(orders: Session) -> None:
    reply = orders.transact(
        "INSERT INTO users VALUE {'pk': 'new'}",
        "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = '1' AND attribute_exists(flag)",
        "DELETE FROM orders WHERE pk = 'a' AND sk = '2'",
        ReturnConsumedCapacity="TOTAL",
    )
    assert reply["Responses"] == []
    assert {each["TableName"]: each["CapacityUnits"] for each in reply["ConsumedCapacity"]} == {"users": 2, "orders": 4}
    assert orders.get("users", pk="new") is not None
    assert (orders.get("orders", pk="a", sk="1") or {})["n"] == {"N": "1"}
    assert orders.get("orders", pk="a", sk="2") is None


def test_all_or_nothing(orders: Session) -> None:
    orders.put("users", pk={"S": "there"})
    assert reasons(
        orders,
        "INSERT INTO users VALUE {'pk': 'new'}",
        "INSERT INTO users VALUE {'pk': 'there'}",
        "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = '1' AND flag = 'y'",
    ) == [
        ("None", None),
        ("DuplicateItem", "There is an item with this primary key already"),
        ("ConditionalCheckFailed", "The conditional request failed"),
    ]
    assert orders.get("users", pk="new") is None


def test_exists_checks_without_writing(orders: Session) -> None:
    exists = "EXISTS(SELECT * FROM orders WHERE (pk = 'a' AND sk = '1') AND {})"
    update = "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = '2'"
    orders.transact(exists.format("nope IS MISSING"), update)
    assert (orders.get("orders", pk="a", sk="2") or {})["n"] == {"N": "1"}
    failed = [("ConditionalCheckFailed", "The conditional request failed"), ("None", None)]
    assert reasons(orders, exists.format("flag IS MISSING"), update) == failed
    assert reasons(orders, exists.format("pk = 'b' AND flag = 'x'"), update) == failed


def test_a_table_that_is_missing_cancels(orders: Session) -> None:
    missing = "UPDATE nowhere SET a = 1 WHERE pk = 'x'"
    gone = ("ResourceNotFound", "Requested resource not found")
    assert reasons(orders, missing + " RETURNING ALL NEW *", "DELETE FROM nowhere WHERE pk = 'x'") == [gone, gone]
    read = "SELECT * FROM orders WHERE pk = 'a' AND sk = '1'"
    assert reasons(orders, read, 'SELECT * FROM "nowhere"."idx" WHERE pk = \'x\'') == [("None", None), gone]
    with pytest.raises(ServiceError, match=r"TransactStatements\[1\]: RETURNING"):
        orders.transact(missing, "UPDATE orders SET a = 1 WHERE pk = 'a' AND sk = '1' RETURNING ALL NEW *")


def test_a_key_that_names_no_item_cancels(orders: Session) -> None:
    update = "UPDATE orders SET n = 1 WHERE "
    wrong = ("ValidationError", NOT_THE_KEY)
    assert reasons(
        orders,
        update + "pk = 'a'",
        update + "pk IN ['a'] AND sk = '1'",
        update + "pk = 'a' AND sk = '1' AND pk = 'b'",
        update + "pk = 'a' AND sk = 1",
        update + "pk = 'a' AND sk = '1'",
    ) == [wrong, wrong, wrong, wrong, ("None", None)]
    missing = "One or more parameter values were invalid: Missing the key sk in the item"
    assert reasons(orders, "INSERT INTO orders VALUE {'pk': 'x'}")[0] == ("ValidationError", missing)
    assert reasons(orders, "SELECT * FROM orders WHERE pk = 'a' AND sk = 1") == [wrong]


def test_one_statement_for_each_item(orders: Session) -> None:
    message = "Transaction request cannot include multiple operations on one item"
    read = "SELECT * FROM orders WHERE pk = 'a' AND sk = '1'"
    assert orders.refused(lambda: orders.transact(read, read)).service_message == message
    write = "DELETE FROM orders WHERE pk = 'a' AND sk = '1'"
    assert orders.refused(lambda: orders.transact(write, write)).service_message == message


def test_reads_and_writes_do_not_mix(orders: Session) -> None:
    message = "ExecuteTransaction API does not support both read and write operations in the same request."
    read, write = "SELECT * FROM orders WHERE pk = 'a' AND sk = '1'", "DELETE FROM orders WHERE pk = 'a' AND sk = '2'"
    assert orders.refused(lambda: orders.transact(read, write)).service_message == message


def test_a_token_makes_it_happen_once(orders: Session) -> None:
    orders.put("users", pk={"S": "n"}, n={"N": "0"})
    update = "UPDATE users SET n = n + {} WHERE pk = 'n'"
    request = {"ClientRequestToken": "once", "ReturnConsumedCapacity": "TOTAL"}
    first = orders.transact(update.format(1), **request)
    again = orders.transact(update.format(1), **request)
    assert orders.get("users", pk="n") == {"pk": {"S": "n"}, "n": {"N": "1"}}
    assert first["ConsumedCapacity"][0]["WriteCapacityUnits"] == 2
    assert again["ConsumedCapacity"][0]["ReadCapacityUnits"] == 2
    assert again["Responses"] == []
    orders.refused(lambda: orders.transact(update.format(2), **request), "IdempotentParameterMismatchException")


def test_how_many(db: Session) -> None:
    db.refused(db.transact)
    db.refused(lambda: db.transact(*[f"INSERT INTO numbers VALUE {{'pk': {n}}}" for n in range(101)]))
    assert db.transact(*[f"INSERT INTO numbers VALUE {{'pk': {n}}}" for n in range(100)]) == {"Responses": []}
