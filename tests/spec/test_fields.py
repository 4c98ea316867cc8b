"""Every field of a spec acts: a change of it alone changes keys, requests, prices, heat, verdicts or what is asked.

What is refused acts too. The only fields that change nothing are texts for people, which are listed.
"""

from __future__ import annotations

import copy
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright import tasks
from tablewright.design.read import design_data
from tablewright.errors import DesignError
from tablewright.spec.fields import (
    ATTRIBUTE,
    BILLING,
    CONSTRAINTS,
    ENTITY,
    EXPIRY,
    OVERLAPS,
    PATTERN,
    RANGE,
    RATE,
    RELATIONSHIP,
    VALIDATION,
)
from tablewright.spec.kinds import ENTITY_WRITE, SKEW, SORT
from tablewright.spec.read import TOP_FIELDS

if TYPE_CHECKING:
    from tablewright.schema.form.kinds import Record

RECORDS: dict[str, Record] = {
    "attribute": ATTRIBUTE,
    "validate": VALIDATION,
    "entity": ENTITY,
    "ttl": EXPIRY,
    "relationship": RELATIONSHIP,
    "pattern": PATTERN,
    "range": RANGE,
    "overlaps": OVERLAPS,
    "rate": RATE,
    "sort": SORT,
    "skew": SKEW,
    "ops": ENTITY_WRITE,
    "constraints": CONSTRAINTS,
    "billing": BILLING,
}
FIELDS = [
    *(f"top.{name}" for name in TOP_FIELDS),
    *(f"{of}.{each.name}" for of in RECORDS for each in RECORDS[of].fields),
]
TEXTS: dict[str, tuple[str, Any]] = {  # each with its place, and another text
    "top.title": ("title", "Another title"),
    "attribute.doc": ("entities.Order.attributes.status.doc", "How far it is."),
    "entity.notes": ("entities.Order.notes", "Orders are never deleted."),
    "pattern.description": ("access_patterns.orders.description", "orders of a user, newest first"),
    "pattern.expert_path": ("access_patterns.orders.expert_path", {"index": "gsi1"}),
}

SHOP: dict[str, Any] = {
    "name": "shop",
    "entities": {
        "User": {"id": "userId", "attributes": {"email": {"required": True}}, "count": 1000},
        "Order": {
            "id": "orderId",
            "attributes": {
                "userId": {"required": True, "immutable": True},
                "status": {"values": ["open", "paid"], "required": True},
                "at": {"type": "timestamp", "required": True, "immutable": True},
                "total": {"type": "number", "required": True},
                "note": {"size_bytes": 2000},
            },
            "count": 10_000,
            "growth_per_month": 1000,
        },
    },
    "relationships": [{"from": "User", "to": "Order", "kind": "1:n", "by": "userId", "avg": 10, "max": 500}],
    "access_patterns": {
        "user": {"kind": "get", "entity": "User", "by": "userId", "rate": 50},
        "order": {"kind": "get", "entity": "Order", "by": "orderId", "rate": 50},
        "orders": {
            "kind": "query",
            "entity": "Order",
            "by": "userId",
            "sort": "at desc",
            "rate": {"avg": 50, "peak": 90},
        },
        "place": {
            "kind": "write",
            "op": "put",
            "entity": "Order",
            "by": "orderId",
            "condition": "not exists",
            "rate": 9,
        },
        "pay": {"kind": "write", "op": "update", "entity": "Order", "by": "orderId", "changes": ["status"], "rate": 9},
    },
}
"""Patterns by id here, so that a place is a path."""


# ---- one example for each field -------------------------------------------------------------------------------------

Places = dict[str, Any]
GONE = object()
ORDER, ORDERS, PAY, PLACE = "entities.Order", "access_patterns.orders", "access_patterns.pay", "access_patterns.place"
BOTH: Places = {
    "access_patterns.pay": {
        "kind": "write",
        "op": "transact",
        "by": ["orderId", "userId"],
        "ops": {"Order": {"op": "update", "changes": ["status"]}, "User": {"op": "check"}},
        "rate": 9,
    }
}
TOTAL: Places = {
    "access_patterns.paid": {"kind": "get", "entity": "Order", "by": "status", "aggregate": "count", "rate": 9}
}
LISTED: Places = {
    "access_patterns.by-status": {"kind": "query", "entity": "Order", "by": "status", "limit": 20, "rate": 5}
}
WHOLE: Places = {f"{ORDER}.id": ["userId", "orderId"]}
WHOLE |= {f"access_patterns.{each}.by": ["userId", "orderId"] for each in ("order", "place", "pay")}
DEAREST = {**SHOP["access_patterns"]["orders"], "sort": "total desc", "consistency": "strong"}
AT_HOME: Places = {"regions": ["us-east-1", "eu-west-1"]}
AT_HOME |= {f"{each}.regions": "us-east-1" for each in (PLACE, PAY)}
ENDLESS: Places = {"relationships": GONE, f"{ORDER}.count": 100_000_000, f"{ORDER}.growth_per_month": 20_000_000}
EXPIRING: Places = {f"{ORDER}.ttl": "300d", f"{ORDER}.attributes.goneAt": "number"}

