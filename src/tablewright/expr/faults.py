"""What is wrong with an expression, in DynamoDB's own words.

DynamoDB looks at an expression several times, each time for another kind of mistake, and reports the first it meets.
We read it once: a syntax error ends the reading, every other mistake is noted with the stage at which DynamoDB would
have seen it, and the earliest is raised when all has been read.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from tablewright.wire.limits import MAX_PATH_DEPTH

if TYPE_CHECKING:
    from tablewright.expr.nodes import Name


class ExpressionError(ValueError):
    """The message is the one of DynamoDB's ValidationException."""


class Stage(IntEnum):
    """The order in which DynamoDB finds mistakes."""

    PARENTHESES = 0
    WORDING = 1
    """Reserved words, function names, what may stand where, how many operators."""
    SECTIONS = 2
    NAMES = 3
    OVERLAP = 4
    CONFLICT = 5
    VALUES = 6
    CHANGES = 7
    """The operands of ADD and DELETE."""
    COUNTS = 8
    DISTINCT = 9
    TYPES = 10


def too_deep(path: Name) -> str:
    reason = f"A path may have {MAX_PATH_DEPTH} parts, and this one has {len(path.parts)}"
    return f"{reason}; shorten the path that begins with {path.parts[0]}"


class Faults:
    """The mistakes noted so far; only the earliest matters."""

    __slots__ = ("_message", "_stage", "kind")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._stage: Stage | None = None
        self._message = ""

    def note(self, stage: Stage, message: str) -> None:
        if stage > Stage.VALUES and self.kind == "KeyConditionExpression":
            stage = Stage.VALUES  # which are looked at clause by clause
        if self._stage is None or stage < self._stage:
            self._stage, self._message = stage, message

    def now(self, message: str) -> ExpressionError:
        """The error to raise at once."""
        return ExpressionError(f"Invalid {self.kind}: {message}")

    def settle(self) -> None:
        """Raise what was noted, if anything was."""
        if self._stage is not None:
            raise self.now(self._message)
