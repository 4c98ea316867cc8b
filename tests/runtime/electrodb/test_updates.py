"""Updates and upserts of the loaded style, run on the embedded engine: what ends up in the table."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright.errors import ValidationError
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.electro import load_service


def refuse_empty(value: str | None) -> None:
    """A validator in Python's manner: it raises, or says nothing."""
    if value == "":
        raise ValueError("is empty")


NOTE: dict[str, Any] = {
    "model": {"service": "notes", "entity": "note", "version": "1"},
    "attributes": {
        "id": {"type": "string"},
        "createdAt": {"type": "number", "readOnly": True},
        "a": {"type": "string", "set": lambda value, _item: None if value is None else f"k:{value}"},
        "b": {"type": "string"},
        "both": {
            "type": "string",
            "watch": ["a", "b"],
            "set": lambda _value, item: f"{item['a']}@{item['b']}" if "a" in item and "b" in item else None,
        },
        "tags": {"type": "set", "items": "string"},
        "n": {"type": "number", "set": lambda value, _item: value if value is None else value * 10},
        "total": {"type": "number", "watch": ["b"], "set": lambda _value, _item: 7},
        "checked": {"type": "string", "validate": refuse_empty},
        "m": {
            "type": "map",
            "properties": {"kind": {"type": ["one", "two"], "default": "three"}, "text": {"type": "string"}},
        },
    },
    "indexes": {"main": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}}},
}


@pytest.fixture
def notes() -> Any:
    db = tw.Database.embedded()
    service = LoadedService(load_service({"notes": NOTE}, table="notes"), client=db)
    db.create(service)
    return service.entities["notes"]


def stored(notes: Any) -> dict[str, Any]:
    item: dict[str, Any] = notes.get(id="1").go()["data"]
    return item


def test_sets_are_added_to(notes: Any) -> None:
    notes.update(id="1").data(lambda a, op: op.add(a.tags, ["x"])).go()
    notes.update(id="1").data(lambda a, op: op.add(a.tags, op.value(a.tags, ["y"]))).go()
    notes.update(id="1").data(lambda a, op: op.add(a.tags, ["z"], ["unused"])).go()
    assert stored(notes)["tags"] == ["x", "y", "z"]
    notes.update(id="1").data(lambda a, op: op.delete(a.tags, op.value(a.tags, ["y"]))).go()
    assert stored(notes)["tags"] == ["x", "z"]


def test_an_upsert_gives_a_read_only_attribute_its_first_value(notes: Any) -> None:
    notes.upsert(id="1").if_not_exists(createdAt=5).go()
    notes.upsert(id="1").if_not_exists(createdAt=6).go()
    notes.upsert(id="1").add(createdAt=6).go()
    notes.upsert(id="1", createdAt=9).go()
    assert stored(notes)["createdAt"] == 5


@pytest.mark.parametrize(
    "change",
    [
        lambda notes: notes.update(id="1").set(a="a", b="b"),
        lambda notes: notes.update(id="1").set(both="given", a="a", b="b"),
        lambda notes: notes.update(id="1").set(both="given").set(a="a", b="b"),
        lambda notes: notes.update(id="1").data(
            lambda a, op: [op.set(a.both, "x"), op.set(a.a, "a"), op.set(a.b, "b")]
        ),
        lambda notes: notes.upsert(id="1", a="a", b="b"),
        lambda notes: notes.put(id="1", a="a", b="b"),
    ],
)
def test_watchers_see_what_setters_made(notes: Any, change: Any) -> None:
    change(notes).go()
    assert stored(notes)["both"] == "k:a@b"


def test_the_answer_of_a_watcher_is_added(notes: Any) -> None:
    notes.upsert(id="1", b="b").add(total=1).go()
    notes.upsert(id="1", b="b").add(total=1).go()
    assert stored(notes)["total"] == 14


def test_of_an_amount_and_a_start_the_start_goes_through_the_setter(notes: Any) -> None:
    notes.update(id="1").data(lambda a, op: op.add(a.n, 2, 5)).go()
    assert stored(notes)["n"] == 52


def test_a_validator_that_returns_nothing_has_nothing_against_it(notes: Any) -> None:
    notes.put(id="1", checked="x").go()
    assert stored(notes)["checked"] == "x"
    with pytest.raises(ValidationError, match="is empty"):
        notes.update(id="1").set(checked="").go()


def test_nested_defaults_count_for_checks_and_are_not_written(notes: Any) -> None:
    with pytest.raises(ValidationError, match=r"m\.kind"):
        notes.update(id="1").set(m={"text": "x"}).go()
    notes.update(id="1").set(m={"text": "x", "kind": "one"}).go()
    assert stored(notes)["m"] == {"text": "x", "kind": "one"}


@pytest.mark.parametrize("name", ["id", "createdAt"])
def test_what_is_read_only_cannot_be_mentioned_in_data(notes: Any, name: str) -> None:
    with pytest.raises(ValidationError, match=name) as refused:
        notes.update(id="1").data(lambda a, op: op.set(a.b, op.name(a[name]))).params()
    assert refused.value.code == 3001
