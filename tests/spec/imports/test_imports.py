"""Specs inferred from what exists: what was found in it, and that it reads back and designs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tablewright.architect.designer import design
from tablewright.errors import DesignError
from tablewright.spec.imports.draft import Draft, DraftAttribute, DraftEntity
from tablewright.spec.imports.formats import draft_from_mapping, draft_from_text
from tablewright.spec.imports.write import draft_text

INPUTS = Path(__file__).parent / "inputs"


def text_from(name: str) -> str:
    return draft_text(draft_from_text((INPUTS / name).read_text(), name))


def spec_from(name: str) -> dict[str, Any]:
    return yaml.safe_load(text_from(name))


def asked(spec: dict[str, Any], entity: str) -> list[tuple[str, list[str], list[str]]]:
    """The reads of one entity: kind, inputs, order."""
    return [
        (each["kind"], each["by"], each.get("sort", []))
        for each in spec["access_patterns"]
        if each["kind"] != "write" and each.get("entity") == entity
    ]


@pytest.mark.parametrize("name", sorted(path.name for path in INPUTS.iterdir()))
def test_what_is_inferred_designs(name: str) -> None:
    text = text_from(name)
    found = design(text)
    assert len(found.items) >= len(yaml.safe_load(text)["entities"])
    assert "# Inferred from" in text
    assert "a guess" in text


# ---- SQL ------------------------------------------------------------------------------------------------------------


def test_tables_become_entities_with_keys_types_and_values() -> None:
    spec = spec_from("hospital.sql")
    assert len(spec["entities"]) == 10
    assert spec["entities"]["Appointment"] == {
        "id": ["appointment_id"],
        "attributes": {
            "appointment_id": "string",
            "doctor_id": {"type": "string", "required": True},
            "patient_id": {"type": "number", "required": True},
            "starts_at": {"type": "timestamp", "required": True},
            "duration_minutes": {"type": "number", "required": True},
            "status": {
                "type": "string",
                "values": ["requested", "confirmed", "checked_in", "done", "cancelled"],
                "required": True,
            },
            "notes": "string",
            "created_at": {"type": "timestamp", "required": True, "immutable": True},
        },
        "count": 10000,
    }
    assert spec["entities"]["Room"]["id"] == ["clinic_id", "room_number"]
    assert spec["entities"]["Room"]["attributes"]["kind"]["values"] == ["examination", "surgery", "lab"]
    assert spec["entities"]["Invoice"]["attributes"]["status"]["values"] == ["open", "paid", "overdue"]
    assert spec["entities"]["Clinic"]["attributes"]["opening_hours"] == "map"
    assert spec["entities"]["Clinic"]["attributes"]["name"]["max"] == 120
    assert spec["entities"]["Doctor"]["unique"] == [["licence_number"], ["email"]]


def test_foreign_keys_become_relationships_and_join_tables_many_to_many() -> None:
    relationships = spec_from("hospital.sql")["relationships"]
    assert {
        "from": "Clinic",
        "to": "Room",
        "kind": "one-to-many",
        "by": ["clinic_id"],
        "cascade": True,
    } in relationships
    assert {"from": "Appointment", "to": "Invoice", "kind": "one-to-one", "by": ["appointment_id"]} in relationships
    assert {"from": "Doctor", "to": "Speciality", "kind": "many-to-many", "via": "DoctorSpeciality"} in relationships
    assert len(relationships) == 9


def test_keys_and_indexes_become_questions() -> None:
    spec = spec_from("hospital.sql")
    assert asked(spec, "Appointment") == [
        ("get", ["appointment_id"], []),
        ("query", ["doctor_id"], ["starts_at"]),
        ("query", ["patient_id"], ["starts_at desc"]),
    ]
    assert asked(spec, "Patient") == [("get", ["patient_id"], []), ("get", ["insurance_number"], [])]
    assert asked(spec, "Invoice") == [
        ("get", ["invoice_id"], []),
        ("get", ["appointment_id"], []),
        ("query", ["status"], ["due_on"]),
        ("query", ["patient_id"], ["created_at desc"]),
    ]


def test_a_mysql_dump() -> None:
    text = text_from("forum.mysql.sql")
    spec = yaml.safe_load(text)
    assert spec["entities"]["User"]["attributes"]["role"]["values"] == ["member", "moderator", "admin"]
    assert spec["entities"]["User"]["attributes"]["is_banned"] == {"type": "boolean", "required": True}
    assert {"from": "User", "to": "Thread", "kind": "many-to-many", "via": "ThreadWatcher"} in spec["relationships"]
    assert ("query", ["category"], ["last_post_at"]) in asked(spec, "Thread")
    assert ("query", ["body"], []) not in asked(spec, "Post")
    assert "full-text index on posts.body" in text


def test_sqlite_with_a_tree() -> None:
    spec = spec_from("notes.sqlite.sql")
    assert spec["relationships"][0] == {
        "from": "Notebook",
        "to": "Notebook",
        "kind": "one-to-many",
        "by": ["parent_id"],
        "cascade": True,
    }


# ---- OpenAPI --------------------------------------------------------------------------------------------------------


def test_schemas_of_endpoints_become_entities() -> None:
    spec = spec_from("shop.openapi.yaml")
    assert list(spec["entities"]) == ["Customer", "Order", "Product", "Review"]
    assert spec["entities"]["Order"]["id"] == ["orderId"]
    assert spec["entities"]["Order"]["attributes"]["status"]["values"] == ["pending", "paid", "shipped", "cancelled"]
    assert spec["entities"]["Customer"]["attributes"]["address"] == "map"
    assert spec["entities"]["Product"]["id"] == ["productId"]
    assert spec["entities"]["Review"]["attributes"]["productId"]["required"] is True


def test_endpoints_become_patterns() -> None:
    spec = spec_from("shop.openapi.yaml")
    orders = [each for each in spec["access_patterns"] if each.get("entity") == "Order"]
    assert [(each["kind"], each.get("op"), each["by"], each.get("limit")) for each in orders] == [
        ("query", None, ["customerId"], 25),
        ("query", None, ["customerId", "status"], 25),
        ("write", "put", ["orderId"], None),
        ("get", None, ["orderId"], None),
        ("write", "delete", ["orderId"], None),
    ]
    assert orders[0]["range"] == {"attr": "placedAt", "op": "between"}
    assert asked(spec, "Product") == [("query", ["category"], []), ("get", ["productId"], [])]
    (change,) = [each for each in spec["access_patterns"] if each.get("op") == "update"]
    assert change["changes"] == ["name", "address"]


# ---- services -------------------------------------------------------------------------------------------------------


def test_a_schema_that_names_functions() -> None:
    """As the export script writes it; what they do does not matter for a draft."""
    content = {
        "model": {"service": "notes", "entity": "note", "version": "1"},
        "attributes": {"id": {"type": "string", "default": {"$fn": "makeId"}, "set": {"$fn": "tidy", "args": [1]}}},
        "indexes": {"main": {"pk": {"field": "pk", "composite": ["id"]}}},
    }
    assert draft_from_mapping(content, "notes.json").name == "notes"


def test_an_electrodb_schema() -> None:
    spec = spec_from("tasks.electrodb.json")
    assert spec["name"] == "taskapp"
    assert spec["entities"]["Office"]["id"] == ["country", "city", "office"]
    assert spec["entities"]["Employee"]["attributes"]["dateHired"] == "timestamp"
    assert asked(spec, "Employee") == [
        ("get", ["employee"], []),
        ("query", ["office"], []),
        ("query", ["office", "team"], []),
        ("query", ["team"], ["dateHired"]),
    ]
    (both,) = [each for each in spec["access_patterns"] if "entities" in each]
    assert (both["entities"], both["by"]) == (["Employee", "Office"], ["office"])


# ---- what it is not -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("readme.txt", "just words", "is a text or a list"),
        ("data.json", '{"a": 1}', "none that is known"),
        ("broken.yaml", "a: [", "neither YAML nor JSON nor SQL"),
        ("old.json", '{"swagger": "2.0", "paths": {}}', "is Swagger 2"),
        ("empty.yaml", "openapi: 3.1.0\npaths: {}", "has no endpoint"),
        ("a.yaml", "access_patterns: []", "is a spec already"),
        ("design.json", '{"format": "tablewright-design"}', "is a design"),
        ("bad.sql", "CREATE TABLE x (", "cannot be read as SQL of postgres"),
        ("none.sql", "SELECT 1;", "no CREATE TABLE"),
        ("electro.json", '{"model": {}, "indexes": {}}', "--from takes"),
    ],
)
def test_other_files_are_refused_with_what_is_taken(name: str, text: str, told: str) -> None:
    with pytest.raises(DesignError, match=told) as refused:
        draft_from_text(text, name)
    assert name in refused.value.message


# ---- foreign text ---------------------------------------------------------------------------------------------------

BREAKS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"]
LIVE = "{id: EVIL, description: injected, kind: query, entity: User, by: [x]}"


@pytest.mark.parametrize("line_break", BREAKS, ids=ascii)
def test_a_line_break_in_a_foreign_name_stays_in_its_comment(line_break: str) -> None:
    name = f"i{line_break}  - {LIVE}{line_break}#"
    sql = f'CREATE TABLE users (id int primary key, x text); create index "{name}" on users (x);'
    check_same_patterns(draft_text(draft_from_text(sql, "j.sql")))
    table = f'CREATE TABLE users (id int primary key, x text); CREATE TABLE "t{name}" (a int primary key, b text);'
    check_same_patterns(draft_text(draft_from_text(table, "j.sql")))
    path = {"get": {"responses": {"200": {"content": {"application/json": {"schema": USERS}}}}}}
    paths = {f"/users{line_break}  - {LIVE}{line_break}#": path}
    api = {"openapi": "3.0.0", "info": {"title": "t"}, "paths": paths, "components": {"schemas": {"User": USER}}}
    check_same_patterns(draft_text(draft_from_mapping(api, f"api{line_break}evil: 1.json")))


USER = {"type": "object", "properties": {"id": {"type": "string"}, "x": {"type": "string"}}}
USERS = {"type": "array", "items": {"$ref": "#/components/schemas/User"}}


def check_same_patterns(text: str) -> None:
    spec = yaml.safe_load(text)
    assert set(spec) <= {"name", "title", "entities", "relationships", "access_patterns"}
    assert "EVIL" not in {each["id"] for each in spec["access_patterns"]}


@pytest.mark.parametrize("letter", ["\x00", "\x07", "\x1b", "\x7f", "\ufffe", "\ud800", "\u202e"], ids=ascii)
def test_what_no_comment_can_hold_is_shown_by_its_number(letter: str) -> None:
    entity = DraftEntity(name="User", id=("id",), attributes=(DraftAttribute(name="id"),), remark=f"table {letter}")
    text = draft_text(Draft(name="app", origin=f"the file {letter}", entities=(entity,), patterns=()))
    assert letter not in text
    assert f"# table \\u{ord(letter):04x}" in text
    assert yaml.safe_load(text)["name"] == "app"


def test_a_long_foreign_name_is_cut_in_remarks_and_refused_as_a_name() -> None:
    sql = f'CREATE TABLE users (id int primary key, x text); create index "{"i" * 100_000}" on users (x);'
    assert len(draft_text(draft_from_text(sql, "j.sql"))) < 5000
    with pytest.raises(DesignError, match=r"the SQL schema j\.sql: the name 'T?t+\.\.\.' has 100,000 characters"):
        draft_text(draft_from_text(f"CREATE TABLE {'t' * 100_000} (a int primary key);", "j.sql"))


@pytest.mark.parametrize(
    ("constraint", "told"),
    [
        ("foreign key (b) references zz(q)", "foreign key"),
        ("foreign key (b) references t(a)", "foreign key"),
        ("unique (b)", "unique key"),
        ("primary key (b)", "primary key"),
    ],
)
def test_a_key_over_a_column_that_is_not_there_is_refused_by_name(constraint: str, told: str) -> None:
    with pytest.raises(DesignError, match=rf"m\.sql: the {told} of table t names a column b, which is not there"):
        draft_text(draft_from_text(f"CREATE TABLE t (a int, {constraint});", "m.sql"))


def test_a_length_of_many_digits_is_no_length() -> None:
    text = draft_text(draft_from_text(f"CREATE TABLE t (a int primary key, b varchar({'9' * 5001}));", "m.sql"))
    assert yaml.safe_load(text)["entities"]["T"]["attributes"]["b"] == "string"
