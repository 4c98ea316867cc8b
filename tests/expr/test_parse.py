from __future__ import annotations

import contextlib
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.expr.nodes import (
    Add,
    And,
    Between,
    Compare,
    Delete,
    Function,
    IfNotExists,
    In,
    ListAppend,
    Minus,
    Name,
    Not,
    Or,
    Plus,
    Remove,
    Set,
    Size,
    Update,
    Value,
)
from tablewright.expr.parse import (
    ExpressionError,
    Used,
    check_unused,
    parse_condition,
    parse_key_condition,
    parse_projection,
    parse_update,
)

NAMES = {"#a": "a", "#c": "c", "#three": "[3]", "#status": "status"}
VALUES: dict[str, Any] = {
    ":n": 1,
    ":m": Decimal("2.50"),
    ":s": "s",
    ":t": "t",
    ":b": b"b",
    ":bb": b"aa",
    ":bool": True,
    ":null": None,
    ":l": [1],
    ":map": {},
    ":ss": {"x"},
    ":ns": {1},
    ":bs": {b"x"},
    ":N": "N",
    ":DOG": "DOG",
}
A, B, C = (Compare("=", Name((field,)), Value(1)) for field in "abc")


def condition(text: str, kind: str = "ConditionExpression") -> Any:
    return parse_condition(text, NAMES, VALUES, kind=kind)


def update(text: str) -> Update:
    return parse_update(text, NAMES, VALUES)


def condition_error(text: str) -> str:
    with pytest.raises(ExpressionError) as fault:
        condition(text)
    return str(fault.value).removeprefix("Invalid ConditionExpression: ")


