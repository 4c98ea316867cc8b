"""Estimates of writes that look at other items, held against runs."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.proof.checks.estimates import check_estimates
from tablewright.proof.run import prove
from tests.proof.test_estimates import said


def written(id_: str, op: str, entity: str, by: str | list[str], **more: Any) -> dict[str, Any]:
    return {"id": id_, "kind": "write", "op": op, "entity": entity, "by": by, "rate": 20, **more}


def mail(users: int, **receiver: Any) -> dict[str, Any]:
    """Letters that name two users, and answers that name a letter."""
    attributes = {
        "senderId": {"required": True},
        "receiverId": {"required": True, **receiver},
        "answers": {"references": "Mail", "required": False, "presence": 0.5},
        "body": {"required": True, "size_bytes": 200},
    }
    return {
        "name": "mail",
        "entities": {
            "User": {"id": "userId", "attributes": {"name": {"required": True}}, "count": users},
            "Mail": {"id": "mailId", "attributes": attributes, "count": "1M"},
        },
        "relationships": [
            {"from": "User", "to": "Mail", "kind": "1:n", "by": "senderId", "integrity": "checked"},
            {"from": "User", "to": "Mail", "kind": "1:n", "by": "receiverId", "integrity": "checked"},
            {"from": "Mail", "to": "Mail", "kind": "1:n", "by": "answers", "integrity": "checked"},
        ],
        "access_patterns": [
            {"id": "get", "kind": "get", "entity": "Mail", "by": "mailId", "rate": 10},
            {"id": "user", "kind": "get", "entity": "User", "by": "userId", "rate": 10},
            written("send", "put", "Mail", "mailId"),
            written("pass", "update", "Mail", "mailId", changes=["receiverId"]),
            written("edit", "update", "Mail", "mailId", changes=["body"]),
        ],
    }


@pytest.mark.parametrize(
    ("users", "receiver", "wcu"),
    [
        (100_000, {}, {"send": 7.0, "pass": 4.0, "edit": 1.0}),
        (100_000, {"required": False, "presence": 0.5}, {"send": 6.0, "pass": 4.0, "edit": 1.0}),
        (2, {}, {"send": 6.0, "pass": 4.0, "edit": 1.0}),  # every other letter is to whoever wrote it
    ],
)
def test_every_parent_that_is_looked_at_is_billed(users: int, receiver: Any, wcu: dict[str, float]) -> None:
    found = design(mail(users, **receiver), explain=False)
    assert {each.id: each.predicted.wcu for each in found.patterns if each.id in wcu} == pytest.approx(wcu, rel=1e-4)
    assert said(check_estimates(found, most_runs=40)) == []


def test_a_list_looks_at_every_parent_that_its_elements_name() -> None:
    spec = {
        "name": "shop",
        "entities": {
            "Product": {"id": "productId", "attributes": {"name": {"required": True}}, "count": 10_000},
            "Order": {"id": "orderId", "attributes": {"at": {"type": "timestamp", "required": True}}, "count": "1M"},
            "Line": {
                "id": ["orderId", "lineId"],
                "attributes": {"productId": {"required": True}, "amount": {"type": "number", "required": True}},
                "count": "5M",
            },
        },
        "relationships": [
            {"from": "Order", "to": "Line", "kind": "1:n", "avg": 5, "max": 5},
            {"from": "Product", "to": "Line", "kind": "1:n", "integrity": "checked"},
        ],
        "access_patterns": [
            {"id": "get", "kind": "get", "entity": "Order", "by": "orderId", "rate": 10},
            {"id": "lines", "kind": "query", "entity": "Line", "by": "orderId", "rate": 10},
            {"id": "product", "kind": "get", "entity": "Product", "by": "productId", "rate": 10},
            {
                "id": "place",
                "kind": "write",
                "op": "transact",
                "ops": {"Order": "put", "Line": "put"},
                "by": "orderId",
                "rate": 10,
            },
        ],
    }
    found = design(spec, explain=False)
    predicted = {each.id: each.predicted.wcu for each in found.patterns}
    assert predicted["place"] == pytest.approx(2 * (1 + 5 + 5), rel=0.01)
    assert said(check_estimates(found)) == []


def members(unique: list[Any], *patterns: dict[str, Any]) -> dict[str, Any]:
    """Members that are saved whether they are there or not."""
    by = ["teamId", "userId"]
    attributes = {"rank": {}, "name": {"required": True}, "note": {"size_bytes": 100}}
    return {
        "name": "members",
        "entities": {"Member": {"id": by, "unique": unique, "attributes": attributes, "count": 100_000}},
        "access_patterns": [
            {"id": "get", "kind": "get", "entity": "Member", "by": by, "rate": 10},
            *patterns,
            written("save", "update", "Member", by, upsert=True, changes=["name"]),
            written("put", "put", "Member", by),
        ],
    }


COUNTED = {"id": "many", "kind": "query", "entity": "Member", "by": "teamId", "aggregate": "count", "rate": 3000}


@pytest.mark.parametrize(
    ("spec", "rcu", "wcu"),
    [
        (members(["rank"]), 0.0, 1.0),  # a new one has no rank, and another one keeps it
        (members([["teamId", "rank"]]), 0.0, 1.0),
        (members(["userId"]), 1.0, 2.0),  # whoever is new takes the name in a transaction
        (members(["userId"], COUNTED), 1.0, 2.0),
        (members([], COUNTED), 1.0, 2.0),
    ],
)
def test_an_update_that_may_make_an_item_is_a_transaction_where_more_may_be_made(
    spec: Any, rcu: float, wcu: float
) -> None:
    found = design(spec, explain=False)
    saved = next(each for each in found.patterns if each.id == "save")
    assert (saved.predicted.rcu, saved.predicted.wcu, saved.transaction) == (rcu, wcu, wcu > 1)
    assert said(check_estimates(found)) == []
    assert prove(found, rounds=12).failure == ""


def rides() -> dict[str, Any]:
    """Few trips are under way, drivers are in many places, and far more positions than anything else are kept."""
    trip = {
        "riderId": {"references": "Rider", "required": True, "immutable": True},
        "at": {"type": "timestamp", "required": True, "immutable": True},
        "open": {"values": ["yes"], "presence": "1%"},
    }
    newest = {"by": "riderId", "sort": "at desc", "limit": 20, "rate": 5}
    return {
        "name": "rides",
        "entities": {
            "Rider": {"id": "riderId", "attributes": {"name": {"required": True}}, "count": "2M"},
            "Driver": {
                "id": "driverId",
                "attributes": {"cell": {"required": True, "cardinality": "50k"}},
                "count": "200k",
            },
            "Trip": {"id": "tripId", "attributes": trip, "count": "50M", "unique": [["riderId", "open"]]},
            "Ping": {"id": ["tripId", "at"], "attributes": {"at": "timestamp"}, "count": "5B"},
        },
        "relationships": [
            {"from": "Rider", "to": "Trip", "kind": "1:n", "avg": 25, "p50": 6, "max": 5000},
            {"from": "Trip", "to": "Ping", "kind": "1:n", "avg": 100, "max": 2000},
        ],
        "access_patterns": [
            {"id": "near", "kind": "query", "entity": "Driver", "by": "cell", "rate": 300},
            {"id": "current", "kind": "get", "entity": "Trip", "by": "riderId", "filter": {"open": "yes"}, "rate": 200},
            {"id": "trips", "kind": "query", "entity": "Trip", **newest},
            written("move", "update", "Driver", "driverId", changes=["cell"]),
            written("begin", "put", "Trip", "tripId", condition="not exists"),
            written("finish", "update", "Trip", "tripId", changes={"open": {"remove": True}}),
            written("ping", "put", "Ping", ["tripId", "at"]),
        ],
    }


def test_few_items_stand_for_what_few_have_and_what_takes_many_values() -> None:
    assert said(check_estimates(design(rides(), explain=False))) == []
