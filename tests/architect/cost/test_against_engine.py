"""Predictions from what a run really touched are what the engine bills, to the unit."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from tablewright.architect.cost.predict import predict
from tablewright.architect.cost.units.samples import read_sample, write_sample
from tablewright.architect.cost.units.volumes import estimate
from tablewright.architect.solution import solve
from tablewright.engine import Engine
from tablewright.proof.client import run, stored_items
from tablewright.proof.data import synthesise
from tablewright.proof.run import TABLE, ask, create
from tablewright.wire.values import marshal_item
from tests.architect.cost.shop import GET, OF_CUSTOMER, OF_STATUS, PAY, PUT, shop
from tests.architect.specs import random_spec

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution

SOLUTION = shop(GET, {**OF_CUSTOMER, "limit": 3}, OF_STATUS, PUT, PAY)


def order(number: int, *, status: str = "open", note: int = 0) -> dict[str, Any]:
    return {
        "orderId": f"o{number}",
        "customerId": f"c{number % 2}",
        "status": status,
        "date": f"2026-01-{number + 1:02d}",
        "note": "n" * note,
    }


def stored(item: dict[str, Any]) -> list[dict[str, Any]]:
    return stored_items(item, SOLUTION.spec.entities["Order"], SOLUTION.names)


def put(engine: Engine, item: dict[str, Any]) -> dict[str, float]:
    """Units by place."""
    params = {"TableName": TABLE, "Item": marshal_item(stored(item)[0]), "ReturnConsumedCapacity": "INDEXES"}
    used = engine.call("PutItem", params)["ConsumedCapacity"]
    indexes = used.get("GlobalSecondaryIndexes", {})
    return {
        "table": used["Table"]["CapacityUnits"],
        **{name: each["CapacityUnits"] for name, each in indexes.items()},
    }


@pytest.fixture
def engine():
    with Engine() as found:
        create(found, len(SOLUTION.choice.slots))
        yield found


def predicted(pattern: str, *, before: dict[str, Any] | None, after: dict[str, Any]) -> dict[str, float]:
    sample = write_sample(SOLUTION, "Order", [] if before is None else stored(before), stored(after))
    volumes = replace(estimate(SOLUTION), write_samples={pattern: (sample,)})
    return dict(predict(SOLUTION, pattern, volumes).wcu_by_place)


def test_writes(engine):
    first, grown, paid = order(1), order(1, note=2000), order(1, status="paid", note=900)
    assert put(engine, first) == predicted("put", before=None, after=first)
    assert put(engine, grown) == predicted("pay", before=first, after=grown)
    assert put(engine, paid) == predicted("pay", before=grown, after=paid)


@pytest.mark.parametrize(("pattern", "inputs"), [("get", {"orderId": "o4"}), ("of-customer", {"customerId": "c0"})])
def test_reads(engine, pattern, inputs):
    items = [order(number, note=1500 * number) for number in range(9)]
    for item in items:
        put(engine, item)
    request = SOLUTION.requests[pattern]
    sample = read_sample(request, [each for item in items for each in stored(item)], inputs)
    volumes = replace(estimate(SOLUTION), read_samples={pattern: (sample,)})
    used = run(engine, TABLE, request, inputs).units
    assert used > 0.5
    assert predict(SOLUTION, pattern, volumes).rcu == used


@pytest.mark.parametrize("seed", range(12))
def test_any_design(seed):
    """Every read, and every first write, of small random designs."""
    solution = solve(random_spec(seed))
    items = synthesise(solution.facts, per_entity=25, seed=seed)
    kept: list[dict[str, Any]] = []
    with Engine() as engine:
        create(engine, len(solution.choice.slots))
        for name, found in items.items():
            for item in found:
                written = stored_items(item, solution.spec.entities[name], solution.names)
                kept += written
                check_write(engine, solution, name, written)
        for pattern in solution.spec.reads:
            check_reads(engine, solution, pattern, items, kept)


def check_write(engine: Engine, solution: Solution, entity: str, written: list[dict[str, Any]]) -> None:
    used = 0.0
    for each in written:
        params = {"TableName": TABLE, "Item": marshal_item(each), "ReturnConsumedCapacity": "TOTAL"}
        used += engine.call("PutItem", params)["ConsumedCapacity"]["CapacityUnits"]
    pattern = f"put-{entity}"
    sample = write_sample(solution, entity, [], written)
    found = predict(solution, pattern, replace(estimate(solution), write_samples={pattern: (sample,)}))
    assert found.wcu == used * (2 if found.transactional else 1)


def check_reads(engine, solution, pattern, items, kept) -> None:
    chance = random.Random(pattern.id)
    request = solution.requests[pattern.id]
    asked = [ask(pattern, items, chance) for _ in range(8)]
    samples = tuple(read_sample(request, kept, inputs) for inputs in asked)
    used = sum(run(engine, TABLE, request, inputs).units for inputs in asked) / len(asked)
    found = predict(solution, pattern.id, replace(estimate(solution), read_samples={pattern.id: samples}))
    assert found.rcu == pytest.approx(used)
