"""What DynamoDB says of statements it cannot read."""

from __future__ import annotations

import pytest

from tests.engine.partiql.conftest import Session

LEFTOVER = "Unexpected token after expression"


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("SELECT * FROM numbers WHERE pk = 1 foo", LEFTOVER),
        ("SELECT * FROM numbers WHERE pk = 1 e5", LEFTOVER),
        ("SELECT * FROM numbers WHERE pk = 1)", LEFTOVER),
        ("INSERT INTO numbers VALUE {'pk': 1} foo", LEFTOVER),
        ("INSERT INTO numbers t VALUE {'pk': 1}", LEFTOVER),
        ("UPDATE numbers SET a = 9 WHERE pk = 1 foo", LEFTOVER),
        ("DELETE FROM numbers WHERE pk = 1 ORDER BY pk", LEFTOVER),
        ("SELECT * FROM numbers ORDER BY pk WHERE pk = 1", LEFTOVER),
        ("FROM users SET c = 1 WHERE pk = 'x'", LEFTOVER),
        ("SELECTT * FROMM users", LEFTOVER),
        ("SLECT * FROM users WHERE pk = 'x'", "Expected data manipulation"),
        ("SLECT * FROM users", "Expected data manipulation"),
        ("UPDATE users WHERE pk = 'x'", "Expected data manipulation"),
        ("SELECT * FROM users WHERE", "Unexpected term"),
        ("SELECT * FROM users WHERE;", "Unexpected term"),
        ("SELECT * FROM users WHERE NOT", "Unexpected term"),
        ("SELECT * FROM users WHERE (", "Unexpected term"),
        ("SELECT * FROM nowhere WHERE", "Unexpected term"),
        ("UPDATE users SET a = 1 WHERE", "Unexpected term"),
        ("DELETE FROM users WHERE", "Unexpected term"),
        ("SELECT * FROM", "Unexpected term"),
        (";", "Unexpected term"),
        ("SELECT * FROM users WHERE pk = 'a' AND", "Missing right-hand side expression of infix operator"),
        ("SELECT * FROM users WHERE pk = 'a' OR;", "Missing right-hand side expression of infix operator"),
        ("SELECT * FROM users WHERE ORDER BY pk", "Unexpected keyword"),
        ("SELECT * FROM users WHERE user = 'a'", "Unexpected keyword"),
        ("SELECT * FROM users WHERE IS NULL", "Unexpected operator"),
        ("SELECT * FROM users WHERE pk = LIKE", "Unexpected operator"),
        ("SELECT * FROM users WHERE pk = 'a' AND x IS FOO", "Expected type name"),
        ("SELECT * FROM users WHERE x BETWEEN 1 OR 2", "BETWEEN needs AND and a second bound"),
        ("SELECT * FROM users WHERE x BETWEEN 1 AND", "BETWEEN needs AND and a second bound"),
        ("SELECT * FROM users WHERE (pk = 'a'", "Expected RIGHT_PAREN"),
        ("SELECT * FROM users WHERE x = [1", "Expected RIGHT_BRACKET"),
        ("INSERT INTO users VALUE {'pk': 'a'", "Expected RIGHT_CURLY"),
        ("INSERT INTO users VALUE {'pk'}", "Expected COLON"),
        ("SELECT a.inner FROM users", "Invalid path dot component"),
        ("SELECT a b c FROM users", "Expected FROM after SELECT list"),
        (
            "SELECT *, a FROM users",
            "Other expressions may not be present in the select list when '*' is used without dot notation.",
        ),
        ("DELETE FROM", "Expected identifier for simple path"),
        ("DELETE FROM;", "Expected identifier for simple path"),
        ("DELETE FROM WHERE pk = 'a'", "Expected identifier for simple path"),
        ("DELETE users", "Expected FROM after DELETE"),
        ("UPDATE users SET a 1 WHERE pk = 'a'", "A path that is SET must be followed by = and a value"),
        (
            "DELETE FROM users WHERE pk = 'a' RETURNING OLD *",
            "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.",
        ),
        ("SELECT * FROM users; SELECT * FROM users", "Unexpected token after semicolon. (Only one query is allowed.)"),
        ("SELECT * FROM numbers WHERE pk = 1e2147483648", ""),
        ("SELECT * FROM numbers WHERE pk = 1e99999999999", ""),
        ("SELECT * FROM numbers WHERE pk = 1.5e-2147483647", ""),
        ("SELECT * FROM numbers WHERE pk = 1 # note", ""),
        ("SELECT * FROM numbers WHERE pk = 1 /* note", ""),
        ('SELECT * FROM "users', ""),
        ("SELECT * FROM users WHERE pk = 'open", ""),
        ("SELECT * FROM users WHERE " + "(" * 2000, ""),
        ("SELECT * FROM users WHERE " + "NOT " * 1500 + "a = 1", ""),
        ("SELECT * FROM users WHERE a" + " = a" * 1000, ""),
        ("SELECT * FROM users WHERE a = " + "- " * 2000 + "1", ""),
        ("SELECT * FROM users WHERE a = " + "[" * 3000, ""),
    ],
)
def test_what_cannot_be_read(db: Session, statement: str, reason: str) -> None:
    assert db.refusal(statement) == f"Statement wasn't well formed, can't be processed: {reason}"


