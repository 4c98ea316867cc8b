"""A small service in the loaded style, with something of everything, for the tests of this folder."""

from __future__ import annotations

from typing import Any

from tablewright.runtime.electrodb.entity import LoadedEntity
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.electro import load_entity, load_service

BERTH: dict[str, Any] = {
    "model": {"service": "harbor", "entity": "berth", "version": "1"},
    "attributes": {
        "harbor": {"type": "string", "required": True},
        "slot": {"type": "number", "padding": {"length": 3, "char": "0"}},
        "vessel": {"type": "string"},
        "state": {"type": ["free", "taken"], "default": "free"},
        "since": {"type": "string", "field": "sn", "default": "2026"},
        "visits": {"type": "number"},
        "tags": {"type": "set", "items": "string"},
        "log": {"type": "list", "items": {"type": "string"}},
        "dims": {
            "type": "map",
            "properties": {"beam": {"type": "number", "required": True}, "side": {"type": "string", "field": "sd"}},
        },
        "note": {"type": "any"},
        "born": {"type": "string", "readOnly": True},
        "shout": {
            "type": "string",
            "watch": ["vessel"],
            "set": lambda _value, item: (item.get("vessel") or "").upper(),
        },
    },
    "indexes": {
        "main": {"pk": {"field": "pk", "composite": ["harbor"]}, "sk": {"field": "sk", "composite": ["slot"]}},
        "byVessel": {
            "index": "gsi1",
            "collection": "fleet",
            "pk": {"field": "gsi1pk", "composite": ["vessel"]},
            "sk": {"field": "gsi1sk", "composite": ["state", "since"]},
        },
        "taken": {
            "index": "gsi2",
            "condition": lambda item: item.get("state") == "taken",
            "pk": {"field": "gsi2pk", "composite": ["harbor", "state"]},
            "sk": {"field": "gsi2sk", "composite": []},
        },
    },
}
CAPTAIN: dict[str, Any] = {
    "model": {"service": "harbor", "entity": "captain", "version": "1"},
    "attributes": {"vessel": {"type": "string"}, "name": {"type": "string"}},
    "indexes": {
        "main": {"pk": {"field": "pk", "composite": ["name"]}, "sk": {"field": "sk", "composite": []}},
        "ofVessel": {
            "index": "gsi1",
            "collection": "fleet",
            "pk": {"field": "gsi1pk", "composite": ["vessel"]},
            "sk": {"field": "gsi1sk", "composite": ["name"]},
        },
    },
}


def berth(client: Any = None, **settings: Any) -> LoadedEntity:
    return LoadedEntity(load_entity(BERTH, table="port"), client=client, **settings)


def harbor(client: Any = None, **settings: Any) -> LoadedService:
    schema = load_service({"berths": BERTH, "captains": CAPTAIN}, table="port")
    return LoadedService(schema, client=client, **settings)


def stored(**attributes: Any) -> dict[str, Any]:
    """A berth as it lies in the table."""
    item = berth().put({"harbor": "H", "slot": 7, **attributes}).params()["Item"]
    return dict(item)
