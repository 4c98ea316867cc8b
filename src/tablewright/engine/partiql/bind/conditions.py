"""WHERE as the conditions of `expr.nodes`, so that one evaluator runs them all.

PartiQL has more than expressions have: types after IS, and conditions as values that can be compared with booleans.
Both are put into words that expressions know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tablewright.engine.faults import validation
from tablewright.engine.partiql.bind.literals import literal
from tablewright.engine.partiql.bind.paths import is_path, to_path
from tablewright.engine.partiql.faults import validation_at
from tablewright.expr.faults import ExpressionError
from tablewright.expr.functions import FUNCTIONS
from tablewright.expr.nodes import And, Between, Compare, Condition, Function, In, Name, Not, Operand, Or, Size, Value
from tablewright.expr.parse import parse_condition
from tablewright.expr.render import Placeholders, render_condition

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tablewright.engine.partiql.syntax.tree import Tree

    Given = Sequence[Any]

NEVER = Compare("=", Value(True), Value(False))
COMPARATORS = frozenset({"=", "<>", "<", "<=", ">", ">="})
NEGATIVES = {"not_in": "in", "not_between": "between", "not_like": "like", "is_not": "is"}
TYPES = {
    "null": "NULL",
    "bool": "BOOL",
    "boolean": "BOOL",
    "blob": "B",
    "string": "S",
    "numeric": "N",
    "struct": "M",
    "tuple": "M",
    "list": "L",
}
KNOWN_TYPES = "MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE and LIST"
BAD_IN = "IN takes an attribute or path on its left, and on its right a list of at least one value: x IN [1, 2]"


def where_condition(tree: Tree, given: Given) -> Condition:
    """The condition of a WHERE clause, its operands checked."""
    if not _is_condition(tree):
        _refuse_operand(tree)
        raise validation("WHERE takes a condition, something that is true or false")
    condition = _to_condition(tree, given)
    _check_condition(condition)
    return condition


def _check_condition(condition: Condition) -> None:
    """What can be wrong with a condition before any item is read: the same as in other requests."""
    placeholders = Placeholders()
    text = render_condition(condition, placeholders)
    try:
        parse_condition(text, placeholders.names, placeholders.values)
    except ExpressionError as error:
        raise validation(str(error).removeprefix("Invalid ConditionExpression: ")) from None


def _is_condition(tree: Tree) -> bool:
    if tree.kind == "call":
        return tree.token.text.lower() != "size"
    return tree.kind in READERS or tree.kind in NEGATIVES


def _to_condition(tree: Tree, given: Given) -> Condition:
    if tree.kind in NEGATIVES:
        return Not(READERS[NEGATIVES[tree.kind]](tree, given))
    return READERS[tree.kind](tree, given)


def _join(kind: type[And | Or]) -> Callable[[Tree, Given], Condition]:
    def read(tree: Tree, given: Given) -> Condition:
        parts: list[Condition] = []
        for part in tree.parts:
            if not _is_condition(part):
                raise validation("AND and OR join conditions, something that is true or false")
            condition = _to_condition(part, given)
            parts.extend(cast("Any", condition).parts if type(condition) is kind else (condition,))
        return kind(tuple(parts))

    return read


def _not(tree: Tree, given: Given) -> Condition:
    if not _is_condition(tree.parts[0]):
        raise validation("NOT turns a condition around, something that is true or false")
    return Not(_to_condition(tree.parts[0], given))


def _compare(tree: Tree, given: Given) -> Condition:
    left, right = tree.parts
    operator: Any = tree.kind
    if not _is_condition(left) and not _is_condition(right):
        return Compare(operator, _to_operand(left, given), _to_operand(right, given))
    if operator not in ("=", "<>"):
        _wrong_type(operator, "BOOL")
    first, second = (left, right) if _is_condition(left) else (right, left)
    equal = _as_boolean(_to_condition(first, given), second, given)
    return equal if operator == "=" else Not(equal)


def _as_boolean(condition: Condition, other: Tree, given: Given) -> Condition:
    """The condition holds or not, and the other says the same."""
    if _is_condition(other):
        also = _to_condition(other, given)
        return Or((And((condition, also)), And((Not(condition), Not(also)))))
    operand = _to_operand(other, given)
    if isinstance(operand, Value):
        return condition if operand.value is True else Not(condition) if operand.value is False else NEVER
    is_true, is_false = Compare("=", operand, Value(True)), Compare("=", operand, Value(False))
    return Or((And((condition, is_true)), And((Not(condition), is_false))))


def _between(tree: Tree, given: Given) -> Condition:
    if any(_is_condition(part) for part in tree.parts):
        _wrong_type("BETWEEN", "BOOL")
    value, low, high = (_to_operand(part, given) for part in tree.parts)
    return Between(value, low, high)


def _in(tree: Tree, given: Given) -> Condition:
    left, right = tree.parts
    if right.kind not in ("list", "bag") or not right.parts:
        raise validation(BAD_IN)
    if _is_condition(left):
        condition = _to_condition(left, given)
        return Or(tuple(_as_boolean(condition, choice, given) for choice in right.parts))
    if not is_path(left) and left.kind != "call":
        raise validation(BAD_IN)
    return In(_to_operand(left, given), tuple(_to_operand(choice, given) for choice in right.parts))


def _is(tree: Tree, given: Given) -> Condition:
    subject, word = tree.parts[0], tree.token.text
    if _is_condition(subject) or subject.kind in ("list", "bag", "struct"):
        raise validation("IS asks for the type of an attribute, a path or a plain value")
    if word == "missing":
        return Function("attribute_not_exists", (_to_operand(subject, given),))
    if word not in TYPES:
        shown = f"IS does not know the type {word.upper()}"
        raise validation(f"{shown}; it knows {KNOWN_TYPES}")
    return Function("attribute_type", (_to_operand(subject, given), Value(TYPES[word])))


def _like(tree: Tree, _given: Given) -> Condition:
    raise validation(f"A condition cannot use {NEGATIVES.get(tree.kind, tree.kind)}")


def _call(tree: Tree, given: Given) -> Condition:
    name: Any = tree.token.text.lower()
    if name not in FUNCTIONS:
        raise validation_at(f"Unrecognized function: {name}", tree.token.place)
    _check_count(name, len(tree.parts), FUNCTIONS[name].operands)
    return Function(name, tuple(_to_operand(part, given) for part in tree.parts))


def _check_count(name: str, count: int, wanted: int) -> None:
    if count != wanted:
        reason = "Incorrect number of operands for operator or function"
        raise validation(f"{reason}; operator or function: {name}, number of operands: {count}")


def _to_operand(tree: Tree, given: Given) -> Operand:
    """A path, a literal, a parameter or a size."""
    if is_path(tree):
        return to_path(tree)
    if tree.kind == "call":
        return _size(tree)
    _refuse_operand(tree)
    return Value(literal(tree, given))


def _size(tree: Tree) -> Operand:
    if tree.token.text.lower() != "size":
        raise validation_at(f"Unrecognized function: {tree.token.text.lower()}", tree.token.place)
    _check_count("size", len(tree.parts), 1)
    if not is_path(tree.parts[0]):
        raise validation("Operator or function requires a document path; operator or function: size")
    return Size(to_path(tree.parts[0]))


def _refuse_operand(tree: Tree) -> None:
    if tree.kind == "missing":
        raise validation("Whether something is missing is asked with IS MISSING")
    if tree.kind in ("+", "-", "*", "/", "%", "||", "negative", "positive"):
        sign = {"negative": "-", "positive": "+"}.get(tree.kind, tree.kind)
        raise validation(f"A condition cannot use {sign}")
    if tree.kind == "statement":
        raise validation("A condition cannot contain a SELECT")


def _wrong_type(operator: str, code: str) -> None:
    reason = "Incorrect operand type for operator or function"
    raise validation(f"{reason}; operator or function: {operator}, operand type: {code}")


READERS: dict[str, Callable[[Tree, Given], Condition]] = {
    "and": _join(And),
    "or": _join(Or),
    "not": _not,
    **dict.fromkeys(COMPARATORS, _compare),
    "between": _between,
    "in": _in,
    "is": _is,
    "like": _like,
    "call": _call,
}


def names_in(condition: Condition) -> list[Name]:
    """Every path a condition mentions, in the order of its text."""
    found: list[Name] = []
    waiting: list[Any] = [condition]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name):
            found.append(node)
        elif isinstance(node, Size):
            found.append(node.path)
        elif not isinstance(node, Value):
            waiting.extend(reversed(parts_of(node)))
    return found


def parts_of(node: Condition) -> tuple[Any, ...]:
    """What a condition is made of."""
    if isinstance(node, And | Or):
        return node.parts
    if isinstance(node, Not):
        return (node.part,)
    if isinstance(node, Compare):
        return (node.left, node.right)
    if isinstance(node, Between):
        return (node.operand, node.low, node.high)
    if isinstance(node, In):
        return (node.operand, *node.choices)
    return cast("Function", node).args
