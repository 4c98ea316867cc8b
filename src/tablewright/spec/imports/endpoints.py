"""The endpoints of an OpenAPI file: which schema each is about, and what its path and parameters tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.spec.imports.draft import entity_name
from tablewright.spec.imports.schemas import elements, mapping, named_schema, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

METHODS = ("get", "post", "put", "patch", "delete")
VARIANTS = re.compile(
    r"^(Create|Update|New|Patch|Upsert)(?=[A-Z])"
    r"|(Create|Update|Patch|Input|Request|Response|Payload|Body|Dto|DTO|Summary|List|Page|Collection)$"
)


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """`own` names the item itself in the path, `parents` are the parameters before it, `parent` is whom they name."""

    path: str
    method: str
    schema: str
    is_list: bool
    own: str
    parents: tuple[str, ...]
    parent: str
    parameters: tuple[Mapping[str, Any], ...]
    body: tuple[str, ...]
    summary: str

    @property
    def is_one(self) -> bool:
        return bool(self.own)


def endpoints(document: Mapping[str, Any]) -> Iterator[Endpoint]:
    """In the order of the file; what answers with nothing is about the schema that its path is about elsewhere."""
    found = [each for path, item in mapping(document.get("paths")).items() for each in of_path(document, path, item)]
    known = {collection_of(each.path): each.schema for each in reversed(found) if each.schema}
    for each in found:
        yield msgspec.structs.replace(each, schema=each.schema or known.get(collection_of(each.path), ""))


def of_path(document: Mapping[str, Any], path: str, item: Any) -> Iterator[Endpoint]:
    shared = elements(mapping(item).get("parameters"))
    for method in METHODS:
        operation = mapping(mapping(item).get(method))
        if not operation:
            continue
        parameters = tuple(resolved(document, each) for each in (*shared, *elements(operation.get("parameters"))))
        schema, is_list = subject(document, method, operation)
        own, parents, parent = path_parts(path)
        yield Endpoint(
            path=path,
            method=method,
            schema=plain_schema(document, schema),
            is_list=is_list and not own,
            own=own,
            parents=parents,
            parent=parent,
            parameters=tuple(each for each in parameters if each.get("in") == "query"),
            body=body_properties(document, operation),
            summary=str(operation.get("summary") or operation.get("description") or "").split("\n", maxsplit=1)[0],
        )


def path_parts(path: str) -> tuple[str, tuple[str, ...], str]:
    """The item's own parameter (the last step, if it is one), those before it, and what the one before it is."""
    steps = [each for each in path.split("/") if each]
    names = [step.strip("{}") for step in steps if step.startswith("{")]
    is_one = bool(steps) and steps[-1].startswith("{")
    before = names[:-1] if is_one else names
    owners = [steps[at - 1] for at, step in enumerate(steps) if step.startswith("{") and at]
    parents = owners[:-1] if is_one else owners
    return (names[-1] if is_one else ""), tuple(before), (entity_name(parents[-1]) if parents else "")


def collection_of(path: str) -> str:
    """`/orders/{id}` and `/orders` are about the same."""
    return re.sub(r"/\{[^/]*\}$", "", path)


def subject(document: Mapping[str, Any], method: str, operation: Mapping[str, Any]) -> tuple[str, bool]:
    """What the answer is, or else what the body is."""
    answers = [each for code, each in mapping(operation.get("responses")).items() if str(code).startswith("2")]
    bodies = [operation.get("requestBody")]
    for each in (*answers, *bodies) if method == "get" else (*bodies, *answers):
        schema, is_list = named_schema(document, json_schema(document, each))
        if schema:
            return schema, is_list
    return "", False


def json_schema(document: Mapping[str, Any], part: Any) -> Any:
    content = mapping(resolved(document, part).get("content"))
    found = next((each for kind, each in content.items() if "json" in kind), None)
    return mapping(found).get("schema")


def plain_schema(document: Mapping[str, Any], name: str) -> str:
    """`CreateOrderRequest` is about Order, where there is one."""
    schemas = mapping(mapping(document.get("components")).get("schemas"))
    short, before = name, ""
    while short != before:
        before, short = short, VARIANTS.sub("", short)
        if short != before and short in schemas:
            return short
    return name


def body_properties(document: Mapping[str, Any], operation: Mapping[str, Any]) -> tuple[str, ...]:
    from tablewright.spec.imports.schemas import merged

    schema = json_schema(document, operation.get("requestBody"))
    return tuple(mapping(merged(document, schema).get("properties"))) if schema else ()
