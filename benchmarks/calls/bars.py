"""The limits that Tablewright's calls are held to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.calls.cold_start import over_empty
from benchmarks.calls.contenders import (
    AIODYNAMO,
    BOTOCORE,
    ELECTRODB,
    FAST,
    LOWER_BOUND,
    PYDYNOX,
    TABLE_RESOURCE,
    THROUGH_BOTOCORE,
)
from benchmarks.calls.workload import BULK, OPERATIONS
from benchmarks.report import Goal

if TYPE_CHECKING:
    from collections.abc import Iterator

Times = dict[str, dict[str, float]]
"""CPU microseconds of a call, by operation and client."""

# At most so many times the lower bound.
OVER_LOWER_BOUND = (("get", 2.0, ""), ("get", 1.6, " (stretch)"), ("query", 1.3, ""))
# At least so many times less than a peer.
LESS_THAN = (
    ("get", PYDYNOX, 4.0),
    ("query", TABLE_RESOURCE, 25.0),
    ("query", PYDYNOX, 8.0),
    ("query", AIODYNAMO, 6.0),
    ("query", ELECTRODB, 6.0),
)
LESS_THAN_BOTOCORE = {"alone": 10.0, "busy": 25.0}
BULK_ITEMS = 30_000.0
BOTO3_BULK_ITEMS = 1_900.0
COLD_MS, COLD_MIB = 110.0, 16.0
BOTO3_COLD_MS = 378.0


def bulk_items(times: Times, name: str) -> float:
    """Items written in a second of CPU time."""
    return BULK * 1e6 / times["bulk"][name]


def goals(by_state: dict[str, Times], cold: dict[str, tuple[float, float]]) -> list[Goal]:
    """All of them; against peers, for those that were there."""
    found = [goal for state, times in by_state.items() for goal in against_botocore(state, times)]
    times = by_state["busy"]
    return [*found, *against_lower_bound(times), *against_peers(times), *through_botocore(times), *cold_start(cold)]


def against_botocore(state: str, times: Times) -> Iterator[Goal]:
    get = times["get"]
    if BOTOCORE in get:
        what = f"get, {state}: less CPU than the botocore client"
        yield Goal(what, get[BOTOCORE] / get[FAST], LESS_THAN_BOTOCORE[state], "x", at_least=True)


def against_lower_bound(times: Times) -> Iterator[Goal]:
    for operation, limit, note in OVER_LOWER_BOUND:
        ours = times[operation]
        yield Goal(f"{operation}: over the lower bound{note}", ours[FAST] / ours[LOWER_BOUND], limit, "x")


def against_peers(times: Times) -> Iterator[Goal]:
    for operation, peer, limit in LESS_THAN:
        ours = times[operation]
        if peer in ours:
            yield Goal(f"{operation}: less CPU than {peer}", ours[peer] / ours[FAST], limit, "x", at_least=True)
    yield Goal("bulk: items/s of CPU", bulk_items(times, FAST), BULK_ITEMS, "", at_least=True)
    if TABLE_RESOURCE in times["bulk"]:
        here = bulk_items(times, TABLE_RESOURCE)
        what = f"bulk: items/s of CPU, boto3 Table doing {here:.0f} here and {BOTO3_BULK_ITEMS:.0f} at the goal"
        limit = BULK_ITEMS * here / BOTO3_BULK_ITEMS
        yield Goal(what, bulk_items(times, FAST), limit, "", at_least=True)


def through_botocore(times: Times) -> Iterator[Goal]:
    for operation in OPERATIONS:
        ours = times[operation]
        if TABLE_RESOURCE in ours:
            what = f"{operation} through botocore: against boto3 Table"
            yield Goal(what, ours[THROUGH_BOTOCORE] / ours[TABLE_RESOURCE], 1.0, "x")


def cold_start(cold: dict[str, tuple[float, float]]) -> Iterator[Goal]:
    took_ms, took_mib = over_empty(cold, FAST)
    boto3_ms, _ = over_empty(cold, TABLE_RESOURCE)
    yield Goal("import and first get: CPU", took_ms, COLD_MS, "ms")
    what = f"import and first get: CPU, boto3 taking {boto3_ms:.0f} ms here and {BOTO3_COLD_MS:.0f} at the goal"
    yield Goal(what, took_ms, COLD_MS * boto3_ms / BOTO3_COLD_MS, "ms")
    yield Goal("import and first get: memory", took_mib, COLD_MIB, "MiB")
