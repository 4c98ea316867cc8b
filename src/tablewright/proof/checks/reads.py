"""Reads: the whole answer, its order and its limit, in pages of the engine and in pages of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.expr.compare import is_equal
from tablewright.proof.answers import compare_answers
from tablewright.proof.application.reads import answer, least_number, matching
from tablewright.proof.database import aggregate_of, run_pages, run_reads
from tablewright.proof.questions import make_read_call
from tablewright.proof.units import read_units

if TYPE_CHECKING:
    from tablewright.proof.application.state import Call, Item, Named, State
    from tablewright.proof.context import PatternTally, ProofContext, Subject
    from tablewright.proof.database import Database

PAGE = 7
FEW = 3


class _SmallPages:
    """An engine whose queries end their pages early, so that answers take many of them."""

    def __init__(self, engine: Database) -> None:
        self.engine = engine

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        if action == "Query":
            params = {**params, "Limit": min(PAGE, params.get("Limit", PAGE))}
        return self.engine.call(action, params)


def check_read(context: ProofContext, subject: Subject, number: int, about: Named | None = None) -> None:
    """One question; every fourth time answered in small pages, every fourth time asked page by page."""
    tally = context.tallies[subject.meant.id]
    call = make_read_call(context.values, subject.meant, context.state, about)
    tally.runs += 1
    try:
        if number % 4 == 2 and subject.meant.kind == "query" and subject.meant.aggregate is None:
            check_pages(context, subject, call, tally)
        else:
            check_answer(context, subject, call, tally, paged=number % 4 == 3)
    except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
        tally.fail(f"{_said(context, subject, call)}: {type(fault).__name__} {fault}")


def _said(context: ProofContext, subject: Subject, call: Call) -> dict[str, Any]:
    return context.parameters(subject, call)


def check_answer(context: ProofContext, subject: Subject, call: Call, tally: PatternTally, *, paged: bool) -> None:
    inputs = context.parameters(subject, call)
    engine = _SmallPages(context.engine) if paged else context.engine
    found = run_reads(engine, context.compiled, subject.design.id, inputs)
    wrong = compare_found(context, subject, call, found.items)
    if wrong:
        tally.fail(f"{inputs}: {wrong}")
    context.count_check("answers are the application's")
    if not paged:
        tally.measured += 1
        tally.compare_units("read", found.rcu, read_units(context.design, context.stored, subject.design.reads, inputs))


def compare_found(context: ProofContext, subject: Subject, call: Call, found: list[Item]) -> str:
    """What is wrong with an answer."""
    if subject.meant.aggregate is not None:
        return compare_number(context, subject, call, context.state, aggregate_of(subject.design, found))
    expected = matching(context.facts, subject.meant, context.state, call)
    return compare_answers(
        context.facts, subject.meant, context.state, expected, [context.identify(item) for item in found]
    )


def compare_number(context: ProofContext, subject: Subject, call: Call, state: State, number: Any) -> str:
    """What is wrong with a number; one in steps may lack what lies in the step of the value."""
    meant = subject.meant
    wanted = answer(context.facts, meant, state, call)
    if meant.range is not None and meant.range.step is not None:
        least = least_number(context.facts, meant, state, call)
        return "" if least <= number <= wanted else f"answered {number}, must be from {least} to {wanted}"
    same = wanted is number if wanted is None or number is None else is_equal(number, wanted)
    return "" if same else f"answered {number}, must be {wanted}"


def check_pages(context: ProofContext, subject: Subject, call: Call, tally: PatternTally) -> None:
    """Following the cursor to the end gives everything that answers, each item once and in order.

    A list that may be behind may end at its limit, and nowhere before it.
    """
    inputs = context.parameters(subject, call)
    found = run_pages(context.engine, context.compiled, subject.design.id, inputs, FEW)
    expected = matching(context.facts, subject.meant, context.state, call)
    named = [context.identify(item) for item in found]
    meant = subject.meant
    is_cut = meant.stale is not None and meant.limit is not None and len(named) <= meant.limit
    wrong = compare_answers(context.facts, meant, context.state, expected, named, whole=not is_cut)
    if wrong:
        tally.fail(f"{inputs}, page by page: {wrong}")
    context.count_check("cursors lead through the whole answer")