def test_many_conditions_are_no_depth(db: Session) -> None:
    assert db.items("SELECT * FROM users WHERE pk = 'a'" + " AND b = 'c'" * 140) == []


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("SELECT * FROM users t WHERE pk = 'x'", "Aliasing is not supported"),
        ("SELECT * FROM users AS t WHERE pk = 'x'", "Aliasing is not supported"),
        ("SELECT a AS b FROM users WHERE pk = 'x'", "Aliasing is not supported"),
        ("UPDATE users t SET a = 3 WHERE pk = 'x'", "Aliasing is not supported"),
        ("DELETE FROM users t WHERE pk = 'x'", "Aliasing is not supported"),
        ("x IS INT4", "Unsupported operation: IsType"),
        ("x IS DOUBLE PRECISION", "Unsupported operation: IsType"),
        ("x IS CHARACTER VARYING", "Unsupported operation: IsType"),
        ("SELECT * FROM users, orders", "SELECT reads one table or index; there are no joins"),
        ("SELECT * FROM users JOIN orders ON a = b", "SELECT reads one table or index; there are no joins"),
        ("SELECT * FROM (SELECT * FROM users)", "FROM takes a table, or a table and one of its indexes, by name"),
        ("SELECT VALUE a FROM users", "SELECT lists attributes, or *; VALUE and PIVOT are not among them"),
        ("SELECT a FROM users LIMIT 1", "DynamoDB has no LIMIT; leave it out at 1:27:1"),
        ('SELECT * FROM "" WHERE pk = 1', "Path component cannot be an empty string"),
        ('SELECT * FROM "users"."" WHERE pk = 1', "Path component cannot be an empty string"),
        ('SELECT * FROM "users"."a"."b"', "A path may contain at most 2 components in the FROM clause"),
        ("SELECT * FROM users[0]", "The name of a table or index cannot have an index in brackets"),
        (
            'SELECT * FROM "a!"',
            "A table's name has 3 to 255 characters: letters, digits, hyphens, underscores and dots",
        ),
        ("SELECT COUNT(*) FROM users", "Unexpected path component at 1:8:5"),
        ("SELECT attribute_exists(a) FROM users", "Unexpected path component at 1:8:16"),
        ("SELECT l[-1] FROM users", "List index is not within the allowable range; index: [-1] at 1:11:1"),
        (
            "SELECT l[2147483648] FROM users",
            "List index is not within the allowable range; index: [2147483648] at 1:10:10",
        ),
        ("SELECT a.b, b FROM users", "SELECT lists b twice"),
        ("SELECT a[*] FROM users", "A path names one place; leave [*] out"),
        ("SELECT a.*.b FROM users", "A path names one place; leave .* out"),
        (
            "EXISTS(SELECT * FROM users WHERE pk = 'x' AND a = 1)",
            "EXISTS can only be used in ExecuteTransaction write requests.",
        ),
    ],
)
def test_what_is_read_but_not_done(db: Session, statement: str, message: str) -> None:
    assert db.refusal(statement) == message


def test_parameters_are_counted(db: Session) -> None:
    message = "Number of parameters in request and statement don't match."
    assert db.refusal("SELECT * FROM users WHERE pk = ?") == message
    assert db.refusal("SELECT * FROM users WHERE pk = 'a'", {"S": "a"}) == message


def test_comments_and_a_semicolon_are_nothing(db: Session) -> None:
    db.put("users", pk={"S": "a"}, note={"S": "a--b /*c*/"})
    for statement in (
        "-- first\nSELECT * FROM users WHERE pk = 'a' -- last",
        "SELECT/**/* FROM users -- where\nWHERE pk/* key */='a'",
        "SELECT * FROM users WHERE pk = 'a' AND note = 'a--b /*c*/'; -- done",
    ):
        assert len(db.items(statement)) == 1


def test_a_missing_table(db: Session) -> None:
    error = db.refused(lambda: db.run("SELECT * FROM nowhere WHERE pk = 'x'"), "ResourceNotFoundException")
    assert error.service_message == "Requested resource not found"
    db.refused(lambda: db.run("FROM nowhere WHERE pk = 'x' SET c = 1"), "ResourceNotFoundException")
