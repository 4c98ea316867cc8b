"""What a design fails at, from the design alone: nobody should run it without knowing.

budget     the bill is more than the spec allows
heat       a key takes more at peak than a partition serves
size       an item or a collection grows beyond what DynamoDB takes
latency    more requests one after the other than the time allows that a pattern has
unproven   a condition in words that cannot be read, so that no proof says anything of the pattern
estimates  runs took other units or bytes than the bill rests on, and nothing that was checked explains it
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.design.advice import Verdict
from tablewright.design.wording import money, number
from tablewright.spec.hints import read_latency
from tablewright.wire.limits import MAX_PAGE_BYTES, READ_UNIT_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.report import HeatReport
    from tablewright.design.model import Design, PatternDesign, ReadStep

SIZES = ("collection-size", "item-size")
USUAL_MS, SLOW_MS, SLOW_PERCENTILE = 5.0, 10.0, 90.0
"""What one request is taken to last inside DynamoDB, on average and in high percentiles, the network excluded. AWS says
"single-digit milliseconds" for single items and nothing more exact:
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TroubleshootingLatency.html
"""


def failed_verdicts(design: Design) -> tuple[Verdict, ...]:
    """All that fails, what stops an application first."""
    return (
        *heat_verdicts(design.heat),
        *cost_verdicts(design.cost),
        *_latency_verdicts(design),
        *proof_verdicts(design),
    )


def proof_verdicts(design: Design) -> tuple[Verdict, ...]:
    """What a proof says nothing of, and what it found to be otherwise than estimated."""
    return (*unproven_verdicts(design), *_estimate_verdicts(design))


def _estimate_verdicts(design: Design) -> Iterator[Verdict]:
    report = None if design.proof is None else design.proof.estimates
    for each in () if report is None else report.patterns:
        if not each.passed:
            said, found = each.recomputed_rcu + each.recomputed_wcu, each.measured_rcu + each.measured_wcu
            yield Verdict(
                "estimates", f"{each.pattern}: runs took {number(found)} units, and {number(said)} are estimated"
            )
    for size in () if report is None else report.sizes:
        if not size.passed:
            bytes_text = f"items have {number(size.measured)} bytes, and {number(size.estimated)} are estimated"
            yield Verdict("estimates", f"{size.item}: {bytes_text}")


def unproven_verdicts(design: Design) -> tuple[Verdict, ...]:
    return tuple(
        Verdict("unproven", f"{each.id}: {each.unproven.rstrip('.')}") for each in design.patterns if each.unproven
    )


def heat_verdicts(heat: HeatReport) -> tuple[Verdict, ...]:
    """Every finding that is an error, be it of heat or of size."""
    return tuple(
        Verdict("size" if each.kind in SIZES else "heat", each.what)
        for each in heat.findings
        if each.severity == "error"
    )


def cost_verdicts(cost: CostReport) -> tuple[Verdict, ...]:
    over = cost.over_budget_usd_per_month
    if not over:
        return ()
    bill = cost.recommended.usd_per_month
    return (Verdict("budget", f"{money(bill)} a month are {money(over)} over the budget of {money(bill - over)}"),)


# ---- latency --------------------------------------------------------------------------------------------------------


def _latency_verdicts(design: Design) -> Iterator[Verdict]:
    said = {str(each.get("id")): str(each.get("latency", "")) for each in design.spec.get("access_patterns", ())}
    for pattern in design.patterns:
        allowed = read_latency(said.get(pattern.id, ""))
        if allowed is None:
            continue
        each_ms = SLOW_MS if (allowed.percentile or 0) >= SLOW_PERCENTILE else USUAL_MS
        waits = _requests_in_a_row(pattern)
        if waits * each_ms > allowed.ms:
            takes = f"{waits} requests one after the other take" if waits > 1 else "one request takes"
            slow = f"{pattern.id}: {takes} about {number(waits * each_ms)} ms inside DynamoDB"
            helps = _what_is_faster(waits, design.aim)
            yield Verdict("latency", f"{slow}, and {said[pattern.id]} is allowed{helps}")


def _what_is_faster(waits: int, aim: str) -> str:
    if waits == 1:
        return "; DAX answers faster, a table does not"
    return "" if aim == "latency" else "; `--minimise latency` looks for a design with fewer"


def _requests_in_a_row(pattern: PatternDesign) -> int:
    """Steps that wait for another, pages, and the write behind them. Shards are asked at the same time, and so are the
    buckets of a range; those of a walk are not.
    """
    waiting = max((_depth(pattern.reads, at) for at in range(len(pattern.reads))), default=0)
    return waiting + (_walked(pattern) or _further_pages(pattern)) + bool(pattern.writes)


def _depth(reads: tuple[ReadStep, ...], at: int) -> int:
    """How many requests, this one included, stand in a row until it is answered."""
    step = reads[at]
    before = [_depth(reads, at - 1)] if step.continues and at else []
    if step.keys_from is not None:
        before.append(_depth(reads, step.keys_from))
    return 1 + max(before, default=0)


def _walked(pattern: PatternDesign) -> int:
    """Buckets behind the first one that a walk usually asks."""
    walks = [each for each in pattern.reads if each.since is not None]
    others = len(pattern.reads) - len(walks)
    return max((ceil((pattern.predicted.requests - others) / _fan_out(each)) - 1 for each in walks), default=0)


def _further_pages(pattern: PatternDesign) -> int:
    """Pages of 1 MB behind the first one, each asked with the end of the one before."""
    queries = [each for each in pattern.reads if each.operation == "Query"]
    if not queries or len(queries) < len(pattern.reads):
        return 0
    page_rcu = MAX_PAGE_BYTES / READ_UNIT_BYTES / (1 if queries[0].consistent else 2)
    at_once = sum(_fan_out(each) for each in queries)
    return max(0, -(-int(pattern.predicted.rcu) // int(page_rcu * at_once)) - 1)


def _fan_out(step: ReadStep) -> int:
    found = step.shards
    for values in step.for_each.values():
        found *= max(1, len(values))
    return found
