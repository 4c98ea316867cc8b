"""Numbers and lists as sentences have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.heat.arithmetic import number

if TYPE_CHECKING:
    from collections.abc import Iterable


def usd(value: float) -> str:
    """`1,234 USD`, `12.30 USD`: cents only where they tell something."""
    return f"{value:,.0f} USD" if value >= 1000 else f"{value:,.2f} USD"


def counted(value: float, thing: str, things: str = "") -> str:
    """`1 item`, `2.5 items`, `1,000 items`."""
    rounded = round(value, 1) if value < 10 else round(value)
    return f"{number(rounded)} {thing if rounded == 1 else things or thing + 's'}"


def joined(words: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    *first, final = tuple(words) or ("nothing",)
    return f"{', '.join(first)} {last} {final}" if first else final


def sentences(*parts: str) -> str:
    """The parts that say something, one after the other."""
    return " ".join(part for part in parts if part)


def an(word: str) -> str:
    """`an Order`, `a Product`."""
    return f"{'an' if word[:1].lower() in 'aeio' else 'a'} {word}"
