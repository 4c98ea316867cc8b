"""Measures a library that runs in this interpreter."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from itertools import cycle, islice
from time import process_time
from typing import TYPE_CHECKING, Any

from benchmarks.scenario import ALL_CASES

if TYPE_CHECKING:
    from benchmarks.scenario import Builder


@dataclass(frozen=True, slots=True)
class InProcess:
    """A distribution with one builder for each scenario."""

    distribution: str
    builders: dict[str, Builder]

    @property
    def name(self) -> str:
        return f"{self.distribution} {version(self.distribution)}"

    def cpu_us(self, scenario: str, calls: int) -> float:
        build = self.builders[scenario]
        cases = list(islice(cycle(ALL_CASES), calls))
        started = process_time()
        for case in cases:
            build(case)
        return (process_time() - started) * 1e6 / calls

    def example(self, scenario: str) -> dict[str, Any]:
        return self.builders[scenario](ALL_CASES[0])
