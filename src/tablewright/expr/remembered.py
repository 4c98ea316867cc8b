"""Expressions that were read before: programs send the same few texts, again and again with other values.

What parsing finds depends on the text, the names and the types of the values, and in two places on the values
themselves: the bounds of BETWEEN, which are looked at again each time, and what is computed from a literal, which is
not remembered. So a text is read once, with values that stand for their types, and its tree is filled in afterwards.
Whatever has a fault is read anew, with everything at hand that the message may tell.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec

from tablewright.expr.compare import is_less
from tablewright.expr.faults import ExpressionError
from tablewright.expr.nodes import Add, Between, Compare, Condition, Delete, Name, Set, Update, Value
from tablewright.expr.operands import Used
from tablewright.expr.parse import parse_condition, parse_update
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.expr.nodes import Comparator

    Fill: TypeAlias = Callable[[Mapping[str, Any]], Any]

_REMEMBERED = 1024  # trees
_LONGEST = 2048  # characters of text and names; what is longer is rare, and would fill the memory
_DEEPEST = 40

_SAMPLES: dict[str, Any] = {
    "S": "",
    "N": 0,
    "B": b"",
    "BOOL": True,
    "NULL": None,
    "L": [],
    "M": {},
    "SS": {""},
    "NS": {0},
    "BS": {b""},
}

Names: TypeAlias = "tuple[tuple[str, str], ...]"


def remembered_condition(
    text: str, names: Mapping[str, str] | None, values: Mapping[str, Any] | None, *, kind: str, used: Used
) -> Condition:
    """As `parse_condition`."""
    known = known_expression(kind, text, names, values)
    if known is None or not known.fits(values or {}):
        return parse_condition(text, names, values, kind=kind, used=used)
    return cast("Condition", known.tree(values or {}, used))


def remembered_update(
    text: str, names: Mapping[str, str] | None, values: Mapping[str, Any] | None, *, used: Used
) -> Update:
    """As `parse_update`."""
    known = known_expression("UpdateExpression", text, names, values)
    if known is None or not known.fits(values or {}):
        return parse_update(text, names, values, used=used)
    return cast("Update", known.tree(values or {}, used))


class Known(msgspec.Struct, frozen=True):
    """A tree that waits for values."""

    sample: Condition | Update
    fill: Fill | None
    names: frozenset[str]
    values: frozenset[str]
    bounds: tuple[tuple[str, str], ...]
    """The placeholders of lower and upper bounds."""

    def fits(self, values: Mapping[str, Any]) -> bool:
        return not any(is_less(values[high], values[low]) for low, high in self.bounds)

    def tree(self, values: Mapping[str, Any], used: Used) -> Condition | Update:
        used.names.update(self.names)
        used.values.update(self.values)
        return cast("Condition | Update", self.filled(values))

    def filled(self, values: Mapping[str, Any]) -> Any:
        return self.sample if self.fill is None else self.fill(values)


def known_expression(
    kind: str, text: str, names: Mapping[str, str] | None, values: Mapping[str, Any] | None
) -> Known | None:
    """The tree of a text with these names, for values of these types; None for what has to be read each time."""
    given = () if names is None else tuple(names.items())
    if len(text) + sum([len(name) for _, name in given]) > _LONGEST:
        return None
    types = () if values is None else tuple([(name, type_code(value)) for name, value in values.items()])
    return _read(kind, text, given, types)


@lru_cache(_REMEMBERED)
def _read(kind: str, text: str, names: Names, types: Names) -> Known | None:
    """None for what has to be read each time."""
    used = Used()
    samples = {name: _SAMPLES[code] for name, code in types}
    try:
        if kind == "UpdateExpression":
            sample: Condition | Update = parse_update(text, dict(names), samples, used=used)
        else:
            sample = parse_condition(text, dict(names), samples, kind=kind, used=used)
        filling = _Filling(used)
        fill = filling.of(sample, _DEEPEST)
    except (ExpressionError, _UnfitError):
        return None
    return Known(sample, fill, frozenset(used.names), frozenset(used.values), tuple(filling.bounds))


def _tuple(*members: Any) -> tuple[Any, ...]:
    return members


class _UnfitError(Exception):
    """A tree that cannot be filled in."""


class _Filling:
    """Makes a function that builds a tree again with other values; what holds none is taken as it is."""

    def __init__(self, used: Used) -> None:
        self._placeholders = {id(value): placeholder for placeholder, value in used.literals}
        self.bounds: list[tuple[str, str]] = []

    def of(self, part: Any, levels: int) -> Fill | None:
        if isinstance(part, Value):
            return self._value(self._placeholder(part))
        if not isinstance(part, msgspec.Struct | tuple):
            return None
        if levels == 0:
            raise _UnfitError
        if isinstance(part, Between) and isinstance(part.low, Value) and isinstance(part.high, Value):
            self.bounds.append((self._placeholder(part.low), self._placeholder(part.high)))
        if isinstance(part, tuple):
            members: tuple[Any, ...] = part  # pyright: ignore[reportUnknownVariableType]
            return self._rebuilt(_tuple, members, levels)
        if isinstance(part, Set | Add | Delete) and isinstance(part.value, Value):
            return self._action(type(part), part.path, self._placeholder(part.value))
        if isinstance(part, Compare) and isinstance(part.left, Name) and isinstance(part.right, Value):
            return self._comparison(part.operator, part.left, self._placeholder(part.right))
        return self._rebuilt(type(part), msgspec.structs.astuple(part), levels)

    def _rebuilt(self, build: Callable[..., Any], members: tuple[Any, ...], levels: int) -> Fill | None:
        fills = [self.of(member, levels - 1) for member in members]
        if not any(fills):
            return None
        pairs = list(zip(fills, members, strict=True))
        return lambda values: build(*[member if fill is None else fill(values) for fill, member in pairs])

    def _placeholder(self, value: Value) -> str:
        found = self._placeholders.get(id(value))
        if found is None:  # the size of a literal, say
            raise _UnfitError
        return found

    @staticmethod
    def _value(placeholder: str) -> Fill:
        return lambda values: Value(values[placeholder])

    # What most expressions consist of is built without a look at its members.

    @staticmethod
    def _action(build: Callable[..., Any], path: Name, placeholder: str) -> Fill:
        return lambda values: build(path, Value(values[placeholder]))

    @staticmethod
    def _comparison(operator: Comparator, left: Name, placeholder: str) -> Fill:
        return lambda values: Compare(operator, left, Value(values[placeholder]))
