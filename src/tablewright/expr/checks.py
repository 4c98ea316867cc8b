"""Rules about operands that can be judged before an item is read: which types, how many, and not the same path twice.

Only literals have a type here; what a path leads to is known when the item is (`evaluate.py`).
"""

from __future__ import annotations

from base64 import b64encode
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tablewright.expr.compare import is_less
from tablewright.expr.faults import Faults, Stage
from tablewright.expr.functions import FUNCTIONS
from tablewright.expr.nodes import ListAppend, Name, Size, Slot, Value
from tablewright.wire.limits import MAX_IN_CHOICES
from tablewright.wire.numbers import number_text
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.expr.functions import FunctionName

UNDEFINED: Any = object()
"""Stands for the value of a placeholder that is not defined, which is reported elsewhere."""

_ORDERED = frozenset({"S", "N", "B"})
_MEASURED = frozenset({"S", "B", "SS", "NS", "BS", "L", "M"})
_TYPE_NAMES = "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
_ANY_TYPE = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"
_TYPES = frozenset({"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"})
_LONG_NAMES = {"S": "STRING", "N": "NUMBER", "B": "BINARY", "L": "LIST", "M": "MAP"}
TYPE_SET = ", typeSet: ALLOWED_FOR_ADD_OPERAND"
"""What DynamoDB adds by now to a wrong operand of ADD, and of DELETE."""
_CHANGEABLE = {"ADD": frozenset({"N", "SS", "NS", "BS"}), "DELETE": frozenset({"SS", "NS", "BS"})}


def _literal_type(operand: object) -> str | None:
    """The type an operand has whatever the item holds, if there is one."""
    if isinstance(operand, Size):
        return "N"
    if isinstance(operand, ListAppend):
        return "L"
    if isinstance(operand, Value) and _is_known(operand.value):
        return type_code(operand.value)
    return None


def _is_known(value: Any) -> bool:
    """Whether a value is there already: it is defined, and no slot that is filled later."""
    return value is not UNDEFINED and not isinstance(value, Slot)


def _path_text(path: Name) -> str:
    """A path as DynamoDB's messages show it: `[log, [0], by]`."""
    return "[" + ", ".join(f"[{part}]" if isinstance(part, int) else part for part in path.parts) + "]"


def _wrong_type(faults: Faults, operator: str, code: str) -> None:
    reason = "Incorrect operand type for operator or function"
    faults.note(Stage.TYPES, f"{reason}; operator or function: {operator}, operand type: {code}")


def allow_types(faults: Faults, operator: str, operands: Iterable[object], allowed: frozenset[str]) -> None:
    for operand in operands:
        code = _literal_type(operand)
        if code is not None and code not in allowed:
            _wrong_type(faults, operator, code)


def _distinct(faults: Faults, operator: str, operands: Sequence[object]) -> None:
    first, *others = operands
    if isinstance(first, Name) and first in others:
        reason = "The first operand must be distinct from the remaining operands for this operator or function"
        faults.note(Stage.DISTINCT, f"{reason}; operator: {operator}, first operand: {_path_text(first)}")


def count_operands(faults: Faults, stage: Stage, function: str, count: int, wanted: int) -> None:
    if count != wanted:
        reason = "Incorrect number of operands for operator or function"
        faults.note(stage, f"{reason}; operator or function: {function}, number of operands: {count}")


def needs_path(faults: Faults, function: str, operand: object) -> None:
    if not isinstance(operand, Name):
        reason = "Operator or function requires a document path"
        faults.note(Stage.TYPES, f"{reason}; operator or function: {function}")


def check_compare(faults: Faults, operator: str, left: object, right: object) -> None:
    _distinct(faults, operator, (left, right))
    if operator not in ("=", "<>"):
        allow_types(faults, operator, (left, right), _ORDERED)


def check_in(faults: Faults, operand: object, choices: Sequence[object]) -> None:
    if len(choices) > MAX_IN_CHOICES:
        reason = "The IN operator is provided with too many operands"
        faults.note(Stage.COUNTS, f"{reason}; number of operands: {len(choices)}")
    _distinct(faults, "IN", (operand, *choices))


