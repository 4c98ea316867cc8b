"""The cost of a design as blocks: the sum, what causes it, then other capacity modes and scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.cost.breakeven import ASSUMED_DAY
from tablewright.design.wording import amount, money, percent, some, times, units
from tablewright.report.blocks import Grid, Heading, Text, bullets, column, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.breakeven import BreakEven
    from tablewright.design.cost.modes import ModeCost
    from tablewright.design.cost.report import CostReport, Scenario
    from tablewright.report.blocks import Block

MODES = {
    "on-demand": "on demand",
    "provisioned": "provisioned",
    "reserved-1-year": "reserved, 1 year",
    "reserved-3-years": "reserved, 3 years",
}
MANY = 2
CLASSES = {"standard": "Standard", "standard-ia": "Standard-IA"}


def cost_summary(report: CostReport) -> Iterator[Block]:
    yield Heading("Cost")
    yield Text(_total_text(report))
    yield Text(
        f"Recommended: {mode_text(report.recommended.mode, report.recommended.table_class)}, as "
        f"{report.recommended.because}."
    )
    if report.over_budget_usd_per_month:
        yield Text(f"This is {money(report.over_budget_usd_per_month)} a month over the budget.", "bad")
    if report.recommended.committed_mode:
        yield Text(_committed_text(report))
    yield _scenario_grid(report)
    yield from _limit_blocks(report)


def _total_text(report: CostReport) -> str:
    parts = {
        "reads": report.read_usd_per_month,
        "writes": report.write_usd_per_month,
        f"storage of {report.gb:,.2f} GB": report.storage_usd_per_month,
        "point-in-time recovery": report.pitr_usd_per_month,
        "streams": report.streams_usd_per_month,
        "expiry in other regions": report.expiry_usd_per_month,
    }
    listed = ", ".join(f"{name} {money(usd)}" for name, usd in parts.items() if usd)
    prices = f"{report.prices.region}, prices of {report.prices.date}"
    return f"{money(report.usd_per_month)} a month on demand ({prices}): {listed or 'nothing'}."


def mode_text(mode: str, table_class: str) -> str:
    return f"{MODES[mode]}, class {CLASSES[table_class]}"


def _committed_text(report: CostReport) -> str:
    advice = report.recommended
    assert advice.committed_mode is not None
    resting = f", {ASSUMED_DAY}" if advice.day_is_assumed else ""
    return (
        f"Once the traffic is known, {MODES[advice.committed_mode]} costs"
        f" {money(advice.committed_usd_per_month or 0.0)} a month"
        f" ({money(advice.committed_upfront_usd or 0.0)} upfront, included){resting}."
    )


def _scenario_grid(report: CostReport) -> Grid:
    """Scenarios by traffic (rows) and time (columns), each with its cheapest mode."""
    months = list(dict.fromkeys(each.months for each in report.scenarios))
    rows = list(dict.fromkeys(each.traffic for each in report.scenarios))
    found = {(each.traffic, each.months): each for each in report.scenarios}
    return Grid(
        (column("traffic"), *(number("now" if not each else f"after {each} months") for each in months)),
        tuple((f"{row:g}x", *(_scenario_text(found[row, each]) for each in months)) for row in rows),
    )


def _scenario_text(found: Scenario) -> str:
    advice = found.recommended
    infrequent = " IA" if advice.table_class == "standard-ia" else ""
    usd = money(advice.usd_per_month) + (", too hot" if found.too_hot else "")
    return f"{usd}\n{MODES[advice.mode]}{infrequent}, {amount(round(found.gb, 1))} GB"


def _limit_blocks(report: CostReport) -> Iterator[Block]:
    """Where a price of the grid is that of a design which does not serve such traffic as it stands."""
    hot = _first_of_each([each for each in report.scenarios if each.too_hot])
    large = _first_of_each([each for each in report.scenarios if each.quotas])
    said = [
        *(f"{_when(each)}: too hot for these keys: {some(each.too_hot, MANY)}" for each in hot),
        *(f"{_when(each)}: {quota}" for each in large for quota in each.quotas),
    ]
    if said:
        yield bullets(*said)


def _first_of_each(found: list[Scenario]) -> list[Scenario]:
    """Of each traffic the earliest, as they are in order."""
    return list({each.traffic: each for each in reversed(found)}.values())[::-1]


def _when(found: Scenario) -> str:
    return f"{found.traffic:g}x" + (f" after {found.months} months" if found.months else "")


# ---- in detail ------------------------------------------------------------------------------------------------------


def cost_blocks(report: CostReport) -> Iterator[Block]:
    yield from cost_summary(report)
    if report.explained:
        yield Heading("Besides requests", 3)
        yield bullets(*report.explained)
    if report.regions:
        yield Heading("By region", 3)
        yield _region_grid(report)
    yield Heading("By pattern", 3)
    yield _pattern_grid(report)
    yield Heading("By entity", 3)
    yield Grid(
        (column("entity"), number("items"), number("reads"), number("writes"), number("storage"), number("a month")),
        tuple(
            (
                each.entity,
                amount(each.counts.get("0", 0.0)),
                money(each.read_usd_per_month),
                money(each.write_usd_per_month),
                money(each.storage_usd_per_month),
                money(each.usd_per_month),
            )
            for each in report.entities
        ),
    )
    yield Heading("By place", 3)
    yield Grid(
        (column("place"), number("GB"), number("RCU avg / peak"), number("WCU avg / peak"), number("a month")),
        tuple(
            (
                each.place,
                f"{each.gb:,.2f}",
                f"{units(each.avg_rcu)} / {units(each.peak_hour_rcu)}",
                f"{units(each.avg_wcu)} / {units(each.peak_hour_wcu)}",
                money(each.usd_per_month),
            )
            for each in report.places
        ),
    )
    yield from _mode_blocks(report)


def _region_grid(report: CostReport) -> Grid:
    return Grid(
        (column("region"), number("reads"), number("writes"), number("storage"), number("recovery"), number("a month")),
        tuple(
            (
                each.region,
                money(each.read_usd_per_month),
                money(each.write_usd_per_month),
                money(each.storage_usd_per_month),
                money(each.pitr_usd_per_month),
                money(each.usd_per_month),
            )
            for each in report.regions
        ),
    )


def _pattern_grid(report: CostReport) -> Grid:
    dearest = sorted(report.patterns, key=lambda each: -each.usd_per_month)
    return Grid(
        (
            column("pattern"),
            number("a second avg / peak"),
            number("RCU"),
            number("WCU"),
            number("of which indexes"),
            number("a month"),
        ),
        tuple(
            (
                each.pattern,
                f"{units(each.avg_per_second)} / {units(each.peak_per_second)}",
                units(each.prediction.rcu),
                units(each.prediction.wcu),
                money(each.index_usd_per_month) if each.index_usd_per_month else "",
                money(each.usd_per_month),
            )
            for each in dearest
        ),
    )


def _mode_blocks(report: CostReport) -> Iterator[Block]:
    yield Heading("Ways of paying", 3)
    best = report.recommended
    yield Grid(
        (column("mode"), number("requests"), number("storage"), number("upfront"), number("a month"), column("")),
        tuple(
            _mode_row(each, is_best=(each.mode, each.table_class) == (best.mode, best.table_class))
            for each in report.modes
        ),
    )
    yield bullets(
        *(
            f"{each.cheaper} beats {each.than} where the {each.quantity} is above {percent(each.threshold)}"
            f"{_now_text(report, each)} ({each.arithmetic})"
            for each in report.break_evens
        )
    )
    if report.recommended.day_is_assumed:
        yield Text(f"Provisioned and reserved capacity are priced as {ASSUMED_DAY}.")
    yield Text(_cache_text(report))


def _now_text(report: CostReport, each: BreakEven) -> str:
    """How much of what is provisioned is used follows from the day, said or not."""
    if each.now is None:
        return ""
    of_a_day = report.recommended.day_is_assumed and each.cheaper != "standard-ia"
    return f"; now {percent(each.now)}" + (" on the day that is assumed" if of_a_day else "")


def _mode_row(each: ModeCost, *, is_best: bool) -> tuple[str, ...]:
    return (
        mode_text(each.mode, each.table_class),
        money(each.read_usd_per_month + each.write_usd_per_month),
        money(each.storage_usd_per_month),
        money(each.upfront_usd) if each.upfront_usd else "",
        money(each.usd_per_month),
        "recommended" if is_best else "",
    )


def _cache_text(report: CostReport) -> str:
    cache = report.cache
    if cache.break_even_traffic is None:
        return "DAX: no reads repeat often enough for a cache to save anything."
    verdict = "pays for itself" if cache.pays else f"would pay from {times(cache.break_even_traffic)} the traffic on"
    return (
        f"DAX: {cache.nodes} nodes {cache.node} cost {money(cache.usd_per_month)} a month and save"
        f" {money(cache.saved_usd_per_month)} of reads; a cache {verdict}."
    )
