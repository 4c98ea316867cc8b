"""What a month costs in every way of paying: on demand, provisioned with autoscaling, reserved, each table class.

Reserved capacity comes in blocks of 100 units of class Standard for one or three years. Blocks lie on top of each
other: the n-th is in use whenever more than (n - 1) * 100 units are provisioned, and is bought when a month of it costs
less than those hours would. The upfront price is spread over the term.

A mode whose own prices are not known for the region is left out: next to the others it would be a wrong comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.cost.prices import HOURS_PER_MONTH, HOURS_PER_YEAR, RESERVED_BLOCK, SECONDS_PER_MONTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.cost.prices import Prices
    from tablewright.design.cost.traffic import Load, Provisioned

Mode: TypeAlias = Literal["on-demand", "provisioned", "reserved-1-year", "reserved-3-years"]
TableClass: TypeAlias = Literal["standard", "standard-ia"]
YEARS: Mapping[Mode, int] = {"reserved-1-year": 1, "reserved-3-years": 3}


class ModeCost(msgspec.Struct, frozen=True, kw_only=True):
    """A month in one way of paying."""

    mode: Mode
    table_class: TableClass
    read_usd_per_month: float
    write_usd_per_month: float
    storage_usd_per_month: float
    other_usd_per_month: float  # recovery, streams: the same in every mode
    usd_per_month: float
    upfront_usd: float = 0.0  # of which the month's share is in the price already
    reserved_rcu: int = 0
    reserved_wcu: int = 0
    utilisation: float | None = None  # of what is provisioned, weighed by its price


class Fixed(msgspec.Struct, frozen=True, kw_only=True):
    """What does not depend on how requests are paid for."""

    storage_usd_per_month: float
    ia_storage_usd_per_month: float
    other_usd_per_month: float


class _Part(msgspec.Struct, frozen=True):
    """The price of one kind of units in a month."""

    usd: float
    upfront_usd: float = 0.0
    reserved: int = 0


def mode_costs(
    found: tuple[Load, ...], ready: tuple[Provisioned, ...], fixed: Fixed, prices: Prices
) -> tuple[ModeCost, ...]:
    """Every mode whose prices are known, on demand first; no reservation pays for IA or replicated writes."""
    every = (
        _on_demand(found, fixed, prices, "standard"),
        _provisioned(ready, fixed, prices, "standard"),
        _reserved(ready, fixed, prices, "reserved-1-year"),
        _reserved(ready, fixed, prices, "reserved-3-years"),
        _on_demand(found, fixed, prices, "standard-ia"),
        _provisioned(ready, fixed, prices, "standard-ia"),
    )
    known = [each for each in every if (each.mode, each.table_class) not in unpriced_modes(prices)]
    return tuple(each for each in known if not (prices.regions and each.mode in YEARS))


_IA_STORAGE = "ia_storage_gb_month"
_OWN_PRICES: Mapping[tuple[Mode, TableClass], tuple[str, ...]] = {
    ("provisioned", "standard"): ("wcu_hour", "rcu_hour"),
    ("reserved-1-year", "standard"): (
        *("wcu_hour", "rcu_hour", "reserved_1_year_wcu_upfront", "reserved_1_year_wcu_hour"),
        *("reserved_1_year_rcu_upfront", "reserved_1_year_rcu_hour"),
    ),
    ("reserved-3-years", "standard"): (
        *("wcu_hour", "rcu_hour", "reserved_3_years_wcu_upfront", "reserved_3_years_wcu_hour"),
        *("reserved_3_years_rcu_upfront", "reserved_3_years_rcu_hour"),
    ),
    ("on-demand", "standard-ia"): ("ia_write_per_million", "ia_read_per_million", _IA_STORAGE, "storage_gb_month"),
    ("provisioned", "standard-ia"): ("ia_wcu_hour", "ia_rcu_hour", _IA_STORAGE, "storage_gb_month"),
}
"""What only this mode costs; and a class is only compared with a storage price that is known."""


def unpriced_modes(prices: Prices) -> dict[tuple[Mode, TableClass], tuple[str, ...]]:
    """The modes that are left out, each with the prices that are not known for the region."""
    found = {key: tuple(each for each in names if each in prices.assumed) for key, names in _OWN_PRICES.items()}
    return {key: names for key, names in found.items() if names}


def _on_demand(found: Iterable[Load], fixed: Fixed, prices: Prices, table_class: TableClass) -> ModeCost:
    loads = tuple(found)
    infrequent = table_class == "standard-ia"
    read = prices.ia_read_per_million if infrequent else prices.read_per_million
    write = prices.ia_write_per_million if infrequent else prices.write_per_million
    return _together(
        "on-demand",
        table_class,
        _Part(sum(each.avg_rcu for each in loads) * SECONDS_PER_MONTH * read / 1e6),
        _Part(sum(each.avg_wcu for each in loads) * SECONDS_PER_MONTH * write / 1e6),
        fixed,
    )


def _provisioned(ready: Iterable[Provisioned], fixed: Fixed, prices: Prices, table_class: TableClass) -> ModeCost:
    infrequent = table_class == "standard-ia"
    hour = {
        "rcu": prices.ia_rcu_hour if infrequent else prices.rcu_hour,
        "wcu": prices.ia_wcu_hour if infrequent else prices.wcu_hour,
    }
    usd = {"rcu": 0.0, "wcu": 0.0}
    used = 0.0
    for each in ready:
        usd[each.kind] += _monthly_hours(each.units) * hour[each.kind]
        used += sum(each.used) / len(each.used) * HOURS_PER_MONTH * hour[each.kind]
    found = _together("provisioned", table_class, _Part(usd["rcu"]), _Part(usd["wcu"]), fixed)
    return msgspec.structs.replace(found, utilisation=used / (usd["rcu"] + usd["wcu"]) if ready else None)


def _monthly_hours(units: tuple[int, ...]) -> float:
    """Unit-hours of a month."""
    return sum(units) / len(units) * HOURS_PER_MONTH if units else 0.0


# ---- reserved -----------------------------------------------------------------------------------------------------


def _reserved(ready: tuple[Provisioned, ...], fixed: Fixed, prices: Prices, mode: Mode) -> ModeCost:
    """Reservations are a region's, so the blocks of the table and its indexes are counted together."""
    read = reserve(_summed(ready, "rcu"), prices.rcu_hour, block_price(prices, mode, "rcu"), YEARS[mode])
    write = reserve(_summed(ready, "wcu"), prices.wcu_hour, block_price(prices, mode, "wcu"), YEARS[mode])
    return _together(mode, "standard", read, write, fixed)


