"""Designs of specs in which the cheapest keys are too hot, with the sums made by hand."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tablewright import tasks
from tablewright.architect.solution import solve
from tablewright.design.heat.report import is_too_hot, table_heat


def hot(heat: Any) -> list[str]:
    return [each.kind for each in heat.findings if is_too_hot(each)]


def rooms(*, style: str = "electrodb", **said: Any) -> dict[str, Any]:
    """A room is read by half of all readers, and so is its newest page: 2,000 read units a second each."""
    busy = {"rate": {"avg": 100, "peak": 8000}, "skew": {"hottest": 0.5}}
    return {
        "name": "rooms",
        "entities": {
            "Room": {"id": "roomId", "attributes": {"title": {"required": True}}, "count": 1000, "size_bytes": 500},
            "Message": {
                "id": ["roomId", "at"],
                "attributes": {"at": "timestamp", "text": {"required": True}},
                "count": 1_000_000,
                "size_bytes": 200,
            },
        },
        "access_patterns": [
            {"id": "room", "kind": "get", "entity": "Room", "by": "roomId", **busy},
            {
                "id": "page",
                "kind": "query",
                "entity": "Message",
                "by": "roomId",
                "sort": "at desc",
                "limit": 20,
                **busy,
                **said,
            },
            {"id": "say", "kind": "write", "op": "put", "entity": "Message", "by": ["roomId", "at"], "rate": 10},
        ],
        "constraints": {"key_style": style},
    }


def test_what_is_too_hot_together_is_read_from_two_places() -> None:
    """In one partition 4,000 of 3,000; a page from an index leaves 2,000 on each."""
    cheapest = solve(rooms())
    assert hot(table_heat(cheapest.layout)) == ["hot-item-read"]
    design = tasks.design(rooms(), quick=True)
    assert hot(design.heat) == []
    loads = sorted(round(each.rcu_per_second) for each in design.heat.partitions)
    assert loads[-2:] == [2000, 2000]
    (note,) = [each for each in design.advice.tradeoffs if "more than the cheapest design" in each]
    assert note.startswith("$")
    assert "4,000 units a second at peak" in note


def without_copies(spec: dict[str, Any]) -> dict[str, Any]:
    return {**spec, "constraints": {**spec["constraints"], "copies": "none"}}


def test_a_page_that_is_too_hot_by_itself_is_read_from_copies() -> None:
    """16,000 pages a second of one room, half a unit each at least: 8,000 of 3,000 with any key, 2,000 in 4 copies."""
    design = tasks.design(rooms(rate={"avg": 100, "peak": 16_000}, skew={"hottest": 1}), quick=True)
    assert hot(design.heat) == []
    (page,) = [each for each in design.patterns if each.id == "page"]
    assert page.reads[0].copies == 4
    assert any("more than the cheapest design" in each for each in design.advice.tradeoffs)


def test_where_nothing_may_be_written_twice_it_stays_and_is_said_to() -> None:
    spec = without_copies(rooms(rate={"avg": 100, "peak": 16_000}, skew={"hottest": 1}))
    design = tasks.design(spec, quick=True)
    assert "hot-item-read" in hot(design.heat)
    (note,) = [each for each in design.advice.tradeoffs if "too hot at peak" in each]
    assert note.startswith("No design was found without what is too hot at peak")


def votes(peak: float) -> dict[str, Any]:
    """The votes of a poll are counted often: cheapest as a total that is kept."""
    return {
        "name": "polls",
        "entities": {
            "Vote": {
                "id": ["pollId", "voterId"],
                "attributes": {"pollId": {"cardinality": 1000}},
                "count": 5_000_000,
                "size_bytes": 100,
            },
        },
        "access_patterns": [
            {
                "id": "tally",
                "kind": "query",
                "entity": "Vote",
                "by": "pollId",
                "aggregate": "count",
                "rate": 20,
            },
            {
                "id": "vote",
                "kind": "write",
                "op": "put",
                "entity": "Vote",
                "by": ["pollId", "voterId"],
                "condition": "not exists",
                "rate": {"avg": 10, "peak": peak},
                "skew": {"hottest": 0.5},
            },
        ],
    }


def test_a_counter_is_one_item_and_no_key_spreads_it() -> None:
    spec = {
        "name": "polls",
        "entities": {"Poll": {"id": "pollId", "attributes": {"votes": {"type": "number"}}, "count": 1000}},
        "access_patterns": [
            {"id": "poll", "kind": "get", "entity": "Poll", "by": "pollId", "rate": 10},
            {
                "id": "count",
                "kind": "write",
                "op": "update",
                "entity": "Poll",
                "by": "pollId",
                "changes": "votes",
                "rate": {"avg": 10, "peak": 50_000},
                "skew": {"hottest": 0.1},
            },
        ],
    }
    design = tasks.design(spec, quick=True)
    assert hot(design.heat) == ["hot-item-write"]
    assert any(
        each.startswith("No design was found without") and "no key helps" in each for each in design.advice.tradeoffs
    )


@pytest.mark.parametrize(("peak", "kept"), [(100, True), (4000, False)])
def test_a_total_is_kept_unless_its_one_item_would_be_written_too_often(peak: float, kept: bool) -> None:
    """4,000 votes a second, half of them on one poll: its total takes 2,000 writes a second in transactions."""
    design = tasks.design(votes(peak), quick=True)
    assert any(each.kind == "total" for each in design.rewrites) == kept
    assert hot(design.heat) == []
    assert [each.kind for each in design.items if each.kind == "copy"] == []
    priced = [each for each in design.advice.tradeoffs if "more than the cheapest design" in each]
    assert [each.startswith("$") for each in priced] == ([] if kept else [True])


# ---- small specs that were once called cool or hot wrongly ---------------------------------------------------------

SPECS = Path(__file__).parents[1] / "trust" / "specs"


def test_new_records_of_one_tenant_are_not_one_item() -> None:
    design = tasks.design(SPECS / "skew_tenant.yaml", quick=True)
    assert hot(design.heat) == []
    assert max(each.wcu_per_second for each in design.heat.partitions) < 1


def test_the_records_of_one_tenant_in_one_partition_are_spread() -> None:
    """4,000 puts a second, half of them for one tenant, a unit each: 2,000 / 700 are 3 shards of 667."""
    spec = yaml.safe_load((SPECS / "skew_tenant.yaml").read_text())
    listed = {"id": "AP3", "kind": "query", "entity": "Record", "by": "tenantId", "limit": 20, "rate": 5}
    design = tasks.design({**spec, "access_patterns": [*spec["access_patterns"], listed]}, quick=True)
    heat = design.heat.partitions[0]
    assert "tenantId" in heat.partition_key
    assert (heat.shards, round(heat.wcu_per_second)) == (3, 667)
    assert hot(design.heat) == []


def test_a_login_by_one_of_five_million_addresses_is_not_hot() -> None:
    design = tasks.design(SPECS / "uniq.yaml", quick=True)
    assert hot(design.heat) == []
    assert all(each.verdict == "cool" and each.wcu_per_second < 1 for each in design.heat.partitions)


def test_the_partition_of_a_day_takes_all_that_is_new_and_read() -> None:
    design = tasks.design(SPECS / "day.yaml", quick=True)
    today = next(each for each in design.heat.partitions if "{day}" in each.partition_key)
    assert {each.pattern: each.share for each in today.terms} == {"AP1": 1.0, "AP2": 1.0}
    assert hot(design.heat) == []


def test_a_day_that_everyone_reads_is_read_from_shards() -> None:
    """Ten times the reads of a day are 9,753 units a second: on 5 shards about 2,000 each, of 3,000."""
    spec = yaml.safe_load((SPECS / "day.yaml").read_text())
    cool = tasks.design(spec, quick=True)
    spec["access_patterns"][0]["rate"] = 1
    design = tasks.design(spec, quick=True)
    (once, often) = (
        next(each for each in found.heat.partitions if "{day}" in each.partition_key) for found in (cool, design)
    )
    assert often.shards == ceil(10 * once.rcu_per_second / 2100)
    assert 10 * once.rcu_per_second / often.shards <= often.rcu_per_second <= 2100  # keys of shards are a little longer
    assert hot(design.heat) == []


def test_a_list_of_everything_that_everyone_reads_is_hot_with_any_key() -> None:
    """8,000 pages a second of one list: 4,000 units at least, and every shard would be asked for its page."""
    spec = yaml.safe_load((SPECS / "allusers.yaml").read_text())
    spec["access_patterns"][1]["rate"] = {"avg": 100, "peak": 8000}
    assert hot(tasks.design(spec, quick=True).heat) == []  # in copies
    design = tasks.design(without_copies(spec), quick=True)
    assert "hot-item-read" in hot(design.heat)
    assert any("(no key helps)" in each or "tried)" in each for each in design.advice.tradeoffs)
