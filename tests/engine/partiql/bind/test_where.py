from __future__ import annotations

import pytest

from tests.engine.partiql.conftest import Session


@pytest.fixture
def item(db: Session) -> Session:
    db.put(
        "users",
        pk={"S": "a"},
        n={"N": "5"},
        s={"S": "string"},
        ss={"SS": ["x", "y"]},
        m={"M": {"sub": {"S": "deep"}, "l": {"L": [{"N": "1"}]}}},
        l={"L": [{"S": "one"}]},
        nul={"NULL": True},
        yes={"BOOL": True},
        bin={"B": "AQI="},
    )
    return db


@pytest.mark.parametrize(
    "condition",
    [
        "n = 5",
        "5 = n",
        "n <> 6",
        "n != 6",
        "n BETWEEN 4 AND 6",
        "n NOT BETWEEN 6 AND 7",
        "n IN [4, 5]",
        "n IN (4, 5)",
        "n NOT IN [4, 6]",
        "NOT n IN [4, 6]",
        "n > -5 AND n < +6",
        "n = - - 5",
        "(n = 1 OR n = 5) AND NOT (n = 7)",
        "attribute_exists(m.sub)",
        "ATTRIBUTE_EXISTS(l[0])",
        'attribute_exists("ss")',
        "attribute_not_exists(nope)",
        "NOT attribute_exists(nope)",
        "begins_with(s, 'str')",
        "contains(ss, 'x')",
        "contains(s, 'rin')",
        "size(s) = 6",
        "attribute_type(ss, 'SS')",
        "nul IS NULL",
        "s IS NOT NULL",
        "nope IS MISSING",
        "s IS NOT MISSING",
        "yes IS BOOL",
        "yes IS BOOLEAN",
        "s IS STRING",
        "n IS NUMERIC",
        "m IS STRUCT",
        "m IS TUPLE",
        "l IS LIST",
        "bin IS BLOB",
        "ss = <<'y', 'x'>>",
        "m = {'l': [1], 'sub': 'deep'}",
        "m['sub'] = 'deep'",
        "m.l[0] = 1",
        "nul = null",
        "yes = true",
        "attribute_exists(n) = true",
        "true = attribute_exists(n)",
        "attribute_exists(nope) = false",
        "attribute_exists(n) <> 1",
        "(n BETWEEN 0 AND 5) = true",
        "(n = 6 OR s = 'x') = false",
        "attribute_exists(nope) IN [true, false]",
        "attribute_exists(n) = attribute_exists(s)",
        "attribute_exists(n) = yes",
    ],
)
def test_conditions_that_hold(item: Session, condition: str) -> None:
    assert len(item.items(f"SELECT * FROM users WHERE pk = 'a' AND {condition}")) == 1
    assert len(item.items(f"SELECT * FROM users WHERE {condition}")) == 1
    assert item.items(f"SELECT * FROM users WHERE pk = 'a' AND NOT ({condition})") == []


@pytest.mark.parametrize(
    "condition",
    [
        "n = '5'",
        "nope = 1",
        "s IS NULL",
        "nope IS NULL",
        "attribute_exists(n) = 1",
        "NOT attribute_exists(n) = true",
        "(attribute_exists(n) = true) = false",
        "attribute_exists(n) = s",
        "s < 5",
    ],
)
def test_conditions_that_do_not(item: Session, condition: str) -> None:
    assert item.items(f"SELECT * FROM users WHERE pk = 'a' AND {condition}") == []


OPERAND = "Incorrect operand type for operator or function; operator or function:"
COUNT = "Incorrect number of operands for operator or function; operator or function:"
PATH = "Operator or function requires a document path; operator or function:"


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("n < true", f"{OPERAND} <, operand type: BOOL"),
        ("n >= [1]", f"{OPERAND} >=, operand type: L"),
        ("n BETWEEN true AND false", f"{OPERAND} BETWEEN, operand type: BOOL"),
        ("attribute_exists(n) > false", f"{OPERAND} >, operand type: BOOL"),
        ("attribute_type(n, 1)", f"{OPERAND} attribute_type, operand type: N"),
        ("attribute_exists('ss')", f"{PATH} attribute_exists"),
        ("attribute_exists()", f"{COUNT} attribute_exists, number of operands: 0"),
        ("attribute_exists(a, b)", f"{COUNT} attribute_exists, number of operands: 2"),
        ("EXISTS(ss)", "Unrecognized function: exists at 1:41:6"),
        ("set_add(ss, <<'x'>>) = ss", "Unrecognized function: set_add at 1:41:7"),
        ("x = MISSING", "Whether something is missing is asked with IS MISSING"),
        ("n = n2 + 1", "A condition cannot use +"),
        ("n > -m", "A condition cannot use -"),
        ("s LIKE 'x%'", "A condition cannot use like"),
        ("n", "AND and OR join conditions, something that is true or false"),
        ("NOT n", "NOT turns a condition around, something that is true or false"),
        (
            "n IN []",
            "IN takes an attribute or path on its left, and on its right a list of at least one value: x IN [1, 2]",
        ),
        (
            "n IS DATE",
            (
                "IS does not know the type DATE; it knows MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE"
                " and LIST"
            ),
        ),
        (
            "n IN [" + ", ".join(map(str, range(101))) + "]",
            "The IN operator is provided with too many operands; number of operands: 101",
        ),
    ],
)
def test_conditions_that_are_refused(db: Session, condition: str, message: str) -> None:
    assert db.refusal(f"SELECT * FROM users WHERE pk = 'a'  AND {condition}") == message


def test_a_where_without_a_condition(db: Session) -> None:
    message = "WHERE takes a condition, something that is true or false"
    assert db.refusal("SELECT * FROM users WHERE pk") == message
    assert db.refusal("SELECT * FROM users WHERE 'a'") == message
