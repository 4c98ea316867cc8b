"""The two documents about a design: an overview for a terminal, and the complete document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.wording import money, plural
from tablewright.report import advice, bill, heat, keys, patterns
from tablewright.report.blocks import Heading, Text
from tablewright.report.guesses import rests_on_text
from tablewright.report.verdict import failed_verdicts, verdict, verdict_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.report import CostReport
    from tablewright.design.model import Design
    from tablewright.report.blocks import Block

AIMS = {"cost": "the least cost", "gsis": "the fewest indexes", "latency": "the fewest requests"}


def title(design: Design) -> Iterator[Block]:
    yield Heading(design.title or design.name, 1)
    yield from verdict_blocks(failed_verdicts(design))
    gsis = sum(len(each.gsis) for each in design.tables)
    lsis = sum(len(each.lsis) for each in design.tables)
    said = [
        plural(len(design.tables), "table"),
        plural(gsis, "GSI"),
        plural(lsis, "LSI") if lsis else "",
        f"{_patterns_text(design)} and no Scan",
        _price_text(design.cost),
        f"designed for {AIMS.get(design.aim, design.aim)}",
    ]
    yield Text(", ".join(each for each in said if each) + f"; {verdict(design)}.")
    guessed = rests_on_text(design)
    if guessed:
        yield Text(guessed)
    if design.gap:
        yield Text(f"No better design was found; it is proven that none is better by more than {design.gap:.1%}.")


def _patterns_text(design: Design) -> str:
    implied = sum(each.implied for each in design.patterns)
    puts = f" ({plural(implied, 'write')} assumed besides)" if implied else ""
    return f"{plural(len(design.patterns) - implied, 'access pattern')}{puts}"


def _price_text(cost: CostReport) -> str:
    """The cost in the recommended mode, and on demand."""
    best, by_request = cost.recommended, money(cost.usd_per_month)
    if best.mode == "on-demand" and best.table_class == "standard":
        return f"{by_request} a month on demand"
    return f"{money(best.usd_per_month)} a month {bill.mode_text(best.mode, best.table_class)} ({by_request} on demand)"


def _heat_summary(design: Design) -> Iterator[Block]:
    yield from heat.heat_summary(design.heat)


def heat_details(design: Design) -> Iterator[Block]:
    yield from heat.heat_blocks(design.heat)


def _cost_summary(design: Design) -> Iterator[Block]:
    yield from bill.cost_summary(design.cost)


def cost_details(design: Design) -> Iterator[Block]:
    yield from bill.cost_blocks(design.cost)


OVERVIEW = (
    title,
    advice.change,
    keys.tables,
    keys.items,
    keys.shared_collections,
    patterns.patterns,
    _heat_summary,
    advice.hot_reads,
    _cost_summary,
    advice.alternatives,
    advice.top_questions,
    advice.short_assumptions,
    patterns.proof,
    advice.checks,
)
DOCUMENT = (
    title,
    advice.change,
    advice.notes,
    keys.tables,
    keys.items,
    keys.collections,
    keys.samples,
    patterns.patterns,
    patterns.pattern_details,
    heat_details,
    advice.hot_reads,
    cost_details,
    advice.tradeoffs,
    advice.decisions,
    advice.alternatives,
    advice.questions,
    advice.relationships,
    advice.writes,
    advice.table_counts,
    advice.evolution,
    advice.savings,
    advice.monitoring,
    advice.testing,
    advice.critique,
    patterns.proof,
    advice.naming,
    advice.assumptions,
    advice.sources,
)


def overview(design: Design) -> tuple[Block, ...]:
    """The most important sections, on a page or two."""
    return tuple(block for section in OVERVIEW for block in section(design))


def document(design: Design) -> tuple[Block, ...]:
    """All sections."""
    return tuple(block for section in DOCUMENT for block in section(design))
