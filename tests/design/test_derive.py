"""The layout that a design gives is the one that the search weighed it by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.cost.units.entries import entries_of
from tablewright.design.derive import layout_of

ROOT = Path(__file__).parents[2]
SPECS = [*sorted((ROOT / "examples/specs").glob("*.yaml")), *sorted((ROOT / "tests/architect/cases").glob("*.yaml"))]
NATIVE: dict[str, Any] = {
    "name": "shop",
    "entities": {
        "Order": {
            "id": "orderId",
            "attributes": {
                "region": {"type": "string", "required": True, "cardinality": 50},
                "price": {"type": "number", "required": True},
            },
        }
    },
    "access_patterns": [
        {"id": "get", "kind": "get", "entity": "Order", "by": "orderId"},
        {"id": "dear", "kind": "query", "entity": "Order", "by": "region", "sort": "price desc", "limit": 10},
    ],
}


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_a_design_gives_the_layout_it_was_chosen_by(spec: Path) -> None:
    solution = solve(spec)
    found, weighed = layout_of(write_table(solution)), solution.layout
    assert list(found.keys) == list(weighed.keys)
    assert [str(each.pk.template) for each in found.keys.values()] == [each.pk.text for each in weighed.keys.values()]
    assert found.groups == weighed.groups
    assert found.shards == weighed.shards
    assert found.tags == weighed.tags
    assert found.reads == weighed.reads
    assert found.located == weighed.located
    assert entries_of(found) == entries_of(weighed)


def test_an_index_on_attributes_adds_nothing_to_its_items() -> None:
    def sizes(**constraints: Any) -> dict[str, float]:
        made = write_table(solve({**NATIVE, "constraints": constraints}))
        return {each.name: each.bytes for each in entries_of(layout_of(made))}

    (composed, native) = (sizes(), sizes(multi_attribute_keys=True))
    texts = len("gsi1pk" + "$shop#region_" + "gsi1sk" + "$Order_1#price_") + 20 + 16
    assert {name: size - native[name] for name, size in composed.items()} == {"table/Order": texts, "gsi1/Order": texts}
