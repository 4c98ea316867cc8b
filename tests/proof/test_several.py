"""A write that finds several items does its steps once for each of them, totals included."""

from __future__ import annotations

from typing import Any

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.proof.run import prove

SEATS: dict[str, Any] = {
    "name": "seats",
    "entities": {
        "Seat": {
            "id": ["seatId"],
            "count": 1000,
            "attributes": {
                "seatId": "string",
                "row": {"type": "string", "cardinality": 10, "required": True, "immutable": True},
                "hall": {"type": "string", "cardinality": 3, "required": True, "immutable": True},
            },
        }
    },
    "access_patterns": [
        {"id": "row", "kind": "query", "entity": "Seat", "by": ["row"]},
        {"id": "how-many", "kind": "get", "entity": "Seat", "by": ["hall"], "aggregate": "count"},
        {"id": "put", "kind": "write", "op": "put", "entity": "Seat", "by": ["seatId"]},
        {"id": "clear", "kind": "write", "op": "delete", "entity": "Seat", "by": ["row"]},
    ],
}


def test_a_delete_of_several_items_of_one_total_is_predicted() -> None:
    made = write_table(solve(SEATS, rewrites=[Rewrite("total", "Seat", ("how-many",))]))
    assert {each.kind for each in made.items} == {"entity", "total"}
    report = prove(made)
    assert report.passed, report.failure
    clear = next(each for each in report.patterns if each.pattern == "clear")
    assert clear.exact
    assert clear.measured_wcu > 4  # 4 for an item and its total: several items a time
