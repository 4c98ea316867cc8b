"""Designs that need more of a generator than the published applications do: every kind of item and of write."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from tablewright.architect.designer import design
from tablewright.design.model import Design
from tests.codegen.designs import NAMES, case
from tests.codegen.semantics import NAMES as MEANINGS
from tests.codegen.semantics import semantic
from tests.codegen.specials import SPECIALS, special
from tests.golden.designs import golden
from tests.proof.library import LIBRARY

SPECS = sorted((Path(__file__).parents[2] / "examples" / "specs").glob("*.yaml"))

CLUB: dict[str, Any] = {
    "name": "club",
    "title": "Club with members, bookings and visits",
    "entities": {
        "Member": {
            "id": ["memberId"],
            "count": 2000,
            "unique": [["email"]],
            "attributes": {
                "memberId": "string",
                "email": {"type": "string", "required": True},
                "level": {"type": "number", "required": True},
                "status": {"type": "string", "values": ["active", "resting"], "required": True},
            },
        },
        "Booking": {
            "id": ["memberId", "bookingId"],
            "count": 40000,
            "ttl": "90d",
            "attributes": {
                "memberId": "string",
                "bookingId": "string",
                "court": {"type": "string", "cardinality": 12, "required": True},
                "startsAt": {"type": "timestamp", "required": True},
                "price": {"type": "number", "required": True},
                "code": {"type": "string", "required": True},
            },
            "unique": [["code"]],
        },
        "Visit": {
            "id": ["visitId"],
            "count": 500000,
            "attributes": {
                "visitId": "string",
                "memberId": {"type": "string", "required": True, "immutable": True},
                "at": {"type": "timestamp", "required": True, "immutable": True},
                "hall": {"type": "string", "cardinality": 5, "required": True, "immutable": True},
                "paid": {"type": "number", "required": True, "immutable": True},
            },
        },
    },
    "relationships": [
        {"from": "Member", "to": "Booking", "kind": "1:n", "avg": 20, "max": 300, "cascade": True},
        {"from": "Member", "to": "Visit", "kind": "1:n", "avg": 250, "max": 2000, "cascade": True},
    ],
    "access_patterns": [
        {"id": "member", "kind": "get", "entity": "Member", "by": ["memberId"], "rate": 50},
        {"id": "by-level", "kind": "query", "entity": "Member", "by": ["status"], "sort": "level desc", "rate": 2},
        {"id": "bookings", "kind": "query", "entity": "Booking", "by": ["memberId"], "sort": "startsAt", "rate": 20},
        {
            "id": "court",
            "kind": "query",
            "entity": "Booking",
            "by": ["court"],
            "range": {"attr": "startsAt", "op": "between"},
            "rate": 20,
        },
        {"id": "busy", "kind": "get", "entity": "Visit", "by": ["hall"], "aggregate": "count", "rate": 2000},
        {"id": "income", "kind": "get", "entity": "Visit", "by": ["hall"], "aggregate": {"sum": "paid"}, "rate": 2000},
        {
            "id": "visits",
            "kind": "query",
            "entity": "Visit",
            "by": ["memberId"],
            "sort": "at desc",
            "limit": 20,
            "rate": 5,
        },
        {"id": "join", "kind": "write", "op": "put", "entity": "Member", "by": ["memberId"], "rate": 1},
        {
            "id": "rest",
            "kind": "write",
            "op": "update",
            "entity": "Member",
            "by": ["memberId"],
            "changes": ["status", "level"],
            "condition": "status = 'active' OR level > 3",
            "rate": 1,
        },
        {"id": "leave", "kind": "write", "op": "delete", "entity": "Member", "by": ["memberId"], "rate": 0.1},
        {"id": "book", "kind": "write", "op": "put", "entity": "Booking", "by": ["memberId", "bookingId"], "rate": 5},
        {
            "id": "cancel",
            "kind": "write",
            "op": "delete",
            "entity": "Booking",
            "by": ["memberId", "bookingId"],
            "rate": 1,
        },
        {"id": "visit", "kind": "write", "op": "put", "entity": "Visit", "by": ["visitId"], "rate": 10},
    ],
}


def styled(spec: dict[str, Any], style: str) -> dict[str, Any]:
    return {**spec, "constraints": {**spec.get("constraints", {}), "key_style": style}}


def without_times(design: Design, stored: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Items without the time of their expiry, which follows from when they were written."""
    times = {each.ttl_attribute for each in design.items if each.ttl_attribute}
    return {
        table: [{name: value for name, value in item.items() if name not in times} for item in items]
        for table, items in stored.items()
    }


@cache
def made(name: str) -> Design:
    """A published application, an example spec (`spec:chat`), or one of ours (`library:plain`)."""
    kind, _, rest = name.partition(":")
    if kind == "spec":
        return golden(rest)
    if kind in MEANINGS:
        return semantic(kind, rest)
    if rest:
        return special(kind, rest) if kind in SPECIALS else design(styled(OWN[kind], rest))
    return case(name)


OWN = {"library": LIBRARY, "club": CLUB}
DEMANDING = ["club:plain", "club:electrodb"]
ODD = [f"{each}:plain" for each in SPECIALS]
MEANT = [f"{each}:{style}" for each in MEANINGS for style in ("plain", "electrodb")]
EVERY = [*NAMES, *(f"spec:{each.stem}" for each in SPECS), *DEMANDING, *ODD]