def check_between(faults: Faults, operand: object, low: object, high: object) -> None:
    _distinct(faults, "BETWEEN", (operand, low, high))
    allow_types(faults, "BETWEEN", (operand, low, high), _ORDERED)
    if isinstance(low, Value) and isinstance(high, Value):
        problem = _bounds_problem(low.value, high.value)
        if problem:
            bounds = f"lower bound operand: {_bound_text(low.value)}, upper bound operand: {_bound_text(high.value)}"
            faults.note(Stage.TYPES, f"The BETWEEN operator requires {problem}; {bounds}")


def _bounds_problem(low: Any, high: Any) -> str:
    if not (_is_known(low) and _is_known(high)):
        return ""
    if type_code(low) != type_code(high):
        return "same data type for lower and upper bounds"
    return "upper bound to be greater than or equal to lower bound" if is_less(high, low) else ""


def _bound_text(value: Any) -> str:
    code = type_code(value)
    if code == "N":
        return f"AttributeValue: {{N:{number_text(value)}}}"
    if code == "B":
        return f"AttributeValue: {{B:{b64encode(value).decode()}}}"
    return f"AttributeValue: {{{code}:{value}}}"


def check_change(faults: Faults, section: str, value: Value) -> None:
    """The operand of ADD is a number or a set, the one of DELETE a set."""
    code = _literal_type(value)
    if code is not None and code not in _CHANGEABLE[section]:
        reason = "Incorrect operand type for operator or function"
        name = _LONG_NAMES.get(code, code)
        faults.note(Stage.CHANGES, f"{reason}; operator: {section}, operand type: {name}{TYPE_SET}")


def check_size(faults: Faults, operand: object) -> None:
    allow_types(faults, "size", (operand,), _MEASURED)


def check_function(faults: Faults, function: FunctionName, args: Sequence[object]) -> None:
    """The operands of a function that is a condition, their number being right."""
    rule = FUNCTIONS[function]
    if rule.takes == "path":
        needs_path(faults, function, args[0])
        return
    _distinct(faults, function, args)
    if rule.types is not None:
        allow_types(faults, function, args, rule.types)
    if rule.takes == "type":
        _check_type_name(faults, args[1])


def _check_type_name(faults: Faults, operand: object) -> None:
    code = _literal_type(operand)
    if not isinstance(operand, Value) or code not in ("S", None):
        _wrong_type(faults, "attribute_type", code or _ANY_TYPE)
    elif code == "S" and operand.value not in _TYPES:
        reason = "Invalid attribute type name found"
        faults.note(Stage.TYPES, f"{reason}; type: {operand.value}, valid types: {_TYPE_NAMES}")


def check_apart(faults: Faults, paths: Iterable[Name]) -> None:
    """No path may lie inside another, nor may one treat as a list what another treats as a map."""
    numbered = sorted(enumerate(paths), key=lambda entry: _sorting(entry[1]))
    for (at, path), (other_at, other) in pairwise(numbered):
        first, second = (path, other) if at < other_at else (other, path)
        shown = f"path one: {_path_text(first)}, path two: {_path_text(second)}"
        if other.parts[: len(path.parts)] == path.parts:
            reason = "Two document paths overlap with each other; must remove or rewrite one of these paths"
            faults.note(Stage.OVERLAP, f"{reason}; {shown}")
        elif _conflict(path.parts, other.parts):
            reason = "Two document paths conflict with each other; must remove or rewrite one of these paths"
            faults.note(Stage.CONFLICT, f"{reason}; {shown}")


def _sorting(path: Name) -> list[Any]:
    # Sorted, a path comes right before those inside it, and the indexes of a list before its supposed fields.
    return [(isinstance(part, str), part) for part in path.parts]


def _conflict(left: Sequence[str | int], right: Sequence[str | int]) -> bool:
    for one, two in zip(left, right, strict=False):
        if one != two:
            return isinstance(one, str) is not isinstance(two, str)
    return False
