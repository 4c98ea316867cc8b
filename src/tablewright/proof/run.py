"""The proof of a design: its tables on the embedded engine, its requests run, every answer and every item compared.

Reads run many times and are compared with brute force. Writes run many times while plain objects are changed alongside;
the stored items must follow from the objects, key by key. Then all reads run again. The units that the engine bills are
compared with the predicted ones, for the table and every index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.model import PatternProof, ProofReport
from tablewright.design.steps.compile import compile_design
from tablewright.engine import Engine
from tablewright.proof.checks import check_read, check_write, compare_tables, fill_tables
from tablewright.proof.context import PatternTally, ProofContext
from tablewright.proof.data import make_instances, make_source
from tablewright.proof.database import create_tables
from tablewright.proof.expected import expected_items
from tablewright.proof.items import hidden_names, item_type, labels_of, references
from tablewright.proof.reference_model import EmbeddedEntity, StorageRules
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tablewright.spec.facts import Facts

ROUNDS = 24
TOLERANCE = 0.05
FULL_COMPARISON_EVERY = 8
"""All items are compared once in so many rounds; the items that a write touches are compared every time."""


def prove(design: Design, *, seed: int = 1, rounds: int = ROUNDS) -> ProofReport:
    """Runs the design; where anything was wrong, `passed` is False and `failure` says what."""
    facts = facts_of(design)
    values = make_source(facts, seed=seed, odd=design.key_style == "plain")
    instances = make_instances(values)
    counts = {name: len(found) for name, found in instances.items()}
    with Engine() as engine:
        create_tables(engine, design)
        context = ProofContext(
            engine=engine,
            design=design,
            compiled=compile_design(design),
            facts=facts,
            values=values,
            instances=instances,
            stored=expected_items(design, instances),
            rules=rules_of(design),
            labels=labels_of(design),
            hidden=hidden_names(design),
        )
        fill_tables(context)
        tallies = _run_all(context, rounds)
    patterns = tuple(_pattern_proof(each) for each in tallies.values())
    failure = next((f"{each.pattern}: {each.wrong[0]}" for each in tallies.values() if each.wrong), "")
    return ProofReport(
        seed=seed,
        items=counts,
        patterns=patterns,
        invariants=dict(sorted(context.invariants.items())),
        passed=not failure,
        failure=failure,
    )


def rules_of(design: Design) -> StorageRules:
    """Sentinels, totals and instances inside an item allow it to be put only once; see `ItemType`."""
    inside = tuple(
        EmbeddedEntity(each.entity, item_type(design, each.holder).entity, references(design, each))
        for each in design.items
        if each.kind == "embedded"
    )
    once = {each.entity for each in design.items if each.is_companion}
    return StorageRules(frozenset(once | {each.holder for each in inside}), inside)


def facts_of(design: Design) -> Facts:
    return assume(read_spec(design.spec))


def _run_all(context: ProofContext, rounds: int) -> dict[str, PatternTally]:
    """Reads, writes, then the reads again on the items that the writes have left."""
    tallies = {each.id: PatternTally(pattern=each.id) for each in context.design.patterns}
    patterns = {each.id: each for each in (*context.facts.spec.patterns, *context.facts.implied)}
    reads = [each for each in context.design.patterns if each.kind != "write"]
    writes = [each for each in context.design.patterns if each.kind == "write"]
    for number in range(rounds):
        for each in reads:
            check_read(context, each, patterns[each.id], tallies[each.id], number)
    for number in range(rounds):
        for each in writes:
            check_write(context, each, patterns[each.id], tallies[each.id], number)
            if number % FULL_COMPARISON_EVERY == 0 or number == rounds - 1:
                compare_tables(context, tallies[each.id])
    for number in range(rounds // 3 if writes else 0):
        for each in reads:
            check_read(context, each, patterns[each.id], tallies[each.id], number)
    for tally in tallies.values():
        tally.check_units(TOLERANCE)
    return tallies


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