def update_error(text: str) -> str:
    with pytest.raises(ExpressionError) as fault:
        update(text)
    return str(fault.value).removeprefix("Invalid UpdateExpression: ")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a = :n", A),
        ("#a=:n", A),
        ("a = :n AND b = :n OR c = :n", Or((And((A, B)), C))),
        ("a = :n or b = :n aNd c = :n", Or((A, And((B, C))))),
        ("(a = :n or b = :n) and c = :n", And((Or((A, B)), C))),
        ("(a = :n AND b = :n) AND c = :n", And((And((A, B)), C))),
        ("a = :n AND (b = :n AND c = :n)", And((A, And((B, C))))),
        ("(a = :n)", A),
        ("NOT a = :n AND b = :n", And((Not(A), B))),
        ("not NOT (a = :n and b = :n)", Not(Not(And((A, B))))),
        ("(a) = (:n)", A),
        ("((a) = :n)", A),
        ("NOT (NOT (a = :n))", Not(Not(A))),
        ("a BETWEEN :n AND :m AND b = :n", And((Between(Name(("a",)), Value(1), Value(Decimal("2.5"))), B))),
        ("a IN (:n, b, size(c))", In(Name(("a",)), (Value(1), Name(("b",)), Size(Name(("c",)))))),
        ("size(a) >= :n", Compare(">=", Size(Name(("a",))), Value(1))),
        ("(size (a)) >= :n", Compare(">=", Size(Name(("a",))), Value(1))),
        ("size(:ss) = :n", Compare("=", Value(1), Value(1))),
        ("attribute_exists(a.b[0][1].#three)", Function("attribute_exists", (Name(("a", "b", 0, 1, "[3]")),))),
        ("attribute_type(a, :N)", Function("attribute_type", (Name(("a",)), Value("N")))),
        ("begins_with(:s, a)", Function("begins_with", (Value("s"), Name(("a",))))),
        ("contains(a, size(b))", Function("contains", (Name(("a",)), Size(Name(("b",)))))),
        ("a < b", Compare("<", Name(("a",)), Name(("b",)))),
    ],
)
def test_conditions(text: str, node: Any) -> None:
    assert condition(text) == node


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The expression can not be empty;"),
        ("whatever", 'Syntax error; token: "<EOF>", near: "whatever"'),
        ("a > 4", 'Syntax error; token: "4", near: "> 4"'),
        ("a == :n", 'Syntax error; token: "=", near: "== :n"'),
        ("a = :n b", 'Syntax error; token: "b", near: ":n b"'),
        ("a = :n AND", 'Syntax error; token: "<EOF>", near: "AND"'),
        ("(a = :n", 'Syntax error; token: "<EOF>", near: ":n"'),
        ("a = :n)", 'Syntax error; token: ")", near: ":n)"'),
        ("(a)", 'Syntax error; token: ")", near: "a)"'),
        (":n", 'Syntax error; token: "<EOF>", near: ":n"'),
        ("attribute_exists()", 'Syntax error; token: ")", near: "()"'),
        ("a IN ()", 'Syntax error; token: ")", near: "()"'),
        ("a BETWEEN :n OR :m", 'Syntax error; token: "OR", near: ":n OR :m"'),
        ("(size(a))[0] > a", 'Syntax error; token: "[", near: ")[0"'),
        ("a[:n] = :n", 'Syntax error; token: ":n", near: "[:n]"'),
        ("a[#a] = :n", 'Syntax error; token: "#a", near: "[#a]"'),
        ("a[-1] = :n", 'Syntax error; token: "-", near: "[-1"'),
        ("((a = :n))", "The expression has redundant parentheses;"),
        ("a = :n AND ((b = :n))", "The expression has redundant parentheses;"),
        ("((a)) = :n", "The expression has redundant parentheses;"),
        ("NOT ((a = :n OR b = :n))", "The expression has redundant parentheses;"),
        ("status = :n", "Attribute name is a reserved keyword; reserved keyword: status"),
        ("x.Status = :n", "Attribute name is a reserved keyword; reserved keyword: Status"),
        ("a[2147483648] = :n", "List index is not within the allowable range; index: [2147483648]"),
        ("foo(a)", "Invalid function name; function: foo"),
        ("SIZE(a) = :n", "Invalid function name; function: SIZE"),
        ("if_not_exists(a, b) = :n", "The function is not allowed in a condition expression; function: if_not_exists"),
        ("size(a)", "The function is not allowed to be used this way in an expression; function: size"),
        ("size(:s)", "The function is not allowed to be used this way in an expression; function: size"),
        ("attribute_exists(a) < :n",
         "The function is not allowed to be used this way in an expression; function: attribute_exists"),
        ("size(contains(a, b)) = :n",
         "The function is not allowed to be used this way in an expression; function: contains"),
        ("attribute_exists(a, b)",
         ("Incorrect number of operands for operator or function; operator or function: attribute_exists, "
         "number of operands: 2")),
        ("size(a, b) = :n",
         "Incorrect number of operands for operator or function; operator or function: size, number of operands: 2"),
        ("#x = :n",
         "An expression attribute name used in the document path is not defined; attribute name: #x"),
        ("a = :x", "An expression attribute value used in expression is not defined; attribute value: :x"),
        ("a BETWEEN :n AND :x",
         "An expression attribute value used in expression is not defined; attribute value: :x"),
        ("attribute_exists(:n)",
         "Operator or function requires a document path; operator or function: attribute_exists"),
        ("a = a",
         ("The first operand must be distinct from the remaining operands for this operator or function; "
         "operator: =, first operand: [a]")),
        ("x.#c[1] IN (:n, x.c[1])",
         ("The first operand must be distinct from the remaining operands for this operator or function; "
         "operator: IN, first operand: [x, c, [1]]")),
        ("contains(a, #a)",
         ("The first operand must be distinct from the remaining operands for this operator or function; "
         "operator: contains, first operand: [a]")),
        ("a < :l", "Incorrect operand type for operator or function; operator or function: <, operand type: L"),
        (":bool >= a", "Incorrect operand type for operator or function; operator or function: >=, operand type: BOOL"),
        ("a BETWEEN :map AND :map",
         "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: M"),
        ("begins_with(a, :n)",
         "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"),
        ("begins_with(a, size(b))",
         "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"),
        ("size(:null) = :n",
         "Incorrect operand type for operator or function; operator or function: size, operand type: NULL"),
        ("size(size(a)) = :n",
         "Incorrect operand type for operator or function; operator or function: size, operand type: N"),
        ("attribute_type(a, :n)",
         "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N"),
        ("attribute_type(a, b)",
         ("Incorrect operand type for operator or function; operator or function: attribute_type, "
         "operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}")),
        ("attribute_type(a, :DOG)",
         "Invalid attribute type name found; type: DOG, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"),
        ("a BETWEEN :n AND :s",
         ("The BETWEEN operator requires same data type for lower and upper bounds; "
         "lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:s}")),
        ("a BETWEEN :m AND :n",
         ("The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
         "lower bound operand: AttributeValue: {N:2.5}, upper bound operand: AttributeValue: {N:1}")),
        ("a BETWEEN :b AND :bb",
         ("The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
         "AttributeValue: {B:Yg==}, upper bound operand: "
         "AttributeValue: {B:YWE=}")),
    ],
)  # fmt: skip
def test_condition_errors(text: str, message: str) -> None:
    assert condition_error(text) == message


