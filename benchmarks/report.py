"""Tables for the terminal, and goals that are met or missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure and its limit; `at_least` turns the comparison around."""

    what: str
    measured: float
    limit: float
    unit: str
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def row(self) -> tuple[str, ...]:
        bound = "at least" if self.at_least else "at most"
        verdict = "met" if self.met else "MISSED"
        return (self.what, f"{self.measured:.2f} {self.unit}", f"{bound} {self.limit:.2f} {self.unit}", verdict)


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Text in the first column to the left, figures to the right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = [aligned(header, widths), "  ".join("-" * width for width in widths)]
    return "\n".join([title, "", *lines, *(aligned(row, widths) for row in rows), ""])


def aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = cells
    figures = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
    return "  ".join([first.ljust(widths[0]), *figures])


def goals_table(goals: Sequence[Goal]) -> str:
    return table("Goals", ("goal", "measured", "limit", "verdict"), [goal.row() for goal in goals])
