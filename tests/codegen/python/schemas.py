"""Schemas to make classes of: those of the recorded cases, alone and as services, and one full of odd names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablewright.errors import SchemaError
from tablewright.schema.load import load
from tests.conformance.electrodb.functions import FUNCTIONS

RECORDED = Path(__file__).parents[2] / "conformance"

# What a class cannot say, and why. Everything else that loads is made into classes.
REFUSED = {
    "more/attributes/gs": "options of elements",
    "more/attributes/rd": "dn.default: None is no Any",
    "more/attributes/val2": "options of elements",
    "more/data/M": "M.attributes.bad.k.default: 'three' is no MBadK",
    "more/keys/leg": "beta form",
    "more/keys/legnosk": "beta form",
    "more/upserts/U": "options of elements",
    "more/where/d": "has no name",
    "vectors/attributes/attrs": "options of elements",
    "vectors/keys/legacy": "beta form",
}

# Texts that the typed style refuses in some spelling, and why: ElectroDB finds (or stores) another one.
FOLDED = "would be stored as"
UNTOLD = "its keys fold letter case, and the index does not hold it"
CONDITIONED = {"more/random/m33": "Beta", "more/random/m53": "theta"}
"""An index has another letter case than the table's key: the attribute whose spelling updates compare."""

SPELLED = {
    "more/execution/b": UNTOLD,
    "more/keys/own": FOLDED,
    "more/own-keys/around": FOLDED,
    "more/own-keys/default": FOLDED,
    "more/own-keys/plain": FOLDED,
    "more/own-keys/renamedAround": FOLDED,
    "more/own-keys/tableFront": FOLDED,
    "more/own-keys/upper": FOLDED,
    "more/parse/p": UNTOLD,
    "more/query/q": FOLDED,
    "vectors/execution/proj": UNTOLD,
    "vectors/keys/attrkey": FOLDED,
    "vectors/keys/prefkey": FOLDED,
}


def recorded() -> Iterator[tuple[str, Any]]:
    """By name: every schema, and every service, that a recorded case begins with; the same one once."""
    seen: set[str] = set()
    for path in sorted(RECORDED.glob("*/*.json")):
        read = json.loads(path.read_text(encoding="utf-8"))
        models = read["models"]
        services = {"+".join(each["service"].values()): each["service"] for each in read["cases"] if "service" in each}
        found = {
            **models,
            **{name: {alias: models[each] for alias, each in members.items()} for name, members in services.items()},
        }
        for name, data in found.items():
            text = json.dumps(data)
            if text not in seen and loads(data):
                seen.add(text)
                yield f"{path.parent.name}/{path.stem}/{name}", data


def loads(data: Any) -> bool:
    """Many were recorded to see them refused."""
    try:
        load(data, functions=FUNCTIONS)
    except SchemaError:
        return False
    return True


def key(*names: str, field: str = "pk", **more: Any) -> dict[str, Any]:
    return {"field": field, "composite": list(names), **more}


ODD: dict[str, Any] = {
    'say "hi"': {
        "model": {"service": 'odd "svc" \\', "entity": 'it\'s "odd"\n', "version": '1"""'},
        "table": 'tab"le',
        "attributes": {
            "class": {"type": "string", "required": True},
            "task-id": {"type": "string", "label": 'l"b', "field": 'f"\\'},
            "taskId": {"type": "string"},
            "task_id": {"type": "string"},
            "put": {"type": "string"},
            "self": {"type": "string"},
            "str": {"type": "string"},
            "set": {"type": "set", "items": ['a"b', "c'd", "\n"]},
            "attr": {"type": ["class", 'qu"ote', "", "\\"], "default": 'qu"ote'},
            "1st": {"type": "string", "validate": {"$regex": 'Value|"\\d\'"""'}},
            "日本": {"type": "string", "default": '"""; import os; os.abort()\n'},
            "None": {"type": "number", "default": {"$fn": '"; evil()\n', "source": '() => "*/ \\"""'}},
            "key": {
                "type": "map",
                "properties": {"at": {"type": "string"}, "class": {"type": "boolean"}, "self": "string"},
            },
            "Task": {
                "type": "list",
                "items": {"type": "map", "properties": {"Number": {"type": "number", "default": 1.5}}},
            },
            "Functions": {"type": "any", "default": {"a": [1, 'q"'], "None": None}},
        },
        "indexes": {
            "key": {"pk": key("class", field='p"k'), "sk": key("task-id", field="sk\\")},
            "put": {
                "index": 'g"1',
                "collection": "cursor",
                "pk": key("taskId", field="g1p"),
                "sk": key("self", field="g1s", casing="none"),
            },
            "init it!": {
                "index": "2",
                "scope": 'sc"',
                "condition": {"$fn": "having", "args": [{"str": 'x"', "task_id": None}]},
                "pk": key("str", field="a", template='T"#${str}\\'),
                "sk": key("task_id", field="b"),
            },
        },
    },
    "of": {
        "model": {"service": 'odd "svc" \\', "entity": "Odd", "version": "1"},
        "table": 'tab"le',
        "attributes": {"class": {"type": "string"}, "taskId": {"type": "string"}, "x": {"type": "string"}},
        "indexes": {
            "class": {"pk": key("class", field='p"k'), "sk": key("x", field="sk\\")},
            "list": {
                "index": 'g"1',
                "collection": "cursor",
                "pk": key("taskId", field="g1p"),
                "sk": key("x", field="g1s", casing="none"),
            },
        },
    },
}
