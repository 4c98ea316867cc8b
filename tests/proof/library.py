"""A library: unique values, totals, details apart from the rest, children few enough to lie in their parent."""

from __future__ import annotations

from typing import Any

LIBRARY: dict[str, Any] = {
    "name": "library",
    "entities": {
        "Reader": {
            "id": ["readerId"],
            "count": 5000,
            "unique": [["email"]],
            "attributes": {
                "readerId": "string",
                "email": {"type": "string", "required": True},
                "name": "string",
                "portrait": {"type": "string", "size_bytes": 4000},
            },
        },
        "Loan": {
            "id": ["loanId"],
            "count": 50000,
            "attributes": {
                "loanId": "string",
                "readerId": {"type": "string", "required": True, "immutable": True},
                "branch": {"type": "string", "cardinality": 20, "required": True},
                "fee": "number",
                "due": "timestamp",
            },
        },
        "Phone": {
            "id": ["readerId", "number"],
            "attributes": {"readerId": "string", "number": "string", "kind": "string"},
        },
    },
    "relationships": [
        {"from": "Reader", "to": "Loan", "kind": "one-to-many", "avg": 10},
        {"from": "Reader", "to": "Phone", "kind": "one-to-many", "avg": 2, "max": 5},
    ],
    "access_patterns": [
        {
            "id": "reader",
            "kind": "get",
            "entity": "Reader",
            "by": ["readerId"],
            "returns": ["readerId", "email", "name"],
            "rate": 100,
        },
        {"id": "portrait", "kind": "get", "entity": "Reader", "by": ["readerId"], "rate": 0.1},
        {
            "id": "by-email",
            "kind": "query",
            "entity": "Reader",
            "by": ["email"],
            "returns": ["readerId", "email", "name"],
            "rate": 5,
        },
        {"id": "loans", "kind": "query", "entity": "Loan", "by": ["readerId"], "rate": 10},
        {"id": "loans-by-email", "kind": "query", "entity": "Loan", "by": ["email"], "rate": 1},
        {"id": "how-many", "kind": "get", "entity": "Loan", "by": ["branch"], "aggregate": "count", "rate": 10},
        {"id": "fees", "kind": "get", "entity": "Loan", "by": ["branch"], "aggregate": {"sum": "fee"}, "rate": 10},
        {"id": "highest", "kind": "get", "entity": "Loan", "by": ["readerId"], "aggregate": {"max": "fee"}, "rate": 1},
        {"id": "phones", "kind": "query", "entity": "Phone", "by": ["readerId"], "rate": 50},
        {"id": "join", "kind": "write", "op": "put", "entity": "Reader", "by": ["readerId"], "rate": 1},
        {
            "id": "rename",
            "kind": "write",
            "op": "update",
            "entity": "Reader",
            "by": ["readerId"],
            "changes": ["name", "email"],
            "rate": 0.5,
        },
        {
            "id": "picture",
            "kind": "write",
            "op": "update",
            "entity": "Reader",
            "by": ["readerId"],
            "changes": ["portrait"],
            "rate": 0.5,
        },
        {"id": "leave", "kind": "write", "op": "delete", "entity": "Reader", "by": ["readerId"], "rate": 0.1},
        {"id": "lend", "kind": "write", "op": "put", "entity": "Loan", "by": ["loanId"], "rate": 1},
        {
            "id": "charge",
            "kind": "write",
            "op": "update",
            "entity": "Loan",
            "by": ["loanId"],
            "changes": ["fee"],
            "rate": 1,
        },
        {"id": "return", "kind": "write", "op": "delete", "entity": "Loan", "by": ["loanId"], "rate": 1},
        {"id": "add-phone", "kind": "write", "op": "put", "entity": "Phone", "by": ["readerId", "number"], "rate": 1},
        {
            "id": "drop-phone",
            "kind": "write",
            "op": "delete",
            "entity": "Phone",
            "by": ["readerId", "number"],
            "rate": 1,
        },
    ],
}

READER = {name: each for name, each in LIBRARY["entities"]["Reader"].items() if name != "unique"}
OWNED = {"integrity": "checked", "cascade": True}  # a phone is written where its reader is, and goes with it
PHONES: dict[str, Any] = {
    "name": "phones",
    "entities": {"Reader": READER, "Phone": LIBRARY["entities"]["Phone"]},
    "relationships": [{**each, **OWNED} for each in LIBRARY["relationships"] if each["to"] == "Phone"],
    "access_patterns": [
        *(each for each in LIBRARY["access_patterns"] if each["entity"] != "Loan"),
        {"id": "both", "kind": "query", "entities": ["Reader", "Phone"], "by": ["readerId"], "rate": 5},
        {"id": "one-phone", "kind": "get", "entity": "Phone", "by": ["readerId", "number"], "rate": 5},
    ],
}
