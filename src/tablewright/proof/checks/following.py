"""Streams that are behind: many writes before anybody hears of them, then everything at once.

Until then a number or a list that may be behind is what it was when the stream was followed last, and nothing in
between. Afterwards it is right, whatever came in one batch, was cut short or came again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.proof.answers import compare_answers
from tablewright.proof.application.reads import matching
from tablewright.proof.calls import make_write_call
from tablewright.proof.checks.reads import compare_number
from tablewright.proof.checks.stored import advance, compare_tables, repair
from tablewright.proof.database import aggregate_of, run_reads
from tablewright.proof.questions import make_read_call

if TYPE_CHECKING:
    from tablewright.proof.application.state import Call, Item, State
    from tablewright.proof.context import ProofContext, Subject

ROUNDS = 3
WRITES = 60
"""More than go into one transaction, with what they change."""
LONGEST_BATCH = 150
ASKED = 6


def check_following(context: ProofContext) -> None:
    if not context.followers:
        return
    for _ in range(ROUNDS):
        before = context.state
        _write_unheard(context)
        for subject in _behind(context):
            for _ in range(ASKED):
                _ask_early(context, subject, before)
        context.follow_streams(LONGEST_BATCH)
        tally = next(iter(context.tallies.values()))
        compare_tables(context, tally, "after the stream was followed")
        context.count_check("what follows the stream adds every change once")


def _behind(context: ProofContext) -> list[Subject]:
    """Reads of numbers that are kept by a stream."""
    kept = {each.name for each in context.design.items if each.kind == "trailing"}
    return [each for each in context.reads if any(kept & set(step.items) for step in each.design.reads)]


def _write_unheard(context: ProofContext) -> None:
    for number in range(WRITES):
        subject = context.writes[number % len(context.writes)]
        call = make_write_call(context.values, subject.meant, context.state, context.next_number())
        applied = context.try_write(subject, call)
        tally = context.tallies[subject.meant.id]
        tally.runs += 1
        try:
            outcome = context.run_write(subject, call, follow=False)
        except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
            tally.fail(f"{context.parameters(subject, call)}: {type(fault).__name__} {fault}")
            repair(context)
            continue
        if applied is not None and outcome.result == "written":
            advance(context, applied, subject.design)


def _ask_early(context: ProofContext, subject: Subject, before: State) -> None:
    tally = context.tallies[subject.meant.id]
    call = make_read_call(context.values, subject.meant, context.state, None)
    inputs = context.parameters(subject, call)
    found = run_reads(context.engine, context.compiled, subject.design.id, inputs).items
    tally.runs += 1
    if subject.meant.aggregate is None:
        _compare_early(context, subject, before, call, found)
        return
    wrong = compare_number(context, subject, call, before, aggregate_of(subject.design, found))
    context.count_check("a number that may be behind is what it was when the stream was followed last")
    if wrong:
        tally.fail(f"{inputs}: before the stream was followed, {wrong}")


def _compare_early(context: ProofContext, subject: Subject, before: State, call: Call, found: list[Item]) -> None:
    expected = matching(context.facts, subject.meant, before, call)
    named = [context.identify(each) for each in found]
    wrong = compare_answers(context.facts, subject.meant, before, expected, named)
    context.count_check("a list that may be behind is what it was when the stream was followed last")
    if wrong:
        tally = context.tallies[subject.meant.id]
        tally.fail(f"{context.parameters(subject, call)}: before the stream was followed, {wrong}")
