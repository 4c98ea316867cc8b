"""What a bill rests on, in words: the guesses that move it most, each with the bills at a tenth and ten times of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.design.influence import CENT, WORTH_TELLING, moved_usd, rests_on
from tablewright.design.wording import money

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tablewright.spec.quantities import Assumption

MOST_IN_A_LINE = 3
NUMBERS = (".count", ".rate", ".avg", ".cardinality", ".size_bytes", ".presence", ".items", ".age_days")
"""Ends of places that have numbers; designs of earlier versions name them without a value."""


def rests_on_text(design: Design) -> str:
    """For the head line; nothing of a design that does not say what its guesses would change."""
    found = rests_on(design)
    if found:
        more = f"; and {len(found) - MOST_IN_A_LINE} more" if len(found) > MOST_IN_A_LINE else ""
        said = "; ".join(f"{_question(each)} ({_span(each)})" for each in found[:MOST_IN_A_LINE])
        return f"Its bill rests on: {said}{more}."
    assumed = (*design.assumptions, *design.cost.assumptions)
    if any(moved_usd(each, design.cost.usd_per_month) >= CENT for each in assumed):
        return f"No single guess moves its bill by more than {WORTH_TELLING:.0%}."
    if any(each.place.endswith(NUMBERS) and each.usd_at_tenth is None for each in assumed):
        return ""
    return "Its bill rests on numbers that were all given."


def guess_texts(design: Design) -> list[str]:
    """Each guess that moves the bill, with both bills."""
    return [
        f"{_question(each)} {_bill(each.usd_at_tenth)} a month at a tenth of it,"
        f" {_bill(each.usd_at_ten_times)} at ten times (`{each.place}`)"
        for each in rests_on(design)
    ]


def _question(each: Assumption) -> str:
    """`Order.customerId: 100 different values?`."""
    size = each.place.endswith(".size_bytes") and each.value
    what = f"{each.value:,.0f} bytes for what has no size" if size else each.taken
    subject = _subject(each.place)
    return f"{subject}: {what}?" if subject else f"{what}?"


def _subject(place: str) -> str:
    """Of what it is a number: `Order.customerId`, `AP3`; relationships are named by what was assumed of them."""
    section, _, rest = place.partition(".")
    if section not in ("entities", "access_patterns"):
        return ""
    return re.sub(r"\.attributes\.", ".", rest.rpartition(".")[0])


def _span(each: Assumption) -> str:
    usd = sorted(usd for usd in (each.usd_at_tenth, each.usd_at_ten_times) if usd is not None)
    return f"{money(usd[0])} to {money(usd[-1])}"


def _bill(usd: float | None) -> str:
    return money(usd or 0.0)
