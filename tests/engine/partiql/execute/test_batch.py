from __future__ import annotations

from tests.engine.partiql.conftest import Session

NEEDS_KEY = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."


def test_reads(db: Session) -> None:
    db.put("orders", pk={"S": "a"}, sk={"S": "1"}, n={"N": "1"})
    select = "SELECT n FROM orders WHERE "
    reply = db.batch(
        select + "pk = 'a' AND sk = '1'",
        select + "pk IN ['a'] AND sk = '1' AND pk = 'a'",
        select + "pk = 'a' AND sk = '2'",
        {"Statement": "SELECT * FROM orders WHERE pk = ? AND sk = ?", "Parameters": [{"S": "a"}, {"S": "1"}]},
    )
    assert reply == {
        "Responses": [
            {"TableName": "orders", "Item": {"n": {"N": "1"}}},
            {"TableName": "orders", "Item": {"n": {"N": "1"}}},
            {"TableName": "orders"},
            {"TableName": "orders", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "n": {"N": "1"}}},
        ]
    }


def test_a_read_names_the_key_and_nothing_else(db: Session) -> None:
    select = "SELECT * FROM orders WHERE "
    wheres = (
        "n = 1",
        "pk = 'a'",
        "pk = 'a' AND sk = '1' AND n = 1",
        "pk = 'a' AND sk = '1' AND pk = 'b'",
        "pk = 'a' AND sk > '1'",
    )
    responses = db.batch(*(select + where for where in wheres))["Responses"]
    assert responses == [{"Error": {"Code": "ValidationError", "Message": NEEDS_KEY}}] * len(wheres)


def test_an_index_is_not_for_batches(indexed: Session) -> None:
    (response,) = indexed.batch("SELECT * FROM \"shelf\".\"by-g\" WHERE pk = 'p' AND sk = 'sk1' AND g = 'x'")[
        "Responses"
    ]
    assert response == {"Error": {"Code": "ValidationError", "Message": NEEDS_KEY}}


def test_writes_each_for_itself(db: Session) -> None:
    db.put("users", pk={"S": "b"}, n={"N": "1"})
    reply = db.batch(
        "INSERT INTO users VALUE {'pk': 'a'}",
        "INSERT INTO users VALUE {'pk': 'b'}",
        {
            "Statement": "UPDATE users SET n = 2 WHERE pk = 'b' AND n = 9",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        },
        "UPDATE users SET n = n + 1 WHERE pk = 'b' RETURNING ALL NEW *",
        "UPDATE users REMOVE n WHERE pk = 'b' RETURNING MODIFIED NEW *",
        "DELETE FROM users WHERE pk = 'b' RETURNING MODIFIED OLD *",
        "DELETE FROM nowhere WHERE pk = 'b'",
        "DELET FROM users",
        {"Statement": "UPDATE users SET x = ? WHERE pk = 'b'", "Parameters": [{"SS": []}]},
        "UPDATE users SET l = list_append(l, [1]) WHERE pk = 'b'",
    )
    codes = [response.get("Error", {}).get("Code") for response in reply["Responses"]]
    assert codes == [
        None,
        "DuplicateItem",
        "ConditionalCheckFailed",
        None,
        None,
        "ValidationError",
        "ResourceNotFound",
        "ValidationError",
        "ValidationError",
        "ValidationError",
    ]
    tables = ["TableName" in response for response in reply["Responses"]]
    assert tables == [True, True, True, True, True, False, False, False, False, True]
    assert reply["Responses"][3] == {"TableName": "users", "Item": {"pk": {"S": "b"}, "n": {"N": "2"}}}
    assert reply["Responses"][4] == {"TableName": "users"}
    assert "Item" not in reply["Responses"][2]
    assert db.get("users", pk="b") == {"pk": {"S": "b"}}


def test_reads_and_writes_do_not_mix(db: Session) -> None:
    error = db.refused(lambda: db.batch("SELECT * FROM users WHERE pk = 'a'", "DELETE FROM users WHERE pk = 'a'"))
    assert error.service_message == "A batch of statements either reads or writes; send the SELECTs by themselves"


def test_capacity_is_told_by_table(db: Session) -> None:
    db.put("users", pk={"S": "a"})

    def read(table: str, key: str, consistent: bool) -> dict[str, object]:
        return {"Statement": f"SELECT * FROM {table} WHERE {key}", "ConsistentRead": consistent}

    reply = db.batch(
        read("users", "pk = 'a'", True),
        read("orders", "pk = 'a' AND sk = 'b'", False),
        read("users", "pk = 'b'", False),
        ReturnConsumedCapacity="TOTAL",
    )
    assert reply["ConsumedCapacity"] == [
        {"TableName": "users", "CapacityUnits": 1.5},
        {"TableName": "orders", "CapacityUnits": 0.5},
    ]


def test_how_many(db: Session) -> None:
    db.refused(db.batch)
    db.refused(lambda: db.batch(*["SELECT * FROM users WHERE pk = 'a'"] * 26))
    assert len(db.batch(*["SELECT * FROM users WHERE pk = 'a'"] * 25)["Responses"]) == 25
