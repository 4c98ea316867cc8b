"""The expressions of one request: parsed with its names and values, every placeholder accounted for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from tablewright.engine.faults import validation
from tablewright.engine.requests.envelope import NULL_IS_TRUE
from tablewright.engine.store.numerals import NUMBER_FAULTS
from tablewright.engine.store.values import DUPLICATES, EMPTY_NAME, INSIDE, TOO_DEEP, Wording, check_name, read_value
from tablewright.errors import ServiceError
from tablewright.expr.checks import TYPE_SET
from tablewright.expr.faults import ExpressionError
from tablewright.expr.operands import Used
from tablewright.expr.parse import check_unused, parse_key_condition, parse_projection
from tablewright.expr.remembered import remembered_condition, remembered_update

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.expr.nodes import Condition, Name, Update

Parsed = TypeVar("Parsed")

NAMES = "ExpressionAttributeNames"
VALUES = "ExpressionAttributeValues"

UNPLACED: dict[Wording, tuple[str, ...]] = {
    "current": (
        TOO_DEEP,
        *NUMBER_FAULTS,
        f"One or more parameter values were invalid: {DUPLICATES}",
        NULL_IS_TRUE,
    ),
    "classic": (TOO_DEEP,),
    "older": (),
}
"""How the faults of values begin that are told without the name of the value."""

_SIZE = re.compile(r"(?<=maximum allowed size;) expression size: [0-9]+$")
_PLACEHOLDERS = {NAMES: re.compile(r"#[0-9a-zA-Z_]+"), VALUES: re.compile(r":[0-9a-zA-Z_]+")}


class Expressions:
    """Reads the expressions of a request; `finish()` refuses placeholders that none of them mentioned."""

    def __init__(self, params: dict[str, Any], wording: Wording = "current") -> None:
        self.params = params
        self.names: dict[str, str] | None = params.get(NAMES)
        if self.names is not None:
            _check_names(self.names)
        values = params.get(VALUES)
        self.values = None if values is None else _read_values(values, wording)
        self.used = Used()
        self._wording: Wording = wording

    def condition(self, parameter: str = "ConditionExpression") -> Condition | None:
        return self._parse(
            parameter, lambda text: remembered_condition(text, self.names, self.values, kind=parameter, used=self.used)
        )

    def key_condition(self) -> Condition | None:
        return self._parse(
            "KeyConditionExpression", lambda text: parse_key_condition(text, self.names, self.values, used=self.used)
        )

    def update(self) -> Update | None:
        return self._parse(
            "UpdateExpression", lambda text: remembered_update(text, self.names, self.values, used=self.used)
        )

    def projection(self) -> tuple[Name, ...] | None:
        return self._parse("ProjectionExpression", lambda text: parse_projection(text, self.names, used=self.used))

    def finish(self) -> None:
        try:
            check_unused(self.used, self.names, self.values)
        except ExpressionError as error:
            raise validation(str(error)) from None

    def _parse(self, parameter: str, parse: Callable[[str], Parsed]) -> Parsed | None:
        text = self.params.get(parameter)
        if text is None:
            return None
        try:
            return parse(text)
        except ExpressionError as error:
            raise validation(_reword(str(error), self._wording)) from None


def _reword(message: str, wording: Wording) -> str:
    """A fault of an expression, without what only another layer adds to it."""
    if wording == "current":
        return _SIZE.sub("", message)
    short = message.removesuffix(TYPE_SET)
    if wording == "older" or short == message:
        return message
    return f"{short}EAN" if short.endswith(" BOOL") else short


def _check_placeholders(parameter: str, given: Mapping[str, Any]) -> None:
    if not given:
        raise validation(f"{parameter} must not be empty")
    matches = _PLACEHOLDERS[parameter].fullmatch
    for placeholder in given:
        if not matches(placeholder):
            raise validation(f'{parameter} contains invalid key: Syntax error; key: "{placeholder}"')


def _check_names(names: Mapping[str, str]) -> None:
    _check_placeholders(NAMES, names)
    for placeholder, name in names.items():
        if not name:
            raise validation(f"{NAMES} contains invalid value: {EMPTY_NAME} for key {placeholder}")
        check_name(name)


def _read_values(values: Mapping[str, Any], wording: Wording) -> dict[str, Any]:
    """The values of all placeholders; the older layer allows one level more, and says which value is too deep."""
    _check_placeholders(VALUES, values)
    return {name: read_named(name, value, wording) for name, value in values.items()}


def read_named(name: str, value: Any, wording: Wording) -> Any:
    """One value of a request, by its placeholder."""
    try:
        return read_value(value, INSIDE + 1 if wording == "older" else INSIDE, wording)
    except ServiceError as fault:
        if fault.name != "ValidationException" or fault.service_message.startswith(UNPLACED[wording]):
            raise
        raise validation(f"{VALUES} contains invalid value: {fault.service_message} for key {name}") from None