ABOVE: Places = {
    ORDERS: {"kind": "query", "entity": "Order", "by": "status", "aggregate": "count", "stale": "10s", "rate": 50}
    | {"range": {"attr": "total", "op": "gt"}},
    f"{ORDER}.attributes.total.validate": {"min": 0, "max": 1000},
}
LASTING = {"start": "at", "end": "until", "longest": "3d"}
TWO_LASTING: dict[str, Any] = {
    **{f"{ORDER}.attributes.{each}": "timestamp" for each in ("until", "from", "till")},
    f"{ORDERS}.overlaps": LASTING,
}
EXAMPLES: dict[str, tuple[Places, Places]] = {  # before, and what is changed of it
    "top.name": ({}, {"name": "store"}),
    "top.application": ({"name": GONE, "application": "shop"}, {"application": "store"}),
    "top.region": ({}, {"region": "mars-1"}),
    "top.regions": ({}, {"regions": ["us-east-1", "eu-west-1"]}),
    "top.month_growth": ({f"{ORDER}.growth_per_month": GONE}, {"month_growth": "10%"}),
    "top.entities": ({}, {"entities.Team": {"id": "teamId"}}),
    "top.relationships": ({}, {"relationships": GONE}),
    "top.unique": ({}, {"unique": [["User.email", "Order.note"]]}),
    "top.access_patterns": ({}, LISTED),
    "top.constraints": ({}, {"constraints": {"key_style": "plain"}}),
    "top.billing": ({}, {"billing": {"pitr": False}}),
    "attribute.type": ({}, {f"{ORDER}.attributes.total.type": "map"}),
    "attribute.size_bytes": ({}, {f"{ORDER}.attributes.note.size_bytes": 9000}),
    "attribute.max": ({}, {f"{ORDER}.attributes.note.max": "390 KB"}),
    "attribute.values": (LISTED, {f"{ORDER}.attributes.status.values": ["open", "paid", "sent", "lost"]}),
    "attribute.cardinality": (
        {**LISTED, f"{ORDER}.attributes.status": "string"},
        {f"{ORDER}.attributes.status": {"cardinality": 9000}},
    ),
    "attribute.required": ({}, {f"{ORDER}.attributes.at.required": False}),
    "attribute.presence": (
        {f"{ORDER}.attributes.at": "timestamp"},
        {f"{ORDER}.attributes.at": {"type": "timestamp", "presence": "20%"}},
    ),
    "attribute.immutable": ({}, {f"{ORDER}.attributes.status.immutable": True}),
    "attribute.default": ({}, {f"{ORDER}.attributes.status.default": "open"}),
    "attribute.validate": ({}, {f"{ORDER}.attributes.total.validate": {"min": 0}}),
    "validate.pattern": ({}, {f"{ORDER}.attributes.note.validate": {"pattern": "^[a-z]+$"}}),
    "validate.min": ({}, {f"{ORDER}.attributes.total.validate": {"min": 1}}),
    "validate.max": ({}, {f"{ORDER}.attributes.total.validate": {"max": 99}}),
    "validate.min_length": ({}, {f"{ORDER}.attributes.note.validate": {"min_length": 3}}),
    "validate.max_length": ({}, {f"{ORDER}.attributes.note.validate": {"max_length": 2000}}),
    "attribute.sorts_as": (
        {**WHOLE, f"{ORDER}.attributes.orderId": "ulid"},
        {f"{ORDER}.attributes.orderId": {"type": "ulid", "sorts_as": "at"}},
    ),
    "attribute.references": (
        {
            "relationships": GONE,
            f"{ORDER}.attributes.userId": GONE,
            f"{ORDER}.attributes.buyer": {"required": True},
            f"{ORDERS}.by": "buyer",
        },
        {f"{ORDER}.attributes.buyer.references": "User"},
    ),
    "attribute.period": (
        {f"{ORDERS}.by": "status", f"{ORDER}.attributes.status": "string"},
        {f"{ORDER}.attributes.status": {"period": "hour"}},
    ),
    "attribute.since": (
        {f"{ORDERS}.by": [], f"{ORDERS}.limit": 20, **ENDLESS},
        {f"{ORDER}.attributes.at.since": "2024-01-01"},
    ),
    "entity.id": ({}, {f"{ORDER}.id": ["userId", "orderId"]}),
    "entity.attributes": ({}, {f"{ORDER}.attributes.blob": {"size_bytes": 5000}}),
    "entity.count": ({}, {f"{ORDER}.count": 20_000}),
    "entity.growth_per_month": ({}, {f"{ORDER}.growth_per_month": 50_000}),
    "entity.growth": ({f"{ORDER}.growth_per_month": GONE}, {f"{ORDER}.growth": "50%"}),
    "entity.ttl": ({}, {f"{ORDER}.ttl": "300d"}),
    "entity.unique": ({}, {"entities.User.unique": "email"}),
    "entity.version": ({}, {f"{ORDER}.version": True}),
    "entity.size_bytes": ({}, {f"{ORDER}.size_bytes": 9000}),
    "entity.rewrites": (TOTAL, {f"{ORDER}.rewrites": "none"}),
    "entity.count_hint": ({f"{ORDER}.count": GONE}, {f"{ORDER}.count_hint": 15_000}),
    "entity.size_hint_bytes": ({}, {f"{ORDER}.size_hint_bytes": 9000}),
    "ttl.days": ({f"{ORDER}.ttl": {"days": 300}}, {f"{ORDER}.ttl.days": 900}),
    "ttl.attribute": (EXPIRING, {f"{ORDER}.ttl": {"days": 300, "attribute": "goneAt"}}),
    "relationship.from": ({}, {"relationships.0.from": "Order"}),
    "relationship.to": ({}, {"relationships.0.to": "User"}),
    "relationship.kind": (
        {
            f"{ORDER}.count": GONE,
            f"{ORDER}.growth_per_month": GONE,
            "relationships.0": {"from": "User", "to": "Order", "kind": "1:n"},
        },
        {"relationships.0.kind": "1:1"},
    ),
    "relationship.via": (
        {
            "entities.Team": {"id": "teamId"},
            "relationships.1": {"from": "User", "to": "Team", "kind": "n:m"},
            "entities.Member": {"id": ["userId", "teamId"]},
        },
        {"relationships.1.via": "Member"},
    ),
    "relationship.by": (
        {f"{ORDER}.attributes.payerId": {"required": True}, f"{ORDERS}.by": "payerId"},
        {"relationships.0.by": "payerId"},
    ),
    "relationship.avg": ({f"{ORDER}.count": GONE}, {"relationships.0.avg": 40}),
    "relationship.p50": ({f"{ORDERS}.limit": 9}, {"relationships.0.p50": 2}),
    "relationship.p99": ({"relationships.0.max": GONE}, {"relationships.0.p99": 100_000}),
    "relationship.max": ({}, {"relationships.0.max": 9000}),
    "relationship.cascade": (
        {"access_patterns.leave": {"kind": "write", "op": "delete", "entity": "User", "by": "userId", "rate": 1}},
        {"relationships.0.cascade": True},
    ),
    "relationship.integrity": ({}, {"relationships.0.integrity": "checked"}),
    "range.attr": ({f"{ORDERS}.range": {"attr": "at"}}, {f"{ORDERS}.range.attr": "orderId"}),
    "range.op": ({f"{ORDERS}.range": {"attr": "at"}}, {f"{ORDERS}.range.op": "gte"}),
    "range.step": (ABOVE, {f"{ORDERS}.range.step": 10}),
    "rate.avg": ({}, {f"{ORDERS}.rate.avg": 70}),
    "rate.peak": ({}, {f"{ORDERS}.rate.peak": 900}),
    "sort.attr": ({f"{ORDERS}.sort": {"attr": "at"}}, {f"{ORDERS}.sort.attr": "total"}),
    "sort.order": ({f"{ORDERS}.sort": {"attr": "at"}}, {f"{ORDERS}.sort.order": "desc"}),
    "skew.zipf": ({}, {f"{ORDERS}.skew": {"zipf": 1.2}}),
    "skew.hottest": ({}, {f"{ORDERS}.skew": {"hottest": 0.3}}),
    "ops.op": (BOTH, {"access_patterns.pay.ops.User.op": "delete"}),
    "ops.by": (BOTH, {"access_patterns.pay.ops.User.by": "email"}),
    "ops.changes": (BOTH, {"access_patterns.pay.ops.Order.changes": ["total"]}),
    "ops.condition": (BOTH, {"access_patterns.pay.ops.Order.condition": "status is open"}),
    "ops.when": (BOTH, {"access_patterns.pay.ops.Order.when": "total > 5"}),
    "ops.upsert": (
        BOTH,
        {
            "access_patterns.pay.ops.Order": {
                "op": "update",
                "changes": ["status", "userId", "at", "total"],
                "upsert": True,
            }
        },
    ),
    "pattern.id": ({}, {"access_patterns.listed": SHOP["access_patterns"]["orders"], ORDERS: GONE}),
    "pattern.kind": ({}, {ORDERS: {"kind": "batch", "entity": "Order", "by": "orderId", "rate": 50}}),
    "pattern.op": ({}, {PAY: {"kind": "write", "op": "delete", "entity": "Order", "by": "orderId", "rate": 9}}),
    "pattern.ops": ({}, BOTH),
    "pattern.entity": ({}, {f"{ORDERS}.entity": "User"}),
    "pattern.entities": ({}, {f"{ORDERS}.entity": GONE, f"{ORDERS}.entities": ["User", "Order"]}),
    "pattern.through": ({}, {f"{ORDERS}.entity": "User", f"{ORDERS}.through": "Order"}),
    "pattern.by": ({}, {f"{ORDERS}.by": "status"}),
    "pattern.overlaps": ({f"{ORDER}.attributes.until": "timestamp"}, {f"{ORDERS}.overlaps": LASTING}),
    "overlaps.start": (TWO_LASTING, {f"{ORDERS}.overlaps.start": "from"}),
    "overlaps.end": (TWO_LASTING, {f"{ORDERS}.overlaps.end": "till"}),
    "overlaps.longest": (TWO_LASTING, {f"{ORDERS}.overlaps.longest": "90d"}),
    "pattern.range": ({}, {f"{ORDERS}.range": {"attr": "at"}}),
    "pattern.sort": ({}, {f"{ORDERS}.sort": "total"}),
    "pattern.absent": ({f"{ORDER}.attributes.at.required": False}, {f"{ORDERS}.absent": "omit"}),
    "pattern.expired": (EXPIRING, {f"{ORDERS}.expired": "shown"}),
    "pattern.filter": ({}, {f"{ORDERS}.filter": {"status": "open"}}),
    "pattern.selectivity": ({f"{ORDERS}.filter": {"total": "more than a number"}}, {f"{ORDERS}.selectivity": "1%"}),
    "pattern.filter_must_be_key": (
        {"access_patterns.noted": {"kind": "query", "entity": "Order", "by": ["userId", "note"], "rate": 0.01}},
        {"access_patterns.noted.filter_must_be_key": True},
    ),
    "pattern.limit": ({}, {f"{ORDERS}.limit": 3}),
    "pattern.items": ({}, {f"{ORDERS}.items": 200}),
    "pattern.returns": ({}, {f"{ORDERS}.returns": ["total"]}),
    "pattern.aggregate": (
        {},
        {ORDERS: {"kind": "get", "entity": "Order", "by": "userId", "aggregate": "count", "rate": 50}},
    ),
    "pattern.changes": ({}, {f"{PAY}.changes": ["note"]}),
    "pattern.upsert": (
        {
            "access_patterns.join": {
                "kind": "write",
                "op": "update",
                "entity": "User",
                "by": "userId",
                "changes": ["email"],
                "rate": 1,
            }
        },
        {"access_patterns.join.upsert": True},
    ),
    "pattern.idempotent": ({}, {f"{PAY}.idempotent": True}),
    "pattern.rate": ({}, {f"{ORDERS}.rate": 70}),
    "pattern.rate_hint": ({f"{ORDERS}.rate": GONE}, {f"{ORDERS}.rate_hint": "2,000,000 a day"}),
    "pattern.skew": ({}, {f"{ORDERS}.skew": {"userId": "hottest 30%"}}),
    "pattern.consistency": ({}, {f"{ORDERS}.consistency": "strong"}),
    "pattern.stale": (
        {ORDERS: {"kind": "get", "entity": "Order", "by": "status", "aggregate": "count", "rate": 50}},
        {f"{ORDERS}.stale": "10s"},
    ),
    "pattern.latency": ({}, {f"{ORDERS}.latency": "2 ms"}),
    "pattern.transactional": ({}, {f"{PAY}.transactional": True}),
    "pattern.failures": ({}, {f"{PLACE}.failures": "20%"}),
    "pattern.repeats": ({}, {f"{ORDERS}.repeats": "90%"}),
    "pattern.tenant": ({}, {"access_patterns.order.tenant": "userId"}),
    "pattern.condition": ({}, {f"{PAY}.condition": "status is open"}),
    "pattern.when": ({}, {f"{PAY}.when": "total > 5"}),
    "pattern.regions": (AT_HOME, {f"{PAY}.regions": GONE}),
    "pattern.search": ({}, {f"{ORDERS}.search": "note"}),
    "constraints.max_gsis": ({}, {"constraints": {"max_gsis": 0}}),
    "constraints.tables": ({}, {"constraints": {"tables": "several"}}),
    "constraints.budget": ({}, {"constraints": {"budget": 1}}),
    "constraints.multi_attribute_keys": ({}, {"constraints": {"multi_attribute_keys": True}}),
    "constraints.key_style": ({}, {"constraints": {"key_style": "plain"}}),
    "constraints.lsis": (
        {**WHOLE, f"{ORDERS}.consistency": "strong", "access_patterns.dearest": DEAREST},
        {"constraints": {"lsis": False}},
    ),
    "constraints.copies": ({"constraints": {"max_gsis": 0, "copies": "any"}}, {"constraints.copies": "none"}),
    "constraints.rewrites": (TOTAL, {"constraints": {"rewrites": "none"}}),
    "billing.profile": ({}, {"billing": {"profile": [0] * 23 + [1]}}),
    "billing.utilisation": ({}, {"billing": {"utilisation": 0.3}}),
    "billing.prices": ({}, {"billing": {"prices": "nowhere.yaml"}}),
    "billing.pitr": ({}, {"billing": {"pitr": False}}),
    "billing.streams": ({}, {"billing": {"streams": "kinesis"}}),
}


