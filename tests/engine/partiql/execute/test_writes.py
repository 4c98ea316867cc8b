from __future__ import annotations

import pytest

from tests.engine.partiql.conftest import Session

NO_KEY = "Where clause does not contain a mandatory equality on all key attributes"
OVERLAPPING = "Two document paths overlap with each other; must remove or rewrite one of these paths"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"


def test_insert(db: Session) -> None:
    assert db.run("INSERT INTO users VALUE {'pk': 'a', 'n': 1}") == {"Items": []}
    error = db.refused(lambda: db.run("INSERT INTO users VALUE {'pk': 'a'}"), "DuplicateItemException")
    assert error.service_message == "There is an item with this primary key already"
    assert db.get("users", pk="a") == {"pk": {"S": "a"}, "n": {"N": "1"}}
    db.run("DELETE FROM users WHERE pk = 'a'")
    db.run("INSERT INTO users VALUE {'pk': ?, 'n': ?}", {"S": "a"}, {"N": "2"})
    assert db.get("users", pk="a") == {"pk": {"S": "a"}, "n": {"N": "2"}}


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "INSERT INTO orders VALUE {'pk': 'a'}",
            "One or more parameter values were invalid: Missing the key sk in the item",
        ),
        (
            "INSERT INTO users VALUE {'pk': 1}",
            "Key attribute's data type should match its data type in table's schema: Key pk",
        ),
        (
            "INSERT INTO users <<{'pk': 'a'}>>",
            "INSERT puts one item: INSERT INTO table VALUE {'name': value, ...}",
        ),
        ("INSERT INTO users VALUE {'pk': 'a'} RETURNING ALL OLD *", "INSERT returns nothing; leave RETURNING out"),
        ("INSERT INTO users VALUE {'pk': 'a'} AT 1", "INSERT puts one item as a whole; leave AT out"),
    ],
)
def test_inserts_that_are_refused(db: Session, statement: str, message: str) -> None:
    assert db.refusal(statement) == message


def test_update(db: Session) -> None:
    db.put(
        "users",
        pk={"S": "a"},
        n={"N": "5"},
        m={"M": {"x": {"S": "y"}}},
        l={"L": [{"N": "1"}, {"N": "2"}]},
        b={"S": "b"},
    )
    db.run(
        "UPDATE users SET n=n-1, m.x = 'z' SET m.fresh = [2020, 's'] REMOVE l[0] REMOVE b SET other = m.x"
        " SET plus = 1 + n SET both = list_append(l, [3]) WHERE pk = 'a'"
    )
    assert db.get("users", pk="a") == {
        "pk": {"S": "a"},
        "n": {"N": "4"},
        "m": {"M": {"x": {"S": "z"}, "fresh": {"L": [{"N": "2020"}, {"S": "s"}]}}},
        "l": {"L": [{"N": "2"}]},
        "other": {"S": "y"},
        "plus": {"N": "6"},
        "both": {"L": [{"N": "1"}, {"N": "2"}, {"N": "3"}]},
    }


def test_update_written_from_first(db: Session) -> None:
    db.put("users", pk={"S": "a"}, n={"N": "1"}, b={"S": "b"})
    assert db.items(
        "from users where pk = ? AND n = 1 set c = ? REMOVE b RETURNING ALL NEW *", {"S": "a"}, {"N": "7"}
    ) == [{"pk": {"S": "a"}, "n": {"N": "1"}, "c": {"N": "7"}}]
    db.refused(lambda: db.run("FROM users WHERE pk = 'a' AND n = 2 SET c = 1"), "ConditionalCheckFailedException")
    for statement in ("FROM users SET c = 1", "FROM users REMOVE a", "FROM users WHERE a = 1 SET c = 1"):
        assert db.refusal(statement) == NO_KEY


def test_an_update_needs_an_item_and_a_delete_does_not(db: Session) -> None:
    for extra in ("", " AND attribute_not_exists(pk)", " AND a = 1"):
        db.refused(lambda: db.run(f"UPDATE users SET z = 1 WHERE pk = 'a'{extra}"), "ConditionalCheckFailedException")  # noqa: B023
        assert db.get("users", pk="a") is None
        assert db.run(f"DELETE FROM users WHERE pk = 'a'{extra}") == {"Items": []}


