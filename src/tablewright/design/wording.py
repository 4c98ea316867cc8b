"""Numbers, lists and keys as sentences and tables have them: one spelling for each, wherever it appears."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.design.advice import Difference
    from tablewright.design.values.templates import Template

# ---- numbers --------------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """`5,000`, `0.5`, `0.0123`: no more digits than tell something."""
    if abs(value) >= 100 or value == round(value):
        return f"{value:,.0f}"
    return f"{value:.1f}".removesuffix(".0") if abs(value) >= 10 else f"{value:.3g}"


def money(usd: float) -> str:
    """Dollars as precise as a decision needs: `$1,234`, `$12.30`."""
    if usd and abs(usd) < 0.01:
        return "<$0.01" if usd > 0 else ">-$0.01"
    sign, size = ("-" if usd < 0 else ""), abs(usd)
    return f"{sign}${size:,.0f}" if size >= 1_000 else f"{sign}${size:,.2f}"


def units(value: float) -> str:
    """Capacity units; halves matter, thousandths do not."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{round(value, 2):g}" if value >= 0.01 or not value else "<0.01"


def amount(value: float) -> str:
    """How many, to three digits: 950, 12.5k, 3M."""
    for divisor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= divisor and value >= 1e4:
            return f"{value / divisor:.3g}{letter}"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2g}"


def size(in_bytes: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if in_bytes < 1024 or unit == "GB":
            return f"{in_bytes:.0f} {unit}" if unit == "B" or in_bytes >= 100 else f"{in_bytes:.1f} {unit}"
        in_bytes /= 1024
    raise AssertionError


def percent(share: float) -> str:
    """`22%`, `9.5%`, `<0.1%`: for reading; sums have it exactly."""
    if share and share < 0.001:
        return "<0.1%"
    return f"{share:.0%}" if share >= 0.1 else f"{share * 100:.1f}".removesuffix(".0") + "%"


def exact_percent(share: float) -> str:
    return f"{number(share * 100)}%"


TIMES_AT_MOST = 1_000


def times(factor: float) -> str:
    if factor > TIMES_AT_MOST:
        return f"more than {TIMES_AT_MOST:,}x"
    return f"{factor:,.0f}x" if factor >= 10 else f"{factor:.1f}x"


def tally(value: float, thing: str, things: str = "") -> str:
    """`1 item`, `2.5 items`, `1,000 items`."""
    rounded = round(value, 1) if value < 10 else round(value)
    return f"{number(rounded)} {thing if rounded == 1 else things or thing + 's'}"


def plural(count: float, thing: str, things: str = "") -> str:
    """The same with large numbers cut short: `12.5k items`."""
    return f"{amount(count)} {thing if count == 1 else things or thing + 's'}"


# ---- lists and sentences --------------------------------------------------------------------------------------------

MANY = 4


def concat(words: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    *first, final = tuple(words) or ("nothing",)
    return f"{', '.join(first)} {last} {final}" if first else final


def some(names: Sequence[str], many: int = MANY) -> str:
    """The first of many, and how many more there are."""
    return concat(names) if len(names) <= many else f"{', '.join(names[: many - 1])} and {len(names) - many + 1} more"


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    trimmed = text.strip()
    return f"{trimmed[:1].upper()}{trimmed[1:]}" + ("" if trimmed.endswith((".", "?", "!")) else ".")


def sentences(*parts: str) -> str:
    """The parts that say something, one after the other."""
    return " ".join(part for part in parts if part)


def an(word: str) -> str:
    """`an Order`, `a Product`."""
    return f"{'an' if word[:1].lower() in 'aeio' else 'a'} {word}"


def in_order(name: str) -> tuple[str, int, str]:
    """AP2 before AP10."""
    head = name.rstrip("0123456789")
    digits = name[len(head) :]
    return head, int(digits) if digits else -1, name


# ---- keys -----------------------------------------------------------------------------------------------------------

FIRST, LAST = "\x01", "\U0010ffff"


class _Sorting(Protocol):
    """A condition on a sort key."""

    @property
    def operator(self) -> str: ...
    @property
    def low(self) -> Template: ...
    @property
    def high(self) -> Template | None: ...


def printable(template: str) -> str:
    """The lowest and the highest character, which open and close a range, have no picture."""
    return template.replace(LAST, "…").replace(FIRST, "")


def sort_text(condition: _Sorting) -> str:
    low, high = str(condition.low), str(condition.high or "")
    if condition.operator == "between" and high == low.removesuffix(FIRST) + LAST:
        return f"begins_with {printable(low)}"
    if condition.operator == "between":
        return f"between {printable(low)} and {printable(high)}"
    low = printable(low)
    return low if condition.operator == "=" else f"{condition.operator} {low}"


# ---- differences ----------------------------------------------------------------------------------------------------

CENT = 0.005


def difference_text(loses: Difference, *, nothing: str = "costs the same") -> str:
    """`1 GSI more and $2.10 more a month`; what gets better is included."""
    if not loses.possible:
        return "impossible"
    dollars, requests = loses.usd_per_month, loses.requests
    parts = [
        *([f"{tally(abs(loses.gsis), 'GSI')} {more(loses.gsis)}"] if loses.gsis else []),
        *([f"{tally(abs(loses.copies), 'second item')} {more(loses.copies)}"] if loses.copies else []),
        *([f"{money(abs(dollars))} {more(dollars)} a month"] if abs(dollars) >= CENT else []),
        *([f"{tally(abs(requests), 'request')} {more(requests)}"] if abs(requests) >= CENT else []),
    ]
    return concat(parts) if parts else nothing


def more(amount: float) -> str:
    return "more" if amount > 0 else "less"
