"""The expression language of DynamoDB as small immutable nodes.

Operators make nodes (the paths of entities, and `&`, `|`, `~` here), `render.py` prints them with placeholders,
`parse.py` reads them back, `evaluate.py` runs them. Names are the stored field names; values are plain Python values
(str, int, Decimal, bool, None, bytes, list, dict, set). Nodes are msgspec structs: frozen, compared by value, and cheap
to make.

    operand    = Name | Value | Size            a Value may hold a Slot, which is filled when the expression is used
    condition  = Compare | Between | In | Function | And | Or | Not
    term       = operand | IfNotExists | ListAppend
    assigned   = term | Plus | Minus
    update     = Update(set, remove, add, delete)
"""

from __future__ import annotations

from typing import Any, Literal, NoReturn, TypeAlias

import msgspec

from tablewright.expr.functions import FunctionName

Comparator: TypeAlias = Literal["=", "<>", "<", "<=", ">", ">="]


class Node(msgspec.Struct, frozen=True):
    """What all nodes share: nothing but being frozen and comparable."""


class Name(Node, frozen=True, dict=True):
    """A document path: field names and list indexes, such as `("log", 0, "by")`.

    Its maker may note in `__dict__` whose path it is, which no comparison looks at.
    """

    parts: tuple[str | int, ...]


class Slot(Node, frozen=True):
    """A place for a value that is known only when the expression is used: `{name}` in the written form."""

    name: str


class Value(Node, frozen=True):
    """A literal, sent as a placeholder. `hint` only makes the placeholder readable."""

    value: Any
    hint: str = ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        mine, theirs = self.value, other.value  # the hint does not count; True is not 1
        return isinstance(mine, bool) is isinstance(theirs, bool) and bool(mine == theirs)

    def __hash__(self) -> int:
        return hash(repr(self.value))


class Size(Node, frozen=True):
    """`size(path)`."""

    path: Name


Operand: TypeAlias = Name | Value | Size


class Condition(Node, frozen=True):
    """What can be true or false of an item; only DynamoDB or `evaluate` can tell, so it has no truth value here."""

    def __and__(self, other: Condition) -> And:
        return And((*(self.parts if isinstance(self, And) else (self,)), other))

    def __or__(self, other: Condition) -> Or:
        return Or((*(self.parts if isinstance(self, Or) else (self,)), other))

    def __invert__(self) -> Not:
        return Not(self)

    def __bool__(self) -> NoReturn:
        raise TypeError("a condition is neither true nor false here; join conditions with & | ~, not with and, or, not")


class Compare(Condition, frozen=True):
    operator: Comparator
    left: Operand
    right: Operand


class Between(Condition, frozen=True):
    operand: Operand
    low: Operand
    high: Operand


class In(Condition, frozen=True):
    operand: Operand
    choices: tuple[Operand, ...]


class Function(Condition, frozen=True):
    name: FunctionName
    args: tuple[Operand, ...]


class And(Condition, frozen=True):
    parts: tuple[Condition, ...]


class Or(Condition, frozen=True):
    parts: tuple[Condition, ...]


class Not(Condition, frozen=True):
    part: Condition


class IfNotExists(Node, frozen=True):
    path: Name
    otherwise: Term


class ListAppend(Node, frozen=True):
    first: Term
    second: Term


Term: TypeAlias = Operand | IfNotExists | ListAppend


class Plus(Node, frozen=True):
    """DynamoDB adds two terms, never three: a sum is no term."""

    left: Term
    right: Term


class Minus(Node, frozen=True):
    left: Term
    right: Term


Assigned: TypeAlias = Term | Plus | Minus


class Set(Node, frozen=True):
    path: Name
    value: Assigned


class Remove(Node, frozen=True):
    path: Name


class Add(Node, frozen=True):
    path: Name
    value: Value


class Delete(Node, frozen=True):
    path: Name
    value: Value


Action: TypeAlias = Set | Remove | Add | Delete


class Update(Node, frozen=True):
    """An update expression, section by section."""

    set: tuple[Set, ...] = ()
    remove: tuple[Remove, ...] = ()
    add: tuple[Add, ...] = ()
    delete: tuple[Delete, ...] = ()


def all_of(*conditions: Condition | None) -> Condition | None:
    """The conditions joined by AND, nested ANDs laid flat; None when there is none."""
    parts: list[Condition] = []
    for condition in conditions:
        if isinstance(condition, And):
            parts.extend(condition.parts)
        elif condition is not None:
            parts.append(condition)
    return parts[0] if len(parts) == 1 else And(tuple(parts)) if parts else None
