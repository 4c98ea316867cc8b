"""Keys that are attributes: whoever writes the item, the query of its index finds it, and reads what was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tablewright as tw
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.electro import load_service

CASINGS = (None, "default", "lower", "upper", "none")
TEMPLATES = (None, "${code}", "P#${code}", "${code}#e", "P_${code}_q")


def stock(casing: str | None, template: str | None, field: str = "code") -> tuple[Any, tw.Database]:
    """Parts that are found by a code, which is the key of an index itself."""
    key: dict[str, Any] = {"field": field, "composite": ["code"]}
    key |= {name: each for name, each in (("casing", casing), ("template", template)) if each is not None}
    schema = {
        "model": {"service": "stock", "entity": "part", "version": "1"},
        "attributes": {
            "id": {"type": "string"},
            "code": {"type": "string", "field": field},
            "note": {"type": "string"},
        },
        "indexes": {
            "main": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}},
            "byCode": {"index": "gsi1", "pk": key, "sk": {"field": "gsi1sk", "composite": []}},
        },
    }
    db = tw.Database.embedded()
    service = LoadedService(load_service({"parts": schema}, table="stock"), client=db)
    db.create(service)
    return service.entities["parts"], db


WRITES: dict[str, Callable[[Any], Any]] = {
    "put": lambda parts: parts.put(id="1", code="AbC"),
    "create": lambda parts: parts.create(id="1", code="AbC"),
    "upsert": lambda parts: parts.upsert(id="1", code="AbC"),
    "upsert, set": lambda parts: parts.upsert(id="1").set(code="AbC"),
    "update": lambda parts: parts.update(id="1").set(code="AbC"),
    "if_not_exists": lambda parts: parts.update(id="1").if_not_exists(code="AbC"),
    "data": lambda parts: parts.update(id="1").data(lambda a, op: op.set(a.code, "AbC")),
    "value": lambda parts: parts.update(id="1").data(lambda a, op: op.set(a.code, op.value(a.code, "AbC"))),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("casing", CASINGS)
def test_whoever_wrote_it_it_is_found(casing: str | None, template: str | None, write: str) -> None:
    parts, _ = stock(casing, template)
    WRITES[write](parts).go()
    found = parts.query.byCode(code="AbC").go()["data"]
    assert [item["code"].lower() for item in found] == ["abc"]
    assert parts.match(code="AbC").go()["data"] == found
    assert parts.match(id="1", code="AbC").go()["data"] == found


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("template", [None, *TEMPLATES[2:]])
def test_a_renamed_one_is_found_too(template: str | None, write: str) -> None:
    parts, _ = stock("none", template or "${code}", field="cd")
    WRITES[write](parts).go()
    assert len(parts.query.byCode(code="AbC").go()["data"]) == 1


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("casing", CASINGS)
def test_where_compares_with_what_is_stored(casing: str | None, template: str | None) -> None:
    parts, _ = stock(casing, template)
    parts.put(id="1", code="AbC").go()
    conditions: list[Callable[[Any, Any], Any]] = [
        lambda a, op: op.eq(a.code, "AbC"),
        lambda a, op: op.between(a.code, "AbC", "AbC"),
        lambda a, op: op.begins(a.code, "Ab"),
        lambda a, op: op.contains(a.code, "bC"),
        lambda a, op: op.eq_or_not_exists(a.code, "AbC"),
        lambda a, op: f"{op.name(a.code)} = {op.value(a.code, 'AbC')}",
    ]
    for condition in conditions:
        assert len(parts.scan.where(condition).go()["data"]) == 1
    none = [lambda a, op: op.ne(a.code, "AbC"), lambda a, op: op.not_contains(a.code, "bC")]
    for condition in none:
        assert parts.scan.where(condition).go()["data"] == []


def test_composite_demands_what_is_stored() -> None:
    parts, _ = stock("upper", "P#${code}")
    parts.put(id="1", code="AbC").go()
    parts.patch(id="1").set(note="n").composite(code="AbC").go()
    assert parts.get(id="1").go()["data"]["note"] == "n"


def test_a_table_composite_that_is_an_index_key_keeps_its_form() -> None:
    schema = {
        "model": {"service": "stock", "entity": "part", "version": "1"},
        "attributes": {"id": {"type": "string"}, "note": {"type": "string"}},
        "indexes": {
            "main": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}},
            "byId": {
                "index": "gsi1",
                "pk": {"field": "id", "composite": ["id"], "template": "P#${id}"},
                "sk": {"field": "gsi1sk", "composite": []},
            },
        },
    }
    db = tw.Database.embedded()
    service = LoadedService(load_service({"parts": schema}, table="stock"), client=db)
    db.create(service)
    parts: Any = service.entities["parts"]
    parts.put(id="aB").go()
    parts.update(id="aB").set(note="n").go()
    assert [item["note"] for item in parts.query.byId(id="aB").go()["data"]] == ["n"]


@pytest.mark.parametrize(
    ("field", "stored", "shown"),
    [
        ("code", "P_abc_q", "abc"),
        ("code", "p_abc_Q", "abc"),
        ("code", "P_abc", "abc"),
        ("code", "abc_q", "abc"),
        ("code", "P_", "P_"),
        ("cd", "P_abc_q", "P_abc"),
    ],
)
def test_text_is_taken_off_as_in_electrodb(field: str, stored: str, shown: str) -> None:
    parts, _ = stock("none", "P_${code}_q", field=field)
    assert parts.parse({"Item": {"pk": "$stock#id_1", "sk": "$part_1", field: stored}})["data"] == {"code": shown}