def test_conditions_besides_the_key(db: Session) -> None:
    db.put("orders", pk={"S": "a"}, sk={"S": "1"}, flag={"S": "x"}, tags={"SS": ["p", "q"]})
    db.run("UPDATE orders SET n = 1 WHERE (pk = 'a' AND sk = '1') AND flag = 'x' AND tags = <<'q', 'p'>>")
    for statement in (
        "UPDATE orders SET n = 2 WHERE pk = 'a' AND sk = '1' AND flag = 'y'",
        "DELETE FROM orders WHERE pk = 'a' AND sk = '1' AND attribute_exists(nope)",
    ):
        error = db.refused(lambda: db.run(statement), "ConditionalCheckFailedException")  # noqa: B023
        assert error.service_message == "The conditional request failed"
    failing = "DELETE FROM orders WHERE pk = 'a' AND sk = '1' AND flag = 'y'"
    told = db.refused(
        lambda: db.run(failing, ReturnValuesOnConditionCheckFailure="ALL_OLD"), "ConditionalCheckFailedException"
    )
    assert told.details["Item"]["n"] == {"N": "1"}
    db.run("DELETE FROM orders WHERE pk = 'a' AND sk = '1' AND attribute_not_exists(nope) AND pk = 'a'")
    assert db.get("orders", pk="a", sk="1") is None


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("", NO_KEY),
        (" WHERE pk = 'a'", NO_KEY),
        (" WHERE n = 1", NO_KEY),
        (" WHERE pk = 'a' AND sk > '1'", NO_KEY),
        (" WHERE pk IN ['a'] AND sk = '1'", NO_KEY),
        (" WHERE pk = 'a' OR sk = '1'", NO_KEY),
        (
            " WHERE pk = 'a' AND sk = 1",
            "Key attribute's data type should match its data type in table's schema: Key sk",
        ),
        (
            " WHERE pk = 'a' AND sk = '1' AND pk = 'b'",
            "Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported",
        ),
    ],
)
def test_a_write_names_one_item(db: Session, where: str, message: str) -> None:
    assert db.refusal(f"UPDATE orders SET a = 1{where}") == message
    assert db.refusal(f"DELETE FROM orders{where}") == message


def test_returning(db: Session) -> None:
    db.put("users", pk={"S": "a"}, n={"N": "1"}, keep={"S": "k"})
    update = "UPDATE users SET n = n + 1 WHERE pk = 'a' RETURNING "
    assert db.items(update + "ALL OLD *") == [{"pk": {"S": "a"}, "n": {"N": "1"}, "keep": {"S": "k"}}]
    assert db.items(update + "ALL NEW *") == [{"pk": {"S": "a"}, "n": {"N": "3"}, "keep": {"S": "k"}}]
    assert db.items(update + "MODIFIED OLD *") == [{"n": {"N": "3"}}]
    assert db.items(update + "modified new *") == [{"n": {"N": "5"}}]
    assert db.items("UPDATE users REMOVE n WHERE pk = 'a' RETURNING MODIFIED NEW *") == []
    for what in ("MODIFIED OLD", "ALL NEW", "MODIFIED NEW"):
        assert db.refusal(f"DELETE FROM users WHERE pk = 'a' RETURNING {what} *") == (
            f"Invalid returning clause: RETURNING {what} *. Only RETURNING ALL OLD * is allowed in DELETE statements."
        )
    assert db.items("DELETE FROM users WHERE pk = 'a' RETURNING ALL OLD *") == [{"pk": {"S": "a"}, "keep": {"S": "k"}}]
    assert db.items("DELETE FROM users WHERE pk = 'a' RETURNING ALL OLD *") == []
    star = "RETURNING returns all attributes of its kind; write * behind it"
    assert db.refusal("UPDATE users SET n = 1 WHERE pk = 'a' RETURNING ALL OLD n") == star
    several = "RETURNING takes one of ALL OLD *, ALL NEW *, MODIFIED OLD * and MODIFIED NEW *"
    assert db.refusal(update + "ALL OLD *, ALL NEW *") == several


