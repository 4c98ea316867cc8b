"""Specs that cannot be met say which patterns are to blame, and what would help."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablewright.architect.search.conflict import Conflicts, conflicts_of
from tablewright.architect.search.search import try_search
from tablewright.architect.solution import can_serve, solve
from tablewright.errors import DesignError
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.search.searching import search
from tests.architect.search.test_search import ORDERS
from tests.architect.specs import CASES

STAFF = next(path for path in CASES if path.stem == "task-manager")


def orders_with(*more: dict[str, Any], **constraints: Any) -> dict[str, Any]:
    return {**ORDERS, "access_patterns": [*ORDERS["access_patterns"], *more], "constraints": constraints}


def told(spec: Any, max_gsis: int = 20) -> Conflicts:
    read = read_spec(spec)
    limited = msgspec.structs.replace(read.constraints, max_gsis=max_gsis)
    return conflicts_of(msgspec.structs.replace(read, constraints=limited), can_serve)


def places(found: Conflicts) -> list[str]:
    return [each.place for each in found.remedies]


def ids(found: Conflicts) -> list[list[str]]:
    return [[each.id for each in one.patterns] for one in found.found]


def test_the_patterns_that_need_one_index_each() -> None:
    found = told(STAFF, 3)
    assert ids(found) == [["AP4", "AP7", "AP9", "AP11"]]
    assert found.remedies[0].place == "constraints.max_gsis"
    assert found.remedies[0].change == "4 instead of 3"


def test_every_pattern_of_a_conflict_is_needed_and_every_remedy_helps() -> None:
    found = told(STAFF, 2)
    facts = assume(read_spec(STAFF))
    assert len(ids(found)[0]) == 3
    assert set(ids(found)[0]) <= {"AP4", "AP7", "AP9", "AP11"}
    assert places(found)[0] == "constraints.max_gsis"
    assert try_search(facts, max_gsis=2) is None
    assert try_search(facts, max_gsis=4) is not None


def test_strong_reads_by_two_keys() -> None:
    strong = [
        {"id": f"by-{name}", "kind": "query", "entity": "Order", "by": [name], "consistency": "strong"}
        for name in ("customerId", "placedAt")
    ]
    found = told(orders_with(*strong))
    assert ids(found) == [["by-customerId", "by-placedAt"]]
    assert "access_patterns.by-placedAt.consistency" in places(found)
    eventual = [{**each, "consistency": "eventual"} for each in strong]
    assert try_search(assume(read_spec(orders_with(strong[0], eventual[1])))) is not None


def test_full_text_belongs_elsewhere() -> None:
    words = {"id": "words", "kind": "query", "entity": "Order", "by": ["customerId"], "search": "note"}
    with pytest.raises(DesignError) as caught:
        solve(orders_with(words))
    assert "no key can serve words; it searches note for words" in caught.value.message
    assert "OpenSearch" in caught.value.message


def test_an_order_that_goes_both_ways() -> None:
    both = {
        "id": "both",
        "kind": "query",
        "entity": "Order",
        "by": ["customerId"],
        "sort": ["placedAt desc", "note asc"],
    }
    with pytest.raises(DesignError, match="placedAt desc, note asc goes both up and down"):
        told(orders_with(both))


def test_each_hopeless_pattern_is_told() -> None:
    words = [
        {"id": f"words-{name}", "kind": "query", "entity": "Order", "by": [], "search": name}
        for name in ("note", "customerId")
    ]
    found = told(orders_with(*words))
    assert sorted(ids(found)) == [["words-customerId"], ["words-note"]]
    assert sorted(places(found)) == ["access_patterns.words-customerId", "access_patterns.words-note"]


def test_a_limit_of_indexes_reads_like_a_sentence() -> None:
    with pytest.raises(DesignError) as caught:
        solve(orders_with(max_gsis=0))
    assert caught.value.message.splitlines() == [
        "no design without an index serves these access patterns together:",
        "  get",
        "  of-customer",
        "  any one of these would help:",
        "    constraints.max_gsis: 1 instead of 0",
        "    constraints.copies: any: second items, which are written in transactions",
        "    access_patterns.get: left out",
        "    access_patterns.of-customer: left out",
    ]


# ---- tenants -------------------------------------------------------------------------------------------------------


def tenant_spec(**pattern: Any) -> dict[str, Any]:
    return {
        "name": "tenants",
        "entities": {
            "Task": {"id": ["taskId"], "attributes": {"taskId": "string", "tenantId": {"required": True}, "title": {}}}
        },
        "access_patterns": [
            {"id": "get", "kind": "get", "entity": "Task", "by": ["taskId", "tenantId"], "tenant": "tenantId"},
            {"id": "list", "kind": "query", "entity": "Task", "by": ["tenantId"], "tenant": "tenantId"},
            {"id": "put", "kind": "write", "op": "put", "entity": "Task", "by": ["taskId"], "tenant": "tenantId"},
            *([{"kind": "query", "entity": "Task", "tenant": "tenantId", **pattern}] if pattern else []),
        ],
    }


def test_a_tenant_is_in_every_partition_it_is_read_from() -> None:
    choice = search(assume(read_spec(tenant_spec(id="by-title", by=["tenantId", "title"]))))
    assert "tenantId" in choice.base["Task"].partition
    assert all("tenantId" in plan.shape.partition for plan in choice.plans.values())


def test_writes_alone_put_the_tenant_into_the_table_key() -> None:
    spec = tenant_spec()
    free = {**spec, "access_patterns": [{**spec["access_patterns"][0], "by": ["taskId"], "tenant": None}]}
    kept = {**free, "access_patterns": [{**spec["access_patterns"][0], "tenant": None}, spec["access_patterns"][2]]}
    assert search(assume(read_spec(free))).base["Task"].partition == ("taskId",)
    assert "tenantId" in search(assume(read_spec(kept))).base["Task"].partition


def test_a_tenant_nobody_gives_is_told() -> None:
    with pytest.raises(DesignError, match="kept apart by tenantId, which must then be among its inputs"):
        solve(tenant_spec(id="by-title", by=["title"]))
