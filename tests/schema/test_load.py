from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tablewright.errors import SchemaError
from tablewright.schema.dump import dump, dumps_json, dumps_yaml
from tablewright.schema.electro import load_entity, load_service
from tablewright.schema.load import load
from tests.schema.samples import EMPLOYEE, FUNCTIONS, LEGACY, TASK

SERVICE = load_service({"task": TASK, "employee": EMPLOYEE}, table="app", functions=FUNCTIONS)
OWN = dump(SERVICE, functions=FUNCTIONS)


def test_a_path_to_json_or_yaml(tmp_path: Path) -> None:
    as_json, as_yaml = tmp_path / "service.json", tmp_path / "service.yaml"
    as_json.write_text(dumps_json(SERVICE, functions=FUNCTIONS), encoding="utf-8")
    as_yaml.write_text(dumps_yaml(SERVICE, functions=FUNCTIONS), encoding="utf-8")
    assert load(as_json, functions=FUNCTIONS) == load(str(as_yaml), functions=FUNCTIONS) == SERVICE


def test_an_electrodb_entity() -> None:
    service = load(TASK, functions=FUNCTIONS)
    assert service.entities == {"task": load_entity(TASK, functions=FUNCTIONS)}
    assert load(LEGACY).entities["thing"].legacy


def test_an_electrodb_service() -> None:
    text = json.dumps({"task": TASK, "employee": EMPLOYEE})
    assert load(text, functions=FUNCTIONS) == load_service({"task": TASK, "employee": EMPLOYEE}, functions=FUNCTIONS)


def test_an_electrodb_service_may_use_our_words_as_aliases() -> None:
    assert list(load({"entities": EMPLOYEE, "indexes": TASK}, functions=FUNCTIONS).entities) == ["entities", "indexes"]


def broken(path: str, value: Any) -> dict[str, Any]:
    data = copy.deepcopy(OWN)
    *parents, last = path.split("/")
    part = data
    for name in parents:
        part = part[name]
    part[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "place", "hint"),
    [
        ("entities/task/attributes/status/type", "strin", "entities.task.attributes.status.type", '"string"'),
        ("entities/task/attributes/status/type", {"enums": ["a"]}, "entities.task.attributes.status.type", '"enum"'),
        ("entities/task/attributes/status/requird", True, "entities.task.attributes.status", '"required"'),
        ("entities/task/attributes/project", {"field": "p"}, "entities.task.attributes.project", '"type" is missing'),
        ("entities/task/attributes/tags/type", {"set": "any"}, "entities.task.attributes.tags.type.set", "scalars"),
        ("entities/task/attributes/slug/hidden", 1, "entities.task.attributes.slug.hidden", "true or false"),
        ("entities/task/attributes/slug/set", "upper", "entities.task.attributes.slug.set", "$fn"),
        ("entities/task/attributes/slug/set", {"$fn": "uper"}, "entities.task.attributes.slug.set", '"upper"'),
        ("entities/task/attributes/createdAt/validate", {"$regex": "("}, "attributes.createdAt.validate", "Python"),
        ("entities/task/attributes/status/default", {"$sett": []}, "attributes.status.default", "$set"),
        ("entities/task/attributes/status/default", {"$number": "x"}, "attributes.status.default", "$number"),
        ("entities/task/access_patterns/key/pk", {"field": "pk"}, "access_patterns.key.pk", '"composite" is missing'),
        ("entities/task/access_patterns/key/pk/casing", "uper", "access_patterns.key.pk.casing", '"upper"'),
        ("entities/task/access_patterns/key/pk/composite", ["a", 1], "key.pk.composite[1]", "name"),
        ("entities/task/access_patterns/byEmployee/projection", [], "byEmployee.projection", "something in it"),
        ("entities/task/access_pattern", {}, "entities.task", '"access_patterns"'),
        ("entities/task/version", 1, "entities.task.version", "text"),
        ("entities/task", [], "entities.task", "mapping"),
        ("collections", {"worklod": {"doc": ""}}, "collections.worklod", '"workload"'),
        ("tabel", "x", "the schema", '"table"'),
    ],
)
def test_a_fault_names_its_place_and_what_was_meant(path: str, value: Any, place: str, hint: str) -> None:
    with pytest.raises(SchemaError) as caught:
        load(broken(path, value), functions=FUNCTIONS)
    assert caught.value.code == 1009
    assert place in caught.value.message
    assert hint in caught.value.message


def test_the_rules_hold_in_our_form_too() -> None:
    with pytest.raises(SchemaError) as caught:
        load(broken("entities/task/access_patterns/key/pk/composite", ["projct"]), functions=FUNCTIONS)
    assert caught.value.code == 1003
    assert 'perhaps it should be "project"' in caught.value.message


def test_entities_of_one_table_must_agree_on_its_keys() -> None:
    with pytest.raises(SchemaError, match="the table's own key"):
        load(broken("entities/task/access_patterns/key/sk", None), functions=FUNCTIONS)


@pytest.mark.parametrize("source", [{}, {"entitys": {}}, "{", "[]", "{}"])
def test_what_is_no_schema_is_refused(source: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        load(source)
    assert caught.value.code == 1009


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"absent\.json"):
        load(tmp_path / "absent.json")
    bad = tmp_path / "bad.yml"
    bad.write_text("a: [", encoding="utf-8")
    with pytest.raises(SchemaError, match=r"bad\.yml:\d+: this is no YAML"):
        load(bad)


def test_without_pyyaml_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "service.yaml"
    path.write_text(yaml.safe_dump(OWN), encoding="utf-8")
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(SchemaError, match=r"tablewright\[yaml\]"):
        load(path, functions=FUNCTIONS)


def test_a_name_that_yaml_read_as_a_number_is_refused() -> None:
    with pytest.raises(SchemaError, match="put it in quotes"):
        load(broken("entities/task/attributes", {1: "string"}), functions=FUNCTIONS)


def test_collections_keep_their_notes() -> None:
    service = load(broken("collections", {"workload": {"doc": "All at once."}}), functions=FUNCTIONS)
    workload = service.collection("workload")
    assert workload is not None
    assert workload.doc == "All at once."
    assert dump(service, functions=FUNCTIONS)["collections"] == {"workload": {"doc": "All at once."}}
