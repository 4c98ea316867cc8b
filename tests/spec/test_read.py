"""Specs as they are written: every field with its forms and its default, every fault with its place and a remedy."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.spec.facts import assume
from tablewright.spec.model import REWRITES, Aggregate, Expiry, PatternSpec, Rate, Skew, SortSpec
from tablewright.spec.read import SpecFaults, read_spec

CUSTOMER: dict[str, Any] = {"id": "customerId", "attributes": {"customerId": "string", "email": "string"}}
ORDER: dict[str, Any] = {
    "id": "orderId",
    "attributes": {"orderId": "string", "customerId": "string", "amount": "number", "date": "timestamp"},
}
GET: dict[str, Any] = {"id": "get", "kind": "get", "entity": "Order", "by": "orderId"}


def spec_of(*patterns: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {
        "entities": {"Customer": CUSTOMER, "Order": ORDER},
        "relationships": [{"from": "Customer", "to": "Order", "kind": "1:N"}],
        "access_patterns": list(patterns) or [GET],
        **parts,
    }


def pattern_of(**fields: Any) -> PatternSpec:
    return read_spec(spec_of({**GET, "kind": "query", **fields})).patterns[0]


def order_with(**fields: Any) -> Any:
    return read_spec(spec_of(entities={"Customer": CUSTOMER, "Order": {**ORDER, **fields}})).entities["Order"]


def attribute_with(**fields: Any) -> Any:
    attributes = {**ORDER["attributes"], "note": fields}
    return order_with(attributes=attributes).attributes["note"]


def faults_of(spec: dict[str, Any]) -> str:
    with pytest.raises(SpecFaults) as caught:
        read_spec(spec)
    return str(caught.value)


# ---- defaults and forms ---------------------------------------------------------------------------------------------


def test_the_top_has_defaults():
    spec = read_spec(spec_of())
    assert (spec.name, spec.region, spec.month_growth) == ("application", None, None)


def test_the_top_in_other_words():
    spec = read_spec(spec_of(application="shop", region="eu-central-1", month_growth="5%"))
    assert (spec.name, spec.region, spec.month_growth) == ("shop", "eu-central-1", 0.05)


@pytest.mark.parametrize(
    ("fields", "name", "meant"),
    [
        ({}, "type", "string"),
        ({"type": "uuid"}, "type", "string"),
        ({"type": "int"}, "type", "number"),
        ({"type": "datetime"}, "type", "timestamp"),
        ({"type": "bool"}, "type", "boolean"),
        ({"type": "json"}, "type", "map"),
        ({"type": "array"}, "type", "list"),
        ({"size_bytes": "2 KB"}, "size_bytes", 2048),
        ({"max": "64 KB"}, "max_bytes", 65_536),
        ({"values": ["open", 1]}, "values", ("open", "1")),
        ({"cardinality": "10k"}, "cardinality", 10_000),
        ({"required": True}, "required", True),
        ({}, "required", None),
        ({"presence": "20%"}, "presence", 0.2),
        ({"immutable": True}, "immutable", True),
    ],
)
def test_attributes(fields: dict[str, Any], name: str, meant: Any) -> None:
    assert getattr(attribute_with(**fields), name) == meant


@pytest.mark.parametrize(
    ("fields", "name", "meant"),
    [
        ({}, "count", None),
        ({"count": "1M"}, "count", 1_000_000),
        ({"count_hint": 500}, "count", 500),
        ({"growth": "200/day"}, "growth_per_month", pytest.approx(200 * 2_628_000 / 86_400)),
        ({"growth": 5000}, "growth_per_month", 5000),
        ({"growth_per_month": "5k"}, "growth_per_month", 5000),
        ({"ttl": "30d"}, "ttl", Expiry(days=30)),
        ({"ttl": 90}, "ttl", Expiry(days=90)),
        ({"ttl": {"days": "12h", "attribute": "date"}}, "ttl", Expiry(days=0.5, attribute="date")),
        ({"unique": "customerId"}, "unique", (("customerId",),)),
        ({"unique": ["customerId", ["date", "amount"]]}, "unique", (("customerId",), ("date", "amount"))),
        ({"size_bytes": "2 KB"}, "size_bytes", 2048),
        ({}, "rewrites", REWRITES),
        ({"rewrites": "none"}, "rewrites", ()),
        ({"rewrites": ["total", "embed"]}, "rewrites", ("embed", "total")),
    ],
)
def test_entities(fields: dict[str, Any], name: str, meant: Any) -> None:
    assert getattr(order_with(**fields), name) == meant


def test_growth_by_a_share_is_of_the_items_there_are():
    entities = {"Customer": {**CUSTOMER, "count": 1000}, "Order": {**ORDER, "growth": "5%"}}
    facts = assume(read_spec(spec_of(entities=entities)))
    assert facts.spec.entities["Order"].growth_per_month == pytest.approx(0.05 * 1000 * 10)  # ten orders a customer


@pytest.mark.parametrize("kind", ["one-to-many", "1:N", "1:n", "one to many"])
def test_relationships(kind: str) -> None:
    given = {"from": "Customer", "to": "Order", "kind": kind, "avg": 3, "p99": 20, "max": "1k", "cascade": True}
    (found,) = read_spec(spec_of(relationships=[given])).relationships
    assert (found.kind, found.avg, found.p99, found.max, found.cascade) == ("one-to-many", 3, 20, 1000, True)


@pytest.mark.parametrize(
    ("fields", "name", "meant"),
    [
        ({}, "rate", None),
        ({"rate": 100}, "rate", Rate(avg=100)),
        ({"rate": "100/s"}, "rate", Rate(avg=100)),
        ({"rate": {"avg": "6000/min", "peak": "1k"}}, "rate", Rate(avg=100, peak=1000)),
        ({}, "skew", None),
        ({"skew": "uniform"}, "skew", Skew()),
        ({"skew": "zipf"}, "skew", Skew(zipf=1.0)),
        ({"skew": "zipf 1.2"}, "skew", Skew(zipf=1.2)),
        ({"skew": "hottest 20%"}, "skew", Skew(hottest=0.2)),
        ({"skew": {"hottest": 0.2}}, "skew", Skew(hottest=0.2)),
        ({}, "consistency", "eventual"),
        ({"consistency": "strong"}, "consistency", "strong"),
        ({"latency": 10}, "latency", "10 ms"),
        ({"latency": "fast"}, "latency", "fast"),
        ({}, "returns", ()),
        ({"returns": "amount"}, "returns", ("amount",)),
        ({"filter": {"amount": "at most"}, "selectivity": "10%"}, "selectivity", 0.1),
        ({"limit": 25}, "limit", 25),
        ({}, "transactional", False),
        ({"tenant": "customerId"}, "tenant", "customerId"),
        ({"items": "1k"}, "items", 1000),
        ({"sort": "date desc"}, "sort", (SortSpec("date", "desc"),)),
        ({"sort": [{"attr": "date"}, "amount"]}, "sort", (SortSpec("date"), SortSpec("amount"))),
        ({}, "aggregate", None),
        ({"aggregate": "count"}, "aggregate", Aggregate("count")),
        ({"aggregate": {"count": True}}, "aggregate", Aggregate("count")),
        ({"aggregate": {"sum": "amount"}}, "aggregate", Aggregate("sum", "amount")),
    ],
)
def test_patterns(fields: dict[str, Any], name: str, meant: Any) -> None:
    assert getattr(pattern_of(**fields), name) == meant


@pytest.mark.parametrize(("said", "meant"), [("create", "put"), ("insert", "put"), ("remove", "delete")])
def test_writes_in_other_words(said: str, meant: str) -> None:
    write = {"id": "w", "kind": "write", "op": said, "entity": "Order", "by": "orderId"}
    assert read_spec(spec_of(write)).patterns[0].op == meant


def test_constraints_have_defaults():
    found = read_spec(spec_of()).constraints
    assert (found.max_gsis, found.tables, found.budget, found.multi_attribute_keys) == (20, "single", None, False)
    assert (found.key_style, found.rewrites) == ("electrodb", REWRITES)


def test_constraints_are_read():
    given = {"max_gsis": 3, "tables": "any", "budget": "1k", "multi_attribute_keys": True, "rewrites": "none"}
    found = read_spec(spec_of(constraints=given)).constraints
    assert (found.max_gsis, found.tables, found.budget, found.rewrites) == (3, "any", 1000, ())


# ---- references -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        (["taskId", "employeeId"], "employeeId"),  # by name
        (["taskId", "assigneeId", "title"], "assigneeId"),  # by its ending
        (["taskId", "projectId", "assigneeId"], "assigneeId"),  # what is left: a project has its own
        (["taskId", "ownerId", "assigneeId"], None),  # two that could be meant
    ],
)
def test_a_child_names_its_parent(attributes: list[str], found: str | None) -> None:
    spec = {
        "entities": {
            "Employee": {"id": "employeeId"},
            "Project": {"id": "projectId"},
            "Task": {"id": "taskId", "attributes": attributes},
        },
        "relationships": [{"from": "Employee", "to": "Task", "kind": "1:N"}],
        "access_patterns": [{"id": "get", "kind": "get", "entity": "Task", "by": "taskId"}],
    }
    references = assume(read_spec(spec)).references["Task"]
    assert [name for name, parent in references.items() if parent == "Employee"] == ([found] if found else [])


# ---- faults ---------------------------------------------------------------------------------------------------------


def test_an_input_of_the_parent_is_accepted():
    assert pattern_of(by="email").by == ("email",)


def test_an_input_that_two_parents_have_is_ambiguous():
    spec = spec_of(
        {**GET, "kind": "query", "by": "city"},
        entities={
            "Customer": {**CUSTOMER, "attributes": {"customerId": "string", "city": "string"}},
            "Shop": {"id": "shopId", "attributes": {"shopId": "string", "city": "string"}},
            "Order": {**ORDER, "attributes": {**ORDER["attributes"], "shopId": "string"}},
        },
    )
    assert "Customer, Shop" in faults_of(spec)


def test_an_input_that_nobody_has_is_told_with_the_nearest():
    assert 'no attribute "amout". Did you mean "amount"?' in faults_of(spec_of({**GET, "by": "amout"}))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"aggregate": {"sum": "date"}}, "only numbers add up"),
        ({"aggregate": "count", "limit": 3}, "leave out sort and limit"),
        ({"aggregate": {"count": True, "sum": "amount"}}, "write one"),
        ({"aggregate": {"sum": "amout"}}, 'Did you mean "amount"'),
        ({"aggregate": {"total": "amount"}}, "not one of count, sum, max, min"),
        ({"rate": "often"}, "such as 100"),
        ({"skew": "even"}, "not one of uniform, zipf, hottest"),
    ],
)
def test_faults_of_patterns(fields: dict[str, Any], words: str) -> None:
    assert words in faults_of(spec_of({**GET, "kind": "query", "by": "customerId", **fields}))


@pytest.mark.parametrize("kind", ["map", "list", "set"])
@pytest.mark.parametrize(
    "asked", [{"by": "tags"}, {"sort": [{"attr": "tags"}]}, {"range": {"attr": "tags", "op": "begins_with"}}]
)
def test_what_no_key_can_hold_is_not_asked_for(asked: dict[str, Any], kind: str) -> None:
    order = {**ORDER, "attributes": {**ORDER["attributes"], "tags": kind}}
    pattern = {**GET, "kind": "query", "by": "customerId", **asked}
    (field,) = asked
    words = faults_of(spec_of(pattern, entities={"Customer": CUSTOMER, "Order": order}))
    assert f"access_patterns[0].{field}: Order.tags is a {kind}, which no key can hold. Make " in words


@pytest.mark.parametrize(
    ("entity", "attribute", "constant", "place"),
    [
        ("T{x}", "a", "c", 'entities.T{x}: "T{x}" has braces'),
        ("T", "a}", "c", 'entities.T.attributes.a}: "a}" has braces'),
        ("T", "a", "{id}", 'access_patterns[0].filter.a: "{id}" has braces'),
    ],
)
def test_braces_stand_for_values_and_nothing_else(entity: str, attribute: str, constant: str, place: str) -> None:
    """A constant `{id}` would have been compared with the caller's id."""
    asked = {"id": "A", "kind": "query", "entity": entity, "by": "id", "filter": {attribute: constant}}
    spec = {"entities": {entity: {"id": "id", "attributes": ["id", attribute]}}, "access_patterns": [asked]}
    assert place in faults_of(spec)


def test_no_id_is_a_list():
    order = {**ORDER, "attributes": {**ORDER["attributes"], "orderId": "list"}}
    assert "entities.Order.id: Order.orderId is a list" in faults_of(
        spec_of(entities={"Customer": CUSTOMER, "Order": order})
    )


def test_a_put_is_given_lists_as_well():
    order = {**ORDER, "attributes": {**ORDER["attributes"], "tags": "list"}}
    put = {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId", "tags"]}
    read_spec(spec_of(GET, put, entities={"Customer": CUSTOMER, "Order": order}))


def test_an_unknown_rewrite_is_told():
    assert "not one of embed, split, total, lookup" in faults_of(spec_of(constraints={"rewrites": ["fold"]}))


def test_all_faults_come_at_once_with_their_lines():
    text = """
entities:
  Order:
    id: orderId
    count: plenty
access_patterns:
  - {id: a, kind: get, entity: Ordr, by: orderId}
  - {id: b, kind: gett, entity: Order, by: orderId}
"""
    with pytest.raises(SpecFaults) as caught:
        read_spec(text)
    assert [where for where, _ in caught.value.faults] == [
        "the text:5: entities.Order.count",
        "the text:8: access_patterns[1].kind",
    ]
