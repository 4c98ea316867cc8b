"""Text to nodes: the grammar of conditions, projections and updates on one reader of tokens and operands.

    condition  = term { OR term }      term = factor { AND factor }
    factor     = { NOT } ( comparison | "(" condition ")" )
    comparison = operand ( = | <> | < | <= | > | >= ) operand | operand BETWEEN operand AND operand
               | operand IN "(" operand { "," operand } ")" | function
    projection = path { "," path }
    update     = { SET path "=" assigned { "," ... } | REMOVE path ... | ADD path :value ... | DELETE path :value ... }
    assigned   = operand [ ( + | - ) operand ]            DynamoDB adds two things, not three; all may be in parentheses

Names are resolved, operands checked and DynamoDB's limits kept on the way; a mistake raises `ExpressionError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from tablewright.expr import checks
from tablewright.expr.faults import ExpressionError, Faults, Stage
from tablewright.expr.key_condition import check_key_condition
from tablewright.expr.nodes import (
    Action,
    Add,
    And,
    Assigned,
    Between,
    Comparator,
    Compare,
    Condition,
    Delete,
    Function,
    In,
    Minus,
    Name,
    Not,
    Operand,
    Or,
    Plus,
    Remove,
    Set,
    Term,
    Update,
)
from tablewright.expr.operands import UPDATE, Operands, Used
from tablewright.expr.tokens import CONDITION_KEYWORDS, END, NO_KEYWORDS, UPDATE_KEYWORDS, Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "ExpressionError",
    "Used",
    "check_unused",
    "parse_condition",
    "parse_key_condition",
    "parse_projection",
    "parse_update",
]

Result = TypeVar("Result")

_COMPARATORS = frozenset({"=", "<>", "<", "<=", ">", ">="})
_AFTER_OPERAND = _COMPARATORS | {"BETWEEN", "IN"}


def parse_condition(
    text: str,
    names: Mapping[str, str] | None = None,
    values: Mapping[str, Any] | None = None,
    *,
    kind: str = "ConditionExpression",
    used: Used | None = None,
) -> Condition:
    """A condition or filter; `kind` is the parameter it came in, which DynamoDB's messages name."""
    operands = _operands(text, CONDITION_KEYWORDS, kind, names, values, used)
    return _complete(operands, _read_condition(operands))


def parse_key_condition(
    text: str,
    names: Mapping[str, str] | None = None,
    values: Mapping[str, Any] | None = None,
    *,
    used: Used | None = None,
) -> Condition:
    """A key condition: `key_condition.split_key_condition` then takes it apart for an index."""
    condition = parse_condition(text, names, values, kind="KeyConditionExpression", used=used)
    check_key_condition(condition)
    return condition


def parse_projection(
    text: str, names: Mapping[str, str] | None = None, *, used: Used | None = None
) -> tuple[Name, ...]:
    """The paths of a projection, which may not overlap."""
    operands = _operands(text, NO_KEYWORDS, "ProjectionExpression", names, None, used)
    paths = [operands.path()]
    while operands.reader.accept(","):
        paths.append(operands.path())
    checks.check_apart(operands.faults, paths)
    return _complete(operands, tuple(paths))


def parse_update(
    text: str,
    names: Mapping[str, str] | None = None,
    values: Mapping[str, Any] | None = None,
    *,
    used: Used | None = None,
) -> Update:
    """An update, its sections in any order but each at most once."""
    operands = _operands(text, UPDATE_KEYWORDS, UPDATE, names, values, used)
    sections: dict[str, list[Action]] = {}
    while not sections or operands.reader.token.kind != END:
        _read_section(operands, sections)
    written = [action.path for actions in sections.values() for action in actions]
    checks.check_apart(operands.faults, written)
    update = {section.lower(): tuple(actions) for section, actions in sections.items()}
    return _complete(operands, Update(**cast("dict[str, Any]", update)))


def check_unused(used: Used, names: Mapping[str, str] | None, values: Mapping[str, Any] | None) -> None:
    """Every placeholder of a request must be mentioned in one of its expressions."""
    for parameter, given, mentioned in (
        ("ExpressionAttributeNames", names or {}, used.names),
        ("ExpressionAttributeValues", values or {}, used.values),
    ):
        unused = [placeholder for placeholder in given if placeholder not in mentioned]
        if unused:
            keys = ", ".join(unused)
            raise ExpressionError(f"Value provided in {parameter} unused in expressions: keys: {{{keys}}}")


def _operands(
    text: str,
    keywords: frozenset[str],
    kind: str,
    names: Mapping[str, str] | None,
    values: Mapping[str, Any] | None,
    used: Used | None,
) -> Operands:
    faults = Faults(kind)
    return Operands(Reader(text, keywords, faults), faults, names or {}, values or {}, Used() if used is None else used)


def _complete(operands: Operands, result: Result) -> Result:
    if operands.reader.token.kind != END:
        operands.reader.refuse()
    operands.faults.settle()
    return result


class _Level:
    """What has been read inside one pair of parentheses."""

    __slots__ = ("grouped", "nots", "parts", "terms")

    def __init__(self) -> None:
        self.terms: list[Condition] = []  # joined by OR
        self.parts: list[Condition] = []  # of the current term, joined by AND
        self.nots = 0
        self.grouped = False  # the level holds nothing but another pair of parentheses

    def add(self, node: Condition, *, grouped: bool) -> None:
        self.grouped = grouped and not (self.nots or self.parts or self.terms)
        for _ in range(self.nots):
            node = Not(node)
        self.nots = 0
        self.parts.append(node)

    def end_term(self) -> None:
        self.terms.append(self.parts[0] if len(self.parts) == 1 else And(tuple(self.parts)))
        self.parts = []

    def condition(self) -> Condition:
        return self.terms[0] if len(self.terms) == 1 else Or(tuple(self.terms))


