"""How much of a bill is guessed: by how far it moves when an assumed number is a tenth, or ten times as much."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tablewright.spec.quantities import Assumption

WORTH_TELLING = 0.05
"""The share of the bill that a guess must move to be told; prices are no more exact than that."""
CENT = 0.01


def moved_usd(each: Assumption, now: float) -> float:
    """The farther of the two bills, seen from the one of now; nothing where no number was assumed."""
    return max((abs(usd - now) for usd in (each.usd_at_tenth, each.usd_at_ten_times) if usd is not None), default=0.0)


def least_told(now: float) -> float:
    """The dollars that a guess must move a bill by."""
    return max(CENT, WORTH_TELLING * now)


def rests_on(design: Design) -> tuple[Assumption, ...]:
    """The guesses that move the bill by more than a few percent, the most influential first."""
    now = design.cost.usd_per_month
    least = least_told(now)
    found = {each.place: each for each in (*design.assumptions, *design.cost.assumptions)}
    moving = [each for each in found.values() if moved_usd(each, now) > least]
    return tuple(sorted(moving, key=lambda each: (-moved_usd(each, now), each.place)))
