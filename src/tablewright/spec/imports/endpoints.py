"""The endpoints of an OpenAPI file: the schema each is about, and the access patterns that follow from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.spec.imports.draft import DraftEntity, DraftPattern, entity_name, plural_phrase, singular_phrase
from tablewright.spec.imports.schemas import elements, find_schema, mapping, merge_schema, resolve

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
    """In the order of the file; an endpoint without a schema takes that of another endpoint with the same path."""
    found = [each for path, item in mapping(document.get("paths")).items() for each in _read_path(document, path, item)]
    known = {_collection_of(each.path): each.schema for each in reversed(found) if each.schema}
    for each in found:
        yield msgspec.structs.replace(each, schema=each.schema or known.get(_collection_of(each.path), ""))


def _read_path(document: Mapping[str, Any], path: str, item: Any) -> Iterator[Endpoint]:
    shared = elements(mapping(item).get("parameters"))
    for method in METHODS:
        operation = mapping(mapping(item).get(method))
        if not operation:
            continue
        parameters = tuple(resolve(document, each) for each in (*shared, *elements(operation.get("parameters"))))
        schema, is_list = _find_subject(document, method, operation)
        own, parents, parent = _path_parts(path)
        yield Endpoint(
            path=path,
            method=method,
            schema=_plain_schema(document, schema),
            is_list=is_list and not own,
            own=own,
            parents=parents,
            parent=parent,
            parameters=tuple(each for each in parameters if each.get("in") == "query"),
            body=_body_properties(document, operation),
            summary=str(operation.get("summary") or operation.get("description") or "").split("\n", maxsplit=1)[0],
        )


def _path_parts(path: str) -> tuple[str, tuple[str, ...], str]:
    """The item's own parameter (the last step, if it is one), those before it, and what the one before it is."""
    steps = [each for each in path.split("/") if each]
    names = [step.strip("{}") for step in steps if step.startswith("{")]
    is_one = bool(steps) and steps[-1].startswith("{")
    before = names[:-1] if is_one else names
    owners = [steps[at - 1] for at, step in enumerate(steps) if step.startswith("{") and at]
    parents = owners[:-1] if is_one else owners
    return (names[-1] if is_one else ""), tuple(before), (entity_name(parents[-1]) if parents else "")


def _collection_of(path: str) -> str:
    """`/orders/{id}` and `/orders` are about the same."""
    return re.sub(r"/\{[^/]*\}$", "", path)


def _find_subject(document: Mapping[str, Any], method: str, operation: Mapping[str, Any]) -> tuple[str, bool]:
    """The schema of the response or of the request body, and whether it is a list."""
    answers = [each for code, each in mapping(operation.get("responses")).items() if str(code).startswith("2")]
    bodies = [operation.get("requestBody")]
    for each in (*answers, *bodies) if method == "get" else (*bodies, *answers):
        schema, is_list = find_schema(document, _json_schema(document, each))
        if schema:
            return schema, is_list
    return "", False


def _json_schema(document: Mapping[str, Any], part: Any) -> Any:
    content = mapping(resolve(document, part).get("content"))
    found = next((each for kind, each in content.items() if "json" in kind), None)
    return mapping(found).get("schema")


def _plain_schema(document: Mapping[str, Any], name: str) -> str:
    """`CreateOrderRequest` is about Order, where there is one."""
    schemas = mapping(mapping(document.get("components")).get("schemas"))
    short, before = name, ""
    while short != before:
        before, short = short, VARIANTS.sub("", short)
        if short != before and short in schemas:
            return short
    return name


def _body_properties(document: Mapping[str, Any], operation: Mapping[str, Any]) -> tuple[str, ...]:
    schema = _json_schema(document, operation.get("requestBody"))
    return tuple(mapping(merge_schema(document, schema).get("properties"))) if schema else ()


# ---- access patterns ------------------------------------------------------------------------------------------------


FROM = ("from", "since", "after", "start", "startdate", "begin", "createdafter", "fromdate", "mindate")
LIMITS = ("limit", "pagesize", "perpage", "first", "maxresults", "size", "top")
DEFAULT_PAGE = 25
MEANT_BY = {"post": "put", "put": "update", "patch": "update", "delete": "delete"}


