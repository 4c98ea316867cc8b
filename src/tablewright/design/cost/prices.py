"""Prices, as one dated table that a file or keywords can override. USD; a month has 730 hours, a GB has 2^30 bytes.

Other regions come as a YAML or JSON file with the same fields; what a file leaves out keeps the price of us-east-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.errors import DesignError
from tablewright.schema.form.kinds import quoted
from tablewright.schema.places import nearest
from tablewright.wire import limits

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.spec.model import Spec

GB = limits.GB
HOURS_PER_MONTH = 730
HOURS_PER_YEAR = 8760
SECONDS_PER_MONTH = HOURS_PER_MONTH * 3600
MOST_PRICE = 1_000_000_000
RESERVED_BLOCK = 100
"""Reserved capacity is bought in blocks of so many units."""


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """What AWS charges in one region."""

    region: str = "us-east-1"
    date: str = "2026-11"
    # on demand, for a million request units
    write_per_million: float = 0.625
    read_per_million: float = 0.125
    ia_write_per_million: float = 0.78
    ia_read_per_million: float = 0.155
    replicated_write_per_million: float = 0.625
    ia_replicated_write_per_million: float = 0.78
    # provisioned, for a unit and an hour
    wcu_hour: float = 0.00065
    rcu_hour: float = 0.00013
    ia_wcu_hour: float = 0.00081
    ia_rcu_hour: float = 0.00016
    # reserved, for a block of 100 units of Standard: once, and for every hour
    reserved_1_year_wcu_upfront: float = 150.0
    reserved_1_year_wcu_hour: float = 0.0128
    reserved_1_year_rcu_upfront: float = 30.0
    reserved_1_year_rcu_hour: float = 0.0025
    reserved_3_years_wcu_upfront: float = 180.0
    reserved_3_years_wcu_hour: float = 0.0081
    reserved_3_years_rcu_upfront: float = 36.0
    reserved_3_years_rcu_hour: float = 0.0016
    # storage and copies of it, for a GB
    storage_gb_month: float = 0.25
    ia_storage_gb_month: float = 0.10
    free_storage_gb: float = 25.0  # Standard, for a whole account
    pitr_gb_month: float = 0.20
    backup_gb_month: float = 0.10
    restore_gb: float = 0.15
    export_gb: float = 0.10
    import_gb: float = 0.15
    # change capture
    stream_reads_per_100_000: float = 0.02
    free_stream_reads: float = 2_500_000.0
    kinesis_per_million: float = 0.10
    # cache
    dax_node: str = "r5.large"
    dax_node_hour: float = 0.255


US_EAST_1 = Prices()


def load_prices(file: str | Path | Mapping[str, Any] | None = None, /, **overrides: Any) -> Prices:
    """The table of us-east-1 with what a file and then keywords put in its place."""
    given: dict[str, Any] = {} if file is None else dict(_price_fields(file))
    return _priced({**given, **overrides}, "prices" if file is None or isinstance(file, Mapping) else str(file))


def prices_of(spec: Spec) -> Prices:
    """The prices a spec names; a region without a price file keeps the table's prices, and their region."""
    return load_prices(spec.billing.prices) if spec.billing.prices else US_EAST_1


def _price_fields(file: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    from tablewright.spec.read import open_source

    content = open_source(file).content
    if not isinstance(content, Mapping):
        raise DesignError(f"{file}: a price file holds fields such as write_per_million: 0.625")
    return cast("Mapping[str, Any]", content)


def _priced(given: Mapping[str, Any], where: str) -> Prices:
    for name, value in given.items():
        if name not in Prices.__struct_fields__:
            hint = nearest(name, Prices.__struct_fields__)
            raise DesignError(f'{where}: there is no price "{name}".{hint} See tablewright.design.cost.prices')
        if isinstance(value, int | float) and not 0 <= value <= MOST_PRICE:
            raise DesignError(f"{where}: {name} is {quoted(value)}; a price is at least 0 and at most {MOST_PRICE:,}")
    try:
        return msgspec.convert({**msgspec.structs.asdict(US_EAST_1), **given}, Prices)
    except msgspec.ValidationError as error:
        raise DesignError(f"{where}: {error}; prices are numbers in USD") from None
