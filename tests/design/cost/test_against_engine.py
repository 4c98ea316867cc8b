"""The arithmetic of predictions is what the engine bills, to the unit and place by place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.pipeline import write_table
from tablewright.design.steps.compile import compile_design
from tablewright.engine import Engine
from tablewright.proof.database import create_tables, run_reads, units_by_place
from tablewright.proof.expected import Images, expected_items
from tablewright.proof.items import image, key_in, types_of
from tablewright.proof.run import prove
from tablewright.proof.units import read_units, write_units
from tablewright.wire.values import marshal_item
from tests.design.cost.shop import GET, OF_CUSTOMER, OF_STATUS, PAY, PUT, solved_shop

if TYPE_CHECKING:
    from collections.abc import Iterator

DESIGN = write_table(solved_shop(GET, {**OF_CUSTOMER, "limit": 3}, OF_STATUS, PUT, PAY))
ORDER = types_of(DESIGN, "Order")[0]


def order(number: int, *, status: str = "open", note: int = 0) -> dict[str, Any]:
    return {
        "orderId": f"o{number}",
        "customerId": f"c{number % 2}",
        "status": status,
        "date": f"2026-01-{number + 1:02d}",
        "note": "n" * note,
    }


def stored(thing: dict[str, Any]) -> dict[str, Any]:
    found = image(DESIGN, ORDER, thing, {})
    assert found is not None
    return found


def put(engine: Engine, thing: dict[str, Any]) -> dict[str, float]:
    item = marshal_item(stored(thing))
    params = {"TableName": DESIGN.name, "Item": item, "ReturnConsumedCapacity": "INDEXES"}
    return units_by_place(engine.call("PutItem", params)["ConsumedCapacity"])


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as found:
        create_tables(found, DESIGN)
        yield found


def predicted(before: dict[str, Any] | None, after: dict[str, Any]) -> dict[str, float]:
    key = key_in(DESIGN, ORDER, after)
    assert key is not None
    old = {} if before is None else {key: stored(before)}
    return dict(write_units(DESIGN, Images(old, {key: stored(after)}, (key,)), transaction=False))


def test_writes(engine: Engine):
    first, grown, paid = order(1), order(1, note=2000), order(1, status="paid", note=900)
    assert put(engine, first) == predicted(None, first)
    assert put(engine, grown) == predicted(first, grown)
    moved = put(engine, paid)
    assert moved == predicted(grown, paid)
    assert max(moved.values()) > moved["table"]  # the entry of the status leaves one place for another


@pytest.mark.parametrize(("pattern", "inputs"), [("get", {"orderId": "o4"}), ("of-customer", {"customerId": "c0"})])
def test_reads(engine: Engine, pattern: str, inputs: dict[str, Any]):
    things = [order(number, note=1500 * number) for number in range(9)]
    for thing in things:
        put(engine, thing)
    steps = next(each for each in DESIGN.patterns if each.id == pattern).reads
    used = run_reads(engine, compile_design(DESIGN), pattern, inputs).rcu
    assert sum(used.values()) > 0.5
    assert read_units(DESIGN, expected_items(DESIGN, {"Order": things}), steps, inputs) == used


def test_every_pattern_of_a_design_is_exact():
    report = prove(DESIGN)
    assert report.passed
    assert all(each.exact for each in report.patterns)
    assert all(each.measured_rcu + each.measured_wcu > 0 for each in report.patterns)