class EndpointSubject(msgspec.Struct, frozen=True):
    """An endpoint, the entity it is about, and the attributes given by its path."""

    endpoint: Endpoint
    entity: DraftEntity
    by: tuple[str, ...]
    document: Any


def patterns_of(subject: EndpointSubject) -> Iterator[DraftPattern]:
    endpoint = subject.endpoint
    if endpoint.method != "get":
        yield from _write_patterns(subject)
    elif endpoint.is_one or not (endpoint.is_list or endpoint.parents):
        yield _build_pattern(subject, "get", by=subject.by or subject.entity.id)
    elif not endpoint.is_list:
        yield _build_pattern(subject, "get", by=subject.by)
    else:
        yield from _list_patterns(subject)


def _build_pattern(subject: EndpointSubject, kind: Any, **fields: Any) -> DraftPattern:
    endpoint = subject.endpoint
    name = subject.entity.name
    about = endpoint.summary or (plural_phrase(name) if kind == "query" else singular_phrase(name))
    fields = {"description": about, **fields}
    return DraftPattern(kind=kind, entities=(name,), remark=f"{endpoint.method.upper()} {endpoint.path}", **fields)


# ---- reading --------------------------------------------------------------------------------------------------------


def _list_patterns(subject: EndpointSubject) -> Iterator[DraftPattern]:
    """The list itself, and one for every parameter that narrows it."""
    entity, endpoint = subject.entity, subject.endpoint
    parameters = {str(each.get("name")): each for each in endpoint.parameters}
    needed = tuple(
        name for name, each in parameters.items() if each.get("required") and _is_equality(entity, name, subject)
    )
    by = tuple(dict.fromkeys((*subject.by, *needed)))
    limit = _limit_of(parameters, subject)
    time = next((each.name for each in entity.attributes if each.type == "timestamp"), None)
    ranged = time if any(_normalise(name) in FROM for name in parameters) else None
    sort = ((time, "desc"),) if time else ()
    yield _build_pattern(subject, "query", by=by, range_attr=ranged, sort=sort, limit=limit)
    for name in parameters:
        if name not in by and _is_equality(entity, name, subject):
            about = f"{endpoint.summary or plural_phrase(entity.name)}, by {name}"
            yield _build_pattern(
                subject, "query", description=about, by=(*by, name), range_attr=ranged, sort=sort, limit=limit
            )


def _is_equality(entity: DraftEntity, name: str, subject: EndpointSubject) -> bool:
    known = entity.attribute(name)
    return known is not None and known.type in ("string", "number", "boolean") and name not in subject.by


def _limit_of(parameters: Mapping[str, Mapping[str, Any]], subject: EndpointSubject) -> int | None:
    for name, each in parameters.items():
        if _normalise(name) in LIMITS:
            said = merge_schema(subject.document, mapping(each.get("schema"))).get("default")
            return said if isinstance(said, int) and said > 0 else DEFAULT_PAGE
    return None


def _normalise(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


# ---- writing --------------------------------------------------------------------------------------------------------


def _write_patterns(subject: EndpointSubject) -> Iterator[DraftPattern]:
    """A post to one item is something done with it: an update."""
    endpoint, entity = subject.endpoint, subject.entity
    op = "update" if endpoint.method == "post" and endpoint.is_one else MEANT_BY[endpoint.method]
    if op != "put" and not endpoint.is_one:
        return
    fixed = {*entity.id, *(each.name for each in entity.attributes if each.immutable)}
    changes = tuple(name for name in endpoint.body if entity.attribute(name) and name not in fixed)
    if op == "update" and not changes:
        changes = tuple(each.name for each in entity.attributes if each.name not in fixed)
    about = endpoint.summary or f"{'add' if op == 'put' else op} {singular_phrase(entity.name)}"
    yield _build_pattern(
        subject, "write", op=op, by=entity.id, changes=changes if op == "update" else (), description=about
    )
