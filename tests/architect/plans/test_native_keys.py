"""Multi-attribute keys: where an index is on the attributes themselves, it answers as composed keys do."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.design.model import Design, KeyField, SortCondition
from tablewright.design.service import service_of
from tablewright.design.values.templates import KeyTemplate, Template
from tablewright.proof.run import prove
from tests.architect.specs import random_spec

ORDER: dict[str, Any] = {
    "id": ["orderId"],
    "attributes": {
        "orderId": "string",
        "region": {"type": "string", "cardinality": 20, "required": True},
        "total": {"type": "number", "required": True},
        "date": {"type": "timestamp", "required": True},
        "note": "string",
    },
}
GET = {"id": "get", "kind": "get", "entity": "Order", "by": ["orderId"]}
OF_REGION = {"id": "of", "kind": "query", "entity": "Order", "by": ["region"]}


def orders(*patterns: dict[str, Any], **more: Any) -> Design:
    return design(
        {
            "name": "orders",
            "entities": {"Order": ORDER, **more},
            "access_patterns": [GET, *patterns],
            "constraints": {"multi_attribute_keys": True},
        }
    )


def test_the_index_has_the_attributes_as_keys() -> None:
    made = orders({**OF_REGION, "range": {"attr": "total", "op": "gte"}})
    (index,) = made.tables[0].gsis
    assert (index.pk, index.sk) == ((KeyField("region"),), (KeyField("total", "N"),))
    keys = next(each for each in made.items[0].keys if each.index == "gsi1")
    assert keys.native
    assert keys.pk == (KeyTemplate("region", Template.parse("{region}")),)
    (step,) = next(each for each in made.patterns if each.id == "of").reads
    assert step.sk == (SortCondition(field="total", operator=">=", low=Template.parse("{value}")),)
    assert "gsi1pk" not in made.items[0].sample


@pytest.mark.parametrize("op", ["between", "gte", "gt", "lte", "lt"])
@pytest.mark.parametrize("attribute", ["total", "date"])
def test_every_comparison_is_answered(op: str, attribute: str) -> None:
    made = orders(
        {**OF_REGION, "range": {"attr": attribute, "op": op}},
        {**OF_REGION, "id": "all", "sort": f"{attribute} desc", "limit": 3},
        {**OF_REGION, "id": "one", "by": ["region", attribute]},
    )
    assert any(keys.native for keys in made.items[0].keys)
    assert prove(made, rounds=12).passed


def test_negative_numbers_and_decimals_need_no_padding() -> None:
    made = orders({**OF_REGION, "sort": "total"})
    assert made.notes == ()
    assert prove(made).passed


def test_two_entities_are_told_apart_by_their_type() -> None:
    pattern = {**OF_REGION, "sort": "date"}
    returns = [{**each, "id": f"{each['id']}-return", "entity": "Return"} for each in (GET, pattern)]
    made = orders(pattern, *returns, Return=ORDER)
    (index,) = made.tables[0].gsis
    assert [each.name for each in index.pk] == ["region", "__edb_e__"]
    assert [each.name for each in service_of(made).entities["Return"].patterns] == ["primary"]
    assert [each.partition(":")[0] for each in made.notes] == ["Order in gsi1", "Return in gsi1"]
    assert prove(made).passed


@pytest.mark.parametrize(
    ("pattern", "more"),
    [
        pytest.param({**OF_REGION, "by": ["note"]}, {}, id="an attribute that may be absent"),
        pytest.param(OF_REGION, {"Return": ORDER}, id="another entity with the same attributes"),
        pytest.param({**OF_REGION, "entities": ["Order", "Return"]}, {"Return": ORDER}, id="types read together"),
    ],
)
def test_composed_keys_where_attributes_would_not_do(pattern: dict[str, Any], more: dict[str, Any]) -> None:
    made = orders(
        {name: value for name, value in pattern.items() if name != "entity" or "entities" not in pattern}, **more
    )
    assert not any(keys.native for item in made.items for keys in item.keys)
    assert prove(made).passed


def test_the_service_has_a_composite_index() -> None:
    made = orders({**OF_REGION, "sort": "date"})
    pattern = service_of(made).entities["Order"].pattern("byRegion")
    assert pattern is not None
    assert (pattern.kind, pattern.pk.composite) == ("composite", ("region",))


@pytest.mark.parametrize("seed", range(100, 104))
def test_random_specs_are_served(seed: int) -> None:
    spec = {**random_spec(seed, entities=3, patterns=7), "constraints": {"multi_attribute_keys": True}}
    assert prove(design(spec), rounds=6).passed
