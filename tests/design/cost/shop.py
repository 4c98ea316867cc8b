"""One small shop whose numbers are round, for sums that can be checked by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.solution import solve

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution
    from tablewright.design.layout.layout import Layout

ORDER: dict[str, Any] = {
    "id": ["orderId"],
    "attributes": {
        "orderId": "string",
        "customerId": {"type": "string", "cardinality": 10_000, "required": True, "immutable": True},
        "status": {"type": "string", "values": ["open", "paid", "sent", "closed"], "required": True},
        "date": {"type": "timestamp", "required": True, "immutable": True},
        "note": "string",
    },
    "count": 1_000_000,
    "size_bytes": 1500,
}
GET = {"id": "get", "kind": "get", "entity": "Order", "by": ["orderId"], "rate": 100}
OF_CUSTOMER = {
    "id": "of-customer",
    "kind": "query",
    "entity": "Order",
    "by": ["customerId"],
    "sort": "date desc",
    "limit": 10,
    "rate": 20,
}
OF_STATUS = {
    "id": "of-status",
    "kind": "query",
    "entity": "Order",
    "by": ["status"],
    "sort": "date",
    "limit": 50,
    "rate": 1,
}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId"], "rate": 10}
PAY = {
    "id": "pay",
    "kind": "write",
    "op": "update",
    "entity": "Order",
    "by": ["orderId"],
    "changes": ["status"],
    "rate": 8,
}
ANNOTATE = {**PAY, "id": "annotate", "changes": ["note"], "rate": 2}
DROP = {"id": "drop", "kind": "write", "op": "delete", "entity": "Order", "by": ["orderId"], "rate": 1}


def shop(*patterns: dict[str, Any], order: dict[str, Any] | None = None, **top: Any) -> Layout:
    """The layout of a design for some of the patterns, by least cost."""
    return solved_shop(*patterns, order=order, **top).layout


def solved_shop(*patterns: dict[str, Any], order: dict[str, Any] | None = None, **top: Any) -> Solution:
    entities = {"Order": {**ORDER, **(order or {})}, **top.pop("entities", {})}
    constraints = {"key_style": "plain", **top.pop("constraints", {})}
    parts = {"entities": entities, "access_patterns": list(patterns), "constraints": constraints}
    return solve({"name": "shop", **parts, **top}, aim="cost", forbid=[("projection",)])  # whole items in every index
