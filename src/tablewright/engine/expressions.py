"""The expressions of one request: parsed with its names and values, every placeholder accounted for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import validation
from tablewright.engine.values import read_value
from tablewright.expr.faults import ExpressionError
from tablewright.expr.operands import Used
from tablewright.expr.parse import check_unused, parse_condition, parse_key_condition, parse_projection, parse_update

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.expr.nodes import Condition, Name, Update


class Expressions:
    """Reads the expressions of a request; `finish()` refuses placeholders that none of them mentioned."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.params = params
        self.names: dict[str, str] | None = params.get("ExpressionAttributeNames")
        values = params.get("ExpressionAttributeValues")
        self.values = None if values is None else {name: read_value(value) for name, value in values.items()}
        self.used = Used()

    def condition(self, parameter: str = "ConditionExpression") -> Condition | None:
        return self._parse(
            parameter, lambda text: parse_condition(text, self.names, self.values, kind=parameter, used=self.used)
        )

    def key_condition(self) -> Condition | None:
        return self._parse(
            "KeyConditionExpression", lambda text: parse_key_condition(text, self.names, self.values, used=self.used)
        )

    def update(self) -> Update | None:
        return self._parse("UpdateExpression", lambda text: parse_update(text, self.names, self.values, used=self.used))

    def projection(self) -> tuple[Name, ...] | None:
        return self._parse("ProjectionExpression", lambda text: parse_projection(text, self.names, used=self.used))

    def finish(self) -> None:
        try:
            check_unused(self.used, self.names, self.values)
        except ExpressionError as error:
            raise validation(str(error)) from None

    def _parse(self, parameter: str, parse: Callable[[str], Any]) -> Any:
        text = self.params.get(parameter)
        if text is None:
            return None
        try:
            return parse(text)
        except ExpressionError as error:
            raise validation(str(error)) from None
