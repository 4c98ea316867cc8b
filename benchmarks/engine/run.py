"""Measures the contenders and prints tables; `python -m benchmarks engine [--large]`."""

from __future__ import annotations

import gc
import resource
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.engine.contenders import Contender, Direct, MotoInProcess, dynalite_server, engine_server, moto_server
from benchmarks.engine.workload import CREATE, OPERATIONS, TABLE, Requests, batches
from benchmarks.report import Goal, table
from benchmarks.rounds import interleaved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Times = dict[tuple[str, int], dict[str, float]]  # microseconds by contender and size, then operation


def load(contender: Contender, size: int) -> float:
    """Make the table and fill it; items a second."""
    contender.call("CreateTable", CREATE)
    started = time.perf_counter()
    for batch in batches(size):
        left = contender.call("BatchWriteItem", batch).get("UnprocessedItems")
        while left:
            left = contender.call("BatchWriteItem", {"RequestItems": left}).get("UnprocessedItems")
    return size / (time.perf_counter() - started)


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
    """Moto walks the whole table for a query, so it is asked less often."""
    if contender.name.startswith("moto") and "query" in operation:
        return 1 if size > 10_000 else 3
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


def contenders_for(size: int, folder: Path) -> list[Contender]:
    ours: list[Contender] = [Direct(), Direct(str(folder / f"bench-{size}.db")), engine_server()]
    if size > 100_000:
        return ours
    dynalite = dynalite_server()
    others: list[Contender] = [MotoInProcess(), *([moto_server()] if size <= 1_000 else [])]
    return [*ours, *([dynalite] if dynalite is not None else []), *others]


def run(sizes: tuple[int, ...]) -> tuple[str, list[Goal]]:
    """All tables as text, and the goals."""
    times: Times = {}
    texts: list[str] = []
    loads: dict[tuple[str, int], float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            contenders = contenders_for(size, Path(folder))
            for contender in contenders:
                loads[contender.name, size] = load(contender, size)
            times |= measure_all(contenders, size, rounds=5)
            for contender in contenders:
                contender.close()
            texts.append(times_table(size, times, loads))
        files = [f"{path.stat().st_size / 2**20:.1f} MiB" for path in sorted(Path(folder).glob("*.db"))]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    texts.append(f"Files: {', '.join(files)}. Peak memory of this process, moto included: {peak:.0f} MiB.\n")
    return "\n".join(texts), goals(times, sizes)


def times_table(size: int, times: Times, loads: dict[tuple[str, int], float]) -> str:
    rows = [
        (name, *(f"{spent[operation]:.0f}" for operation in OPERATIONS), f"{loads[name, at]:.0f}")
        for (name, at), spent in times.items()
        if at == size
    ]
    title = (
        f"{size:,} items of about 500 bytes in table {TABLE!r}: median microseconds a call, and items loaded a second"
    )
    return table(title, ("contender", *OPERATIONS, "bulk load/s"), rows)


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


def main(arguments: list[str]) -> tuple[str, list[Any]]:
    sizes = (1_000, 100_000, 1_000_000) if "--large" in arguments else (1_000, 20_000)
    return run(sizes)
