"""The access patterns and their requests as blocks: in a table for all, and in detail for each."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from tablewright.design.wording import money, plural, printable, sort_text, units
from tablewright.report.blocks import Column, Grid, Heading, Text, bullets, code, column, number
from tablewright.report.verdict import is_changed, unproven_patterns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tablewright.design.model import (
        Cascade,
        Design,
        EstimateReport,
        PatternDesign,
        PatternEstimate,
        PatternProof,
        ReadStep,
        Refresh,
        WriteStep,
    )
    from tablewright.design.values.templates import KeyTemplate
    from tablewright.report.blocks import Block

COLUMNS = (
    column("id"),
    Column(name="pattern and request", request=True),
    column("index"),
    number("units"),
    number("a month"),
)


def patterns(design: Design) -> Iterator[Block]:
    yield Heading("Access patterns")
    yield Grid(COLUMNS, tuple(pattern_row(each) for each in design.patterns))


def pattern_row(pattern: PatternDesign) -> tuple[str, ...]:
    about = "\n".join([pattern_title(pattern), *request_lines(pattern)])
    return pattern.id, about, _places_of(pattern), _units_text(pattern), money(pattern.predicted.usd_per_month)


def pattern_title(pattern: PatternDesign) -> str:
    words = pattern.description or f"{pattern.op or pattern.kind} {', '.join(pattern.entities)}"
    return f"{words} (assumed: the spec has no write for it)" if pattern.implied else words


# ---- one by one -----------------------------------------------------------------------------------------------------


def pattern_details(design: Design) -> Iterator[Block]:
    yield Heading("Every pattern in detail")
    often = _common_sentences(design.patterns)
    if often:
        yield Text(" ".join(often))
    for pattern in design.patterns:
        yield Heading(f"{pattern.id}: {pattern_title(pattern)}", 3)
        yield from pattern_detail(pattern, often)


OFTEN = 3


def _common_sentences(patterns: Sequence[PatternDesign]) -> list[str]:
    """Sentences on retries that several patterns share; they are shown once."""
    counts = Counter(each for pattern in patterns for each in _sentences_of(pattern.retries))
    return [each for each, count in counts.items() if count >= OFTEN and each.startswith(GENERAL)]


GENERAL = "Retry "


def _sentences_of(text: str) -> list[str]:
    return [f"{each.rstrip('.')}." for each in text.split(". ") if each]


def pattern_detail(pattern: PatternDesign, often: Collection[str] = ()) -> Iterator[Block]:
    """The requests of a pattern, their inputs and units, and the reason."""
    lines = request_lines(pattern)
    if lines:
        yield Grid((number("step"), code("request")), tuple((str(at), each) for at, each in enumerate(lines, 1)))
    if pattern.why:
        yield Text(pattern.why)
    retries = " ".join(each for each in _sentences_of(pattern.retries) if each not in often)
    said = [
        f"inputs: {', '.join(_input_text(pattern))}" if pattern.parameters else "",
        f"order: {', '.join(f'{name} {order}' for name, order in pattern.sorted_by)}" if pattern.sorted_by else "",
        f"consistency: {pattern.consistency}" if pattern.kind != "write" else "",
        f"predicted: {_predicted_text(pattern)}",
        f"paging: {pattern.paging}" if pattern.paging else "",
        f"retries: {retries}" if retries else "",
        "a job: more than a call that somebody waits for should do" if pattern.as_job else "",
    ]
    yield bullets(*(each for each in said if each))


def _input_text(pattern: PatternDesign) -> Iterator[str]:
    for each in pattern.parameters:
        yield f"{each.name} ({each.type}{'' if each.required else ', optional'})"


def _predicted_text(pattern: PatternDesign) -> str:
    found = pattern.predicted
    shares = [(found.rcu, "RCU"), (found.wcu, "WCU")]
    taken = ", ".join(f"{units(value)} {name}" for value, name in shares if value) or "nothing"
    items = f", {plural(round(found.items, 1), 'item')}" if pattern.kind != "write" else ""
    return f"{plural(found.requests, 'request')}{items}, {taken}, {money(found.usd_per_month)} a month"


# ---- proof ----------------------------------------------------------------------------------------------------------


def proof(design: Design) -> Iterator[Block]:
    yield Heading("Proof")
    report = design.proof
    if report is None:
        yield Text("Not proven yet; say --prove, or `tablewright prove`.", "quiet")
        return
    if is_changed(design):
        yield Text("What follows was proven before this design was changed; `tablewright prove` runs it again.", "bad")
    runs, items = sum(each.runs for each in report.patterns), sum(report.items.values())
    wrong = sum(each.wrong for each in report.patterns)
    verdict = "passed" if report.passed else f"FAILED, {plural(wrong, 'difference')}"
    unproven = unproven_patterns(design)
    yield Text(
        f"{verdict}{f', except {unproven}' if unproven else ''}: {len(report.patterns)} patterns ran {runs:,} times"
        f" on {items:,} synthetic items, each answer, its order and what is stored compared with an application made"
        " from the spec alone, and units with the prediction.",
        "bad" if not report.passed else "warning" if unproven else "good",
    )
    if report.failure:
        yield Text(f"The first: {report.failure}", "bad")
    yield Grid(
        (column("pattern"), number("runs"), number("wrong"), number("measured"), number("predicted"), column("")),
        tuple(_proof_row(each) for each in report.patterns),
        tuple("bad" if each.wrong else "" for each in report.patterns),
    )
    if report.invariants:
        yield bullets(*(f"{what}: held {count:,} times" for what, count in report.invariants.items()))
    if report.estimates is not None:
        yield from _estimates(report.estimates)


def _proof_row(each: PatternProof) -> tuple[str, ...]:
    kind = "wcu" if each.measured_wcu or each.predicted_wcu else "rcu"
    notes = "exact" if each.exact else ""
    return (
        each.pattern,
        str(each.runs),
        str(each.wrong),
        _units_of(each, "measured", kind),
        _units_of(each, "predicted", kind),
        "; ".join([notes, *each.notes]).strip("; "),
    )


def _units_of(each: PatternProof | PatternEstimate, what: str, kind: str) -> str:
    return f"{units(getattr(each, f'{what}_{kind}'))} {kind.upper()}"


# ---- estimates ------------------------------------------------------------------------------------------------------


def _estimates(report: EstimateReport) -> Iterator[Block]:
    """Three columns: estimated from the volumes, predicted for the items that were touched, measured."""
    yield Heading("Estimates", 3)
    if report.failure:
        yield Text(f"They could not be held against runs: {report.failure}", "bad")
        return
    wrong = sum(not each.passed for each in report.patterns) + sum(not each.passed for each in report.sizes)
    agree = "measured and estimated agree within 5%, or the reason is shown"
    verdict = f"{plural(wrong, 'estimate')} FAILED" if wrong else agree
    yield Text(
        f"Run on {sum(report.items.values()):,} items in the proportions of the spec's volumes; units of one run on"
        f" average: {verdict}. Where the volumes are too large to be run, the"
        " estimate for as many items as there were stands behind it.",
        "bad" if wrong else "good",
    )
    yield Grid(
        (
            column("pattern"),
            number("runs"),
            number("estimated from the volumes"),
            number("predicted for the items touched"),
            number("measured"),
            number("error"),
        ),
        tuple(_estimate_row(each) for each in report.patterns),
        tuple("" if each.passed else "bad" for each in report.patterns),
    )
    reasons = [f"{each.pattern}: {each.explanation}" for each in report.patterns if each.explanation]
    sizes = [
        f"{each.item}: items have {each.measured:,.0f} bytes, {each.estimated:,.0f} estimated"
        for each in report.sizes
        if not each.passed
    ]
    if reasons or sizes:
        yield bullets(*reasons, *sizes)


def _estimate_row(each: PatternEstimate) -> tuple[str, ...]:
    kind = "wcu" if each.measured_wcu or each.recomputed_wcu else "rcu"
    estimated, smaller = (_units_of(each, what, kind) for what in ("estimated", "recomputed"))
    meant, found = getattr(each, f"recomputed_{kind}"), getattr(each, f"measured_{kind}")
    return (
        each.pattern,
        str(each.runs),
        estimated if estimated == smaller else f"{estimated} ({smaller})",
        _units_of(each, "predicted", kind),
        _units_of(each, "measured", kind),
        f"{meant / found - 1:+.0%}" if found else "",
    )


# ---- requests in words ----------------------------------------------------------------------------------------------


def template_text(templates: Iterable[KeyTemplate]) -> str:
    return " + ".join(printable(each.text) for each in templates)


def read_text(step: ReadStep) -> str:
    """A request in one line: what, where, which keys, in which order."""
    place = f" {step.index}" if step.index else ""
    keys = " | ".join([template_text(step.pk), *(sort_text(each) for each in step.sk)])
    return f"{step.operation}{place} {keys}{''.join(f', {each}' for each in _step_options(step))}"


def _step_options(step: ReadStep) -> Iterable[str]:
    if step.copies > 1:
        yield f"on any one of {step.copies} copies"
    if step.shards > 1 and not step.shard_of:
        yield f"on each of {step.shards} shards"
    for name, values in step.for_each.items():
        yield f"for each {name.lstrip('_')}{f' of {len(values)}' if values else ''}"
    if step.since is not None and step.bucket is not None:
        ends = f"now back to {step.since}" if step.backwards else f"{step.since} to now"
        yield f"one {step.bucket.period} after the other, from {ends}"
    if step.longest is not None:
        yield f"_earliest {step.longest:,} before from"
    if step.filters:
        yield f"filter {', '.join(name for each in step.filters for name in each.attributes)}"
    if step.backwards:
        yield "backwards"
    if step.limit:
        yield f"limit {step.limit}{f' and {step.beside}' if step.beside else ''}"
    if step.consistent:
        yield "consistent"
    if step.keys_from is not None:
        yield f"for what step {step.keys_from + 1} found"
    if step.takes:
        yield f"gives {', '.join(step.takes)}"


def write_text(step: WriteStep) -> str:
    keys = " | ".join(printable(each.text) for each in step.key)
    removed = (f"{each} (removed)" for each in step.remove)
    changed = [*map(str, step.set), *(f"{each} (added)" for each in step.add), *removed]
    what = f", sets {', '.join(changed)}" if changed and step.operation != "ConditionCheck" else ""
    newer = f", where newer by {step.if_newer[0]}" if step.if_newer else ""
    demanded = f", if {step.condition}" if step.condition else ""
    seen = f", {', '.join(step.seen)} as read" if step.seen else ""
    return f"{step.operation} {step.item} {keys}{what}{newer}{demanded}{seen}"


def request_lines(pattern: PatternDesign) -> list[str]:
    lines = [read_text(each) for each in pattern.reads]
    own = _write_lines(pattern.writes, together=len(pattern.writes) > 1 or bool(pattern.refreshes))
    along = (line for each in pattern.refreshes for line in _refresh_lines(each))
    later = (line for each in pattern.followed for line in _followed_lines(each))
    return [*lines, *own, *along, *later, *(line for each in pattern.cascade for line in _cascade_lines(each))]


def _write_lines(steps: Sequence[WriteStep], *, together: bool) -> list[str]:
    return [f"{'Transact ' if together else ''}{write_text(each)}" for each in steps]


def _refresh_lines(refresh: Refresh) -> Iterator[str]:
    """What keeps copies of the item, and how each of it is written in the same transaction."""
    first, *others = (read_text(each) for each in refresh.reads)
    yield f"with every {refresh.entity} of it: {first}"
    yield from others
    yield from (f"each: {line}" for line in _write_lines(refresh.writes, together=True))
    yield from _write_lines(refresh.checks, together=True)


def _followed_lines(refresh: Refresh) -> Iterator[str]:
    """What a function does that follows the stream."""
    first, *others = (read_text(each) for each in refresh.reads)
    yield f"by the stream, every {refresh.entity} of it: {first}"
    yield from others
    yield from (f"each: {line}" for line in _write_lines(refresh.writes, together=False))


def _cascade_lines(cascade: Cascade) -> Iterator[str]:
    """What is found for an item that goes, and how each of it goes."""
    first, *others = (read_text(each) for each in cascade.reads)
    yield f"then every {cascade.entity} of that {cascade.of}: {first}"
    yield from others
    yield from (f"each: {line}" for line in _write_lines(cascade.writes, together=len(cascade.writes) > 1))


def _places_of(pattern: PatternDesign) -> str:
    """The table or indexes that a pattern uses."""
    along = (*(each.reads for each in pattern.refreshes), *(each.reads for each in pattern.cascade))
    steps = (*pattern.reads, *chain.from_iterable(along))
    read = [each.index or "table" for each in steps]
    return ", ".join(dict.fromkeys([*read, *("table" for _ in pattern.writes)])) or "table"


def _units_text(pattern: PatternDesign) -> str:
    found = pattern.predicted
    parts = [f"{units(value)} {name}" for value, name in ((found.rcu, "RCU"), (found.wcu, "WCU")) if value]
    return "\n".join(parts) or "0"
