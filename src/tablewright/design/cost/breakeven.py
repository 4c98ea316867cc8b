"""Where one way of paying becomes cheaper than another, and which one to choose, with the numbers that decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.modes import YEARS, Mode, ModeCost, TableClass, block_hour, block_price
from tablewright.design.cost.prices import RESERVED_BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.cost.prices import Prices


class BreakEven(msgspec.Struct, frozen=True, kw_only=True):
    """`cheaper` wins over `than` where `quantity` is above `threshold`; `now` is what this design has."""

    cheaper: str
    than: str
    quantity: str
    threshold: float
    now: float | None
    holds: bool | None  # None where it depends on the hours, which the costs of the modes have counted
    arithmetic: str


def break_evens(found: tuple[ModeCost, ...], prices: Prices) -> tuple[BreakEven, ...]:
    """Between modes that are there: those whose prices are known."""
    by_mode: dict[tuple[Mode, TableClass], ModeCost] = {(each.mode, each.table_class): each for each in found}
    reserved: list[tuple[Mode, int]] = [(mode, years) for mode, years in YEARS.items() if (mode, "standard") in by_mode]
    ready = by_mode.get(("provisioned", "standard"))
    use = None if ready is None else ready.utilisation
    has_infrequent = ("on-demand", "standard-ia") in by_mode
    return (
        *([] if ready is None else [_provisioned_use(prices, use)]),
        *(_reserved_use(prices, mode, years, use) for mode, years in reserved),
        *(_reserved_hours(prices, mode, years) for mode, years in reserved),
        *([_infrequent_access(by_mode["on-demand", "standard"], prices)] if has_infrequent else []),
    )


def _hour_on_demand(prices: Prices) -> float:
    """A write unit used every second of an hour, paid by request."""
    return 3600 * prices.write_per_million / 1e6


def _above(now: float | None, threshold: float) -> bool | None:
    return None if now is None else now > threshold


def _provisioned_use(prices: Prices, now: float | None) -> BreakEven:
    """The same for reads, whose prices have the same proportion in every published table."""
    threshold = prices.wcu_hour / _hour_on_demand(prices)
    return BreakEven(
        cheaper="provisioned",
        than="on-demand",
        quantity="share of the provisioned units that is used",
        threshold=threshold,
        now=now,
        holds=_above(now, threshold),
        arithmetic=f"${prices.wcu_hour:g} a WCU-hour / (3,600 x ${prices.write_per_million:g} / 1,000,000)",
    )


def _reserved_use(prices: Prices, mode: Mode, years: int, now: float | None) -> BreakEven:
    block = block_price(prices, mode, "wcu")
    threshold = block_hour(block, years) / RESERVED_BLOCK / _hour_on_demand(prices)
    return BreakEven(
        cheaper=mode,
        than="on-demand",
        quantity="share of the reserved units that is used",
        threshold=threshold,
        now=now,
        holds=_above(now, threshold),
        arithmetic=f"(${block[0]:g} / {years * 8760:,} h + ${block[1]:g}) / {RESERVED_BLOCK} units"
        f" / (3,600 x ${prices.write_per_million:g} / 1,000,000)",
    )


def _reserved_hours(prices: Prices, mode: Mode, years: int) -> BreakEven:
    block = block_price(prices, mode, "wcu")
    hour = block_hour(block, years)
    return BreakEven(
        cheaper=mode,
        than="provisioned",
        quantity="share of the hours in which a block of 100 units is needed",
        threshold=hour / (RESERVED_BLOCK * prices.wcu_hour),
        now=None,
        holds=None,
        arithmetic=f"(${block[0]:g} / {years * 8760:,} h + ${block[1]:g}) / ({RESERVED_BLOCK} x ${prices.wcu_hour:g})",
    )


def _infrequent_access(on_demand: ModeCost, prices: Prices) -> BreakEven:
    """Requests get dearer by a share that depends on their mix, storage cheaper by a fixed one."""
    reads, writes = on_demand.read_usd_per_month, on_demand.write_usd_per_month
    dearer = reads * (prices.ia_read_per_million / prices.read_per_million - 1)
    dearer += writes * (prices.ia_write_per_million / prices.write_per_million - 1)
    share = dearer / (reads + writes) if reads + writes else prices.ia_write_per_million / prices.write_per_million - 1
    now = on_demand.storage_usd_per_month / (reads + writes) if reads + writes else None
    cheaper = 1 - prices.ia_storage_gb_month / prices.storage_gb_month
    return BreakEven(
        cheaper="standard-ia",
        than="standard",
        quantity="storage bill as a multiple of the request bill",
        threshold=share / cheaper,
        now=now,
        holds=_above(now, share / cheaper),
        arithmetic=f"requests {share:.1%} dearer / storage {cheaper:.0%} cheaper",
    )


# ---- which way of paying to choose ----------------------------------------------------------------------------------
# On demand, unless the spec's own rates and its own day show that provisioned capacity saves a tenth at least:
# autoscaling follows traffic with minutes of delay, on demand does not have to. A day that nobody described is no
# reason to provision; what it would save is said together with what that rests on.

WORTH = 0.1
ASSUMED_DAY = "if every day were the usual one that is assumed (billing.profile says nothing)"


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """The mode to begin with, and what a commitment would save on top."""

    mode: Mode
    table_class: TableClass
    usd_per_month: float
    because: str
    committed_mode: Mode | None  # the reservation that saves most once traffic is known; None when none does
    committed_usd_per_month: float | None
    committed_upfront_usd: float | None
    day_is_assumed: bool = False  # what provisioned and reserved capacity would save rests on a day that nobody said


def recommend(found: tuple[ModeCost, ...], *, rates_are_said: bool, day_is_said: bool) -> Recommendation:
    by_request = _cheapest(each for each in found if each.mode == "on-demand")
    every = [each for each in found if each.mode == "provisioned"]
    ready = _cheapest(every) if every else None
    chosen, because = _compare_modes(by_request, ready, rates_are_said=rates_are_said, day_is_said=day_is_said)
    least = min(each.usd_per_month for each in (chosen, by_request, ready) if each is not None)
    paying = [each for each in found if rates_are_said and each.upfront_usd > 0 and each.usd_per_month < least]
    committed = _cheapest(paying) if paying else None
    return Recommendation(
        mode=chosen.mode,
        table_class=chosen.table_class,
        usd_per_month=chosen.usd_per_month,
        because=because,
        committed_mode=committed.mode if committed else None,
        committed_usd_per_month=committed.usd_per_month if committed else None,
        committed_upfront_usd=committed.upfront_usd if committed else None,
        day_is_assumed=not day_is_said,
    )


def _cheapest(found: Iterable[ModeCost]) -> ModeCost:
    """The first of equals, which is the simpler one."""
    return min(found, key=lambda each: round(each.usd_per_month, 6))


def _compare_modes(
    by_request: ModeCost, ready: ModeCost | None, *, rates_are_said: bool, day_is_said: bool
) -> tuple[ModeCost, str]:
    usd = f"on demand ${by_request.usd_per_month:,.2f}"
    if ready is None:
        return by_request, f"{usd} a month; provisioned capacity is not compared, as its prices here are not known"
    difference = f"{usd}, provisioned ${ready.usd_per_month:,.2f} a month"
    if not rates_are_said:
        told = difference if day_is_said else f"{difference}, {ASSUMED_DAY}"
        return by_request, f"rates are assumed, and on demand needs no forecast ({told})"
    use = f"{ready.utilisation:.0%} of provisioned units would be used" if ready.utilisation else "nothing is asked"
    saves = ready.usd_per_month <= by_request.usd_per_month * (1 - WORTH)
    if not day_is_said:
        told = ": say how the hours of a day differ, and it is decided" if saves else ""
        return by_request, f"on demand needs no forecast; {difference} {ASSUMED_DAY}{told}"
    if saves:
        saved = 1 - ready.usd_per_month / by_request.usd_per_month
        return ready, f"provisioned with autoscaling saves {saved:.0%}: {difference}; {use}"
    return by_request, f"{difference}; {use}; provisioning would have to save {WORTH:.0%} to be worth its delay"
