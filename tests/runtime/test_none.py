"""What None means in writes: the sentences of docs/guide/writing.md, docs/why/values.md and the differences page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr
from tests.conftest import Node

DOCS = Path(__file__).parents[2] / "docs"
app = tw.Service("nothing", table="app")


class Task(tw.Entity, service=app, name="task", version="1"):
    project: Attr[str]
    task: Attr[str]
    must: Attr[str]
    note: Attr[str | None] = attr(default=None)
    kind: Attr[str | None] = attr(default="plain")
    owner: Attr[str | None] = attr(default=None)
    tags: Attr[set[str] | None] = attr(default=None)
    hours: Attr[int | None] = attr(default=None)

    @tw.primary
    def key(self, project: str, *, task: str) -> None:
        """One task."""

    @tw.index("gsi1")
    def by_owner(self, owner: str, *, task: str = ANY) -> None:
        """Someone's tasks."""


NONE: Any = None  # type checkers refuse it where a value is meant
KEY = Task.key("web", task="t1")
OWN = ("#project", "#task", "#__edb_e__", "#__edb_v__")

LOADED = tw.Service.load(
    {
        "model": {"service": "nothing", "entity": "task", "version": "1"},
        "attributes": {
            "project": "string",
            "task": "string",
            "note": "string",
            "free": "any",
            "tags": {"type": "set", "items": "string"},
        },
        "indexes": {
            "key": {"pk": {"field": "pk", "composite": ["project"]}, "sk": {"field": "sk", "composite": ["task"]}}
        },
    },
    table="app",
).task
AT = {"project": "web", "task": "t1"}


def changed(operation: Any) -> dict[str, list[str]]:
    """By clause: the placeholders that an update names, those that every update names left out."""
    text = operation.params()["UpdateExpression"]
    parts = re.split(r"(SET|REMOVE|ADD|DELETE) ", text)[1:]
    clauses = dict(zip(parts[::2], parts[1::2], strict=True))
    found = {name: re.findall(r"#\w+", clause) for name, clause in clauses.items()}
    return {name: kept for name, every in found.items() if (kept := [each for each in every if each not in OWN])}


def test_setting_none_removes() -> None:
    assert changed(KEY.update(Task.note.set(NONE))) == {"REMOVE": ["#note"]} == changed(KEY.update(Task.note.remove()))
    assert changed(KEY.update(Task.tags.set(set()))) == {"REMOVE": ["#tags"]}
    gone = {"REMOVE": ["#owner", "#gsi1pk", "#gsi1sk"]}
    assert changed(KEY.update(Task.owner.set(NONE))) == gone == changed(KEY.update(Task.owner.remove()))


def test_an_attribute_that_must_have_a_value_takes_no_none() -> None:
    with pytest.raises(tw.ValidationError, match="must"):
        KEY.update(Task.must.set(NONE)).params()


def test_other_changes_with_none_change_nothing() -> None:
    for change in (Task.note.if_not_exists(NONE), Task.hours.add(NONE), Task.tags.delete(NONE)):
        assert changed(KEY.update(change)) == {}


def test_upsert_keeps_what_is_stored_where_an_attribute_is_none() -> None:
    assert changed(Task(project="web", task="t1", must="x", owner="ada").upsert()) == {
        "SET": ["#must", "#kind", "#owner", "#gsi1pk", "#gsi1sk"]
    }
    kindless = Task(project="web", task="t1", must="x", owner="ada", kind=None)
    assert "#kind" not in changed(kindless.upsert())["SET"]


def test_upsert_removes_what_index_keys_are_made_of_where_it_is_none() -> None:
    assert changed(Task(project="web", task="t1", must="x").upsert()) == {
        "SET": ["#must", "#kind"],
        "REMOVE": ["#gsi1pk", "#gsi1sk", "#owner"],
    }


@pytest.mark.parametrize(
    "start",
    [lambda v: LOADED.update(AT).set(v), lambda v: LOADED.put({**AT, **v}), lambda v: LOADED.upsert({**AT, **v})],
)
def test_in_the_loaded_style_none_is_a_value(start: Any) -> None:
    with pytest.raises(tw.ValidationError, match="note: must be a string"):
        start({"note": None}).params()
    params = start({"free": None}).params()
    assert None in (params.get("Item") or params["ExpressionAttributeValues"]).values()
    assert changed(LOADED.update(AT).set(tags=[])) == {}


def test_electrodb_says_the_same_of_null(node: Node) -> None:
    answer = node.run("nothing.cjs", {})
    assert answer == {
        "set null": "refused",
        "put null": "refused",
        "upsert null": "refused",
        "set null of any": "sent",
        "set an empty set": "left out",
        "set undefined": "left out",
    }


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("guide/writing.md", "Setting `None` (or an empty set) removes, as `remove()` does"),
        ("guide/writing.md", "Attributes that are `None` stay as they are stored, unless an index key is made of them"),
        ("why/values.md", "`None` is a value, and fails all types but `any`"),
        (
            "why/differences-from-electrodb.md",
            "| `set` with an empty set in an update | left out of the update | removes",
        ),
    ],
)
def test_the_pages_say_so(page: str, sentence: str) -> None:
    assert sentence in " ".join((DOCS / page).read_text(encoding="utf-8").split())
