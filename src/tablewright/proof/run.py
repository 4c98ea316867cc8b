"""The proof of a design: its tables on the embedded engine, its requests run, every answer and every item compared.

Reads are asked many times and compared with brute force. Writes are run many times while plain objects are changed
alongside; what is stored afterwards must follow from the objects, key by key. Then all reads are asked again. What
the engine bills is compared with what the arithmetic says, place by place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.model import PatternProof, ProofReport
from tablewright.design.steps.compile import compile_design
from tablewright.engine import Engine
from tablewright.proof.checks import compare_all, fill, try_read, try_write
from tablewright.proof.context import Scene, Tally
from tablewright.proof.data import source, synthesise
from tablewright.proof.database import create_tables
from tablewright.proof.expected import shelved
from tablewright.proof.items import hidden_names, item_type, labels_of, references
from tablewright.proof.reference_model import Inside, Rules
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tablewright.spec.facts import Facts

ROUNDS = 24
TOLERANCE = 0.05
WHOLE = 8
"""All items are compared in every so many rounds; what a write touches is, every time."""


def prove(design: Design, *, seed: int = 1, rounds: int = ROUNDS) -> ProofReport:
    """What came of running the design; `passed` is False, and `failure` says why, where anything was wrong."""
    facts = facts_of(design)
    values = source(facts, seed=seed, odd=design.key_style == "plain")
    things = synthesise(values)
    counts = {name: len(found) for name, found in things.items()}
    with Engine() as engine:
        create_tables(engine, design)
        scene = Scene(
            engine=engine,
            design=design,
            compiled=compile_design(design),
            facts=facts,
            values=values,
            things=things,
            shelf=shelved(design, things),
            rules=rules_of(design),
            labels=labels_of(design),
            hidden=hidden_names(design),
        )
        fill(scene)
        tallies = run_all(scene, rounds)
    patterns = tuple(pattern_proof(each) for each in tallies.values())
    failure = next((f"{each.pattern}: {each.wrong[0]}" for each in tallies.values() if each.wrong), "")
    return ProofReport(
        seed=seed,
        items=counts,
        patterns=patterns,
        invariants=dict(sorted(scene.invariants.items())),
        passed=not failure,
        failure=failure,
    )


def rules_of(design: Design) -> Rules:
    """Sentinels, totals and things inside an item allow it to be put only once; see `ItemType`."""
    inside = tuple(
        Inside(each.entity, item_type(design, each.holder).entity, references(design, each))
        for each in design.items
        if each.kind == "embedded"
    )
    once = {each.entity for each in design.items if each.kind in ("sentinel", "total")}
    return Rules(frozenset(once | {each.holder for each in inside}), inside)


def facts_of(design: Design) -> Facts:
    return assume(read_spec(design.spec))


def run_all(scene: Scene, rounds: int) -> dict[str, Tally]:
    """Reads, writes, then the reads again on what the writes have left."""
    tallies = {each.id: Tally(pattern=each.id) for each in scene.design.patterns}
    patterns = {each.id: each for each in (*scene.facts.spec.patterns, *scene.facts.implied)}
    reads = [each for each in scene.design.patterns if each.kind != "write"]
    writes = [each for each in scene.design.patterns if each.kind == "write"]
    for number in range(rounds):
        for each in reads:
            try_read(scene, each, patterns[each.id], tallies[each.id], number)
    for number in range(rounds):
        for each in writes:
            try_write(scene, each, patterns[each.id], tallies[each.id], number)
            if number % WHOLE == 0 or number == rounds - 1:
                compare_all(scene, tallies[each.id])
    for number in range(rounds // 3 if writes else 0):
        for each in reads:
            try_read(scene, each, patterns[each.id], tallies[each.id], number)
    for tally in tallies.values():
        tally.settle(TOLERANCE)
    return tallies


def pattern_proof(tally: Tally) -> PatternProof:
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
