"""Writes that know neither id nor anything a read asks by: their items are found by keys of their own."""

from __future__ import annotations

from typing import Any

from tablewright.architect.designer import design
from tablewright.proof.run import prove

SESSIONS: dict[str, Any] = {
    "name": "sessions",
    "entities": {
        "Session": {
            "id": ["token"],
            "attributes": {
                "token": "string",
                "user": {"type": "string", "cardinality": 50, "required": True},
                "city": "string",
                "seen": "timestamp",
            },
        }
    },
    "access_patterns": [
        {"id": "get", "kind": "get", "entity": "Session", "by": ["token"]},
        {"id": "log-out", "kind": "write", "op": "delete", "entity": "Session", "by": ["user"]},
        {"id": "touch", "kind": "write", "op": "update", "entity": "Session", "by": ["city"], "changes": ["seen"]},
    ],
}


def test_a_write_by_what_no_read_asks_for_is_served() -> None:
    made = design(SESSIONS)
    reads = {each.id: each.reads[0] for each in made.patterns if each.kind == "write" and each.reads}
    assert {name: each.operation for name, each in reads.items()} == {"log-out": "Query", "touch": "Query"}
    assert "user" in reads["log-out"].pk[0].template.names
    report = prove(made)
    assert report.passed, report.failure
    assert all(each.exact for each in report.patterns)