def test_sets(db: Session) -> None:
    db.put("users", pk={"S": "a"}, ss={"SS": ["a", "b"]}, ns={"NS": ["1"]}, bs={"BS": ["AQ=="]}, only={"SS": ["x"]})
    db.run(
        "UPDATE users SET ss = SET_ADD(ss, <<'z', 'a'>>) SET ns = set_add(ns, <<4.5>>) SET bs = set_add(bs, ?)"
        " SET fresh = set_add(fresh, <<'m'>>) SET only = set_delete(only, <<'x'>>) SET gone = set_delete(gone, <<1>>)"
        " WHERE pk = 'a'",
        {"BS": ["AQ==", "Aw=="]},
    )
    assert db.get("users", pk="a") == {
        "pk": {"S": "a"},
        "ss": {"SS": ["a", "b", "z"]},
        "ns": {"NS": ["1", "4.5"]},
        "bs": {"BS": ["AQ==", "Aw=="]},
        "fresh": {"SS": ["m"]},
    }


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("t = set_add(ss, <<'x'>>)", "The first argument to SET_ADD must equal the assignment value at 1:22:7"),
        ("t = set_delete(ss, <<'x'>>)", "The first argument to SET_DELETE must equal the assignment value at 1:22:10"),
        ("ss = set_add(<<'a'>>, <<'b'>>)", "The first argument to SET_ADD must equal the assignment value at 1:23:7"),
        ("ss = set_add(ss, 'x')", "The second argument to SET_ADD must be a value with type SET at 1:31:2"),
        ("ss = set_delete(ss, ['x'])", "The second argument to SET_DELETE must be a value with type SET at 1:34:2"),
        ('"ss" = set_add("ss", 1)', "The second argument to SET_ADD must be a value with type SET at 1:33:4"),
        ("ss = set_add(ss)", "SET_ADD must have exactly two arguments at 1:23:7"),
        ("ss = set_add(ss, <<1>>, <<2>>)", "SET_ADD must have exactly two arguments at 1:23:7"),
        ("ss = set_add(ss, <<1>>)", WRONG_TYPE),
        ("s = set_delete(s, <<'x'>>)", WRONG_TYPE),
        ("ss = set_add(ss, <<>>)", "Empty bags are not supported"),
        (
            "l = list_append(nope, [1])",
            "The provided expression refers to an attribute that does not exist in the item",
        ),
        ("n = 'a' + 1", "Incorrect operand type for operator or function; operator or function: +, operand type: S"),
        (
            "n = n - null",
            "Incorrect operand type for operator or function; operator or function: -, operand type: NULL",
        ),
        ("n = -n", "An update cannot use the operator -"),
        ("n = n * 2", "An update cannot use the operator *"),
        ("n = n IS NULL", "SET takes a value, not a condition; leave IS out"),
        ("n = upper(s)", "Unrecognized function: upper at 1:22:5"),
        ("pk = 'b'", "Cannot update attribute pk. This attribute is part of the key"),
        (
            "n = 1, n = 2",
            f"{OVERLAPPING}; path one: [n], path two: [n]",
        ),
    ],
)
def test_updates_that_are_refused(db: Session, assignment: str, message: str) -> None:
    db.put("users", pk={"S": "a"}, ss={"SS": ["a"]}, s={"S": "str"}, n={"N": "1"})
    assert (
        db.refusal(f"UPDATE users SET {assignment} WHERE pk = 'a'").removeprefix(
            "One or more parameter values were invalid: "
        )
        == message
    )


def test_writes_cost_what_they_cost_otherwise(db: Session) -> None:
    def units(statement: str) -> float:
        return db.run(statement, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]["CapacityUnits"]

    assert units("INSERT INTO users VALUE {'pk': 'a', 'text': '" + "x" * 1500 + "'}") == 2
    assert units("UPDATE users SET n = 1 WHERE pk = 'a'") == 2
    assert units("DELETE FROM users WHERE pk = 'a'") == 2
    assert units("DELETE FROM users WHERE pk = 'a'") == 1


def test_sizes_are_those_of_the_items(db: Session) -> None:
    full = {"S": "x" * (400 * 1024 - len("pk") - len("a") - len("text"))}
    over = {"S": full["S"] + "x"}
    insert, update = "INSERT INTO users VALUE {'pk': 'a', 'text': ?}", "UPDATE users SET text = ? WHERE pk = 'a'"
    assert db.refusal(insert, over) == "Item size has exceeded the maximum allowed size"
    db.run(insert, full)
    db.run("UPDATE users REMOVE text WHERE pk = 'a'")
    db.run(update, full)
    assert db.refusal(update, over) == "Item size to update has exceeded the maximum allowed size"


def test_an_update_may_not_make_an_item_too_deep(db: Session) -> None:
    db.put("users", pk={"S": "a"}, m={"M": {}})
    value: dict[str, object] = {"S": "x"}
    for _ in range(31):
        value = {"M": {"a": value}}
    message = "Nesting Levels have exceeded supported limits"
    update = "UPDATE users SET m.deep = ? WHERE pk = 'a'"
    assert db.refusal(update, value) == message
    (response,) = db.batch({"Statement": update, "Parameters": [value]})["Responses"]
    assert response == {"Error": {"Code": "ValidationError", "Message": message}, "TableName": "users"}
    told = db.refused(lambda: db.transact({"Statement": update, "Parameters": [value]}), "TransactionCanceledException")
    assert told.details["CancellationReasons"] == [{"Code": "ValidationError", "Message": message}]


def test_indexes_and_their_types_hold_for_statements_too(indexed: Session) -> None:
    insert = "INSERT INTO shelf VALUE {'pk': 'a', 'sk': 'b', 'g': 1}"
    assert "Type mismatch for Index Key g" in indexed.refusal(insert)
    indexed.run("UPDATE shelf SET g = 'fresh' WHERE pk = 'q' AND sk = 'sk5'")
    assert len(indexed.items('SELECT * FROM "shelf"."by-g" WHERE g = \'fresh\'')) == 1
    report = indexed.run("DELETE FROM shelf WHERE pk = 'q' AND sk = 'sk5'", ReturnConsumedCapacity="INDEXES")
    assert set(report["ConsumedCapacity"]["GlobalSecondaryIndexes"]) == {"by-g", "by-h", "h-keys"}
