"""Measures the contenders and prints tables; `python -m benchmarks engine [--large]`."""

from __future__ import annotations

import gc
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.engine.loading import load_all, loads_table
from benchmarks.engine.workload import OPERATIONS, TABLE, Requests
from benchmarks.report import Goal, table
from benchmarks.rounds import interleaved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.engine.contenders import Contender

Times = dict[tuple[str, int], dict[str, float]]  # microseconds by contender and size, then operation


def measure_of(contender: Contender, operation: str, size: int, calls: int) -> Callable[[], float]:
    """Microseconds of wall time a call, over some calls; the requests are made beforehand."""
    requests = Requests(size)
    numbers: Iterator[int] = requests.numbers()

    def measure() -> float:
        asked = [contender.ready(*requests.make(operation, next(numbers))) for _ in range(calls)]
        contender.call(*requests.make("get", 0))  # whoever was idle wakes up before the clock runs
        gc.collect()
        started = time.perf_counter()
        for send in asked:
            send()
        return (time.perf_counter() - started) / calls * 1e6

    return measure


def calls_for(contender: Contender, operation: str, size: int) -> int:
    """Moto takes milliseconds for everything and walks the whole table for a query, so it is asked less often."""
    if contender.name.startswith("moto"):
        return 10 if "query" not in operation else 1 if size > 10_000 else 3
    return 20 if "query" in operation else 60


def measure_all(contenders: list[Contender], size: int, rounds: int) -> Times:
    times: Times = {(contender.name, size): {} for contender in contenders}
    for operation in OPERATIONS:
        measures = {
            contender.name: measure_of(contender, operation, size, calls_for(contender, operation, size))
            for contender in contenders
        }
        for name, spent in interleaved(measures, rounds).items():
            times[name, size][operation] = spent
    return times


def run(sizes: tuple[int, ...], show: Callable[[str], None]) -> list[Goal]:
    """The goals; tables are shown as soon as they are there, for large ones take minutes."""
    times: Times = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
            loaded = load_all(size, Path(folder) / "bench.db", ending)
            times |= measure_all([each.contender for each in loaded], size, rounds=7)
            show(times_table(size, times))
            show(loads_table(size, loaded))
    return goals(times, sizes)


def times_table(size: int, times: Times) -> str:
    rows = [
        (name, *(f"{spent[operation]:.0f}" for operation in OPERATIONS))
        for (name, at), spent in times.items()
        if at == size
    ]
    title = f"{size:,} items of about 500 bytes in table {TABLE!r}: median microseconds a call"
    return table(title, ("contender", *OPERATIONS), rows)


def goals(times: Times, sizes: tuple[int, ...]) -> list[Goal]:
    found: list[Goal] = []
    largest_shared = max((size for name, size in times if name == "moto, in process"), default=0)
    if largest_shared:
        ours, moto = times["engine, in memory", largest_shared], times["moto, in process", largest_shared]
        found.append(Goal("direct get against moto in process", moto["get"] / ours["get"], 50, "x", at_least=True))
        query = moto["query 100"] / ours["query 100"]
        found.append(
            Goal(f"direct query of 100 against moto, {largest_shared:,} items", query, 500, "x", at_least=True)
        )
    for size in sizes:
        if ("dynalite, served", size) in times:
            ours, theirs = times["engine, served", size], times["dynalite, served", size]
            for operation in OPERATIONS:
                what = f"served {operation} against dynalite, {size:,} items"
                found.append(Goal(what, theirs[operation] / ours[operation], 2, "x", at_least=True))
    if len(sizes) > 1:
        small, large = times["engine, in memory", sizes[0]], times["engine, in memory", sizes[-1]]
        for operation in OPERATIONS:
            what = f"{operation}: {sizes[-1]:,} items against {sizes[0]:,}"
            found.append(Goal(what, large[operation] / small[operation], 1.5, "x"))
    return found


def main(arguments: list[str]) -> list[Goal]:
    sizes = (1_000, 100_000, 1_000_000) if "--large" in arguments else (1_000, 20_000)
    return run(sizes, partial(print, flush=True))
