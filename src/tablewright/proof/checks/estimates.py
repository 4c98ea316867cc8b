"""Estimates: what a pattern is said to take by the spec's volumes, held against runs on data in their proportions.

The data is smaller than the spec's: fewer parents with whole collections, as far as that goes. Where it does not, the
estimate is computed once more for the volumes that there are. A difference of more than 5% must have a reason that
can be shown: chance, by its standard error, or that requests are rounded up one by one, where the bytes agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.model import EstimateReport, PatternEstimate, SizeEstimate
from tablewright.design.serving.answers import answer_items
from tablewright.design.tables import table_of
from tablewright.engine import Engine
from tablewright.errors import DesignError
from tablewright.proof.application.state import state_of, with_changes
from tablewright.proof.checks.stored import advance, fill_tables
from tablewright.proof.context import ProofContext, open_context
from tablewright.proof.data import make_source
from tablewright.proof.database import add_units, run_reads
from tablewright.proof.expected import expected_items, images_of, instances_of, with_images
from tablewright.proof.past import DAY, SECONDS, with_whole_past
from tablewright.proof.population.calls import read_calls, write_call
from tablewright.proof.population.conditions import met_by, with_what_goes, with_what_is_asked
from tablewright.proof.population.items import Population, populate
from tablewright.proof.population.scale import resized, shares_for
from tablewright.proof.recomputed import Estimates, estimates_of
from tablewright.proof.refreshed import refreshing_bytes, refreshing_rcu, refreshing_wcu
from tablewright.proof.units import known_first_bytes, known_first_units, read_bytes, read_units, writing_units
from tablewright.spec.facts import assume
from tablewright.spec.listing import list_pattern, listing_of
from tablewright.spec.read import read_spec
from tablewright.spec.volumes import age_days, matching
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import READ_UNIT_BYTES
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, PatternDesign
    from tablewright.proof.application.state import Call, Changed, State
    from tablewright.proof.context import Subject
    from tablewright.proof.expected import StoredItems
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Spec

TOLERANCE = 0.05
FEW_ITEMS, FEW_RUNS = 600, 12
"""What every proof is content with."""
MOST_ITEMS, MOST_RUNS = 50_000, 100
MORE = 6
"""So many times the runs, where they differ from the estimate by more than is tolerated."""
LIKELY = 3.0
"""Standard errors that chance may account for: one in 370 is further off."""
TRIES = 40


class _Run(msgspec.Struct, frozen=True):
    """Units of one run."""

    measured_rcu: float
    predicted_rcu: float
    measured_wcu: float = 0.0
    predicted_wcu: float = 0.0
    bytes_read: float = 0.0


class _Sample(msgspec.Struct, frozen=True):
    """Runs of one pattern, and what each was asked; `is_all`: there is nothing else to ask."""

    runs: Sequence[_Run]
    asked: Sequence[Mapping[str, Any]]
    is_all: bool = False

    def mean(self, name: str) -> float:
        return fmean(getattr(each, name) for each in self.runs) if self.runs else 0.0

    def error(self, name: str) -> float:
        """The standard error of a mean; none where everything was asked. What is asked again tells nothing new."""
        count = len(self.runs)
        if count < 2 or self.is_all:
            return 0.0
        again = Counter(map(str, self.asked))
        spread: float = stdev(getattr(each, name) for each in self.runs)
        return spread * sqrt(sum((many / count) ** 2 for many in again.values()))


def check_estimates(
    design: Design, *, seed: int = 1, most_items: int = FEW_ITEMS, most_runs: int = FEW_RUNS
) -> EstimateReport:
    """The comparison for every pattern and item type."""
    design = with_whole_past(design)
    whole = assume(read_spec(design.spec))
    facts = assume(_done_writes(resized(whole.spec, whole, shares_for(whole, most_items))))
    population = populate(facts, seed)
    counts = {name: len(items) for name, items in population.items.items() if items}
    shares = {name: count / whole.counts[name] for name, count in counts.items()}
    report = EstimateReport(items=counts, shares=shares, patterns=(), passed=False)

    def shrink(spec: Spec) -> Spec:
        return _done_writes(resized(spec, whole, shares))

    try:
        estimated = estimates_of(design, whole, _done_writes)
        smaller, unlimited = (estimates_of(each, whole, shrink) for each in (design, _unlimited(design)))
        with Engine() as engine:
            context = _open(design, engine, facts, population, seed)
            trial = _Trial(context, population, most_runs, smaller.predictions, unlimited)
            sizes = tuple(_compare_sizes(context, smaller.bytes))
            subjects = [context.subjects[each.id] for each in design.patterns]
            lines = tuple(_compare(trial, each, estimated.predictions[each.meant.id]) for each in subjects)
    except DesignError as fault:  # keys that no search would choose: nothing is known of what they take
        return msgspec.structs.replace(report, failure=str(fault))
    passed = all(each.passed for each in lines) and all(each.passed for each in sizes)
    return msgspec.structs.replace(report, patterns=lines, sizes=sizes, passed=passed)


class _Trial(msgspec.Struct, frozen=True):
    """What runs are made with, and what they are held against."""

    context: ProofContext
    population: Population
    runs: int
    estimates: Mapping[str, Prediction]
    unlimited: Estimates  # of the same patterns, their lists read to the end

    def sample(self, subject: Subject, times: int = 1) -> _Sample:
        take = _read if subject.meant.is_read else _write
        return take(self.context, self.population, subject, self.runs * times)


def _unlimited(design: Design) -> Design:
    return msgspec.structs.replace(design, patterns=tuple(map(_without_limits, design.patterns)))


def _without_limits(pattern: PatternDesign) -> PatternDesign:
    reads = tuple(msgspec.structs.replace(each, limit=None) for each in pattern.reads)
    return msgspec.structs.replace(pattern, reads=reads)


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


def _read(context: ProofContext, population: Population, subject: Subject, most: int) -> _Sample:
    state, stored = context.state, context.stored
    _place(context, with_what_is_asked(population, subject.meant, state))
    calls, is_all = read_calls(population, subject.meant, context.state, most)
    runs: list[_Run] = []
    questions = [context.parameters(subject, call) for call in calls]
    for inputs in questions:
        spent = run_reads(context.engine, context.compiled, subject.design.id, inputs).rcu
        asked = (context.design, context.stored, subject.design.reads, inputs)
        runs.append(
            _Run(sum(spent.values()), sum(read_units(*asked).values()), bytes_read=read_bytes(*asked)),
        )
    _restore(context, state, stored)
    return _Sample(runs, questions, is_all)


def _write(context: ProofContext, population: Population, subject: Subject, most: int) -> _Sample:
    """Calls that the application would refuse are made again, with other items; each run is undone."""
    runs: list[_Run] = []
    about: list[Mapping[str, Any]] = []
    for tried in range(most * TRIES):
        if len(runs) == most or (not runs and tried == TRIES):
            break
        state, stored = context.state, context.stored
        call = write_call(population, subject.meant, context.state)
        run = _write_once(context, population, subject, call)
        _restore(context, state, stored)
        if run is not None:
            runs.append(run)
            about.append(call.by)
    return _Sample(runs, about)


def _write_once(context: ProofContext, population: Population, subject: Subject, call: Call) -> _Run | None:
    _place(context, with_what_goes(population, subject.meant, context.state, call))
    applied = context.try_write(subject, call)
    if applied is None:
        _place(context, met_by(population, subject.meant, context.state, call))
        applied = context.try_write(subject, call)
    if applied is None or not applied.changed:
        return None
    inputs, before = context.parameters(subject, call), context.stored
    asked = (context.design, before, subject.design.reads, inputs)
    along = (context.design, subject.design, before, inputs)
    outcome = context.run_write(subject, call)
    advance(context, applied, subject.design)
    if outcome.result != "written":
        return None
    predicted_wcu = add_units(
        [
            writing_units(context.design, subject.design, before, applied),
            refreshing_wcu(context.design, subject.design, before, applied, inputs),
        ]
    )
    return _Run(
        sum(outcome.rcu.values()),
        sum(known_first_units(*asked).values()) + sum(refreshing_rcu(*along).values()),
        sum(outcome.wcu.values()),
        sum(predicted_wcu.values()),
        known_first_bytes(*asked) + refreshing_bytes(*along),
    )


def _place(context: ProofContext, changes: list[Changed]) -> None:
    """Stores other items in the place of some."""
    if not changes:
        return
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
    context.skip_streams()
    context.stored = new


# ---- verdicts -------------------------------------------------------------------------------------------------------


def _compare(trial: _Trial, subject: Subject, estimated: Prediction) -> PatternEstimate:
    """Where the first runs differ from the estimate, more are made."""
    smaller = trial.estimates[subject.meant.id]
    sample = trial.sample(subject)
    if not sample.is_all and not subject.design.cascade and any(_is_apart(sample, smaller, kind) for kind in KINDS):
        sample = trial.sample(subject, MORE)
    reasons = [_reason(trial, subject, sample, kind) for kind in KINDS if _is_apart(sample, smaller, kind)]
    return PatternEstimate(
        pattern=subject.meant.id,
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
        passed=None not in reasons,
        explanation="; ".join(each or _unexplained(sample, smaller) for each in reasons) if sample.runs else NO_RUN,
    )


def _unexplained(sample: _Sample, smaller: Prediction) -> str:
    bytes_read = f"; {sample.mean('bytes_read'):,.0f} bytes a run, {smaller.bytes_read:,.0f} estimated"
    return f"not explained{bytes_read if smaller.bytes_read else ''}"


KINDS = ("rcu", "wcu")
NO_RUN = "no run succeeded: no items were found that meet its condition"


def _is_apart(sample: _Sample, smaller: Prediction, kind: str) -> bool:
    meant, found = getattr(smaller, kind), sample.mean(f"measured_{kind}")
    return bool(sample.runs) and abs(meant - found) > TOLERANCE * max(meant, found)


def _reason(trial: _Trial, subject: Subject, sample: _Sample, kind: str) -> str | None:
    """Why measured and estimated units differ, as far as it can be shown."""
    smaller = trial.estimates[subject.meant.id]
    error = sample.error(f"measured_{kind}")
    if abs(getattr(smaller, kind) - sample.mean(f"measured_{kind}")) <= LIKELY * error:
        return f"chance: the standard error is {error:.2g}"
    if kind == "rcu" and not subject.design.cascade:
        reasons = (_limits, _walks, _names, _said_lengths)
        found = (each(trial, subject, sample) for each in reasons)
        return _rounding(subject, sample, smaller) or next((each for each in found if each), None)
    return None


def _rounding(subject: Subject, sample: _Sample, smaller: Prediction) -> str | None:
    """Lists differ in length, and every request is rounded up: a mean of rounded numbers is no rounded mean.

    That is no excuse for an estimate that is not the rounded bytes itself, up to a step for every request.
    """
    read, meant = sample.mean("bytes_read"), smaller.bytes_read
    if abs(read - meant) > TOLERANCE * max(read, meant) + LIKELY * sample.error("bytes_read"):
        return None
    if not _is_rounded(subject, smaller):
        return None
    return f"each request is rounded up by itself: {read:,.0f} bytes a run, {meant:,.0f} estimated"


def _is_rounded(subject: Subject, smaller: Prediction) -> bool:
    """Whether an estimate is that of its bytes, up to a step for every request."""
    steps = subject.design.reads
    step = 1.0 if any(each.consistent for each in steps) else 0.5
    rounded = smaller.requests + (smaller.items if any(each.operation == "BatchGetItem" for each in steps) else 0.0)
    plain = smaller.bytes_read / READ_UNIT_BYTES * step
    return plain * (1 - TOLERANCE) <= smaller.rcu <= (plain + step * rounded) * (1 + TOLERANCE)


def _said_lengths(trial: _Trial, subject: Subject, sample: _Sample) -> str | None:
    """The spec says how long the answers are that people ask for; lists in the data are as long as they are on average.

    What can be compared is one item of such a list.
    """
    meant, smaller = subject.meant, trial.estimates[subject.meant.id]
    if (
        meant.items is None
        or meant.range
        or meant.filter
        or len(meant.entities) > 1
        or not _is_rounded(subject, smaller)
    ):
        return None
    items = trial.population.items[meant.entity]
    lengths = [sum(all(each.get(name) == asked[name] for name in meant.by) for each in items) for asked in sample.asked]
    length = fmean([min(each, meant.limit or each) for each in lengths] or [0])
    if not length or not smaller.items:
        return None
    read, estimated = sample.mean("bytes_read") / length, smaller.bytes_read / smaller.items
    if abs(read - estimated) > TOLERANCE * max(read, estimated):
        return None
    said = f"the spec says answers of {meant.items:,.0f} items, and lists have {length:,.0f} here"
    return f"{said}: {read:,.0f} bytes an item, {estimated:,.0f} estimated"


def _limits(trial: _Trial, subject: Subject, sample: _Sample) -> str | None:
    """Lists differ in length, and only the longer ones are cut: without their limit they are as long as estimated.

    What is cut off the longer ones the shorter ones never had: so less is read than estimated, and the estimate is no
    more than what a list has that is cut.
    """
    if not subject.meant.is_read or all(each.limit is None for each in subject.design.reads):
        return None
    smaller, spread = trial.estimates[subject.meant.id].bytes_read, LIKELY * sample.error("bytes_read")
    found = sample.mean("bytes_read")
    longest = max(each.bytes_read for each in sample.runs)
    if not found - spread <= (1 + TOLERANCE) * smaller or smaller > (1 + TOLERANCE) * longest:
        return None
    steps, context = _without_limits(subject.design).reads, trial.context
    read = fmean(read_bytes(context.design, context.stored, steps, inputs) for inputs in sample.asked)
    meant = trial.unlimited.predictions[subject.meant.id].bytes_read
    if abs(read - meant) > TOLERANCE * max(read, meant) + LIKELY * sample.error("bytes_read"):
        return None
    return f"the limit cuts some lists and not others: {read:,.0f} bytes a run without it, {meant:,.0f} estimated"


def _walks(trial: _Trial, subject: Subject, sample: _Sample) -> str | None:
    """In how many buckets the newest of a list lie is chance, of one list more than of many.

    Of n items anywhere in their time, the k-th newest is at a share of it whose deviation is known. Where in its bucket
    a walk begins is chance as well, and the same for all lists: half a bucket.
    """
    step = next((each for each in subject.design.reads if each.since is not None and each.bucket is not None), None)
    if step is None or step.bucket is None or step.limit is None:
        return None
    facts, asked = trial.context.facts, len(set(map(str, sample.asked)))
    items = matching(facts, step.entities[0], subject.meant.by)
    wanted = min(float(step.limit), items)
    share = sqrt(wanted * (items + 1 - wanted) / ((items + 1) ** 2 * (items + 2)))
    buckets = age_days(facts, step.entities[0]).value * DAY / SECONDS[step.bucket.length]
    queries = step.shards * prod(len(each) for each in step.for_each.values() if each)
    unit = queries * read_rcu(0, consistent=step.consistent)
    likely = LIKELY * unit * sqrt((buckets * share) ** 2 / asked + 1 / 4)
    if abs(trial.estimates[subject.meant.id].rcu - sample.mean("measured_rcu")) > likely:
        return None
    return f"chance: in how many buckets the first {step.limit} of {items:,.0f} items lie ({likely:.2g} units)"


def _names(trial: _Trial, subject: Subject, sample: _Sample) -> str | None:
    """Of few items a list names some twice, and fetches them once: how many different ones it names is chance.

    Of `there` items that `drawn` entries name, each is not named with the probability `missed`.
    """
    context = trial.context
    listing = listing_of(context.facts.spec, subject.meant)
    own = [] if listing is None else list(_stored_of(context, subject.meant.entity))
    if listing is None or len(own) < 2:
        return None
    there, asked = float(len(own)), list_pattern(subject.meant, listing)
    drawn = answer_items(context.facts, asked, listing.entity)
    missed, both_missed = (1 - 1 / there) ** drawn, (1 - 2 / there) ** drawn
    spread = sqrt(max(0.0, there * missed + there * (there - 1) * both_missed - (there * missed) ** 2))
    unit = fmean(read_rcu(size, consistent=subject.meant.consistency == "strong") for size in own)
    likely = LIKELY * unit * spread / sqrt(len(set(map(str, sample.asked))))
    if abs(trial.estimates[subject.meant.id].rcu - sample.mean("measured_rcu")) > likely:
        return None
    return f"chance: which of {there:,.0f} {subject.meant.entity} items its entries name ({likely:.2g} units)"


def _stored_of(context: ProofContext, entity: str) -> Iterator[int]:
    """The bytes of the items of an entity."""
    label = context.design.encoding.type_field
    kinds = {each.fixed.get(label) for each in context.design.items if each.entity == entity and each.kind == "entity"}
    yield from (item_size_bytes(item) for item in context.stored.values() if item.get(label) in kinds)


def _compare_sizes(context: ProofContext, estimated: Mapping[str, float]) -> Iterator[SizeEstimate]:
    label = context.design.encoding.type_field
    for each in context.design.items:
        if each.kind != "entity" or context.facts.spec.entities[each.entity].size_bytes:  # said, not estimated
            continue
        own = [item for item in context.stored.values() if item.get(label) == each.fixed.get(label)]
        if own and each.name in estimated:
            found = fmean(map(item_size_bytes, own))
            apart = abs(found - estimated[each.name]) > TOLERANCE * found
            yield SizeEstimate(item=each.name, estimated=estimated[each.name], measured=found, passed=not apart)
