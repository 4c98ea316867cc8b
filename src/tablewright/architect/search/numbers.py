"""A program without its names, as a solver takes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

Row: TypeAlias = tuple[dict[int, float], float, float]
"""Coefficients by column, lower and upper bound."""


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """0/1 columns by number; `settled` are known beforehand, `start` are those that are 1 in a known point."""

    columns: int
    rows: list[Row]
    costs: Mapping[int, float]
    settled: Mapping[int, int]
    start: frozenset[int]
    nodes: int
