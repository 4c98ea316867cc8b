"""Fills the table of every contender, and tells what that took: start-up, items a second, memory, file."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.engine.contenders import Contender, Direct, MotoInProcess, dynalite_server, engine_server, moto_server
from benchmarks.engine.workload import CREATE, batches
from benchmarks.report import table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack
    from pathlib import Path

MOST_FOR_OTHERS = 100_000
MOST_FOR_MOTO_SERVER = 1_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """A contender with its table filled; None where nothing was measured."""

    contender: Contender
    items_a_second: float | None
    grown_mib: float
    file: Path | None = None

    def row(self) -> tuple[str, ...]:
        return (
            self.contender.name,
            f"{self.contender.start_seconds * 1000:.1f}",
            "-" if self.items_a_second is None else f"{self.items_a_second:,.0f}",
            f"{self.grown_mib:,.0f}",
            "-" if self.file is None else f"{self.file.stat().st_size / 2**20:,.0f}",
        )


def load_all(size: int, file: Path, ending: ExitStack) -> list[Loaded]:
    """Everybody who takes part at this size, ready to be asked; they are closed at the end."""
    loaded: list[Loaded] = []
    for contender, kept_in in ((Direct(), None), (Direct(str(file)), file), *((each, None) for each in others(size))):
        ending.callback(contender.close)
        loaded.append(load(contender, size, kept_in))
    if size > MOST_FOR_OTHERS:
        loaded.append(served_copy(file))
        ending.callback(loaded[-1].contender.close)
    return loaded


def others(size: int) -> Iterator[Contender]:
    if size > MOST_FOR_OTHERS:
        return
    yield engine_server()
    dynalite = dynalite_server()
    if dynalite is not None:
        yield dynalite
    yield MotoInProcess()
    if size <= MOST_FOR_MOTO_SERVER:
        yield moto_server()


def load(contender: Contender, size: int, file: Path | None = None) -> Loaded:
    """Make the table and fill it, 25 items a call."""
    contender.call("CreateTable", CREATE)
    before, started = contender.memory_mib(), time.perf_counter()
    for batch in batches(size):
        left = contender.call("BatchWriteItem", batch).get("UnprocessedItems")
        while left:
            left = contender.call("BatchWriteItem", {"RequestItems": left}).get("UnprocessedItems")
    spent = time.perf_counter() - started
    return Loaded(contender, size / spent, contender.memory_mib() - before, file)


def served_copy(file: Path) -> Loaded:
    """A server on a copy of a file that is already full, for loading takes its time."""
    copied = file.with_name("served.db")
    for name in (file.name, f"{file.name}-wal"):
        if file.with_name(name).exists():
            shutil.copy(file.with_name(name), copied.with_name(name.replace(file.name, copied.name)))
    contender = engine_server(copied)
    return Loaded(contender, None, contender.memory_mib(), copied)


def loads_table(size: int, loaded: list[Loaded]) -> str:
    header = ("contender", "start-up ms", "items loaded a second", "memory MiB", "file MiB")
    return table(f"{size:,} items loaded in batches of 25", header, [each.row() for each in loaded])
