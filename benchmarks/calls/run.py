"""CPU time of the same calls by every client, in one interleaved run against one server: `python -m benchmarks calls`.

Alone: nothing else is started. Busy: a process of the lowest priority computes on every core, so that none falls
asleep between a request and its answer. Whether the machine was otherwise idle, its load tells, which is printed.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING

from benchmarks import params
from benchmarks.calls import cold_start
from benchmarks.calls.bars import bulk_items, goals
from benchmarks.calls.busy import busy_machine
from benchmarks.calls.contenders import FAST, server, start_all
from benchmarks.calls.workload import OPERATIONS
from benchmarks.report import Goal, table
from benchmarks.rounds import interleaved

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from benchmarks.calls.bars import Times
    from benchmarks.calls.contenders import Contender

ROUNDS = 15
WARM_UP_US = 200_000.0
ROUND_US = 25_000.0
IDLE_LOAD = 0.5
STATES: dict[str, Callable[[], AbstractContextManager[None]]] = {"alone": nullcontext, "busy": busy_machine}


def main() -> list[Goal]:
    with server() as endpoint:
        cold = cold_start.measure(endpoint)
        print(cold_start.times_table(cold), flush=True)
        with ExitStack() as stack:
            contenders, missing = start_all(endpoint, stack)
            for name in missing:
                print(f"{name} is left out: it is not installed (see `make bench`).\n")
            by_state = {state: measure(state, contenders) for state in STATES}
    return [*goals(by_state, cold), *parameter_goals()]


def measure(state: str, contenders: list[Contender]) -> Times:
    before = os.getloadavg()[0]
    with STATES[state]():
        times = {operation: measure_one(operation, contenders) for operation in OPERATIONS}
    print(times_table(f"{state}, load of the machine {before:.1f} before and {os.getloadavg()[0]:.1f} after", times))
    if state == "alone" and before > IDLE_LOAD:
        print(f"With a load of {before:.1f} nobody was alone: take these figures, and their goal, for busy ones.\n")
    return times


def measure_one(operation: str, contenders: list[Contender]) -> dict[str, float]:
    """Everybody is given about the same time a round, so that the slow make fewer calls."""
    measures = {}
    for each in contenders:
        calls = calls_within(WARM_UP_US, each.cpu_us(operation, 1))
        calls = calls_within(ROUND_US, each.cpu_us(operation, calls))
        measures[each.name] = lambda each=each, calls=calls: each.cpu_us(operation, calls)
    return interleaved(measures, ROUNDS)


def calls_within(budget_us: float, call_us: float) -> int:
    return max(1, int(budget_us / call_us))


def times_table(state: str, times: Times) -> str:
    header = ("client", "get us", "ratio", "update us", "ratio", "query 100 us", "ratio", "bulk items/s")
    rows = [(name, *cells(times, name)) for name in times["get"]]
    return table(f"Calls, {state}: median CPU time of a call over {ROUNDS} interleaved rounds", header, rows)


def cells(times: Times, name: str) -> list[str]:
    found: list[str] = []
    for operation in ("get", "update", "query"):
        time = times[operation][name]
        found += [f"{time:.0f}", f"{time / times[operation][FAST]:.1f}"]
    return [*found, f"{bulk_items(times, name):.0f}"]


def parameter_goals() -> list[Goal]:
    """Building parameters alone, which `python -m benchmarks` shows in full."""
    return [goal for goal in params.goals(params.measure()) if "parameters" in goal.what]
