"""What happened in a run, a line for each step; written only for those who want to read it."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from tablewright.runtime.flow import TYPE_CODES
from tablewright.wire.call import Call

WIDTH = 150
HIDDEN = frozenset({"TableName", "ReturnValues", "ReturnConsumedCapacity", "ReturnValuesOnConditionCheckFailure"})


class Trace:
    """The lines of one run. Whether it is kept changes nothing in the run: that is what makes seeds replayable."""

    def __init__(self, *, is_kept: bool = False) -> None:
        self.is_kept = is_kept
        self.lines: list[str] = []
        self.steps = 0

    def add(self, seconds: float, who: str, what: str, outcome: str = "") -> None:
        if self.is_kept:
            arrow = f"  -> {outcome}" if outcome else ""
            self.lines.append(f"{seconds:9.3f}  {who:<10} {what}{arrow}")


def shown_call(call: Call) -> str:
    """A request as one short line."""
    params = {name: value for name, value in call.params.items() if name not in HIDDEN}
    text = msgspec.json.encode(_plain(params)).decode()
    return f"{call.action} {text if len(text) <= WIDTH else text[: WIDTH - 3] + '...'}"


def _plain(value: Any) -> Any:
    """Without DynamoDB's type codes."""
    if isinstance(value, list):
        return [_plain(each) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    held = cast("dict[str, Any]", value)
    if len(held) == 1 and next(iter(held)) in TYPE_CODES:
        return _plain(next(iter(held.values())))
    return {name: _plain(each) for name, each in held.items() if name not in HIDDEN}
