"""Streams that are behind: many writes before anybody hears of them, then everything at once.

Until then a number or a list that may be behind is what it was when the stream was followed last, and nothing in
between, and what is copied of a parent is what that had at some time since then. Afterwards all is right, whatever came
in one batch, was cut short or came again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.expr.compare import is_equal
from tablewright.proof.answers import compare_answers
from tablewright.proof.application.reads import matching, returned
from tablewright.proof.calls import make_write_call
from tablewright.proof.checks.reads import compare_number
from tablewright.proof.checks.stored import advance, compare_tables, repair
from tablewright.proof.database import aggregate_of, run_reads
from tablewright.proof.questions import make_read_call
from tablewright.spec.parents import is_of_parent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.proof.application.state import Call, Item, State
    from tablewright.proof.context import ProofContext, Subject

COPIES = "what follows the stream sets every copy"
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
        states = [before, *_write_unheard(context)]
        for subject in _behind(context):
            for _ in range(ASKED):
                _ask_early(context, subject, before)
        for subject in _with_copies(context):
            for _ in range(ASKED):
                _ask_copies(context, subject, states)
        context.follow_streams(LONGEST_BATCH)
        tally = next(iter(context.tallies.values()))
        compare_tables(context, tally, "after the stream was followed")
        context.count_check("what follows the stream adds every change once" if _behind(context) else COPIES)


def _behind(context: ProofContext) -> list[Subject]:
    """Reads of numbers that are kept by a stream."""
    kept = {each.name for each in context.design.items if each.kind == "trailing"}
    return [each for each in context.reads if any(kept & set(step.items) for step in each.design.reads)]


def _with_copies(context: ProofContext) -> list[Subject]:
    """Reads that may be behind and answer with copies that a stream keeps."""
    kept = {
        (item.entity, each.copy_of.name)
        for item in context.design.items
        for each in item.attributes
        if each.copy_of is not None and each.copy_of.kept == "stream"
    }
    return [each for each in context.reads if any((each.meant.entity, name) in kept for name in each.meant.returns)]


def _write_unheard(context: ProofContext) -> Iterator[State]:
    """The states that the application goes through meanwhile."""
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
            yield context.state


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


def _ask_copies(context: ProofContext, subject: Subject, states: list[State]) -> None:
    """What is an item's own is as it is; what it has of a parent is as that has it, or had it since the last time."""
    tally = context.tallies[subject.meant.id]
    call = make_read_call(context.values, subject.meant, context.state, None)
    inputs = context.parameters(subject, call)
    found = run_reads(context.engine, context.compiled, subject.design.id, inputs).items
    there = [each.item for each in matching(context.facts, subject.meant, context.state, call)]
    tally.runs += 1
    context.count_check("what is copied of a parent is what it has, or had when the stream was followed last")
    if len(found) != min(len(there), subject.meant.limit or len(there)):
        tally.fail(f"{inputs}: answered {len(found)} items before the stream was followed, and there are {len(there)}")
    for _, item in map(context.identify, found):
        if not any(_is_late(context, subject, states, each, item) for each in there):
            tally.fail(f"{inputs}: answered {item} before the stream was followed, which no item is or was")


def _is_late(context: ProofContext, subject: Subject, states: list[State], own: Item, answered: Item) -> bool:
    """Whether an answer is about an item, with what its parents have or had."""
    entity, spec = subject.meant.entity, context.facts.spec
    for name in subject.meant.returns:
        of_parent = is_of_parent(spec.entities[entity], name)
        known = [
            returned(context.facts, state, (entity, own), name) for state in (states if of_parent else states[-1:])
        ]
        value = answered.get(name)
        if not any(value is each is None or (None not in (value, each) and is_equal(value, each)) for each in known):
            return False
    return True
