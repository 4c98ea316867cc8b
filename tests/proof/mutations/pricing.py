"""Faults of the bill: the answers are right, but the units are not those that the design says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from tablewright.design.model import Projection
from tests.proof.mutations.editing import index, pattern, read
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import PatternDesign, Predicted

COST = "wrong prediction"


def times(field: str, factor: float) -> Callable[[PatternDesign], Predicted]:
    """Another prediction than the one that follows from the steps."""
    return lambda own: replace(own.predicted, **{field: factor * getattr(own.predicted, field)})


PRICING: tuple[Fault, ...] = (
    Fault(COST, "shop", "read strongly though nobody asked", read("order", consistent=True)),
    Fault(COST, "brief", "an index of everything, predicted as of keys", index("seldom", projection=Projection())),
    Fault(COST, "shop", "half of what a list reads", pattern("of-customer", predicted=times("rcu", 0.5))),
    Fault(COST, "loans", "a transaction as cheap as single writes", pattern("lend", predicted=times("wcu", 0.5))),
)
