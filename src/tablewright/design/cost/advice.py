"""Which way of paying to choose, and why, with the numbers that decide.

Without a commitment the cheapest wins, but capacity is provisioned only when that saves a tenth at least: autoscaling
follows traffic with minutes of delay, on demand does not have to. Rates that nobody said are no reason to provision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.modes import Mode, ModeCost, TableClass

if TYPE_CHECKING:
    from collections.abc import Iterable

WORTH = 0.1


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """The mode to begin with, and what a commitment would save on top."""

    mode: Mode
    table_class: TableClass
    usd_per_month: float
    because: str
    committed_mode: Mode | None  # the reservation that saves most once traffic is known; None when none does
    committed_usd_per_month: float | None
    committed_upfront_usd: float | None


def recommend(found: tuple[ModeCost, ...], *, rates_are_said: bool) -> Recommendation:
    by_request = cheapest(each for each in found if each.mode == "on-demand")
    ready = cheapest(each for each in found if each.mode == "provisioned")
    chosen, because = compared(by_request, ready, rates_are_said=rates_are_said)
    least = min(chosen.usd_per_month, ready.usd_per_month)
    paying = [each for each in found if rates_are_said and each.upfront_usd > 0 and each.usd_per_month < least]
    committed = cheapest(paying) if paying else None
    return Recommendation(
        mode=chosen.mode,
        table_class=chosen.table_class,
        usd_per_month=chosen.usd_per_month,
        because=because,
        committed_mode=committed.mode if committed else None,
        committed_usd_per_month=committed.usd_per_month if committed else None,
        committed_upfront_usd=committed.upfront_usd if committed else None,
    )


def cheapest(found: Iterable[ModeCost]) -> ModeCost:
    """The first of equals, which is the simpler one."""
    return min(found, key=lambda each: round(each.usd_per_month, 6))


def compared(by_request: ModeCost, ready: ModeCost, *, rates_are_said: bool) -> tuple[ModeCost, str]:
    difference = f"on demand ${by_request.usd_per_month:,.2f}, provisioned ${ready.usd_per_month:,.2f} a month"
    use = f"{ready.utilisation:.0%} of provisioned units would be used" if ready.utilisation else "nothing is asked"
    if not rates_are_said:
        return by_request, f"rates are assumed, and on demand needs no forecast ({difference})"
    if ready.usd_per_month <= by_request.usd_per_month * (1 - WORTH):
        saved = 1 - ready.usd_per_month / by_request.usd_per_month
        return ready, f"provisioned with autoscaling saves {saved:.0%}: {difference}; {use}"
    return by_request, f"{difference}; {use}; provisioning would have to save {WORTH:.0%} to be worth its delay"
