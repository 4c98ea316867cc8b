"""Applications that a page has a hard time with: very many entities, and names that are anything but names."""

from __future__ import annotations

from typing import Any

NASTY = "<script>alert(\"x\")</script> & 'quotes' `ticks` </style> {brace} 漢字 🦜 -->"
LONG = "anExtraordinarilyLongNameThatNobodyWouldEverTypeButThatATableMayHaveAllTheSame"

TREE = {
    "Company": ["Department", "Office", "Customer", "Supplier", "Product", "Invoice", "Vehicle", "Contract", "Policy"],
    "Department": ["Employee", "Project"],
    "Customer": ["Order", "Invoice"],
    "Order": ["OrderLine", "Shipment"],
    "Product": ["OrderLine", "Review", "Stock"],
    "Office": ["Stock", "Employee"],
    "Employee": ["Absence", "Review"],
    "Supplier": ["Stock"],
}
LONELY = ("ExchangeRate", "AuditEntry")


def large() -> dict[str, Any]:
    """Nineteen entities: a hub, lines that pass columns, a circle, many to many, itself, and some without any."""
    names = list(dict.fromkeys([*TREE, *(child for children in TREE.values() for child in children), *LONELY, "Seat"]))
    parents = {child: [name for name, children in TREE.items() if child in children] for child in names}
    parents["Seat"] = ["Employee", "Project"]
    return {
        "name": "company",
        "title": "A company with everything",
        "entities": {name: entity(name, parents[name]) for name in names},
        "relationships": [
            *(
                {"from": name, "to": child, "kind": "1:n", "by": key(name), "avg": 10}
                for name, children in TREE.items()
                for child in children
            ),
            {"from": "Employee", "to": "Project", "kind": "n:m", "via": "Seat", "avg": 3},
            {"from": "Employee", "to": "Employee", "kind": "1:n", "by": "bossId", "avg": 6},
            {"from": "Employee", "to": "Department", "kind": "1:1", "by": "headId"},
        ],
        "access_patterns": [
            {
                "id": f"get{name}",
                "description": f"one {name}",
                "kind": "get",
                "entity": name,
                "by": key(name),
                "rate": 5,
            }
            for name in names
        ],
    }


def key(name: str) -> str:
    return f"{name[0].lower()}{name[1:]}Id"


def entity(name: str, parents: list[str]) -> dict[str, Any]:
    extra = {"Employee": ["bossId"], "Department": ["headId"]}.get(name, [])
    attributes = [key(name), *(key(each) for each in parents), *extra, "name", "createdAt", "status", "note", "region"]
    return {"id": key(name), "attributes": dict.fromkeys(attributes, "string"), "count": 1000}


def nasty() -> dict[str, Any]:
    """Every text that a spec may have at will is as bad as it can be."""
    return {
        "name": "nasty",
        "title": NASTY,
        "entities": {
            LONG: {
                "id": "id",
                "attributes": {"id": "string", LONG: "string", "kind": {"type": "string", "values": [NASTY, "plain"]}},
                "count": 1000,
                "notes": NASTY,
            },
            "Größe漢字": {"id": "id2", "attributes": {"id2": "string", "id": "string", "émoji": "string"}, "count": 10},
        },
        "relationships": [{"from": LONG, "to": "Größe漢字", "kind": "1:n", "by": "id", "avg": 3}],
        "access_patterns": [
            {"id": "A<1>&", "description": NASTY, "kind": "get", "entity": LONG, "by": "id", "rate": 1},
            {"id": "A 1", "description": LONG * 4, "kind": "query", "entity": "Größe漢字", "by": "id", "rate": 1},
            {"id": "漢1", "description": "by kind", "kind": "query", "entity": LONG, "by": "kind", "rate": 1},
        ],
    }