def test_the_kind_of_expression_is_named() -> None:
    with pytest.raises(ExpressionError, match=r"^Invalid FilterExpression: Attribute name is a reserved keyword"):
        condition("status = :n", kind="FilterExpression")


@pytest.mark.parametrize(
    "text", ["a BETWEEN :m AND b", "a BETWEEN b AND :n", "a = :l", "a <> :bool", "contains(a, :ss)", "a IN (:l, :null)"]
)
def test_types_are_not_judged_where_the_item_decides(text: str) -> None:
    assert isinstance(condition(text), Compare | Between | In | Function)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SET a = :n", Update(set=(Set(Name(("a",)), Value(1)),))),
        ("set a=:n,b.c[0]=a", Update(set=(Set(Name(("a",)), Value(1)), Set(Name(("b", "c", 0)), Name(("a",)))))),
        ("SET a = a + :n", Update(set=(Set(Name(("a",)), Plus(Name(("a",)), Value(1))),))),
        ("SET a = (a - :n)", Update(set=(Set(Name(("a",)), Minus(Name(("a",)), Value(1))),))),
        ("SET a = ((b.c.d)+(e))", Update(set=(Set(Name(("a",)), Plus(Name(("b", "c", "d")), Name(("e",)))),))),
        ("SET a = (b)", Update(set=(Set(Name(("a",)), Name(("b",))),))),
        ("SET a = if_not_exists(a, :n) + :n",
         Update(set=(Set(Name(("a",)), Plus(IfNotExists(Name(("a",)), Value(1)), Value(1))),))),
        ("SET a = list_append(if_not_exists(a, :l), :l)",
         Update(set=(Set(Name(("a",)), ListAppend(IfNotExists(Name(("a",)), Value([1])), Value([1]))),))),
        ("DELETE d :ss ADD e :n REMOVE b, #c.x SET a = :n",
         Update((Set(Name(("a",)), Value(1)),), (Remove(Name(("b",))), Remove(Name(("c", "x")))),
                (Add(Name(("e",)), Value(1)),), (Delete(Name(("d",)), Value({"x"})),))),
        ("SET l[0] = :n, l[1] = :n, m.x = :n REMOVE m.y",
         Update((Set(Name(("l", 0)), Value(1)), Set(Name(("l", 1)), Value(1)), Set(Name(("m", "x")), Value(1))),
                (Remove(Name(("m", "y"))),))),
    ],
)  # fmt: skip
def test_updates(text: str, expected: Update) -> None:
    assert update(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The expression can not be empty;"),
        ("SET = :n", 'Syntax error; token: "=", near: "SET = :n"'),
        ("SET _123 = :n", 'Syntax error; token: "_", near: "SET _123"'),
        ("HELLO b = :n", 'Syntax error; token: "HELLO", near: "HELLO b"'),
        ("SET a = :n,", 'Syntax error; token: "<EOF>", near: ","'),
        ("SET a", 'Syntax error; token: "<EOF>", near: "a"'),
        ("SET :n = a", 'Syntax error; token: ":n", near: "SET :n ="'),
        ("SET a = set", 'Syntax error; token: "set", near: "= set"'),
        ("REMOVE a = b", 'Syntax error; token: "=", near: "a = b"'),
        ("ADD a b", 'Syntax error; token: "b", near: "a b"'),
        ("SET a = b * c", 'Syntax error; token: "*", near: "b * c"'),
        ("SET a = b + c + d", 'Syntax error; token: "+", near: "c + d"'),
        ("SET a = (b + c) + d", 'Syntax error; token: "+", near: "b + c"'),
        ("SET a = (b.c).d + e", 'Syntax error; token: ".", near: ").d"'),
        ("SET (a = b)", 'Syntax error; token: "(", near: "SET (a"'),
        ("SET a = if_not_exists(a, b + c)", 'Syntax error; token: "+", near: "b + c"'),
        ("SET a = ((b + c))", "The expression has redundant parentheses;"),
        ("SET abOrt = :n SET b = :n", "Attribute name is a reserved keyword; reserved keyword: abOrt"),
        ("SET a = :n SET b = :n", 'The "SET" section can only be used once in an update expression;'),
        ("ADD #x :n SET a = b ADD c :n", 'The "ADD" section can only be used once in an update expression;'),
        ("SET a = f(b, c)", "Invalid function name; function: f"),
        ("SET a = size(b)", "The function is not allowed in an update expression; function: size"),
        ("SET a = list_append(list_append(:l, :l), :l)",
         "The function is not allowed to be used this way in an expression; function: list_append"),
        ("SET #x = if_not_exists(:x)",
         "An expression attribute name used in the document path is not defined; attribute name: #x"),
        ("SET #a = if_not_exists(:x)",
         "An expression attribute value used in expression is not defined; attribute value: :x"),
        ("SET a = if_not_exists(c)",
         ("Incorrect number of operands for operator or function; operator or function: if_not_exists, "
         "number of operands: 1")),
        ("SET a = list_append(a, b, c)",
         ("Incorrect number of operands for operator or function; operator or function: list_append, "
         "number of operands: 3")),
        ("SET a = if_not_exists(:n, c)",
         "Operator or function requires a document path; operator or function: if_not_exists"),
        ("SET a = if_not_exists(if_not_exists(a, b), c)",
         "Operator or function requires a document path; operator or function: if_not_exists"),
        ("SET d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)",
         ("Two document paths overlap with each other; must remove or rewrite one of these paths; "
         "path one: [c, [1], a], path two: [c]")),
        ("SET #c[3].#three = a, #c[3] = a",
         ("Two document paths overlap with each other; must remove or rewrite one of these paths; "
         "path one: [c, [3], [3]], path two: [c, [3]]")),
        ("SET a = :n REMOVE a",
         ("Two document paths overlap with each other; must remove or rewrite one of these paths; "
         "path one: [a], path two: [a]")),
        ("SET #c[3].#three = a, #c.#three[3] = if_not_exists(a)",
         ("Two document paths conflict with each other; must remove or rewrite one of these paths; "
         "path one: [c, [3], [3]], path two: [c, [3], [3]]")),
        ("REMOVE a.#c SET a[1] = #a",
         ("Two document paths conflict with each other; must remove or rewrite one of these paths; "
         "path one: [a, c], path two: [a, [1]]")),
        ("SET b = list_append(:s, a), c = if_not_exists(a) ADD a.b :s",
         ("Incorrect operand type for operator or function; operator: ADD, operand type: STRING,"
          " typeSet: ALLOWED_FOR_ADD_OPERAND")),
        ("SET a = if_not_exists(a, list_append(a, :l))",
         "The function is not allowed to be used this way in an expression; function: list_append"),
        ("DELETE a.b :n",
         ("Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER,"
          " typeSet: ALLOWED_FOR_ADD_OPERAND")),
        ("SET a = list_append(a, :map)",
         "Incorrect operand type for operator or function; operator or function: list_append, operand type: M"),
        ("SET a = :s + :b",
         "Incorrect operand type for operator or function; operator or function: +, operand type: S"),
        ("SET a = a - :ns",
         "Incorrect operand type for operator or function; operator or function: -, operand type: NS"),
    ],
)  # fmt: skip
def test_update_errors(text: str, message: str) -> None:
    assert update_error(text) == message


