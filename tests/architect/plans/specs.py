"""A small shop in which every rewrite has something to do."""

from __future__ import annotations

from typing import Any

from tablewright.architect.plans.forms import form_options
from tablewright.design.layout.forms import Rewrite
from tablewright.spec.facts import Facts, assume
from tablewright.spec.read import read_spec

ENTITIES: dict[str, Any] = {
    "Customer": {
        "id": "customerId",
        "attributes": {
            "customerId": "string",
            "email": {"required": True},
            "name": {"size_bytes": 30},
            "bio": {"size_bytes": "6 KB"},
        },
        "count": "100k",
        "unique": ["email"],
    },
    "Order": {
        "id": "orderId",
        "attributes": {
            "orderId": "string",
            "customerId": "string",
            "amount": "number",
            "status": {"values": ["open", "sent"], "required": True},
        },
        "count": "1M",
    },
    "Line": {
        "id": ["orderId", "lineId"],
        "attributes": {"orderId": "string", "lineId": "string", "product": "string", "quantity": "number"},
    },
}
RELATIONSHIPS: list[dict[str, Any]] = [
    {"from": "Customer", "to": "Order", "kind": "1:N", "avg": 10},
    {"from": "Order", "to": "Line", "kind": "1:N", "avg": 3, "max": 20},
]
WRITES: list[dict[str, Any]] = [
    {"id": "put-customer", "kind": "write", "op": "put", "entity": "Customer", "by": "customerId", "rate": 1},
    {
        "id": "change-customer",
        "kind": "write",
        "op": "update",
        "entity": "Customer",
        "by": "customerId",
        "changes": ["email", "name"],
        "rate": 1,
    },
    {"id": "drop-customer", "kind": "write", "op": "delete", "entity": "Customer", "by": "customerId", "rate": 0.1},
    {"id": "put-order", "kind": "write", "op": "put", "entity": "Order", "by": "orderId", "rate": 10},
    {
        "id": "send-order",
        "kind": "write",
        "op": "update",
        "entity": "Order",
        "by": "orderId",
        "changes": ["status"],
        "rate": 10,
    },
    {"id": "drop-order", "kind": "write", "op": "delete", "entity": "Order", "by": "orderId", "rate": 1},
    {"id": "put-line", "kind": "write", "op": "put", "entity": "Line", "by": ["orderId", "lineId"], "rate": 30},
    {"id": "drop-line", "kind": "write", "op": "delete", "entity": "Line", "by": ["orderId", "lineId"], "rate": 1},
]
CUSTOMER: dict[str, Any] = {"id": "customer", "kind": "get", "entity": "Customer", "by": "customerId", "rate": 10}
BRIEF: dict[str, Any] = {**CUSTOMER, "id": "brief", "returns": ["name", "email"], "rate": 100}
BY_EMAIL: dict[str, Any] = {"id": "by-email", "kind": "get", "entity": "Customer", "by": "email", "rate": 5}
ORDER: dict[str, Any] = {"id": "order", "kind": "get", "entity": "Order", "by": "orderId", "rate": 10}
WITH_LINES: dict[str, Any] = {"id": "all", "kind": "query", "entities": ["Order", "Line"], "by": "orderId", "rate": 50}
LINES: dict[str, Any] = {"id": "lines", "kind": "query", "entity": "Line", "by": "orderId", "rate": 5}
LINE: dict[str, Any] = {"id": "line", "kind": "get", "entity": "Line", "by": ["orderId", "lineId"], "rate": 5}
OF_EMAIL: dict[str, Any] = {"id": "of-email", "kind": "query", "entity": "Order", "by": "email", "rate": 5}
SPENT: dict[str, Any] = {
    "id": "spent",
    "kind": "get",
    "entity": "Order",
    "by": "customerId",
    "aggregate": {"sum": "amount"},
    "rate": 50,
}
PENDING: dict[str, Any] = {
    "id": "pending",
    "kind": "get",
    "entity": "Order",
    "by": ["customerId", "status"],
    "aggregate": "count",
    "rate": 50,
}
LARGEST: dict[str, Any] = {**SPENT, "id": "largest", "aggregate": {"max": "amount"}}


def shop(*reads: dict[str, Any], entities: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
    changed = {name: {**ENTITIES[name], **more} for name, more in (entities or {}).items()}
    return {
        "name": "shop",
        "entities": {**ENTITIES, **changed},
        "relationships": RELATIONSHIPS,
        "access_patterns": [*reads, *WRITES],
        **parts,
    }


def owned(*reads: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """The shop with lines that are there only while their order is: none comes before it, and no order goes."""
    spec = without(shop(*reads, **parts), "drop-order")
    checked = [{**each, "integrity": "checked"} for each in spec["relationships"]]
    return {**spec, "relationships": checked}


def facts_of(spec: dict[str, Any]) -> Facts:
    return assume(read_spec(spec))


def offered(spec: dict[str, Any]) -> list[list[str]]:
    """The decisions in words."""
    return [[" and ".join(map(str, option)) for option in decision] for decision in form_options(facts_of(spec))]


def without(spec: dict[str, Any], *ids: str) -> dict[str, Any]:
    return {**spec, "access_patterns": [each for each in spec["access_patterns"] if each["id"] not in ids]}


UNIQUE = Rewrite("unique", "Customer", ("email",))


def changed(spec: dict[str, Any], id_: str, **fields: Any) -> dict[str, Any]:
    patterns = [{**each, **fields} if each["id"] == id_ else each for each in spec["access_patterns"]]
    return {**spec, "access_patterns": patterns}