# ---- what comes of a spec -------------------------------------------------------------------------------------------


def with_places(spec: dict[str, Any], places: Places) -> dict[str, Any]:
    changed = copy.deepcopy(spec)
    for place, value in places.items():
        inside: Any = changed
        *path, last = place.split(".")
        for name in path:
            inside = inside[int(name)] if name.isdecimal() else inside.setdefault(name, {})
        if value is GONE:
            inside.pop(last, None)
        elif last.isdecimal():
            inside[int(last) : int(last) + 1] = [copy.deepcopy(value)]
        else:
            inside[last] = copy.deepcopy(value)
    return changed


def outcome_of(spec: dict[str, Any]) -> bytes:
    patterns = [{"id": id_, **said} for id_, said in spec["access_patterns"].items()]
    return _outcome(msgspec.json.encode({**spec, "access_patterns": patterns}))


@cache
def _outcome(spec: bytes) -> bytes:
    """All that a design does, costs and asks, without what merely repeats the spec; or why there is none."""
    try:
        made = design_data(tasks.design(msgspec.json.decode(spec), quick=True))
    except DesignError as refusal:
        return refusal.message.encode()
    found = {name: made[name] for name in ("tables", "heat", "verdicts", "assumptions")}
    found["cost"] = made["cost"]
    found["items"] = [
        {name: item[name] for name in ("name", "kind", "table", "keys", "totals", "ttl_days")} for item in made["items"]
    ]
    found["patterns"] = [{name: each[name] for name in ACTS if name in each} for each in made["patterns"]]
    found["critique"] = [each["id"] for each in made["advice"]["critique"] if not each["passed"]]
    return msgspec.json.encode(found)


ACTS = (
    "id",
    "parameters",
    "reads",
    "writes",
    "transaction",
    "cascade",
    "aggregate",
    "unproven",
    "predicted",
    "idempotent",
)


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_acts(field: str) -> None:
    if field in TEXTS:
        place, text = TEXTS[field]
        assert outcome_of(with_places(SHOP, {place: text})) == outcome_of(SHOP)
        return
    assert field in EXAMPLES, "a new field needs an example in which it changes what comes of a spec"
    before, change = EXAMPLES[field]
    start = with_places(SHOP, before)
    came = outcome_of(start)
    assert came.startswith(b"{"), f"a change of what is refused anyway would show nothing: {came.decode()}"
    assert outcome_of(with_places(start, change)) != came


def test_examples_are_of_fields() -> None:
    assert {*EXAMPLES, *TEXTS} == {*FIELDS}
    assert not EXAMPLES.keys() & TEXTS.keys()
