"""An update on a plain item: the item afterwards, as a new dict that shares what did not change.

All right-hand sides see the item as it was. List indexes mean places in the list as it was: removed elements are
marked first and dropped at the end, and elements set beyond the end are appended in the order of their indexes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tablewright.expr.compare import MISSING, look_up, step
from tablewright.expr.faults import ExpressionError
from tablewright.expr.nodes import (
    Add,
    Assigned,
    Delete,
    IfNotExists,
    ListAppend,
    Minus,
    Name,
    Plus,
    Remove,
    Update,
    Value,
)
from tablewright.wire.numbers import NumberError, add, from_decimal, subtract, to_decimal
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

INVALID_PATH = "The document path provided in the update expression is invalid for update"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"
NO_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"

_GONE: Any = object()
"""In the place of a list element that will be dropped."""


def apply(update: Update, item: Mapping[str, Any], *, exists: bool = True) -> dict[str, Any]:
    """The item after the update.

    `exists=False` says that there was none but its key: then a REMOVE deep inside what is not there is no error.
    """
    assigned = [(action.path.parts, _assigned(action.value, item)) for action in update.set]
    changed = [(action.path.parts, _added(action, item)) for action in update.add]
    reduced = [(action.path.parts, _reduced(action, item)) for action in update.delete]
    draft = _Draft(item)
    for parts, value in (*assigned, *changed):
        draft.put(parts, value)
    for parts, value in reduced:
        draft.replace(parts, value)
    for action in update.remove:
        _remove(draft, action, exists=exists)
    return draft.finish()


def _remove(draft: _Draft, action: Remove, *, exists: bool) -> None:
    try:
        draft.remove(action.path.parts)
    except ExpressionError:
        if exists:
            raise


class _Draft:
    """The item being written: containers are copied once, when something inside them changes."""

    __slots__ = ("_appended", "_copies", "_marked", "_root")

    def __init__(self, item: Mapping[str, Any]) -> None:
        self._root: dict[str, Any] = dict(item)
        self._copies: dict[int, Any] = {id(self._root): self._root}
        self._appended: list[tuple[list[Any], int, Any]] = []
        self._marked: list[list[Any]] = []

    def _container(self, parts: Sequence[str | int]) -> Any:
        """The map or list that holds the end of a path, ready to be written to."""
        container: Any = self._root
        for part in parts[:-1]:
            inner = step(container, part)
            if id(inner) not in self._copies:
                if not isinstance(inner, dict | list | tuple):
                    raise ExpressionError(INVALID_PATH)
                inner = dict(cast("Any", inner)) if isinstance(inner, dict) else list(cast("Any", inner))
                self._copies[id(inner)] = inner
                container[part] = inner
            container = inner
        if not _holds(container, parts[-1]):
            raise ExpressionError(INVALID_PATH)
        return container

    def put(self, parts: Sequence[str | int], value: Any) -> None:
        if len(parts) == 1 and isinstance(parts[0], str):  # as a rule it is a whole attribute
            self._root[parts[0]] = value
            return
        container, last = self._container(parts), parts[-1]
        if isinstance(last, int) and last >= len(container):
            self._appended.append((container, last, value))
        else:
            container[last] = value

    def replace(self, parts: Sequence[str | int], value: Any) -> None:
        """Put the value, or remove what is there when there is none to put."""
        if value is MISSING:
            self.remove(parts)
        else:
            self.put(parts, value)

    def remove(self, parts: Sequence[str | int]) -> None:
        container, last = self._container(parts), parts[-1]
        if isinstance(last, str):
            container.pop(last, None)
        elif last < len(container):
            container[last] = _GONE
            self._marked.append(container)

    def finish(self) -> dict[str, Any]:
        for container in self._marked:
            container[:] = [element for element in container if element is not _GONE]
        for container, _index, value in sorted(self._appended, key=_by_index):
            container.append(value)
        return self._root


def _holds(container: object, part: str | int) -> bool:
    return isinstance(container, dict if isinstance(part, str) else list)


def _by_index(entry: tuple[list[Any], int, Any]) -> int:
    return entry[1]


def _assigned(assigned: Assigned, item: Mapping[str, Any]) -> Any:
    """The value of a right-hand side; operands first, then what combines them."""
    if isinstance(assigned, Value):  # as a rule nothing is combined
        return assigned.value
    waiting: list[Any] = [assigned]
    values: list[Any] = []
    while waiting:
        node = waiting.pop()
        if callable(node):
            right = values.pop()
            values.append(node(values.pop(), right))
        elif isinstance(node, Plus | Minus):
            waiting += (_COMBINERS[type(node)], node.right, node.left)
        elif isinstance(node, ListAppend):
            waiting += (_append, node.second, node.first)
        elif isinstance(node, IfNotExists):
            found = look_up(node.path.parts, item)
            waiting.append(node.otherwise if found is MISSING else Value(found))
        else:
            values.append(_present(node, item))
    return values[0]


def _present(node: Any, item: Mapping[str, Any]) -> Any:
    if isinstance(node, Value):
        return node.value
    value = look_up(node.parts, item) if isinstance(node, Name) else MISSING
    if value is MISSING:
        raise ExpressionError(NO_ATTRIBUTE)
    return value


def _exactly(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def combine(left: Any, right: Any) -> Any:
        if type_code(left) != "N" or type_code(right) != "N":
            raise ExpressionError(WRONG_TYPE)
        try:
            return operation(left, right)
        except NumberError as fault:
            raise ExpressionError(fault.reason) from None

    return combine


def _append(first: Any, second: Any) -> list[Any]:
    if type_code(first) != "L" or type_code(second) != "L":
        raise ExpressionError(WRONG_TYPE)
    return [*first, *second]


_COMBINERS: dict[type, Callable[[Any, Any], Any]] = {
    Plus: _exactly(add),
    Minus: _exactly(subtract),
    ListAppend: _append,
}
_SETS = frozenset({"SS", "NS", "BS"})


def _added(action: Add, item: Mapping[str, Any]) -> Any:
    """The sum of two numbers or the union of two sets; with nothing there, the operand itself."""
    operand, code = action.value.value, type_code(action.value.value)
    if code != "N" and code not in _SETS:
        raise ExpressionError(WRONG_TYPE)
    present = look_up(action.path.parts, item)
    if present is MISSING:
        return operand
    if type_code(present) != code:
        raise ExpressionError(WRONG_TYPE)
    return _COMBINERS[Plus](present, operand) if code == "N" else _members(present) | _members(operand)


def _reduced(action: Delete, item: Mapping[str, Any]) -> Any:
    """The set without the given members; MISSING when none is left, or when there was no set."""
    operand, present = action.value.value, look_up(action.path.parts, item)
    if type_code(operand) not in _SETS:
        raise ExpressionError(WRONG_TYPE)
    if present is MISSING:
        return MISSING
    if type_code(present) != type_code(operand):
        raise ExpressionError(WRONG_TYPE)
    return (_members(present) - _members(operand)) or MISSING


def _members(values: Any) -> set[Any]:
    """The members with numbers in their plainest form, for 0.1 and Decimal("0.1") are one number."""
    return {from_decimal(to_decimal(value)) if type_code(value) == "N" else value for value in values}
