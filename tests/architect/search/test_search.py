"""The search as its callers use it: aims, what is forbidden, and published applications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tablewright.architect.search.search import candidates_of, try_search
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.search.searching import search
from tests.architect.specs import CASES

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.spec.facts import Facts

ORDERS: dict[str, Any] = {
    "name": "orders",
    "entities": {
        "Order": {
            "id": ["orderId"],
            "count": 100_000,
            "attributes": {
                "orderId": "string",
                "customerId": {"required": True, "cardinality": 1000, "immutable": True},
                "placedAt": {"type": "timestamp", "required": True, "immutable": True},
                "note": {"size_bytes": 2000},
            },
        }
    },
    "access_patterns": [
        {"id": "get", "kind": "get", "entity": "Order", "by": ["orderId"], "rate": 10},
        {
            "id": "of-customer",
            "kind": "query",
            "entity": "Order",
            "by": ["customerId"],
            "sort": ["placedAt"],
            "rate": 5,
        },
        {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId"], "rate": 1},
    ],
}


def facts_of(spec: Any) -> Facts:
    return assume(read_spec(spec))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_no_more_indexes_than_the_expert(path: Path) -> None:
    allowed = yaml.safe_load(path.read_text())["judge"]["max_gsis"]
    choice = search(facts_of(path), aim="gsis")
    assert len(choice.slots) <= allowed
    assert choice.gap == 0.0


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_aim_is_best_at_what_it_says(path: Path) -> None:
    facts = facts_of(path)
    candidates = candidates_of(facts)
    cheapest = search(facts, aim="cost", candidates=candidates)
    fewest = search(facts, aim="gsis", candidates=candidates)
    quickest = search(facts, aim="latency", candidates=candidates)
    least = min(each.cost + each.rules for each in (cheapest, fewest, quickest))
    assert cheapest.cost + cheapest.rules == pytest.approx(least, rel=0.001)  # less tells no two designs apart
    assert len(fewest.slots) == min(len(each.slots) for each in (cheapest, fewest, quickest))


def test_a_forbidden_key_is_not_chosen() -> None:
    facts = facts_of(ORDERS)
    free = search(facts)
    taken = free.base["Order"]
    forced = search(facts, forbid=[("base", taken)])
    assert forced.base["Order"] != taken
    assert forced.cost >= free.cost


def test_the_beginning_of_a_name_forbids_all_that_begin_so() -> None:
    facts = facts_of(ORDERS)
    (shape,) = search(facts).slots[0].values()
    assert all(shape not in slot.values() for slot in search(facts, forbid=[("gsi", shape)]).slots)
    assert try_search(facts, forbid=[("gsi",)]) is None


def test_what_cannot_be_is_none() -> None:
    assert try_search(facts_of(ORDERS), forbid=[("plan", "get")]) is None


def test_latency_avoids_looking_for_a_key_first() -> None:
    """Orders beside their customer need one small index; but then a delete by id has to look for the order."""
    both = {"id": "both", "kind": "query", "entities": ["Customer", "Order"], "by": ["customerId"], "rate": 5}
    deletes = {"id": "delete", "kind": "write", "op": "delete", "entity": "Order", "by": ["orderId"], "rate": 0.001}
    joins = {"id": "join", "kind": "write", "op": "put", "entity": "Customer", "by": ["customerId"], "rate": 5}
    spec = {
        "name": "orders",
        "entities": {"Customer": {"id": ["customerId"], "attributes": ["customerId", "name"]}, **ORDERS["entities"]},
        "access_patterns": [ORDERS["access_patterns"][0], both, ORDERS["access_patterns"][2], deletes, joins],
    }
    cheapest, quickest = (search(facts_of(spec), aim=aim) for aim in ("cost", "latency"))
    assert ("delete", "Order") in cheapest.located
    assert not quickest.located
    assert cheapest.cost < quickest.cost