def _read_condition(operands: Operands) -> Condition:
    """A whole condition, open parentheses on a stack."""
    reader, levels = operands.reader, [_Level()]
    while True:
        while reader.accept("NOT"):
            operands.count_operator()
            levels[-1].nots += 1
        if reader.token.kind == "(" and reader.after_closing() not in _AFTER_OPERAND:
            reader.next()
            levels.append(_Level())
            continue
        levels[-1].add(_read_comparison(operands), grouped=False)
        while not _joined(operands, levels[-1]):
            inner = levels.pop()
            if not levels:
                return inner.condition()
            _close(operands, inner, levels[-1])


def _joined(operands: Operands, level: _Level) -> bool:
    """Whether AND or OR follows; otherwise the level is complete."""
    joint = operands.reader.token.kind
    if joint not in ("AND", "OR"):
        level.end_term()
        return False
    operands.reader.next()
    operands.count_operator()
    level.grouped = False
    if joint == "OR":
        level.end_term()
    return True


def _close(operands: Operands, inner: _Level, outer: _Level) -> None:
    operands.reader.expect(")")
    if inner.grouped:
        operands.redundant_parentheses()
    outer.add(inner.condition(), grouped=True)


def _read_comparison(operands: Operands) -> Condition:
    reader = operands.reader
    called = reader.calls()
    left = operands.operand()
    kind = reader.token.kind
    if kind in _AFTER_OPERAND:
        reader.next()
        operands.count_operator()
        return _COMPARISONS[kind](operands, kind, operands.plain(left))
    if isinstance(left, Function):
        return left
    if not called:
        reader.refuse()
    operands.misused("size")
    return _UNREADABLE


_UNREADABLE = And(())
"""Stands for a condition that will not be returned: what is wrong with it has been noted."""


def _read_compare(operands: Operands, operator: str, left: Operand) -> Condition:
    right = operands.plain(operands.operand())
    checks.check_compare(operands.faults, operator, left, right)
    return Compare(cast("Comparator", operator), left, right)


def _read_between(operands: Operands, _keyword: str, operand: Operand) -> Condition:
    low = operands.plain(operands.operand())
    operands.reader.expect("AND")
    high = operands.plain(operands.operand())
    checks.check_between(operands.faults, operand, low, high)
    return Between(operand, low, high)


def _read_in(operands: Operands, _keyword: str, operand: Operand) -> Condition:
    operands.reader.expect("(")
    choices = [operands.plain(operands.operand())]
    while operands.reader.accept(","):
        choices.append(operands.plain(operands.operand()))
    operands.reader.expect(")")
    checks.check_in(operands.faults, operand, choices)
    return In(operand, tuple(choices))


_COMPARISONS: dict[str, Callable[[Operands, str, Operand], Condition]] = {
    **dict.fromkeys(_COMPARATORS, _read_compare),
    "BETWEEN": _read_between,
    "IN": _read_in,
}


def _read_section(operands: Operands, sections: dict[str, list[Action]]) -> None:
    """One section with its actions, which are added to those of its kind."""
    reader = operands.reader
    keyword = reader.token.kind
    if keyword not in _ACTIONS:
        reader.refuse()
    reader.next()
    if keyword in sections:
        reason = f'The "{keyword}" section can only be used once in an update expression;'
        operands.faults.note(Stage.SECTIONS, reason)
    actions = sections.setdefault(keyword, [])
    actions.append(_ACTIONS[keyword](operands))
    while reader.accept(","):
        actions.append(_ACTIONS[keyword](operands))


def _read_set(operands: Operands) -> Set:
    path = operands.path()
    operands.reader.expect("=")
    return Set(path, _read_assigned(operands))


def _read_assigned(operands: Operands) -> Assigned:
    """At most one plus or minus; what is in front of it in parentheses is an operand, other parentheses hold it all."""
    reader, depth = operands.reader, 0
    while reader.token.kind == "(" and reader.after_closing() not in _SIGNS:
        reader.next()
        depth += 1
    assigned = _read_arithmetic(operands)
    for _ in range(depth):
        reader.expect(")")
    if depth > 1:
        operands.redundant_parentheses()
    return assigned


def _read_arithmetic(operands: Operands) -> Assigned:
    left = cast("Term", operands.operand())
    sign = operands.reader.token.kind
    if sign not in _SIGNS:
        return left
    operands.reader.next()
    operands.count_operator()
    right = cast("Term", operands.operand())
    checks.allow_types(operands.faults, sign, (left, right), _NUMBER)
    return _SIGNS[sign](left, right)


_SIGNS: dict[str, Callable[[Term, Term], Assigned]] = {"+": Plus, "-": Minus}
_NUMBER = frozenset({"N"})


def _read_remove(operands: Operands) -> Remove:
    return Remove(operands.path())


def _read_add(operands: Operands) -> Add:
    path, value = operands.path(), operands.value()
    checks.check_change(operands.faults, "ADD", value)
    return Add(path, value)


def _read_delete(operands: Operands) -> Delete:
    path, value = operands.path(), operands.value()
    checks.check_change(operands.faults, "DELETE", value)
    return Delete(path, value)


_ACTIONS: dict[str, Callable[[Operands], Action]] = {
    "SET": _read_set,
    "REMOVE": _read_remove,
    "ADD": _read_add,
    "DELETE": _read_delete,
}
