"""Nodes to text: `#field` for every name, `:field0` for every value, keywords in upper case.

The rule is that `parse(render(x)) == x`: parentheses stand exactly where the structure needs them, so an AND inside
an AND keeps its own pair and an AND inside an OR needs none. (An AND or OR of a single part is that part.)

Every write and query passes through here, so the common shapes (`field = value`) are written out straight, cleaned
names are cached for the whole process, and the rest runs on an explicit stack: depth costs memory, never recursion.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.expr.nodes import (
    Add,
    And,
    Between,
    Compare,
    Condition,
    Delete,
    Function,
    IfNotExists,
    In,
    ListAppend,
    Minus,
    Name,
    Not,
    Operand,
    Or,
    Plus,
    Set,
    Size,
    Update,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_UNUSABLE = re.compile(r"[^A-Za-z0-9_]")
_NUMBER = re.compile(  # what JavaScript's Number() takes
    r"\s*(?:[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|Infinity)"
    r"|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)\s*"
)


@lru_cache(maxsize=8192)
def _placeholders_of(field: str) -> tuple[str, str]:
    """The name placeholder of a field and the first of its value placeholders."""
    cleaned = _UNUSABLE.sub("", field) or "p"
    if cleaned != field and _NUMBER.fullmatch(cleaned) and not _NUMBER.fullmatch(field):
        cleaned = f"p{cleaned}"  # as ElectroDB does with a name that cleaning turns into a number
    return f"#{cleaned}", f":{cleaned}0"


class Placeholders:
    """The names and values of one request, collected while its expressions are written."""

    __slots__ = ("_next", "names", "values")
    is_plain = True  # False in a kind that writes names and values otherwise: then there are no shortcuts

    def __init__(self, names: dict[str, str] | None = None, values: dict[str, Any] | None = None) -> None:
        self.names: dict[str, str] = {} if names is None else names
        self.values: dict[str, Any] = {} if values is None else values
        self._next: dict[str, int] = {}

    def name(self, parts: Sequence[str | int]) -> str:
        """The text of a path: `("log", 0, "by")` gives `#log[0].#by`."""
        if len(parts) == 1:
            return self.field(cast("str", parts[0]))
        text = ""
        for part in parts:
            if isinstance(part, int):
                text += f"[{part}]"
            else:
                text += f".{self.field(part)}" if text else self.field(part)
        return text

    def field(self, field: str) -> str:
        """The placeholder of one field, always the same within a request."""
        placeholder = _placeholders_of(field)[0]
        if self.names.setdefault(placeholder, field) == field:
            return placeholder
        number = 2
        while self.names.setdefault(f"{placeholder}_{number}", field) != field:
            number += 1
        return f"{placeholder}_{number}"

    def value(self, value: Any, hint: str = "") -> str:
        """A placeholder of its own for this value, named after the hint."""
        placeholder = _placeholders_of(hint)[1]
        values = self.values
        if placeholder in values:
            placeholder = self._following(placeholder)
        values[placeholder] = value
        return placeholder

    def _following(self, first: str) -> str:
        stem = first[:-1]
        number = self._next.get(stem, 1)
        while f"{stem}{number}" in self.values:  # ":a1" + "0" meets ":a" + "10"
            number += 1
        self._next[stem] = number + 1
        return f"{stem}{number}"


Pieces: TypeAlias = "str | list[Any]"
"""Finished text, or text and nodes in the order they are to be written."""


def _last_field(*operands: Operand) -> str:
    """The field name that ends the first path among the operands."""
    for operand in operands:
        if isinstance(operand, Value):
            continue
        for part in reversed(operand.path.parts if isinstance(operand, Size) else operand.parts):
            if type(part) is str:
                return part
    return ""


def _operand(operand: Operand, placeholders: Placeholders, hint: str) -> str:
    if isinstance(operand, Value):
        return placeholders.value(operand.value, operand.hint or hint)
    if isinstance(operand, Name):
        return placeholders.name(operand.parts)
    return f"size({placeholders.name(operand.path.parts)})"


def _operands(operands: Iterable[Operand], placeholders: Placeholders, hint: str) -> str:
    return ", ".join([_operand(operand, placeholders, hint) for operand in operands])


def _compare(node: Compare, placeholders: Placeholders, _hint: str) -> str:
    left, right = node.left, node.right
    if type(left) is Name and type(right) is Value and len(left.parts) == 1 and not right.hint:
        field: Any = left.parts[0]
        name, value = _placeholders_of(field)
        values = placeholders.values
        if placeholders.is_plain and value not in values and placeholders.names.setdefault(name, field) == field:
            values[value] = right.value
            return f"{name} {node.operator} {value}"
    hint = _last_field(left, right)
    return f"{_operand(left, placeholders, hint)} {node.operator} {_operand(right, placeholders, hint)}"


def _between(node: Between, placeholders: Placeholders, _hint: str) -> str:
    hint = _last_field(node.operand, node.low, node.high)
    texts = [_operand(operand, placeholders, hint) for operand in (node.operand, node.low, node.high)]
    return f"{texts[0]} BETWEEN {texts[1]} AND {texts[2]}"


def _in(node: In, placeholders: Placeholders, _hint: str) -> str:
    hint = _last_field(node.operand, *node.choices)
    return f"{_operand(node.operand, placeholders, hint)} IN ({_operands(node.choices, placeholders, hint)})"


def _function(node: Function, placeholders: Placeholders, _hint: str) -> str:
    return f"{node.name}({_operands(node.args, placeholders, _last_field(*node.args))})"


def _simplest(node: Condition) -> Condition:
    while (type(node) is And or type(node) is Or) and len(node.parts) == 1:
        node = node.parts[0]
    return node


def _joined(parts: tuple[Condition, ...], joint: str, wrapped: frozenset[type]) -> list[Any]:
    if not parts:
        raise ValueError(f"{joint.strip()} without conditions has no text: leave it out")
    pieces: list[Any] = []
    for part in parts:
        simple = _simplest(part)
        pieces += [joint, "(", simple, ")"] if type(simple) in wrapped else [joint, simple]
    return pieces[1:]


_IN_AND = frozenset({And, Or})
_IN_OR = frozenset({Or})


def _and(node: And, _placeholders: Placeholders, _hint: str) -> Pieces:
    return [node.parts[0]] if len(node.parts) == 1 else _joined(node.parts, " AND ", _IN_AND)


def _or(node: Or, _placeholders: Placeholders, _hint: str) -> Pieces:
    return [node.parts[0]] if len(node.parts) == 1 else _joined(node.parts, " OR ", _IN_OR)


def _not(node: Not, _placeholders: Placeholders, _hint: str) -> Pieces:
    part = _simplest(node.part)
    return ["NOT (", part, ")"] if type(part) in _IN_AND else ["NOT ", part]


def _if_not_exists(node: IfNotExists, placeholders: Placeholders, _hint: str) -> Pieces:
    return [f"if_not_exists({placeholders.name(node.path.parts)}, ", node.otherwise, ")"]


def _list_append(node: ListAppend, _placeholders: Placeholders, _hint: str) -> Pieces:
    return ["list_append(", node.first, ", ", node.second, ")"]


def _arithmetic(sign: str) -> Callable[[Any, Placeholders, str], Pieces]:
    return lambda node, _placeholders, _hint: [node.left, sign, node.right]


_WRITERS: dict[type, Callable[[Any, Placeholders, str], Pieces]] = {
    Compare: _compare,
    Between: _between,
    In: _in,
    Function: _function,
    And: _and,
    Or: _or,
    Not: _not,
    Name: _operand,
    Value: _operand,
    Size: _operand,
    IfNotExists: _if_not_exists,
    ListAppend: _list_append,
    Plus: _arithmetic(" + "),
    Minus: _arithmetic(" - "),
}


def _write(node: Any, placeholders: Placeholders, hint: str) -> str:
    pieces = _WRITERS[type(node)](node, placeholders, hint)
    return pieces if isinstance(pieces, str) else _write_all(pieces, placeholders, hint)


def _write_all(pieces: list[Any], placeholders: Placeholders, hint: str) -> str:
    written: list[str] = []
    waiting = pieces[::-1]
    while waiting:
        piece: Any = waiting.pop()
        if not isinstance(piece, str):
            piece = _WRITERS[cast("Any", type(piece))](piece, placeholders, hint)
        if isinstance(piece, str):
            written.append(piece)
        else:
            waiting += piece[::-1]
    return "".join(written)


def render_condition(node: Condition, placeholders: Placeholders) -> str:
    """The text of a condition, filter or key condition."""
    if type(node) is Compare:
        return _compare(node, placeholders, "")
    return _write(node, placeholders, "")


def render_projection(paths: Iterable[Name], placeholders: Placeholders) -> str:
    """The paths with commas between them."""
    return ", ".join([placeholders.name(path.parts) for path in paths])


def render_update(update: Update, placeholders: Placeholders) -> str:
    """The sections that are not empty, in the order SET, REMOVE, ADD, DELETE."""
    sections: list[str] = []
    if update.set:
        sections.append("SET " + _assignments(update.set, placeholders))
    if update.remove:
        sections.append("REMOVE " + render_projection([action.path for action in update.remove], placeholders))
    if update.add:
        sections.append("ADD " + _changes(update.add, placeholders))
    if update.delete:
        sections.append("DELETE " + _changes(update.delete, placeholders))
    return " ".join(sections)


def _assignments(actions: Iterable[Set], placeholders: Placeholders) -> str:
    names, values = placeholders.names, placeholders.values
    texts: list[str] = []
    for action in actions:
        parts, assigned = action.path.parts, action.value
        if type(assigned) is Value and len(parts) == 1 and not assigned.hint:
            # `field = value` with both placeholders unclaimed: most of what updates consist of
            field: Any = parts[0]
            name, value = _placeholders_of(field)
            if placeholders.is_plain and value not in values and names.setdefault(name, field) == field:
                values[value] = assigned.value
                texts.append(f"{name} = {value}")
                continue
        hint = _last_field(action.path)
        texts.append(f"{placeholders.name(parts)} = {_write(assigned, placeholders, hint)}")
    return ", ".join(texts)


def _changes(actions: Sequence[Add | Delete], placeholders: Placeholders) -> str:
    texts: list[str] = []
    for action in actions:
        name = placeholders.name(action.path.parts)
        value = placeholders.value(action.value.value, action.value.hint or _last_field(action.path))
        texts.append(f"{name} {value}")
    return ", ".join(texts)
