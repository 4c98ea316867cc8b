"""Ways that cost less are offered and taken: small specs, each with a way that was overlooked once."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design


def read(id_: str, kind: str, entity: str, by: str | list[str], rate: float, **more: Any) -> dict[str, Any]:
    return {"id": id_, "kind": kind, "entity": entity, "by": by, "rate": rate, **more}


def write(id_: str, op: str, entity: str, by: str | list[str], rate: float, **more: Any) -> dict[str, Any]:
    return {"id": id_, "kind": "write", "op": op, "entity": entity, "by": by, "rate": rate, **more}


def bids(*, asked: float, raised: float) -> dict[str, Any]:
    """Ten bids of a lot, and the highest of them."""
    bid = {
        "lotId": {"required": True},
        "amount": {"type": "number", "required": True},
        "note": {"required": True, "size_bytes": 100},
    }
    return {
        "name": "bids",
        "entities": {
            "Lot": {"id": "lotId", "attributes": {"title": {"required": True}}, "count": "100k"},
            "Bid": {"id": "bidId", "attributes": bid, "count": "1M"},
        },
        "relationships": [{"from": "Lot", "to": "Bid", "kind": "1:n", "avg": 10, "max": 200}],
        "access_patterns": [
            read("lot", "get", "Lot", "lotId", 100),
            read("bids", "query", "Bid", "lotId", 100),
            read("best", "query", "Bid", "lotId", asked, aggregate={"max": "amount"}),
            write("bid", "put", "Bid", "bidId", 5),
            write("raise", "update", "Bid", "bidId", raised, changes=["amount"]),
        ],
    }


@pytest.mark.parametrize(
    ("asked", "raised", "kind"),
    [
        (10, 500, "whole"),  # an order that every update would move items in
        (2000, 0.1, "reading"),
    ],
)
def test_the_greatest_value_is_found_in_the_cheaper_way(asked: float, raised: float, kind: str) -> None:
    found = design(bids(asked=asked, raised=raised), explain=False)
    assert [each.kind for each in found.rewrites if each.subject == "best"] == [kind]


def tickets(**filtered: Any) -> dict[str, Any]:
    """A thousand large tickets of a customer, of which those are counted that are open."""
    ticket = {
        "customerId": {"required": True},
        "status": {"values": ["open", "waiting", "closed"], "required": True},
        "note": {"required": True, "size_bytes": 1000},
    }
    return {
        "name": "tickets",
        "entities": {
            "Customer": {"id": "customerId", "attributes": {"name": {"required": True}}, "count": "10k"},
            "Ticket": {"id": "ticketId", "attributes": ticket, "count": "10M"},
        },
        "relationships": [{"from": "Customer", "to": "Ticket", "kind": "1:n", "avg": 1000, "max": "20k"}],
        "access_patterns": [
            read("ticket", "get", "Ticket", "ticketId", 10),
            read("open", "query", "Ticket", "customerId", 20, aggregate="count", **filtered),
            write("add", "put", "Ticket", "ticketId", 2),
            write("move", "update", "Ticket", "ticketId", 2, changes=["status"]),
        ],
    }


def test_what_passes_a_filter_is_counted_by_those_who_write_it() -> None:
    found = design(tickets(filter={"status": "open"}), explain=False)
    assert [each.kind for each in found.rewrites] == ["total"]
    assert {each.id: each.predicted.rcu for each in found.patterns}["open"] == 0.5
    assert not found.tables[0].gsis
