"""Schemas of an OpenAPI file: references followed, parts put together, properties turned into attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from tablewright.architect.spec.imports.draft import DraftAttribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.spec.model import AttributeType

TYPES: Mapping[str, AttributeType] = {
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "array": "list",
    "object": "map",
    "string": "string",
}
TIMES = ("date", "date-time", "time")
LISTS = ("items", "data", "results", "content", "records", "values", "entries", "nodes")


def mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def resolved(document: Mapping[str, Any], part: Any) -> Mapping[str, Any]:
    """What a local reference points at, as often as it does; itself otherwise."""
    found = mapping(part)
    seen: set[str] = set()
    while (reference := found.get("$ref")) and reference not in seen:
        seen.add(reference)
        target: Any = document
        for step in str(reference).removeprefix("#/").split("/"):
            target = mapping(target).get(step.replace("~1", "/").replace("~0", "~"))
        found = mapping(target)
    return found


def merged(document: Mapping[str, Any], part: Any, depth: int = 0) -> Mapping[str, Any]:
    """A schema with those it is put together from."""
    found = resolved(document, part)
    parts = [each for word in ("allOf", "oneOf", "anyOf") for each in found.get(word) or ()]
    if not parts or depth > 8:
        return found
    whole: dict[str, Any] = {"properties": {}, "required": [], **{k: v for k, v in found.items() if k != "allOf"}}
    for each in parts:
        inner = merged(document, each, depth + 1)
        whole["properties"] = {**whole["properties"], **mapping(inner.get("properties"))}
        whole["required"] = [*whole["required"], *(inner.get("required") or ())]
        whole.setdefault("type", inner.get("type"))
        for word in ("enum", "format", "description"):
            if word in inner:
                whole.setdefault(word, inner[word])
    return whole


def attributes_of(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[DraftAttribute]:
    required = schema.get("required") or ()
    for name, given in mapping(schema.get("properties")).items():
        each = merged(document, given)
        values = tuple(str(value) for value in each.get("enum") or () if value is not None)
        longest = each.get("maxLength")
        yield DraftAttribute(
            name=str(name),
            type=type_of(each),
            values=values,
            required=name in required,
            immutable=name.lower() in ("createdat", "created_at"),
            max_bytes=longest if isinstance(longest, int) and not values else None,
        )


def type_of(schema: Mapping[str, Any]) -> AttributeType:
    """3.1 may list several types; null is not one of ours."""
    said: Any = schema.get("type")
    names: list[Any] = [each for each in cast("Any", said) if each != "null"] if isinstance(said, list) else [said]
    name = str(names[0]) if names and names[0] else "object" if schema.get("properties") else "string"
    if name == "string" and schema.get("format") in TIMES:
        return "timestamp"
    return TYPES.get(name, "string")


def named_schema(document: Mapping[str, Any], part: Any) -> tuple[str, bool]:
    """The schema that a body or an answer is about, and whether it is a list of them; "" when it is none."""
    given = mapping(part)
    reference = str(given.get("$ref", ""))
    content = merged(document, given)
    if content.get("type") == "array" or "items" in content:
        return named_schema(document, content.get("items"))[0], True
    for name, inner in mapping(content.get("properties")).items():
        whole = merged(document, inner)
        if name in LISTS and (whole.get("type") == "array" or "items" in whole):
            return named_schema(document, whole)[0], True
    if reference.startswith("#/components/schemas/"):
        return reference.rsplit("/", 1)[-1], False
    lists = [merged(document, each) for each in mapping(content.get("properties")).values()]
    arrays = [each for each in lists if each.get("type") == "array" and "$ref" in mapping(each.get("items"))]
    return (named_schema(document, arrays[0])[0], True) if len(arrays) == 1 else ("", False)
