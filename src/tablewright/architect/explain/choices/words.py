"""Words for keys and differences; numbers and lists are worded like everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.wording import counted, joined, usd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.architect.candidates.shapes import Shape
    from tablewright.architect.explain.advice import Difference
    from tablewright.architect.spec.model import PatternSpec

CENT = 0.005
MANY = 4


def some(names: Sequence[str]) -> str:
    """The first of many, and how many more there are."""
    return joined(names) if len(names) <= MANY else f"{', '.join(names[: MANY - 1])} and {len(names) - MANY + 1} more"


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    trimmed = text.strip()
    return f"{trimmed[:1].upper()}{trimmed[1:]}" + ("" if trimmed.endswith((".", "?", "!")) else ".")


def keyed(shape: Shape) -> str:
    """`customerId, then date`: the attributes behind a key, without tags and labels."""
    first = " + ".join(shape.partition) or "kind (all of them in one partition)"
    return f"{first}, then {', '.join(shape.sort)}" if shape.sort else first


def inputs(pattern: PatternSpec) -> str:
    return joined(pattern.by)


def differs(loses: Difference, *, nothing: str = "costs the same") -> str:
    """`1 GSI more and 2.10 USD more a month`; what gets better is said too."""
    if not loses.possible:
        return "impossible"
    money, requests = loses.usd_per_month, loses.requests
    parts = [
        *([f"{counted(abs(loses.gsis), 'GSI')} {more(loses.gsis)}"] if loses.gsis else []),
        *([f"{counted(abs(loses.copies), 'second item')} {more(loses.copies)}"] if loses.copies else []),
        *([f"{usd(abs(money))} {more(money)} a month"] if abs(money) >= CENT else []),
        *([f"{counted(abs(requests), 'request')} {more(requests)}"] if abs(requests) >= CENT else []),
    ]
    return joined(parts) if parts else nothing


def more(amount: float) -> str:
    return "more" if amount > 0 else "less"
