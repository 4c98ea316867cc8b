"""Prices by region, USD, as public copies of AWS's price list had them on DATE. What is not confirmed is not here.

A region without `write_per_million` and `read_per_million` can only be priced with a file. Nothing is derived from one
region for another: on demand, Ireland costs 12.8% more than Virginia for a write and 13.2% more for a read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DATE = "2026-11"


def _on_demand(write: float, read: float) -> dict[str, float]:
    return {"write_per_million": write, "read_per_million": read}


def _kept(storage: float, recovery: float | None = None) -> dict[str, float]:
    found = {"storage_gb_month": storage}
    return found if recovery is None else {**found, "pitr_gb_month": recovery}


def _infrequent(write: float, read: float, storage: float) -> dict[str, float]:
    return {"ia_write_per_million": write, "ia_read_per_million": read, "ia_storage_gb_month": storage}


def _hours(wcu: float, rcu: float) -> dict[str, float]:
    return {"wcu_hour": wcu, "rcu_hour": rcu}


def _one_year(wcu: tuple[float, float], rcu: tuple[float, float]) -> dict[str, float]:
    """Of 100 units: upfront, and for every hour."""
    return _reserved("reserved_1_year", wcu, rcu)


def _three_years(wcu: tuple[float, float], rcu: tuple[float, float]) -> dict[str, float]:
    return _reserved("reserved_3_years", wcu, rcu)


def _reserved(term: str, wcu: tuple[float, float], rcu: tuple[float, float]) -> dict[str, float]:
    return {
        f"{term}_wcu_upfront": wcu[0],
        f"{term}_wcu_hour": wcu[1],
        f"{term}_rcu_upfront": rcu[0],
        f"{term}_rcu_hour": rcu[1],
    }


REGIONS: Mapping[str, Mapping[str, float]] = {
    "us-east-2": {
        **_on_demand(0.625, 0.125),
        **_kept(0.25, 0.20),
        **_hours(0.00065, 0.00013),
        **_one_year((150.0, 0.0128), (30.0, 0.0025)),
        "backup_gb_month": 0.10,
        "export_gb": 0.10,
        "import_gb": 0.15,
        "stream_reads_per_100_000": 0.02,
        "kinesis_per_million": 0.10,
        "dax_node_hour": 0.255,
    },
    "us-west-2": {
        **_on_demand(0.625, 0.125),
        "pitr_gb_month": 0.20,
        **_hours(0.00065, 0.00013),
        **_one_year((150.0, 0.0128), (30.0, 0.0025)),
        **_three_years((180.0, 0.0081), (36.0, 0.0016)),
    },
    "eu-west-1": {
        **_on_demand(0.705, 0.1415),
        **_kept(0.283, 0.22),
        **_infrequent(0.885, 0.177, 0.1132),
        **_hours(0.000735, 0.000147),
        **_one_year((169.5, 0.0145), (33.9, 0.0029)),
        **_three_years((203.4, 0.0092), (40.68, 0.0018)),
    },
    "eu-central-1": {
        **_on_demand(0.7625, 0.1525),
        **_kept(0.306, 0.2448),
        **_infrequent(0.955, 0.1905, 0.1224),
        **_hours(0.000793, 0.0001586),
        **_one_year((183.0, 0.0157), (36.6, 0.0032)),
        **_three_years((219.6, 0.0099), (43.8, 0.0019)),
    },
    "eu-west-2": {
        **_on_demand(0.7423, 0.1487),
        **_kept(0.29715),
        **_hours(0.000772, 0.0001544),
        **_one_year((178.0, 0.0153), (35.6, 0.0031)),
        **_three_years((213.57, 0.0097), (42.72, 0.0019)),
    },
    "ap-northeast-1": {
        **_on_demand(0.715, 0.1425),
        **_kept(0.285, 0.228),
        **_hours(0.000742, 0.0001484),
        **_one_year((171.4, 0.0147), (34.2, 0.0029)),
        **_three_years((205.6, 0.0093), (41.0, 0.0018)),
        "backup_gb_month": 0.114,
        "restore_gb": 0.171,
    },
    "ap-south-1": {
        **_on_demand(0.71, 0.1425),
        **_kept(0.285, 0.228),
        **_hours(0.00074, 0.000148),
        **_one_year((171.0, 0.0146), (34.2, 0.0029)),
    },
    "ap-southeast-2": {
        **_on_demand(0.71, 0.1425),
        **_kept(0.285, 0.228),
        **_hours(0.00074, 0.000148),
        **_one_year((171.0, 0.0146), (34.2, 0.0029)),
        **_three_years((205.2, 0.0093), (41.04, 0.0018)),
    },
    "ap-southeast-1": {
        **_hours(0.00074, 0.000148),
        **_one_year((171.0, 0.0146), (34.2, 0.0029)),
        **_three_years((205.2, 0.0093), (41.04, 0.0018)),
    },
    "sa-east-1": {
        **_hours(0.000975, 0.000195),
        **_one_year((225.0, 0.0193), (45.0, 0.0038)),
        **_three_years((270.0, 0.0122), (54.0, 0.0024)),
    },
    "ca-central-1": {
        **_hours(0.000715, 0.000143),
        **_one_year((165.0, 0.0141), (33.0, 0.0028)),
        **_three_years((198.0, 0.009), (39.6, 0.0018)),
    },
}
