"""What the search weighs, by hand: 2,628,000 seconds a month, $0.625 a million writes, $0.25 a GB and month."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.plans.prices import copy_cost, entry_cost
from tablewright.architect.plans.sizes import entry_bytes
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.serving.shapes import Shape
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

GB = 2**30
ENTITY: dict[str, Any] = {
    "id": ["id"],
    "attributes": {
        "id": "string",
        "a": {"type": "string", "required": True},
        "open": {"type": "string", "presence": 0.1},
        "note": "string",
    },
    "count": 1_000_000,
    "size_bytes": 1500,
}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "E", "by": ["id"], "rate": 10}
UPDATE = {"id": "update", "kind": "write", "op": "update", "entity": "E", "by": ["id"], "rate": 4}
BY_A, BY_OPEN = Shape("E", ("a",)), Shape("E", ("open",))


def facts_with(*writes: dict[str, Any]):
    read = {"id": "read", "kind": "query", "entity": "E", "by": ["a"]}
    return assume(read_spec({"name": "spec", "entities": {"E": ENTITY}, "access_patterns": [read, *writes]}))


def cost(shape: Shape, *writes: dict[str, Any], projected: tuple[str, ...] | None = None) -> float:
    return entry_cost(facts_with(*writes), US_EAST_1, shape, projected) / 1e6


def stored(items: float, size: int) -> float:
    return items * (size + 100) / GB * 0.25


def test_an_entry_is_written_with_its_item_and_stored_beside_it():
    # 10 a second, two units each
    assert cost(BY_A, PUT) == pytest.approx(10 * 2 * 2.628 * 0.625 + stored(1e6, 1500), abs=1e-5)


def test_an_update_rewrites_it_and_moves_it_where_its_key_changes():
    puts = 10 * 2
    moves = {**UPDATE, "changes": ["a"]}
    rewrites = {**UPDATE, "changes": ["note"]}
    assert cost(BY_A, PUT, moves) == pytest.approx((puts + 4 * 4) * 2.628 * 0.625 + stored(1e6, 1500), abs=1e-5)
    assert cost(BY_A, PUT, rewrites) == pytest.approx((puts + 4 * 2) * 2.628 * 0.625 + stored(1e6, 1500), abs=1e-5)


def test_what_is_not_projected_is_not_written():
    # the table's keys (pk, sk, texts and the id), those of the index, and `a`; a change of the note is not seen there
    rewrites = {**UPDATE, "changes": ["note"]}
    size = 37 + 44 + 21
    assert entry_bytes(facts_with(), BY_A, ("a",)) == size
    assert cost(BY_A, PUT, rewrites, projected=("a",)) == pytest.approx(
        10 * 2.628 * 0.625 + stored(1e6, size), abs=1e-5
    )


def test_few_items_have_what_a_sparse_index_needs():
    assert cost(BY_OPEN, PUT) == pytest.approx(0.1 * cost(BY_A, PUT), rel=1e-6)


def test_a_refused_write_does_not_touch_an_index():
    refused = {**PUT, "condition": "not exists", "failures": 0.2}
    assert cost(BY_A, refused) == pytest.approx(0.8 * 20 * 2.628 * 0.625 + stored(1e6, 1500), abs=1e-5)


def test_a_transaction_writes_twice():
    assert cost(BY_A, {**PUT, "transactional": True}) == pytest.approx(40 * 2.628 * 0.625 + stored(1e6, 1500), abs=1e-5)


def test_a_copy_is_written_in_a_transaction_and_recovered_like_its_item():
    # two units, twice; that the first item counts twice as well is said of the write
    found = copy_cost(facts_with(PUT), US_EAST_1, BY_A) / 1e6
    recovery = 1e6 * 1600 / GB * US_EAST_1.pitr_gb_month
    assert found == pytest.approx(10 * 4 * 2.628 * 0.625 + stored(1e6, 1500) + recovery, abs=1e-5)
