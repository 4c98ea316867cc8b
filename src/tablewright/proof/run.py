"""The proof of a design: its tables on the embedded engine, its requests run, every answer and every item compared.

Beside the design runs an application that was made from the spec alone. Reads are compared with its answers; after
writes, the stored items must follow from its state, key by key, and reads must answer it. The units that the engine
bills are compared with the predicted ones, for the table and every index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.model import PatternProof, ProofReport
from tablewright.engine import Engine
from tablewright.proof.checks.awkward import check_awkward
from tablewright.proof.checks.following import check_following
from tablewright.proof.checks.lag import check_lag
from tablewright.proof.checks.loading import begin, load
from tablewright.proof.checks.predictions import check_predictions
from tablewright.proof.checks.races import check_races
from tablewright.proof.checks.reads import check_read
from tablewright.proof.checks.rules import check_rules
from tablewright.proof.checks.stored import compare_tables
from tablewright.proof.checks.writes import check_write
from tablewright.proof.context import PatternTally, ProofContext, open_context
from tablewright.proof.data import make_source
from tablewright.proof.past import with_near_past
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.spec.writes import effects_of

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tablewright.proof.application.state import Item
    from tablewright.spec.facts import Facts

ROUNDS = 24
FULL_COMPARISON_EVERY = 8
"""All items are compared once in so many rounds; the items that a write touches are compared every time."""


def prove(design: Design, *, seed: int = 1, rounds: int = ROUNDS) -> ProofReport:
    """Runs the design; where anything was wrong, `passed` is False and `failure` says what."""
    with Engine() as engine:
        context, put = make_context(design, engine, seed)
        counts = {name: len(items) + len(put.get(name, ())) for name, items in context.state.items.items()}
        log = context.log
        try:
            load(context, put)
            _run_all(context, rounds)
        except Exception as fault:  # noqa: BLE001 - a design that cannot even be stored has failed, too
            log.append(f"{type(fault).__name__} {fault}")
    return ProofReport(
        seed=seed,
        items={name: count for name, count in counts.items() if context.facts.spec.entities[name].kind == "entity"},
        patterns=tuple(_pattern_proof(each) for each in context.tallies.values()),
        invariants=dict(sorted(context.invariants.items())),
        passed=not log,
        failure=log[0] if log else "",
        unproven=unproven_of(design, context.facts),
    )


def make_context(design: Design, engine: Engine, seed: int) -> tuple[ProofContext, dict[str, list[Item]]]:
    """A proof that has its tables and its data, and by entity the items that are still to be put."""
    design = with_near_past(design)
    facts = facts_of(design)
    values = make_source(facts, seed=seed, odd=design.key_style == "plain")
    state, put = begin(values)
    return open_context(design, engine, values, state), put


def facts_of(design: Design) -> Facts:
    return assume(read_spec(design.spec))


def unproven_of(design: Design, facts: Facts) -> dict[str, str]:
    """By pattern the reason why it says less than it seems: a condition that nobody could read."""
    found = {each.id: each.unproven for each in design.patterns if each.unproven}
    for pattern in facts.spec.writes:
        unread = next((each.unread for each in effects_of(facts, pattern) if each.unread), "")
        if unread:
            found.setdefault(pattern.id, f'nobody could read its condition "{unread}"')
    return found


def _run_all(context: ProofContext, rounds: int) -> None:
    """Reads, writes, both with lag, then the reads again on the items that the writes have left."""
    for number in range(rounds):
        for each in context.reads:
            check_read(context, each, number)
    for number in range(rounds):
        for each in context.writes:
            check_write(context, each, number)
            if number % FULL_COMPARISON_EVERY == 0 or number == rounds - 1:
                compare_tables(context, context.tallies[each.meant.id])
    check_races(context)
    for number in range(max(2, rounds // 6)):
        check_lag(context, indexes_only=number % 2 == 0)
    for number in range(rounds // 3 if context.writes else 0):
        for each in context.reads:
            check_read(context, each, number)
    check_following(context)
    check_awkward(context)
    check_rules(context)
    check_predictions(context)
    compare_tables(context, next(iter(context.tallies.values())), "at last")


def _pattern_proof(tally: PatternTally) -> PatternProof:
    measured = max(1, tally.measured)
    return PatternProof(
        pattern=tally.pattern,
        runs=tally.runs,
        wrong=len(tally.wrong),
        measured_rcu=tally.rcu.measured / measured,
        predicted_rcu=tally.rcu.predicted / measured,
        measured_wcu=tally.wcu.measured / measured,
        predicted_wcu=tally.wcu.predicted / measured,
        exact=tally.exact,
        notes=tuple(tally.wrong[:3]),
    )
