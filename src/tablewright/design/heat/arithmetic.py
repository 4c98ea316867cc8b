"""Sums as people write them, so that a number in a report can be checked by hand."""

from __future__ import annotations

from math import ceil

from tablewright.design.wording import exact_percent as percent
from tablewright.design.wording import number

__all__ = ["against", "needed", "number", "on_partition", "percent", "units"]

TRACE = 1e-4


def units(value: float) -> str:
    return f"{number(value)} unit" if value == 1 else f"{number(value)} units"


def on_partition(rate: float, share: float, each: float, shards: int, total: float, word: str, copies: int = 1) -> str:
    """`50,000 writes/s x 10% on the hottest key x 1 unit = 5,000 units`, with shards or copies where there are some."""
    divided = f" / {shards} shards" if shards > 1 else f" / {copies} copies" if copies > 1 else ""
    return f"{number(rate)} {word}/s x {percent(share)} on the hottest key x {units(each)}{divided} = {units(total)}"


def needed(units_per_second: float, limit: float) -> int:
    """Partitions it takes, rounded up; a trace above a whole number does not count."""
    return max(1, ceil(units_per_second / limit * (1 - TRACE)))


def against(value: float, limit: float) -> str:
    return f"{number(value)} of {number(limit)} ({percent(value / limit)})"
