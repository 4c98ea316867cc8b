"""The part of the grammar that all expressions share: document paths, value placeholders, function calls.

    path    = name { "." name | "[" number "]" }         name may be a #placeholder
    operand = path | :value | function "(" operand { "," operand } ")" | "(" operand ")"

Calls and parentheses are kept on an explicit stack, so that nesting is bounded by the length of the text alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.expr import checks
from tablewright.expr.compare import size_of
from tablewright.expr.faults import Faults, Stage, too_deep
from tablewright.expr.functions import FUNCTIONS, FunctionName
from tablewright.expr.nodes import (
    Function,
    IfNotExists,
    ListAppend,
    Name,
    Operand,
    Size,
    Slot,
    Term,
    Value,
)
from tablewright.wire.limits import MAX_LIST_INDEX, MAX_OPERATORS, MAX_PATH_DEPTH
from tablewright.wire.reserved import is_reserved

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.expr.tokens import Reader

UPDATE = "UpdateExpression"

_CONDITIONS: dict[str, int] = {name: each.operands for name, each in FUNCTIONS.items()}
_OPERANDS = {"size": 1}
_ASSIGNMENTS = {"if_not_exists": 2, "list_append": 2}
_ALL = _CONDITIONS | _OPERANDS | _ASSIGNMENTS

Read: TypeAlias = "Term | Function"
"""What stands at the place of an operand: also a function that may not stand there, which is reported later."""


@dataclass(slots=True)
class Used:
    """The placeholders that the expressions of a request mention."""

    names: set[str] = field(default_factory=set[str])
    values: set[str] = field(default_factory=set[str])
    literals: list[tuple[str, Value]] = field(default_factory=list[tuple[str, Value]], compare=False)
    """The places where values stand, each with its placeholder."""


@dataclass(slots=True)
class _Open:
    """An open parenthesis, or a call when it has a name."""

    function: str = ""
    args: list[Read] = field(default_factory=list["Read"])


class Operands:
    """Reads operands from the tokens of one expression, with the placeholders of its request."""

    __slots__ = ("_names", "_operators", "_used", "_values", "faults", "reader")

    def __init__(
        self, reader: Reader, faults: Faults, names: Mapping[str, str], values: Mapping[str, Any], used: Used
    ) -> None:
        self.reader = reader
        self.faults = faults
        self._names = names
        self._values = values
        self._used = used
        self._operators = 0

    def count_operator(self) -> None:
        self._operators += 1
        if self._operators == MAX_OPERATORS + 1:
            reason = "The expression contains too many operators"
            self.faults.note(Stage.WORDING, f"{reason}; operator count: {self._operators}")

    def path(self) -> Name:
        """A document path, its placeholders replaced by the names they stand for."""
        reader = self.reader
        parts: list[str | int] = [self._field()]
        while True:
            if reader.accept("."):
                parts.append(self._field())
            elif reader.accept("["):
                parts.append(self._index())
            else:
                break
        if len(parts) > MAX_PATH_DEPTH:
            self.faults.note(Stage.NAMES, too_deep(Name(tuple(parts))))
        return Name(tuple(parts))

    def _field(self) -> str:
        reader = self.reader
        if reader.token.kind == "#name":
            return self._named(reader.next().text)
        name = reader.expect("name").text
        if is_reserved(name):
            reason = "Attribute name is a reserved keyword"
            self.faults.note(Stage.WORDING, f"{reason}; reserved keyword: {name}")
        return name

    def _named(self, placeholder: str) -> str:
        self._used.names.add(placeholder)
        if placeholder not in self._names:
            reason = "An expression attribute name used in the document path is not defined"
            self.faults.note(Stage.NAMES, f"{reason}; attribute name: {placeholder}")
        return self._names.get(placeholder, placeholder)

    def _index(self) -> int:
        digits = self.reader.expect("number").text
        self.reader.expect("]")
        if len(digits) <= len(str(MAX_LIST_INDEX)) and int(digits) <= MAX_LIST_INDEX:
            return int(digits)
        reason = "List index is not within the allowable range"
        self.faults.note(Stage.WORDING, f"{reason}; index: [{digits}]")
        return 0

    def value(self) -> Value:
        """The value behind a placeholder."""
        placeholder = self.reader.expect(":value").text
        self._used.values.add(placeholder)
        if placeholder not in self._values:
            reason = "An expression attribute value used in expression is not defined"
            self.faults.note(Stage.VALUES, f"{reason}; attribute value: {placeholder}")
        value = Value(self._values.get(placeholder, checks.UNDEFINED))
        self._used.literals.append((placeholder, value))
        return value

    def operand(self) -> Read:
        """A path, a value, or a function of such."""
        reader, opened = self.reader, list[_Open]()
        while True:
            if reader.calls():
                opened.append(_Open(reader.next().text))
                reader.next()
            elif reader.accept("("):
                opened.append(_Open())
            else:
                complete = self._close(opened, self.value() if reader.token.kind == ":value" else self.path())
                if complete is not None:
                    return complete

    def _close(self, opened: list[_Open], read: Read) -> Read | None:
        """Close what ends behind this operand; None when another operand is to follow a comma."""
        while opened:
            innermost = opened[-1]
            innermost.args.append(read)
            if innermost.function and self.reader.accept(","):
                return None
            self.reader.expect(")")
            opened.pop()
            if innermost.function:
                read = self._call(innermost.function, innermost.args)
            elif opened and not opened[-1].function:
                self.redundant_parentheses()
        return read

    def redundant_parentheses(self) -> None:
        self.faults.note(Stage.PARENTHESES, "The expression has redundant parentheses;")

    def plain(self, read: Read) -> Operand:
        """The operand, refused when it is a function that gives no value to compare."""
        if isinstance(read, Name | Value | Size):
            return read
        self.misused(_name_of(read))
        return Value(checks.UNDEFINED)

    def misused(self, function: str) -> None:
        reason = "The function is not allowed to be used this way in an expression"
        self.faults.note(Stage.WORDING, f"{reason}; function: {function}")

    def _call(self, function: str, args: list[Read]) -> Read:
        self.count_operator()
        if function not in _ALL:
            return self._unusable(f"Invalid function name; function: {function}")
        if self.faults.kind == UPDATE:
            return self._update_call(function, args)
        if function in _ASSIGNMENTS:
            return self._unusable(f"The function is not allowed in a condition expression; function: {function}")
        checks.count_operands(self.faults, Stage.WORDING, function, len(args), _ALL[function])
        if len(args) != _ALL[function]:
            return Value(checks.UNDEFINED)
        return self._condition_call(function, [self.plain(arg) for arg in args])

    def _unusable(self, message: str) -> Value:
        self.faults.note(Stage.WORDING, message)
        return Value(checks.UNDEFINED)

    def _condition_call(self, function: str, args: list[Operand]) -> Read:
        if function != "size":
            name = cast("FunctionName", function)
            checks.check_function(self.faults, name, args)
            return Function(name, tuple(args))
        checks.check_size(self.faults, args[0])
        if isinstance(args[0], Name):
            return Size(args[0])
        known = args[0].value if isinstance(args[0], Value) else checks.UNDEFINED
        if isinstance(known, Slot):
            return self._unusable("The size of a value that is given later is not known")
        return Value(known if known is checks.UNDEFINED else size_of(known))

    def _update_call(self, function: str, args: list[Read]) -> Read:
        if function not in _ASSIGNMENTS:
            return self._unusable(f"The function is not allowed in an update expression; function: {function}")
        checks.count_operands(self.faults, Stage.COUNTS, function, len(args), _ASSIGNMENTS[function])
        if len(args) != _ASSIGNMENTS[function]:
            return Value(checks.UNDEFINED)
        return _ASSIGNED_BY[function](self, cast("list[Term]", args))


def _if_not_exists(operands: Operands, args: list[Term]) -> Term:
    path, otherwise = args
    checks.needs_path(operands.faults, "if_not_exists", path)
    if isinstance(otherwise, ListAppend):
        operands.misused("list_append")
    return IfNotExists(path, otherwise) if isinstance(path, Name) else otherwise


def _list_append(operands: Operands, args: list[Term]) -> Term:
    checks.allow_types(operands.faults, "list_append", args, frozenset({"L"}))
    if any(isinstance(arg, ListAppend) for arg in args):
        operands.misused("list_append")
    return ListAppend(*args)


_ASSIGNED_BY: dict[str, Callable[[Operands, list[Term]], Term]] = {
    "if_not_exists": _if_not_exists,
    "list_append": _list_append,
}


def _name_of(read: Read) -> str:
    return read.name if isinstance(read, Function) else type(read).__name__
