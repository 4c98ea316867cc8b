"""Models for NoSQL Workbench: complete, with samples and facets, and read back as the same entities."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from tablewright.architect.designer import design as designed
from tablewright.codegen.workbench import workbench
from tablewright.spec.imports.formats import draft_from_text
from tablewright.spec.imports.write import draft_text
from tablewright.wire.values import unmarshal_item
from tests.codegen.designs import with_everything
from tests.codegen.more_designs import EVERY, made


def model_of(name: str) -> dict[str, Any]:
    (text,) = workbench(made(name)).values()
    return json.loads(text)


@pytest.mark.parametrize("name", EVERY)
def test_a_model_has_every_table_index_facet_and_sample(name: str) -> None:
    design, model = made(name), model_of(name)
    assert model["ModelMetadata"]["AWSService"] == "Amazon DynamoDB"
    assert model["ModelMetadata"]["Version"] == "3.0"
    for table, content in zip(design.tables, model["DataModel"], strict=True):
        items = [each for each in design.items if each.table == table.name]
        assert content["KeyAttributes"]["PartitionKey"] == {"AttributeName": table.pk.name, "AttributeType": "S"}
        assert [each["IndexName"] for each in content["GlobalSecondaryIndexes"]] == [each.name for each in table.gsis]
        assert len(content["TableFacets"]) == len(items)
        assert len(content["TableData"]) == len([each for each in items if each.kind != "embedded"])
        known = {each["AttributeName"] for each in content["NonKeyAttributes"]} | {table.pk.name, table.sk.name}
        inside = {each.inside for each in items}
        for item in map(unmarshal_item, content["TableData"]):
            assert {table.pk.name, table.sk.name} <= set(item)
            assert set(item) <= known | inside | {table.ttl_attribute}
        for facet in content["TableFacets"]:
            assert set(facet["NonKeyAttributes"]) <= known
            assert all(item in content["TableData"] or inside for item in facet["TableData"])


def test_settings_of_a_provisioned_table_are_in_the_model() -> None:
    (text,) = workbench(with_everything()).values()
    (table,) = json.loads(text)["DataModel"]
    assert table["BillingMode"] == "PROVISIONED"
    assert table["ProvisionedCapacitySettings"]["ProvisionedThroughput"]["ReadCapacityUnits"] == 5
    assert table["LocalSecondaryIndexes"][0]["IndexName"] == "lsi1"


@pytest.mark.parametrize("name", EVERY)
def test_a_model_is_read_back_as_the_same_entities(name: str) -> None:
    design = made(name)
    (text,) = workbench(design).values()
    spec = yaml.safe_load(draft_text(draft_from_text(text, "model.json")))
    entities = {each.name: each for each in design.items if each.kind in ("entity", "embedded", "packed")}
    assert set(spec["entities"]) == set(entities)
    for name_, item in entities.items():
        attributes = {each.name for each in item.attributes}
        assert attributes <= set(spec["entities"][name_]["attributes"])
        named = {each.name for each in item.attributes if each.type == "string"} & {*item.id}
        assert named <= set(spec["entities"][name_]["id"]), "times and numbers of a key may be there for the order"


@pytest.mark.parametrize("name", ["online-shop", "club:plain"])
def test_what_is_read_back_designs(name: str) -> None:
    (text,) = workbench(made(name)).values()
    again = designed(draft_text(draft_from_text(text, "model.json")))
    assert {each.entity for each in again.items} == {each.entity for each in made(name).items}
