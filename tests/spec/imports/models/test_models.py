"""Specs from models of tables: NoSQL Workbench, and the two files of the AWS DynamoDB MCP server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tablewright.errors import DesignError
from tablewright.spec.imports.formats import draft_from_text
from tablewright.spec.imports.write import draft_text

INPUTS = Path(__file__).parents[1] / "inputs"


def text_from(name: str) -> str:
    return draft_text(draft_from_text((INPUTS / name).read_text(), name))


def spec_from(name: str) -> dict[str, Any]:
    return yaml.safe_load(text_from(name))


def asked(spec: dict[str, Any], entity: str) -> list[tuple[str, list[str], list[str]]]:
    return [
        (each.get("op") or each["kind"], each["by"], each.get("sort", []))
        for each in spec["access_patterns"]
        if each["entity"] == entity
    ]


# ---- NoSQL Workbench ------------------------------------------------------------------------------------------------


def test_tables_of_a_workbench_model_are_entities() -> None:
    spec = spec_from("staff.workbench.json")
    assert spec["name"] == "staff-directory"
    employee = spec["entities"]["Employee"]
    assert employee["id"] == ["loginAlias"]
    assert employee["attributes"]["skills"] == "set"
    assert employee["attributes"]["hiredAt"] == {"type": "timestamp", "required": True}
    assert ("query", ["managerLogin"], ["hiredAt"]) in asked(spec, "Employee")
    assert spec["entities"]["Ticket"]["id"] == ["loginAlias", "ticketId"]
    assert ("query", ["loginAlias"], ["ticketId"]) in asked(spec, "Ticket")
    assert spec["relationships"][0]["from"] == "Employee"


def test_facets_of_one_table_are_entities_and_composed_keys_are_taken_apart() -> None:
    spec = spec_from("forum.workbench.json")
    assert list(spec["entities"]) == ["Topic", "Post"]
    assert spec["entities"]["Post"]["id"] == ["topicId", "postId"]
    assert spec["entities"]["Post"]["attributes"]["likes"] == "number"
    assert not any("GSI" in name or name in ("PK", "SK") for name in spec["entities"]["Post"]["attributes"])
    assert ("query", ["topicId"], ["postedAt"]) in asked(spec, "Post")
    assert ("query", ["author"], ["postedAt"]) in asked(spec, "Post")


def test_a_single_table_without_facets_is_taken_apart_by_its_items() -> None:
    content = json.loads((INPUTS / "forum.workbench.json").read_text())
    del content["DataModel"][0]["TableFacets"]
    spec = yaml.safe_load(draft_text(draft_from_text(json.dumps(content), "forum.json")))
    assert set(spec["entities"]) == {"Topic", "Post"}


# ---- the MCP server -------------------------------------------------------------------------------------------------


def test_the_data_model_of_the_mcp_server() -> None:
    spec = spec_from("rides.dynamodb_data_model.json")
    assert set(spec["entities"]) == {"Rider", "Ride", "Vehicle"}
    assert spec["entities"]["Ride"]["id"] == ["riderId", "rideId"]
    assert spec["entities"]["Vehicle"] == {
        "id": ["vehicleId"],
        "attributes": {"vehicleId": "string", "seats": "number"},
        "count": 10000,
    }
    rides = asked(spec, "Ride")
    assert ("query", ["riderId"], ["startedAt desc"]) in rides
    assert ("query", ["city", "status"], ["startedAt"]) in rides
    assert ("get", ["riderId"], []) in asked(spec, "Rider")
    assert "Revenue over all rides" in text_from("rides.dynamodb_data_model.json").partition("name:")[0]
    limits = [each.get("limit") for each in spec["access_patterns"] if "newest first" in each["description"]]
    assert limits == [20]


def test_the_schema_of_the_mcp_server() -> None:
    spec = spec_from("courses.schema.json")
    assert spec["entities"]["Course"]["attributes"]["starts_at"] == {"type": "timestamp", "required": True}
    assert spec["entities"]["Enrolment"]["id"] == ["course_id", "student_id"]
    course = {each["description"]: each for each in spec["access_patterns"]}
    assert course["Courses of a teacher in a period"]["range"] == {"attr": "starts_at", "op": "between"}
    assert course["Change the seats of a course"]["changes"] == ["seats"]
    assert course["Cancel an enrolment"]["op"] == "delete"
    assert "Enrol and take a seat" in text_from("courses.schema.json").partition("name:")[0]


# ---- what is broken -------------------------------------------------------------------------------------------------

TABLE = {"TableName": "T", "KeyAttributes": {"PartitionKey": {"AttributeName": "id", "AttributeType": "S"}}}
BROKEN: list[tuple[Any, str]] = [
    ({"ModelName": "m", "DataModel": []}, "DataModel has no table"),
    ({"ModelName": "m", "DataModel": "x"}, "DataModel should be a list"),
    ({"DataModel": [{"TableName": "T"}]}, r"DataModel\[0\]\.KeyAttributes should be an object, but it is missing"),
    ({"DataModel": [{**TABLE, "TableData": [{"id": "plain"}]}]}, r"TableData\[0\] is no item"),
    ({"DataModel": [{**TABLE, "KeyAttributes": {"PartitionKey": {}}}]}, "a key has no AttributeName"),
    ({"tables": []}, "tables is empty"),
    ({"tables": [{"TableName": "T"}]}, r"tables\[0\] should be the arguments of CreateTable"),
    ({"tables": [{"TableName": "T", "KeySchema": "pk"}]}, "KeySchema should be a list"),
    ({"tables": [{"table_config": {}, "entities": {}}]}, "no table has entities"),
    ({"tables": [{"entities": {"A": {"pk_template": "A"}}}]}, r"entities\.A\.fields should list"),
    ({"tables": [{"entities": {"A": {"fields": [{"name": "a", "type": "date"}]}}}]}, "date is no type"),
    ({"tables": [{"entities": {"A": {"fields": [{"name": "a"}], "pk_template": "A"}}}]}, "neither pk_template nor"),
]


@pytest.mark.parametrize(("content", "message"), BROKEN)
def test_broken_files_are_refused_by_name(content: Any, message: str) -> None:
    with pytest.raises(DesignError, match=message) as caught:
        draft_from_text(json.dumps(content), "broken.json")
    assert "broken.json" in str(caught.value)
