"""Of several tables each has its own bill, and the account has one quota for all of them."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright import tasks

NAMES = ("Click", "View", "Visit")
STEADY = {"profile": [1] * 24, "utilisation": 0.7}


def entity(name: str) -> dict[str, Any]:
    key = f"{name.lower()}Id"
    return {"id": [key], "attributes": {key: "string"}, "count": 1_000_000, "growth_per_month": 0, "size_bytes": 900}


def put(name: str, rate: float) -> dict[str, Any]:
    key, said = f"{name.lower()}Id", {"avg": rate, "peak": rate}
    return {"id": f"put {name}", "kind": "write", "op": "put", "entity": name, "by": [key], "rate": said}


def made(rate: float, **top: Any) -> Any:
    entities = {name: entity(name) for name in NAMES}
    spec = {"name": "traffic", "entities": entities, "access_patterns": [put(name, rate) for name in NAMES], **top}
    return tasks.design(spec, tables="several", quick=True)


def test_what_all_tables_provision_counts_for_the_account() -> None:
    # 25,000 writes of one unit at 70 per cent: 35,715 of the 40,000 of each table, 107,145 of the 80,000 of an account
    found = made(25_000, billing=STEADY)
    assert len(found.tables) == 3
    assert {each.provisioned["table"].min_wcu for each in found.tables} == {35_715}
    (said,) = found.cost.scenarios[0].quotas
    assert said.startswith("all tables: 107,145 write units a second provisioned in the busiest hour")
    assert "more than the 80,000 of an account" in said


def test_quotas_of_each_table_are_named_with_it() -> None:
    # on demand: an account has no quota for that
    found = made(50_000)
    said = found.cost.scenarios[0].quotas
    assert [each.split(":")[0] for each in said] == [each.name for each in found.tables]
    assert all("50,000 write units a second taken" in each for each in said)


def test_what_is_not_a_request_is_explained_for_each_table() -> None:
    found = made(1, region="eu-west-1")
    # a million items of 900 bytes, and 100 that storage adds, in each of three tables
    assert found.cost.storage_usd_per_month == pytest.approx(3 * 1e9 / 2**30 * 0.283)
    assert found.cost.pitr_usd_per_month == pytest.approx(3 * 1e9 / 2**30 * 0.22)
    assert len(found.cost.explained) == 6
    assert found.cost.explained[1].endswith(
        "point-in-time recovery: 0.93 GB of the table, without global indexes, at $0.22"
    )
