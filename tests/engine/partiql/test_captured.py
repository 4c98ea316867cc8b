"""Statements and what DynamoDB was seen answering, word by word; `tests/engine/wording_sources.toml` says by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.engine.make import create_table, fault

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

UNREADABLE = "Statement wasn't well formed, can't be processed: "
LEFTOVER = f"{UNREADABLE}Unexpected token after expression"
TERM = f"{UNREADABLE}Unexpected term"
SIMPLE = f"{UNREADABLE}Expected identifier for simple path"
NO_DOT = f"{UNREADABLE}Invalid path dot component"
NO_KEY = "Where clause does not contain a mandatory equality on all key attributes"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
WRONG_TYPE = "Incorrect operand type for operator or function; operator or function"
WRONG_COUNT = "Incorrect number of operands for operator or function; operator or function: attribute_exists"
FIRST = "The first argument to SET_ADD must equal the assignment value"
REPEATED = "One or more parameter values were invalid: Input collection"
OF_KEY = "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."
SEVERAL = "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."
ONLY_OLD = "Only RETURNING ALL OLD * is allowed in DELETE statements."

GRAMMAR = [
    ("SELECT * FROM numbers WHERE pk = 1 foo", LEFTOVER),
    ("SELECT * FROM numbers WHERE pk = 1 e5", LEFTOVER),
    ("SELECT * FROM numbers WHERE pk = 1)", LEFTOVER),
    ("INSERT INTO numbers VALUE {'pk': 1} foo", LEFTOVER),
    ("DELETE FROM numbers WHERE pk = 1 ORDER BY pk", LEFTOVER),
    ("SELECT * FROM numbers ORDER BY pk WHERE pk = 1", LEFTOVER),
    ("INSERT INTO things t VALUE {'pk': 'x'}", LEFTOVER),
    ("FROM things SET c = 1 WHERE pk = 'x'", LEFTOVER),
    ("SELECT * FROM numbers WHERE pk = 1e2147483648", UNREADABLE),
    ("SELECT * FROM numbers WHERE pk = 1.5e-2147483647", UNREADABLE),
    ("SELECT * FROM numbers WHERE pk = 1 # note", UNREADABLE),
    ("SELECT * FROM numbers WHERE pk = 1 /* note", UNREADABLE),
    ("SELECT * FROM things t WHERE pk = 'x'", "Aliasing is not supported"),
    ("UPDATE things t SET a = 3 WHERE pk = 'x'", "Aliasing is not supported"),
    ("SELECT * FROM things WHERE", TERM),
    ("SELECT * FROM things WHERE;", TERM),
    ("UPDATE things SET a = 1 WHERE", TERM),
    ("SELECT * FROM things WHERE NOT", TERM),
    ("SELECT * FROM things WHERE (", TERM),
    ("SELECT * FROM", TERM),
    (
        "SELECT * FROM things WHERE pk = 'a' AND",
        f"{UNREADABLE}Missing right-hand side expression of infix operator",
    ),
    ("SELECT * FROM things WHERE ORDER BY pk", f"{UNREADABLE}Unexpected keyword"),
    ("SELECT * FROM things WHERE IS NULL", f"{UNREADABLE}Unexpected operator"),
    ("SELECT * FROM things WHERE pk = LIKE", f"{UNREADABLE}Unexpected operator"),
    ("SELECT * FROM things WHERE pk = 'a' AND x IS FOO", f"{UNREADABLE}Expected type name"),
    ("SLECT * FROM things WHERE pk = 'x'", f"{UNREADABLE}Expected data manipulation"),
    ("x IS INT4", "Unsupported operation: IsType"),
    ("x IS DOUBLE PRECISION", "Unsupported operation: IsType"),
    ("DELETE FROM", SIMPLE),
    ("DELETE FROM WHERE pk = 'a'", SIMPLE),
]
NUMBERS = [
    ("SELECT * FROM numbers WHERE pk = 1e126", f"{OVERFLOW} under root"),
    ("INSERT INTO numbers VALUE {'pk': 1, 'm': {'x': 1e126}}", f"{OVERFLOW} under root.x"),
    ("INSERT INTO numbers VALUE {'pk': 1, 'l': [1, 1e126]}", f"{OVERFLOW} under root[1]"),
    ("UPDATE numbers SET a = 1e-131 WHERE pk = 1", f"{UNDERFLOW} under root"),
]
FUNCTIONS = [
    (
        "attribute_exists('ss')",
        "Operator or function requires a document path; operator or function: attribute_exists",
    ),
    ("attribute_exists()", f"{WRONG_COUNT}, number of operands: 0"),
    ("attribute_exists(ss, ns)", f"{WRONG_COUNT}, number of operands: 2"),
    ("attribute_exists(m.inner)", NO_DOT),
    ("EXISTS(ss)", "Unrecognized function: exists at 1:41:6"),
    ("set_add(ss, <<'x'>>) = ss", "Unrecognized function: set_add at 1:41:7"),
    ("attribute_type(l, 1)", f"{WRONG_TYPE}: attribute_type, operand type: N"),
    ("attribute_type(l, true)", f"{WRONG_TYPE}: attribute_type, operand type: BOOL"),
    ("attribute_exists(n) > false", f"{WRONG_TYPE}: >, operand type: BOOL"),
    ("l < [1]", f"{WRONG_TYPE}: <, operand type: L"),
]
UPDATES = [
    ("t = set_add(ss, <<'x'>>)", f"{FIRST} at 1:23:7"),
    ("ss = set_add(<<'a'>>, <<'b'>>)", f"{FIRST} at 1:24:7"),
    ("ss = set_add(ss, 'x')", "The second argument to SET_ADD must be a value with type SET at 1:32:2"),
    ("ss = set_delete(ss, ['x'])", "The second argument to SET_DELETE must be a value with type SET at 1:35:2"),
    ("ss = set_add(ss)", "SET_ADD must have exactly two arguments at 1:24:7"),
    ("ss = set_add(ss, <<1>>)", "An operand in the update expression has an incorrect data type"),
    ("ss = set_add(ss, <<'x', 'x'>>)", f"{REPEATED} [x, x] contains duplicates."),
    ("ns = set_add(ns, <<2, 2.0>>)", f"{REPEATED} [2, 2.0] contains duplicates! under root"),
    ("ss = set_add(ss, <<>>)", "Empty bags are not supported"),
    ("m.inner = set_add(m.inner, <<'y'>>)", NO_DOT),
    ("n = 'a' + 1", f"{WRONG_TYPE}: +, operand type: S"),
    ("n = n - null", f"{WRONG_TYPE}: -, operand type: NULL"),
    (
        "d = " + "{'a': " * 32 + "1" + "}" * 32,
        "Nesting Levels have exceeded supported limits under root" + ".a" * 32,
    ),
]
MEANING = [
    ("SELECT attribute_exists(ss) FROM things WHERE pk = 'i'", "Unexpected path component at 1:8:16"),
    (
        "SELECT l[-1] FROM things WHERE pk = 'i'",
        "List index is not within the allowable range; index: [-1] at 1:11:1",
    ),
    (
        "SELECT l[2147483648] FROM things WHERE pk = 'i'",
        "List index is not within the allowable range; index: [2147483648] at 1:10:10",
    ),
    (
        "INSERT INTO things VALUE {'pk': 'z', 's': set_add(<<'a'>>, <<'b'>>)}",
        "Unsupported data type: set_add under key root at 1:43:7",
    ),
    (
        "INSERT INTO things VALUE {'pk': 'z', 's': <<1, 'a'>>}",
        "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags",
    ),
    ("FROM things SET c = 1", NO_KEY),
    ("FROM things REMOVE a", NO_KEY),
    ("FROM things WHERE a = 1 SET c = 1", NO_KEY),
    (
        "SELECT * FROM pairs WHERE pk = 'a' AND x = '1' OR pk = 'a' AND sk = '2'",
        "Overlapping conditions with range keys are not supported in where clause",
    ),
    (
        "UPDATE pairs SET a = 1 WHERE pk = 'a' AND sk = '1' AND pk = 'b'",
        "Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported",
    ),
    (
        "SELECT sk FROM pairs WHERE pk = 1 OR pk = 'a'",
        "Key attribute's data type should match its data type in table's schema: Key pk",
    ),
    ("SELECT sk FROM pairs ORDER BY sk", "Must have WHERE clause in the statement when using ORDER BY clause."),
    (
        "SELECT sk FROM pairs WHERE pk = 'o' ORDER BY Total DESC",
        "Attribute Total in ORDER BY clause must be part of the primary key",
    ),
    ("SELECT sk FROM pairs WHERE pk > 'a' ORDER BY sk", OF_KEY),
    ("SELECT sk FROM pairs WHERE pk IN ['o', 'p'] ORDER BY sk DESC", SEVERAL),
    (
        "EXISTS(SELECT * FROM things WHERE pk = 'i' AND x IS MISSING)",
        "EXISTS can only be used in ExecuteTransaction write requests.",
    ),
    ("SELECT * FROM \"\" WHERE pk = 'x'", "Path component cannot be an empty string"),
    (
        "SELECT * FROM things.by_g.extra WHERE pk = 'x'",
        "A path may contain at most 2 components in the FROM clause",
    ),
    ("SELECT * FROM things.no_such WHERE pk = 'x'", "The table does not have the specified index"),
    ("UPDATE things.by_g SET a = 1 WHERE pk = 'x'", "This operation is not supported on an index"),
    (
        "INSERT INTO things.by_g VALUE {'pk': 'x'}",
        "FROM clause may only contain a single table name in data manipulation statements",
    ),
    (
        "DELETE FROM things WHERE pk = 'x' RETURNING MODIFIED OLD *",
        f"Invalid returning clause: RETURNING MODIFIED OLD *. {ONLY_OLD}",
    ),
]
SEEN = [
    *GRAMMAR,
    *NUMBERS,
    *((f"SELECT * FROM things WHERE pk = 'i' AND {condition}", told) for condition, told in FUNCTIONS),
    *((f"UPDATE things SET {change} WHERE pk = 'i' AND nope = 'x'", told) for change, told in UPDATES),
    *MEANING,
]


@pytest.fixture
def stocked(engine: Engine) -> Engine:
    create_table(engine, "pk", gsis={"by_g": ("g", "ALL")})
    create_table(engine, "pk", name="numbers", types={"pk": "N"})
    create_table(engine, "pk sk", name="pairs")
    item = {
        "pk": {"S": "i"},
        "n": {"N": "1"},
        "ss": {"SS": ["a"]},
        "ns": {"NS": ["1"]},
        "l": {"L": [{"S": "a"}]},
        "m": {"M": {"inner": {"SS": ["x"]}}},
        "nope": {"S": "x"},
    }
    engine.call("PutItem", {"TableName": "things", "Item": item})
    return engine


@pytest.mark.parametrize(("statement", "message"), SEEN)
def test_the_answer_is_the_one_that_was_seen(stocked: Engine, statement: str, message: str) -> None:
    assert fault(stocked, "ExecuteStatement", {"Statement": statement}) == message
