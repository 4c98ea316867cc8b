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


def documents(*, whole: float) -> dict[str, Any]:
    """Titles of a user's documents, and sometimes the documents themselves, in the same order."""
    document = {
        "userId": {"required": True},
        "title": {"required": True, "size_bytes": 40},
        "at": {"type": "timestamp", "required": True},
        "body": {"required": True, "size_bytes": 3000},
    }
    listed = {"sort": "at desc", "limit": 50}
    return {
        "name": "documents",
        "entities": {
            "User": {"id": "userId", "attributes": {"name": {"required": True}}, "count": "100k"},
            "Document": {"id": "documentId", "attributes": document, "count": "5M"},
        },
        "relationships": [{"from": "User", "to": "Document", "kind": "1:n", "avg": 50, "max": 500}],
        "access_patterns": [
            read("document", "get", "Document", "documentId", 100),
            read("titles", "query", "Document", "userId", 200, **listed, returns=["documentId", "title", "at"]),
            read("whole", "query", "Document", "userId", whole, **listed),
            write("add", "put", "Document", "documentId", 20),
            write("edit", "update", "Document", "documentId", 200, changes=["body"]),
        ],
    }


def test_whoever_asks_for_more_than_an_index_holds_needs_no_second_one_with_the_same_key() -> None:
    found = design(documents(whole=1), explain=False)
    assert [each.projection.type for each in found.tables[0].gsis] == ["INCLUDE"]


def test_one_key_has_two_indexes_only_where_both_are_read_so_often_that_they_pay() -> None:
    two, one = (design(documents(whole=1000), explain=False, max_gsis=most) for most in (None, 1))
    assert [each.projection.type for each in two.tables[0].gsis] == ["INCLUDE", "ALL"]
    assert two.cost.usd_per_month < 0.96 * one.cost.usd_per_month