@pytest.mark.parametrize("value", [":bool", ":null", ":b", ":l", ":map", ":s"])
def test_only_numbers_and_sets_are_added(value: str) -> None:
    assert "operator: ADD, operand type: " in update_error(f"ADD a {value}")


def test_projections() -> None:
    assert parse_projection("#a, #c[3].x , b", NAMES) == (Name(("a",)), Name(("c", 3, "x")), Name(("b",)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,", 'Syntax error; token: "<EOF>", near: ","'),
        (":n", 'Syntax error; token: ":n", near: ":n"'),
        ("a b", 'Syntax error; token: "b", near: "a b"'),
        ("and", "Attribute name is a reserved keyword; reserved keyword: and"),
        ("a" + ".b" * 32, "A path may have 32 parts, and this one has 33; shorten the path that begins with a"),
        ("a.b, a",
         ("Two document paths overlap with each other; must remove or rewrite one of these paths; "
         "path one: [a, b], path two: [a]")),
    ],
)  # fmt: skip
def test_projection_errors(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as fault:
        parse_projection(text, NAMES)
    assert str(fault.value) == f"Invalid ProjectionExpression: {message}"


def test_a_path_of_32_levels_is_fine() -> None:
    assert len(parse_projection("a" + ".b" * 31)[0].parts) == 32


def test_300_operators_are_fine_and_301_are_not() -> None:
    assert len(condition(" OR ".join(["a<b"] * 150)).parts) == 150
    assert condition_error(" OR ".join(["a<b"] * 151)) == (
        "The expression contains too many operators; operator count: 301"
    )


def test_in_counts_as_one_operator_and_takes_100_choices() -> None:
    values = {f":v{number}": number for number in range(101)}
    hundred = ", ".join(list(values)[:100])
    three = parse_condition(f"a IN ({hundred}) OR b IN ({hundred}) OR c IN ({hundred})", {}, values)
    assert isinstance(three, Or)
    assert [len(part.choices) for part in three.parts if isinstance(part, In)] == [100, 100, 100]
    with pytest.raises(
        ExpressionError, match="The IN operator is provided with too many operands; number of operands: 101"
    ):
        parse_condition(f"a IN ({', '.join(values)})", {}, values)


@pytest.mark.parametrize("opening", ["(", "NOT ", "f(", "size(", "NOT("])
def test_depth_ends_in_a_proper_error(opening: str) -> None:
    deep = opening * (4000 // len(opening))
    with pytest.raises(ExpressionError):
        condition(f"{deep}a = :n")
    with pytest.raises(ExpressionError):
        condition(f"{deep}a{')' * (95)}")
    with pytest.raises(ExpressionError, match="expression size: 20"):
        condition("(" * 10_000 + "a = :n" + ")" * 10_000)


@pytest.mark.parametrize("opening", ["(", "f(", "if_not_exists(a,"])
def test_depth_of_updates_ends_in_a_proper_error(opening: str) -> None:
    with pytest.raises(ExpressionError):
        update(f"SET b = {opening * (4000 // len(opening))}a")


def test_deep_but_legal_nesting() -> None:
    levels = 149
    node = condition("(" * levels + "a = :n" + " AND b = :n)" * levels)
    for _ in range(levels):
        node = node.parts[0]
    assert node == A
    assert update("SET b = " + "if_not_exists(a," * 200 + ":n" + ")" * 200).set[0].path == Name(("b",))


WORDS = ["a", "b.", ":n", ":s", "#a", "(", ")", "[0]", ",", "<", "=", "+", "_", " AND ", " OR ", " NOT ", " BETWEEN "]
CALLS = [" IN ", "size(", "contains(", "list_append(", "SET ", "REMOVE ", "ADD ", "DELETE "]


@given(st.lists(st.sampled_from(WORDS + CALLS), max_size=20))
@settings(deadline=None, max_examples=300)
def test_any_text_is_parsed_or_refused_in_words(words: list[str]) -> None:
    text = "".join(words)
    for parse in (parse_condition, parse_update, parse_key_condition):
        with contextlib.suppress(ExpressionError):
            assert parse(text, NAMES, VALUES) is not None


def test_placeholders_that_no_expression_mentions() -> None:
    used = Used()
    parse_update("SET #a = :n", NAMES, VALUES, used=used)
    parse_condition("#c = :s", NAMES, VALUES, used=used)
    assert used == Used({"#a", "#c"}, {":n", ":s"})
    check_unused(used, {"#a": "a", "#c": "c"}, {":n": 1})
    check_unused(used, None, None)
    with pytest.raises(ExpressionError, match=r"ExpressionAttributeNames unused in expressions: keys: {#x, #y}$"):
        check_unused(used, {"#x": "x", "#a": "a", "#y": "y"}, {":z": 1})
    with pytest.raises(ExpressionError) as fault:
        check_unused(used, {"#a": "a"}, {":x": 1})
    assert str(fault.value) == "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}"
