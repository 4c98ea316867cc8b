"""Writes: done or refused as the application does, whole or not at all, once for a token, at the predicted price."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.proof.calls import make_write_call
from tablewright.proof.checks.awkward import is_unholdable
from tablewright.proof.checks.races import check_race
from tablewright.proof.checks.reads import check_read
from tablewright.proof.checks.stored import advance, compare_tables, compare_touched, difference, repair, stored_after
from tablewright.proof.database import add_units
from tablewright.proof.refreshed import refreshing_rcu, refreshing_wcu
from tablewright.proof.units import known_first_units, writing_units
from tablewright.spec.listing import entities_read

if TYPE_CHECKING:
    from tablewright.proof.application.state import Applied, Call
    from tablewright.proof.context import PatternTally, ProofContext, Subject
    from tablewright.proof.database import Outcome
    from tablewright.proof.units import Units

FOLLOWED = 2
"""How many reads are asked about what a write changed."""


def check_write(context: ProofContext, subject: Subject, number: int) -> None:
    """A run as it should go; some runs begin with one that must be refused, or have another writer."""
    tally = context.tallies[subject.meant.id]
    call = make_write_call(context.values, subject.meant, context.state, context.next_number())
    tally.runs += 1
    before = len(tally.wrong)
    try:
        if number % 4 == 1:
            _check_atomic(context, subject, call, tally)
        if number % 4 >= 2 and check_race(context, subject, call, tally, alike=number % 4 == 3):
            return
        applied = run_and_check(context, subject, call, tally)
        if applied is not None and applied.changed and subject.meant.idempotent:
            _check_token(context, subject, call, tally)
        if applied is not None and applied.changed:
            _ask_about(context, applied)
    except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
        tally.fail(f"{context.parameters(subject, call)}: {type(fault).__name__} {fault}")
    if len(tally.wrong) > before:
        repair(context)


def run_and_check(context: ProofContext, subject: Subject, call: Call, tally: PatternTally) -> Applied | None:
    """What the application made of it; None where it refused, or the design did something else."""
    inputs = context.parameters(subject, call)
    applied = context.try_write(subject, call)
    predicted_rcu = _reading_units(context, subject, inputs)
    outcome = context.run_write(subject, call)
    if applied is None:
        _check_refused(context, outcome, tally, inputs, "what must be refused is refused")
        return None
    if applied.changed and outcome.result == "refused" and is_unholdable(context, applied):
        compare_tables(context, tally, f"{inputs}: refused, but")
        return None
    if (applied.changed or applied.along) and outcome.result != "written":
        tally.fail(f"{inputs}: {outcome.result}, but it should have been written")
        return None
    before = context.stored
    images = advance(context, applied, subject.design)
    compare_touched(context, {*images.before, *images.after, *images.written}, tally, inputs)
    if applied.changed:
        tally.measured += 1
        if not subject.design.cascade:  # how often a cascade looks again depends on what it meets
            tally.compare_units("read", outcome.rcu, predicted_rcu)
        written = writing_units(context.design, subject.design, before, applied)
        along = refreshing_wcu(context.design, subject.design, before, applied, inputs)
        tally.compare_units("write", outcome.wcu, add_units([written, along]))
    return applied


def _reading_units(context: ProofContext, subject: Subject, inputs: dict[str, Any]) -> Units:
    """What is read first, and where copies are to be set."""
    first = known_first_units(context.design, context.stored, subject.design.reads, inputs)
    return add_units([first, refreshing_rcu(context.design, subject.design, context.stored, inputs)])


def _check_refused(
    context: ProofContext, outcome: Outcome, tally: PatternTally, inputs: dict[str, Any], what: str
) -> None:
    if outcome.result == "written" and any(outcome.wcu.values()):
        tally.fail(f"{inputs}: it was written, but it had to be refused")
        repair(context)
    elif not compare_tables(context, tally, f"{inputs}: refused, but"):
        return
    context.count_check(what)


def _ask_about(context: ProofContext, applied: Applied) -> None:
    """What was written is what is read, by patterns in turn."""
    change = applied.changed[0]
    item = change.after or change.before
    fitting = [each for each in context.reads if change.entity in entities_read(context.facts.spec, each.meant)]
    for _ in range(min(FOLLOWED, len(fitting)) if item is not None else 0):
        turn = context.next_number()
        check_read(context, fitting[turn % len(fitting)], turn, (change.entity, item or {}))


# ---- once, and whole ------------------------------------------------------------------------------------------------


def _check_token(context: ProofContext, subject: Subject, call: Call, tally: PatternTally) -> None:
    """The same request once more changes nothing, and is no error."""
    outcome = context.run_write(subject, call)
    context.count_check("the same token twice has the effect of once")
    if outcome.result != "written":
        tally.fail(f"{context.parameters(subject, call)}: {outcome.result} when sent again with its token")
    compare_tables(context, tally, f"{context.parameters(subject, call)}, sent again:")


def _check_atomic(context: ProofContext, subject: Subject, call: Call, tally: PatternTally) -> None:
    """With one failing condition in the transaction, nothing is written."""
    applied = context.try_write(subject, call)
    if applied is None or not applied.changed or not (subject.design.transaction or len(subject.design.writes) > 1):
        return
    other = msgspec.structs.replace(call, token=f"{call.token}-failing")
    outcome = context.run_write(subject, other, also=(_failing_action(context),))
    what = "a transaction happens whole or not at all"
    inputs = context.parameters(subject, call)
    if outcome.result == "written" and any(outcome.wcu.values()):
        tally.fail(f"{inputs}: it was written, although a condition of its transaction failed")
    _, touched = stored_after(context, [applied])
    wrong = difference(context, context.stored, touched)
    if wrong:
        tally.fail(f"{inputs}: a part of a refused transaction was written: {wrong}")
        repair(context)
    context.count_check(what)


def _failing_action(context: ProofContext) -> dict[str, Any]:
    table = context.design.tables[0]
    key = {table.pk.name: "nobody", table.sk.name: "nothing"}
    params = {
        "TableName": table.name,
        "Key": key,
        "ConditionExpression": "attribute_exists(#pk)",
        "ExpressionAttributeNames": {"#pk": table.pk.name},
    }
    return {"ConditionCheck": params}
