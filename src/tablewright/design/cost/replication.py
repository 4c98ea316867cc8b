"""What replicas add to a bill: each region's share of it, and deletes by TTL, which are free in one region alone.

An item expires in one region, at no cost; in every other region its delete is a replicated write.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.entries import TABLE
from tablewright.design.wording import concat
from tablewright.spec.quantities import Assumption
from tablewright.spec.volumes import lifetime_months
from tablewright.wire.capacity import write_wcu

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.cost.prices import Prices
    from tablewright.design.cost.storage import StoredEntry
    from tablewright.spec.facts import Facts


class RegionCost(msgspec.Struct, frozen=True, kw_only=True):
    """A month of one replica, on demand, class Standard."""

    region: str
    read_usd_per_month: float
    write_usd_per_month: float  # with deletes by TTL that come from other regions
    storage_usd_per_month: float
    pitr_usd_per_month: float
    streams_usd_per_month: float
    usd_per_month: float


class Shared(msgspec.Struct, frozen=True, kw_only=True):
    """A month of all replicas together."""

    read_usd: float
    write_usd: float
    storage_usd: float
    pitr_usd: float
    streams_usd: float


def region_costs(whole: Shared, prices: Prices) -> tuple[RegionCost, ...]:
    """Nothing where there is one region. Reads are as many in each; changes are read at home."""
    return tuple(_region_cost(whole, prices, each) for each in prices.regions)


def _region_cost(whole: Shared, prices: Prices, part: Prices) -> RegionCost:
    usd = {
        "read_usd_per_month": whole.read_usd * _portion(part, prices, "read_per_million") / len(prices.regions),
        "write_usd_per_month": whole.write_usd * _portion(part, prices, "write_per_million"),
        "storage_usd_per_month": whole.storage_usd * _portion(part, prices, "storage_gb_month"),
        "pitr_usd_per_month": whole.pitr_usd * _portion(part, prices, "pitr_gb_month"),
        "streams_usd_per_month": whole.streams_usd if part is prices.regions[0] else 0.0,
    }
    return RegionCost(region=part.region, usd_per_month=sum(usd.values()), **usd)


def _portion(part: Prices, prices: Prices, name: str) -> float:
    whole = getattr(prices, name)
    return getattr(part, name) / whole if whole else 0.0


# ---- expiry ---------------------------------------------------------------------------------------------------------


def expiry_usd(facts: Facts, found: Iterable[StoredEntry], prices: Prices) -> float:
    """A month of deletes by TTL in other regions."""
    units = sum(
        expired_units(facts, each.entity, each.count, each.entry_bytes) for each in found if each.place == TABLE
    )
    return units * expired_price(prices) / 1e6


def expired_units(facts: Facts, entity: str, count: float, size: float) -> float:
    """Write units of a month for items of the table that go by TTL: those there are, once in each lifetime."""
    months = lifetime_months(facts, entity)
    return 0.0 if months is None else count / months * write_wcu(ceil(size), 0)


def expired_price(prices: Prices) -> float:
    """A million replicated write units in all regions but the one where the item expired, which may be any."""
    count = len(prices.regions)
    return prices.write_per_million * (count - 1) / count if count else 0.0


# ---- in words -------------------------------------------------------------------------------------------------------


def replica_assumptions(facts: Facts, prices: Prices) -> Iterator[Assumption]:
    """What the bill of several regions rests on."""
    if not prices.regions:
        return
    yield Assumption("regions", "each region asks for the same share of the reads")
    yield Assumption("billing.transfer", "not counted: what AWS charges for data that goes from region to region")
    yield Assumption("billing.reserved", "not compared: reserved capacity does not pay for replicated writes")
    if facts.spec.billing.streams in ("application", "kinesis"):
        yield Assumption("billing.streams", f"changes are read in {prices.regions[0].region} alone, where all arrive")
    unsaid = [each.name for each in facts.spec.entities.values() if each.ttl is not None and each.ttl.days is None]
    if unsaid:
        yield Assumption("billing.expiry", f"deletes by TTL of {concat(unsaid)} are not counted: no lifetime is said")


def replica_lines(expired_usd: float, prices: Prices) -> Iterator[str]:
    """How the bill of several regions comes about."""
    if not prices.regions:
        return
    names = concat(each.region for each in prices.regions)
    each = " + ".join(f"${part.write_per_million:g}" for part in prices.regions)
    yield (
        f"replicas in {names}: every write is paid in each of them (${prices.write_per_million:g} a million units:"
        f" {each}), indexes and storage too; a read where it is asked, ${prices.read_per_million:g} on average"
    )
    if expired_usd:
        yield (
            f"expiry in other regions: an item that goes by TTL is deleted by a replicated write in"
            f" {len(prices.regions) - 1} of them, ${expired_usd:,.2f}"
        )
