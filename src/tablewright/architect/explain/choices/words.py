"""Words for keys and differences; numbers and lists are worded as everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.wording import counted, joined, money

if TYPE_CHECKING:
    from tablewright.design.advice import Difference
    from tablewright.design.shapes import Shape
    from tablewright.spec.model import PatternSpec

CENT = 0.005


def keyed(shape: Shape) -> str:
    """`customerId, then date`: the attributes behind a key, without tags and labels."""
    first = " + ".join(shape.partition) or "kind (all of them in one partition)"
    return f"{first}, then {', '.join(shape.sort)}" if shape.sort else first


def inputs(pattern: PatternSpec) -> str:
    return joined(pattern.by)


def differs(loses: Difference, *, nothing: str = "costs the same") -> str:
    """`1 GSI more and $2.10 more a month`; what gets better is said too."""
    if not loses.possible:
        return "impossible"
    dollars, requests = loses.usd_per_month, loses.requests
    parts = [
        *([f"{counted(abs(loses.gsis), 'GSI')} {more(loses.gsis)}"] if loses.gsis else []),
        *([f"{counted(abs(loses.copies), 'second item')} {more(loses.copies)}"] if loses.copies else []),
        *([f"{money(abs(dollars))} {more(dollars)} a month"] if abs(dollars) >= CENT else []),
        *([f"{counted(abs(requests), 'request')} {more(requests)}"] if abs(requests) >= CENT else []),
    ]
    return joined(parts) if parts else nothing


def more(amount: float) -> str:
    return "more" if amount > 0 else "less"
