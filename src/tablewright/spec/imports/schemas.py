"""Schemas of an OpenAPI file: references followed, parts put together, properties turned into attributes."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from tablewright.errors import DesignError
from tablewright.spec.imports.draft import DraftAttribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import AttributeType

TYPES: Mapping[str, AttributeType] = {
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "array": "list",
    "object": "map",
    "string": "string",
}
TOGETHER = ("allOf", "oneOf", "anyOf")
MOST_PARTS = 200
MOST_WRAPPINGS = 16
TIMES = ("date", "date-time", "time")
LISTS = ("items", "data", "results", "content", "records", "values", "entries", "nodes")


def mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def elements(value: Any) -> list[Any]:
    found: list[Any] = cast("Any", value) if isinstance(value, list) else []
    return found


def resolve(document: Mapping[str, Any], part: Any) -> Mapping[str, Any]:
    """What a local reference points at, as often as it does; itself otherwise."""
    found = mapping(part)
    seen: set[str] = set()
    while isinstance(reference := found.get("$ref"), str) and reference not in seen:
        seen.add(reference)
        target: Any = document
        for step in reference.removeprefix("#/").split("/"):
            target = mapping(target).get(step.replace("~1", "/").replace("~0", "~"))
        found = mapping(target)
    return found


def merge_schema(document: Mapping[str, Any], part: Any) -> Mapping[str, Any]:
    """A schema with those it is put together from, each of them once however often it is named."""
    found = resolve(document, part)
    if not any(elements(found.get(word)) for word in TOGETHER):
        return found
    whole: dict[str, Any] = {"properties": {}, "required": [], **{k: v for k, v in found.items() if k != "allOf"}}
    whole["required"] = elements(whole["required"])
    for inner in _parts_of(document, found):
        whole["properties"] = {**mapping(whole["properties"]), **mapping(inner.get("properties"))}
        whole["required"] = [*whole["required"], *elements(inner.get("required"))]
        whole.setdefault("type", inner.get("type"))
        for word in ("enum", "format", "description"):
            if word in inner:
                whole.setdefault(word, inner[word])
    return whole


def _parts_of(document: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All that a schema is put together from, in their order; one that contains itself is not gone into again."""
    seen = {id(whole)}
    waiting = deque(_inner_parts(whole))
    while waiting:
        part = resolve(document, waiting.popleft())
        if id(part) in seen:
            continue
        seen.add(id(part))
        if len(seen) > MOST_PARTS:
            raise DesignError(f"a schema is put together from more than {MOST_PARTS} others; write out what it holds")
        yield part
        waiting.extendleft(reversed(_inner_parts(part)))


def _inner_parts(schema: Mapping[str, Any]) -> list[Any]:
    return [each for word in TOGETHER for each in elements(schema.get(word))]


def attributes_of(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[DraftAttribute]:
    required = elements(schema.get("required"))
    for name, given in mapping(schema.get("properties")).items():
        each = merge_schema(document, given)
        values = tuple(str(value) for value in elements(each.get("enum")) if value is not None)
        longest = each.get("maxLength")
        yield DraftAttribute(
            name=str(name),
            type=_type_of(each),
            values=values,
            required=name in required,
            immutable=str(name).lower() in ("createdat", "created_at"),
            max_bytes=longest if isinstance(longest, int) and not values else None,
        )


def _type_of(schema: Mapping[str, Any]) -> AttributeType:
    """3.1 may list several types; null is not one of ours."""
    said: Any = schema.get("type")
    names: list[Any] = [each for each in cast("Any", said) if each != "null"] if isinstance(said, list) else [said]
    name = str(names[0]) if names and names[0] else "object" if schema.get("properties") else "string"
    if name == "string" and schema.get("format") in TIMES:
        return "timestamp"
    return TYPES.get(name, "string")


def find_schema(document: Mapping[str, Any], part: Any, wrappings: int = MOST_WRAPPINGS) -> tuple[str, bool]:
    """The schema that a body or an answer is about, and whether it is a list of them; "" when it is none.

    A list of lists is unwrapped so many times: one may be a list of itself.
    """
    if wrappings == 0:
        return "", False
    given = mapping(part)
    reference = str(given.get("$ref", ""))
    content = merge_schema(document, given)
    if content.get("type") == "array" or "items" in content:
        return find_schema(document, content.get("items"), wrappings - 1)[0], True
    for name, inner in mapping(content.get("properties")).items():
        whole = merge_schema(document, inner)
        if name in LISTS and (whole.get("type") == "array" or "items" in whole):
            return find_schema(document, whole, wrappings - 1)[0], True
    if reference.startswith("#/components/schemas/"):
        return reference.rsplit("/", 1)[-1], False
    lists = [merge_schema(document, each) for each in mapping(content.get("properties")).values()]
    arrays = [each for each in lists if each.get("type") == "array" and "$ref" in mapping(each.get("items"))]
    return (find_schema(document, arrays[0], wrappings - 1)[0], True) if len(arrays) == 1 else ("", False)
