"""Prices, as one dated table that a file can override. USD; a month has 730 hours, a GB has 2^30 bytes."""

from __future__ import annotations

import msgspec

HOURS_PER_MONTH = 730
SECONDS_PER_MONTH = HOURS_PER_MONTH * 3600
GB = 2**30


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """What AWS charges in one region."""

    region: str = "us-east-1"
    date: str = "2026-11"
    write_per_million: float = 0.625
    read_per_million: float = 0.125
    ia_write_per_million: float = 0.78
    ia_read_per_million: float = 0.155
    wcu_hour: float = 0.00065
    rcu_hour: float = 0.00013
    ia_wcu_hour: float = 0.00081
    ia_rcu_hour: float = 0.00016
    storage_gb_month: float = 0.25
    ia_storage_gb_month: float = 0.10
    pitr_gb_month: float = 0.20


US_EAST_1 = Prices()
