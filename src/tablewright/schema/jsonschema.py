"""The published JSON Schema (draft 2020-12) of our own form, made from the table of fields that loading follows."""

from __future__ import annotations

from typing import Any

from tablewright.schema.form.attributes import attribute_schema, type_schema
from tablewright.schema.form.fields import ENTITY, PATTERN, SERVICE

FUNCTION = {
    "type": "object",
    "description": "A function by name; with args, the function which that one makes of them.",
    "properties": {"$fn": {"type": "string"}, "args": {"type": "array"}},
    "required": ["$fn"],
    "additionalProperties": False,
}
REGEX = {
    "type": "object",
    "description": "A regular expression, searched for anywhere in the value.",
    "properties": {"$regex": {"type": "string"}},
    "required": ["$regex"],
    "additionalProperties": False,
}


def json_schema() -> dict[str, Any]:
    """A fresh copy of the schema, ready for `json.dump`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tablewright service",
        **SERVICE.schema(),
        "$defs": {
            "entity": ENTITY.schema(),
            "access_pattern": PATTERN.schema(),
            "attribute": attribute_schema(),
            "type": type_schema(),
            "function": FUNCTION,
            "regex": REGEX,
        },
    }


if __name__ == "__main__":  # python -m tablewright.schema.jsonschema > docs/reference/service.schema.json
    import json
    import sys

    sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
