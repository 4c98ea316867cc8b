"""Interleaved rounds: everybody runs a little, then everybody again, so that a busy machine is busy for all."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def interleaved(measures: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of each measure over the rounds; the order turns by one each round, so that nobody is always first."""
    names = list(measures)
    seen: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            seen[name].append(measures[name]())
    return {name: median(values) for name, values in seen.items()}
