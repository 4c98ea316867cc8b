"""Ids that sort as a time: where their order is offered, that it is proven, and that the cheaper order is taken."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from tablewright import tasks
from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.proof.run import prove
from tests.architect.plans.specs import offered

BY_ID = Rewrite("order", "newest", ("orderId",))


def orders(**changes: Any) -> dict[str, Any]:
    newest = {"kind": "query", "entity": "Order", "by": "customerId", "sort": "at desc", "limit": 5, "rate": 50}
    update = {"kind": "write", "op": "update", "entity": "Order", "changes": ["status"], "rate": 5}
    ids = ["customerId", "orderId"]
    return {
        "name": "orders",
        "entities": {
            "Order": {
                "id": ids,
                "attributes": {
                    "orderId": {"type": "ulid", "sorts_as": "at"},
                    "at": {"type": "timestamp", "required": True, "immutable": True},
                    "status": {"values": ["open", "paid"], "required": True},
                },
                "count": 100_000,
            }
        },
        "access_patterns": [
            {"id": "newest", **newest, **changes},
            {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ids, "rate": 5},
            {"id": "pay", "by": ids, **update},
        ],
    }


def test_the_order_of_the_id_is_weighed_against_that_of_the_time() -> None:
    assert offered(orders()) == [["order newest (at)", "order newest (orderId)"]]


def test_the_last_of_several_orders_may_be_that_of_the_id() -> None:
    assert offered(orders(sort=["status", "at"])) == [["order newest (at)", "order newest (orderId)"]]


@pytest.mark.parametrize(
    "changes", [{"sort": ["at", "status"]}, {"range": {"attr": "at"}}, {"sort": [], "limit": 5}, {"sort": "status"}]
)
def test_where_the_time_itself_is_needed_it_is_not(changes: dict[str, Any]) -> None:
    assert offered(orders(**changes)) == []


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("sort", ["at desc", "at", ["status", "at"]])
def test_answers_in_the_order_of_ids_are_in_that_of_the_time(style: str, sort: Any) -> None:
    solution = solve({**orders(sort=sort), "constraints": {"key_style": style}}, rewrites=(BY_ID,))
    made = write_table(solution)
    report = prove(made, rounds=12)
    assert report.failure == ""
    assert "at" not in {name for keys in made.items[0].keys for name in (*keys.lead, *keys.rest)}


# ---- exactly --------------------------------------------------------------------------------------------------------


def random_orders(seed: int) -> dict[str, Any]:
    """Lists by different attributes, sorted by the time, some of them with a range of it."""
    chance = random.Random(seed)
    spec = orders()
    entity = spec["entities"]["Order"]
    entity["count"] = chance.choice([1000, 1_000_000])
    entity["size_bytes"] = chance.choice([300, 3000])
    entity["id"] = chance.choice([["customerId", "orderId"], ["orderId"]])
    entity["attributes"]["customerId"] = {"cardinality": 100, "required": True}
    reads = [
        {
            "id": f"list{number}",
            "kind": "query",
            "entity": "Order",
            "by": chance.choice(["customerId", "status", ["customerId", "status"]]),
            "sort": chance.choice(["at", "at desc"]),
            "rate": chance.choice([1, 100]),
            **({"limit": 10} if chance.random() < 0.6 else {}),
            **({"range": {"attr": "at"}} if chance.random() < 0.3 else {}),
        }
        for number in range(chance.choice([1, 2]))
    ]
    slow = {"by": entity["id"], "rate": 0.01}  # so that no rule about partitions that grow beyond 10 GB is in question
    writes = ({**each, **slow} for each in spec["access_patterns"][1:])
    return {**spec, "access_patterns": [*reads, *writes]}


def by_hand(spec: dict[str, Any]) -> list[float]:
    """The bills of all ways to say it without the word."""
    reads = [each for each in spec["access_patterns"] if each["kind"] == "query"]
    ways = [("at",) if "range" in each else ("at", "orderId") for each in reads]
    attributes = {**spec["entities"]["Order"]["attributes"], "orderId": "ulid"}
    entities = {"Order": {**spec["entities"]["Order"], "attributes": attributes}}
    found: list[float] = []
    for names in product(*ways):
        pairs = zip(reads, names, strict=True)
        lists = [{**each, "sort": each["sort"].replace("at", name, 1)} for each, name in pairs]
        patterns = [*lists, *spec["access_patterns"][len(reads) :]]
        found.append(bill({**spec, "entities": entities, "access_patterns": patterns}))
    return found


def bill(spec: dict[str, Any]) -> float:
    return tasks.design(spec, quick=True).cost.usd_per_month


@pytest.mark.parametrize("seed", range(30))
def test_the_cheapest_of_all_orders_is_found(seed: int) -> None:
    spec = random_orders(seed)
    assert bill(spec) == pytest.approx(min(by_hand(spec)), rel=0.006, abs=0.01)
