"""Offers that keep the name, the motto and the size of their shop, set by a function that follows the stream."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite

if TYPE_CHECKING:
    from tablewright.design.model import Design

RETURNS = ("Shop.name", "Shop.motto", "Shop.size")


def offers(style: str = "plain", **parts: Any) -> dict[str, Any]:
    ids = ["shopId", "offerId"]
    return {
        "name": "offers",
        "entities": {
            "Shop": {
                "id": "shopId",
                "attributes": {"name": {"required": True}, "motto": "string", "size": "number"},
                "count": 500,
            },
            "Offer": {
                "id": ids,
                "attributes": {"tag": {"required": True, "cardinality": 200}, "price": "number"},
                "count": 100_000,
            },
        },
        "relationships": [{"from": "Shop", "to": "Offer", "kind": "1:n", "avg": 200, "integrity": "checked"}],
        "access_patterns": [
            {
                "id": "tagged",
                "kind": "query",
                "entity": "Offer",
                "by": "tag",
                "limit": 20,
                "returns": ["offerId", *RETURNS],
                "stale": "10s",
                "rate": 200,
            },
            {"id": "add", "kind": "write", "op": "put", "entity": "Offer", "by": ids, "rate": 0.5},
            {"id": "drop", "kind": "write", "op": "delete", "entity": "Offer", "by": ids, "rate": 0.1},
            {"id": "open", "kind": "write", "op": "put", "entity": "Shop", "by": "shopId", "condition": "not exists"},
            {
                "id": "rename",
                "kind": "write",
                "op": "update",
                "entity": "Shop",
                "by": "shopId",
                "changes": ["name", "motto"],
                "rate": 0.01,
            },
            {
                "id": "grow",
                "kind": "write",
                "op": "update",
                "entity": "Shop",
                "by": "shopId",
                "changes": {"size": {"add": "{more}"}},
                "rate": 0.01,
            },
        ],
        "constraints": {"key_style": style},
        **parts,
    }


@cache
def offers_design(style: str) -> Design:
    rewrites = [Rewrite("exact", "Shop"), Rewrite("followed", "tagged", RETURNS)]
    return write_table(solve(offers(style), rewrites=rewrites))
