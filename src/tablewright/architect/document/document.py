"""The two documents about a design: an overview for a terminal, and everything it has to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.document import advice, bill, heat, keys, patterns
from tablewright.architect.document.blocks import Heading, Text
from tablewright.architect.wording import money, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.design.model import Design
    from tablewright.architect.document.blocks import Block

AIMS = {"cost": "the least cost", "gsis": "the fewest indexes", "latency": "the fewest requests"}


def title(design: Design) -> Iterator[Block]:
    yield Heading(design.title or design.name, 1)
    gsis = sum(len(each.gsis) for each in design.tables)
    lsis = sum(len(each.lsis) for each in design.tables)
    said = [
        plural(len(design.tables), "table"),
        plural(gsis, "GSI"),
        plural(lsis, "LSI") if lsis else "",
        f"{plural(len(design.patterns), 'access pattern')} and no Scan",
        f"{money(design.cost.usd_per_month)} a month on demand",
        f"designed for {AIMS.get(design.aim, design.aim)}",
    ]
    yield Text(", ".join(each for each in said if each) + f"; {proven(design)}.")


def proven(design: Design) -> str:
    if design.proof is None:
        return "not proven yet"
    return "proven by running it" if design.proof.passed else "its proof FAILED"


def warmth(design: Design) -> Iterator[Block]:
    yield from heat.summary(design.heat)


def all_warmth(design: Design) -> Iterator[Block]:
    yield from heat.details(design.heat)


def price(design: Design) -> Iterator[Block]:
    yield from bill.summary(design.cost)


def whole_bill(design: Design) -> Iterator[Block]:
    yield from bill.bill(design.cost)


OVERVIEW = (
    title,
    advice.change,
    keys.tables,
    keys.items,
    keys.shared_collections,
    patterns.patterns,
    warmth,
    price,
    advice.alternatives,
    advice.top_questions,
    advice.short_assumptions,
    patterns.proof,
)
WHOLE = (
    title,
    advice.change,
    advice.notes,
    keys.tables,
    keys.items,
    keys.collections,
    keys.samples,
    patterns.patterns,
    patterns.pattern_details,
    all_warmth,
    whole_bill,
    advice.decisions,
    advice.alternatives,
    advice.questions,
    advice.relationships,
    advice.writes,
    advice.one_or_several,
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
    """What a person wants to see first, on a page or two."""
    return tuple(block for section in OVERVIEW for block in section(design))


def document(design: Design) -> tuple[Block, ...]:
    """Everything, for reading at leisure."""
    return tuple(block for section in WHOLE for block in section(design))