def _summed(ready: Iterable[Provisioned], kind: str) -> tuple[int, ...]:
    columns = [each.units for each in ready if each.kind == kind]
    return tuple(sum(hour) for hour in zip(*columns, strict=True))


def block_price(prices: Prices, mode: Mode, kind: str) -> tuple[float, float]:
    """Upfront, and for an hour."""
    table = {
        ("reserved-1-year", "wcu"): (prices.reserved_1_year_wcu_upfront, prices.reserved_1_year_wcu_hour),
        ("reserved-1-year", "rcu"): (prices.reserved_1_year_rcu_upfront, prices.reserved_1_year_rcu_hour),
        ("reserved-3-years", "wcu"): (prices.reserved_3_years_wcu_upfront, prices.reserved_3_years_wcu_hour),
        ("reserved-3-years", "rcu"): (prices.reserved_3_years_rcu_upfront, prices.reserved_3_years_rcu_hour),
    }
    return table[mode, kind]


def block_hour(block: tuple[float, float], years: int) -> float:
    """A reserved block for an hour, its upfront price spread over the term."""
    return block[0] / (years * HOURS_PER_YEAR) + block[1]


def reserve(units: tuple[int, ...], unit_hour: float, block: tuple[float, float], years: int) -> _Part:
    """As many blocks as pay, and the ordinary price for the rest. The higher a block, the fewer hours need it."""
    month = block_hour(block, years) * HOURS_PER_MONTH
    low, high = 0, max(units, default=0) // RESERVED_BLOCK + 1
    while low < high:
        middle = (low + high) // 2
        if _block_units(units, middle) * unit_hour > month:
            low = middle + 1
        else:
            high = middle
    left = _monthly_hours(tuple(max(0, each - low * RESERVED_BLOCK) for each in units))
    return _Part(low * month + left * unit_hour, low * block[0], low * RESERVED_BLOCK)


def _block_units(units: tuple[int, ...], below: int) -> float:
    """Unit-hours of a month that the block with so many blocks below it would serve."""
    return _monthly_hours(tuple(min(RESERVED_BLOCK, max(0, each - below * RESERVED_BLOCK)) for each in units))


def _together(mode: Mode, table_class: TableClass, read: _Part, write: _Part, fixed: Fixed) -> ModeCost:
    storage = fixed.ia_storage_usd_per_month if table_class == "standard-ia" else fixed.storage_usd_per_month
    return ModeCost(
        mode=mode,
        table_class=table_class,
        read_usd_per_month=read.usd,
        write_usd_per_month=write.usd,
        storage_usd_per_month=storage,
        other_usd_per_month=fixed.other_usd_per_month,
        usd_per_month=read.usd + write.usd + storage + fixed.other_usd_per_month,
        upfront_usd=read.upfront_usd + write.upfront_usd,
        reserved_rcu=read.reserved,
        reserved_wcu=write.reserved,
    )
