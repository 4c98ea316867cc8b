"""Estimates: what a pattern is said to take by the spec's volumes, held against runs on data in their proportions.

The data is smaller than the spec's: fewer parents with whole collections, as far as that goes. Where it does not, the
estimate is computed once more for the volumes that there are. A difference of more than 5% must have a reason that
can be shown: chance, by its standard error, or that requests are rounded up one by one, where the bytes agree.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.model import EstimateReport, PatternEstimate
from tablewright.design.tables import table_of
from tablewright.engine import Engine
from tablewright.errors import DesignError
from tablewright.proof.application.state import state_of, with_changes
from tablewright.proof.checks.stored import advance, fill_tables
from tablewright.proof.context import ProofContext, open_context
from tablewright.proof.data import make_source
from tablewright.proof.database import run_reads
from tablewright.proof.expected import expected_items, images_of, instances_of, with_images
from tablewright.proof.population.calls import read_calls, write_call
from tablewright.proof.population.conditions import met_by
from tablewright.proof.population.items import Population, populate
from tablewright.proof.population.scale import resized, shares_for
from tablewright.proof.recomputed import estimates_of
from tablewright.proof.units import known_first_units, read_bytes, read_units, writing_units
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.design.model import Design
    from tablewright.proof.application.state import Changed, State
    from tablewright.proof.context import Subject
    from tablewright.proof.expected import StoredItems
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Spec

TOLERANCE = 0.05
FEW_ITEMS, FEW_RUNS = 1_500, 24
"""What every proof is content with."""
MOST_ITEMS, MOST_RUNS = 50_000, 200
TRIES = 40


class _Run(msgspec.Struct, frozen=True):
    """Units of one run."""

    measured_rcu: float
    predicted_rcu: float
    measured_wcu: float = 0.0
    predicted_wcu: float = 0.0
    bytes_read: float = 0.0


class _Sample(msgspec.Struct, frozen=True):
    """Runs of one pattern; `inputs` tells those apart that are about the same."""

    runs: Sequence[_Run]
    inputs: Sequence[str]
    is_all: bool = False

    def mean(self, name: str) -> float:
        return fmean(getattr(each, name) for each in self.runs) if self.runs else 0.0

    def error(self, name: str) -> float:
        """The standard error of a mean; none where everything was asked. What is asked again tells nothing new."""
        count = len(self.runs)
        if count < 2 or self.is_all:
            return 0.0
        again = Counter(self.inputs)
        return stdev(getattr(each, name) for each in self.runs) * sqrt(sum((n / count) ** 2 for n in again.values()))


def check_estimates(
    design: Design, *, seed: int = 1, most_items: int = FEW_ITEMS, most_runs: int = FEW_RUNS
) -> EstimateReport:
    """The comparison for every pattern; what can not be computed or run has failed."""
    whole = assume(read_spec(design.spec))
    shares = shares_for(whole, most_items)
    facts = assume(_done_writes(resized(whole.spec, whole, shares)))
    population = populate(facts, seed)
    counts = {name: len(items) for name, items in population.items.items() if items}
    there = {name: count / whole.counts[name] for name, count in counts.items()}
    try:
        estimated = estimates_of(design, whole, _done_writes)
        smaller = estimates_of(design, whole, lambda spec: _done_writes(resized(spec, whole, there)))
        with Engine() as engine:
            samples = _run_all(_open(design, engine, facts, population, seed), population, most_runs)
    except DesignError as fault:
        return EstimateReport(items={}, shares=shares, patterns=(), passed=False, failure=str(fault))
    lines = tuple(_compare(samples[each], estimated[each], smaller[each]) for each in samples)
    return EstimateReport(
        items=counts,
        shares=there,
        patterns=lines,
        passed=all(each.passed for each in lines),
    )


def _done_writes(spec: Spec) -> Spec:
    """The same without writes that are refused: all that run here are done."""
    patterns = tuple(each if each.is_read else msgspec.structs.replace(each, failures=0.0) for each in spec.patterns)
    return msgspec.structs.replace(spec, patterns=patterns)


def _open(design: Design, engine: Engine, facts: Facts, population: Population, seed: int) -> ProofContext:
    values = make_source(facts, seed=seed, odd=False)
    context = open_context(design, engine, values, state_of(facts.spec, population.items))
    context.stored = expected_items(design, instances_of(context.state))
    fill_tables(context)
    return context


# ---- runs -----------------------------------------------------------------------------------------------------------


def _run_all(context: ProofContext, population: Population, most: int) -> dict[str, _Sample]:
    reads = {each.meant.id: _read(context, population, each, most) for each in context.reads}
    writes = {each.meant.id: _write(context, population, each, most) for each in context.writes}
    return {each.id: {**reads, **writes}[each.id] for each in context.design.patterns}


def _read(context: ProofContext, population: Population, subject: Subject, most: int) -> _Sample:
    calls, is_all = read_calls(population, subject.meant, context.state, most)
    runs: list[_Run] = []
    for call in calls:
        inputs = context.parameters(subject, call)
        spent = run_reads(context.engine, context.compiled, subject.design.id, inputs).rcu
        asked = (context.design, context.stored, subject.design.reads, inputs)
        runs.append(
            _Run(sum(spent.values()), sum(read_units(*asked).values()), bytes_read=read_bytes(*asked)),
        )
    return _Sample(runs, [str(call) for call in calls], is_all)


def _write(context: ProofContext, population: Population, subject: Subject, most: int) -> _Sample:
    """Calls that the application would refuse are made again, with other items; each run is undone."""
    runs: list[_Run] = []
    for tried in range(most * TRIES):
        if len(runs) == most or (not runs and tried == TRIES):
            break
        state, stored = context.state, context.stored
        run = _write_once(context, population, subject)
        _restore(context, state, stored)
        runs += [] if run is None else [run]
    return _Sample(runs, [str(at) for at in range(len(runs))])


def _write_once(context: ProofContext, population: Population, subject: Subject) -> _Run | None:
    call = write_call(population, subject.meant, context.state)
    applied = context.try_write(subject, call)
    if applied is None:
        _place(context, met_by(population, subject.meant, context.state, call))
        applied = context.try_write(subject, call)
    if applied is None or not applied.changed:
        return None
    inputs, before = context.parameters(subject, call), context.stored
    predicted_rcu = known_first_units(context.design, before, subject.design.reads, inputs)
    outcome = context.run_write(subject, call)
    advance(context, applied, subject.design)
    if outcome.result != "written":
        return None
    predicted_wcu = writing_units(context.design, subject.design, before, applied)
    return _Run(
        sum(outcome.rcu.values()), sum(predicted_rcu.values()), sum(outcome.wcu.values()), sum(predicted_wcu.values())
    )


def _place(context: ProofContext, changes: list[Changed]) -> None:
    """Stores other items in the place of some."""
    state, stored = with_changes(context.facts.spec, context.state, changes), context.stored
    images = images_of(context.design, stored, changes, instances_of(state))
    _store(context, stored, with_images(stored, images))
    context.state = state


def _restore(context: ProofContext, state: State, stored: StoredItems) -> None:
    _store(context, context.stored, stored)
    context.state = state


def _store(context: ProofContext, old: StoredItems, new: StoredItems) -> None:
    """Writes what differs between two contents of the tables."""
    for key in old.keys() - new.keys():
        names = table_of(context.design, key[0])
        wanted = marshal_item({names.pk.name: key[1], names.sk.name: key[2]})
        context.engine.call("DeleteItem", {"TableName": key[0], "Key": wanted})
    for key, item in new.items():
        if old.get(key) is not item:
            context.engine.call("PutItem", {"TableName": key[0], "Item": marshal_item(item)})
    context.stored = new


# ---- verdicts -------------------------------------------------------------------------------------------------------


def _compare(sample: _Sample, estimated: Prediction, smaller: Prediction) -> PatternEstimate:
    failures = [each for each in (_difference(sample, smaller, "rcu"), _difference(sample, smaller, "wcu")) if each]
    return PatternEstimate(
        pattern=estimated.pattern,
        runs=len(sample.runs),
        estimated_rcu=estimated.rcu,
        estimated_wcu=estimated.wcu,
        recomputed_rcu=smaller.rcu,
        recomputed_wcu=smaller.wcu,
        predicted_rcu=sample.mean("predicted_rcu"),
        predicted_wcu=sample.mean("predicted_wcu"),
        measured_rcu=sample.mean("measured_rcu"),
        measured_wcu=sample.mean("measured_wcu"),
        standard_error=sample.error("measured_wcu" if smaller.wcu else "measured_rcu"),
        passed=not any(each.startswith("!") for each in failures),
        explanation="; ".join(each.lstrip("!") for each in failures),
    )


def _difference(sample: _Sample, smaller: Prediction, kind: str) -> str:
    """Why measured and estimated units differ; empty where they do not, with a mark where nothing explains it."""
    if not sample.runs:
        return "no run succeeded" if kind == "rcu" else ""
    meant, found = getattr(smaller, kind), sample.mean(f"measured_{kind}")
    apart = abs(meant - found)
    if apart <= TOLERANCE * max(meant, found):
        return ""
    error = sample.error(f"measured_{kind}")
    if apart <= 2 * error:
        return f"chance: the standard error is {error:.2g}"
    read = sample.mean("bytes_read")
    if kind == "rcu" and read and abs(read - smaller.bytes_read) <= TOLERANCE * read + 2 * sample.error("bytes_read"):
        return f"rounding: {read:,.0f} bytes are read on average, {smaller.bytes_read:,.0f} were estimated"
    return f"!{found:.3g} {kind.upper()} were measured, {meant:.3g} estimated ({read:,.0f} bytes, {smaller.bytes_read:,.0f})"
