"""A design with the advice that needs no second search: how to build it, run it, test it, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.advice import Advice, Source
from tablewright.design.derive import facts_in
from tablewright.review import sources
from tablewright.review.case import Case, cases_of
from tablewright.review.critique.rules import check_table
from tablewright.review.multi_table import merge_advice
from tablewright.review.naming import naming_conventions
from tablewright.review.operations.guidance import Guidance, guidance
from tablewright.review.operations.hot_reads import hot_reads
from tablewright.review.operations.monitoring import monitoring
from tablewright.review.operations.savings import savings
from tablewright.review.operations.testing import plan_tests
from tablewright.review.tables import tables_note
from tablewright.review.upkeep.integrity import write_notes
from tablewright.review.upkeep.relationships import relationship_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.model import Design, PatternDesign


def advise(design: Design) -> Design:
    """The design with paging and retries of every pattern, and with its advice; what it says already stays."""
    cases = cases_of(design)
    return msgspec.structs.replace(
        design,
        patterns=_with_guidance(design.patterns, cases.values()),
        advice=_add_advice(design.advice, _advice_of(design, cases)),
    )


def _with_guidance(patterns: Iterable[PatternDesign], cases: Iterable[Case]) -> tuple[PatternDesign, ...]:
    found: dict[str, Guidance] = {}
    for case in cases:
        found = {**guidance(case), **found}
    return tuple(
        msgspec.structs.replace(each, paging=found[each.id].paging, retries=found[each.id].retries) for each in patterns
    )


def _advice_of(design: Design, cases: Mapping[str, Case]) -> Advice:
    given = {table: advise_table(case) for table, case in cases.items()}
    if len(given) == 1:
        return next(iter(given.values()))
    return merge_advice(facts_in(design), given, {item.entity: item.table for item in design.items})


def advise_table(case: Case) -> Advice:
    """Relationships, writes, operations, tables, critique and naming; the rest is empty."""
    found = Advice(
        relationships=relationship_notes(case),
        writes=write_notes(case),
        monitoring=monitoring(case),
        savings=savings(case),
        hot_reads=hot_reads(case),
        testing=plan_tests(case),
        tables=tables_note(case.layout, case.cost),
        critique=check_table(case),
        naming=tuple(naming_conventions(case.layout)),
    )
    return msgspec.structs.replace(found, sources=tuple(sorted(_cited(found))))


def _cited(advice: Advice) -> set[Source]:
    """The pages that notes and failed checks cite."""
    cited = set(advice.monitoring.sources)
    cited.update(page for note in advice.relationships for page in note.sources)
    cited.update(page for note in advice.writes for page in note.sources)
    cited.update((sources.DAX, sources.WRITE_SHARDING) if advice.hot_reads else ())
    cited.update(page for check in advice.critique if not check.passed for page in check.sources)
    return cited


def _add_advice(one: Advice, other: Advice) -> Advice:
    """Each says what the other leaves empty; pages are cited once."""
    nothing = Advice()
    said: dict[str, Any] = {
        name: getattr(other, name)
        for name in Advice.__struct_fields__
        if getattr(other, name) != getattr(nothing, name)
    }
    return msgspec.structs.replace(one, **{**said, "sources": tuple(sorted({*one.sources, *other.sources}))})
