"""What an endpoint asks or does, as access patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.spec.imports.draft import DraftEntity, DraftPattern, many, one
from tablewright.spec.imports.endpoints import Endpoint
from tablewright.spec.imports.schemas import mapping, merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


FROM = ("from", "since", "after", "start", "startdate", "begin", "createdafter", "fromdate", "mindate")
LIMITS = ("limit", "pagesize", "perpage", "first", "maxresults", "size", "top")
DEFAULT_PAGE = 25
MEANT_BY = {"post": "put", "put": "update", "patch": "update", "delete": "delete"}


class Asking(msgspec.Struct, frozen=True):
    """An endpoint, the entity it is about, and the attributes that its path brings."""

    endpoint: Endpoint
    entity: DraftEntity
    by: tuple[str, ...]
    document: Any


def patterns_of(asking: Asking) -> Iterator[DraftPattern]:
    endpoint = asking.endpoint
    if endpoint.method != "get":
        yield from write_of(asking)
    elif endpoint.is_one or not (endpoint.is_list or endpoint.parents):
        yield question(asking, "get", by=asking.by or asking.entity.id)
    elif not endpoint.is_list:
        yield question(asking, "get", by=asking.by)
    else:
        yield from lists_of(asking)


def question(asking: Asking, kind: Any, **fields: Any) -> DraftPattern:
    endpoint = asking.endpoint
    name = asking.entity.name
    about = endpoint.summary or (many(name) if kind == "query" else one(name))
    fields = {"description": about, **fields}
    return DraftPattern(kind=kind, entities=(name,), remark=f"{endpoint.method.upper()} {endpoint.path}", **fields)


# ---- reading --------------------------------------------------------------------------------------------------------


def lists_of(asking: Asking) -> Iterator[DraftPattern]:
    """The list itself, and one for every parameter that narrows it."""
    entity, endpoint = asking.entity, asking.endpoint
    parameters = {str(each.get("name")): each for each in endpoint.parameters}
    needed = tuple(
        name for name, each in parameters.items() if each.get("required") and is_equality(entity, name, asking)
    )
    by = tuple(dict.fromkeys((*asking.by, *needed)))
    limit = limit_of(parameters, asking)
    time = next((each.name for each in entity.attributes if each.type == "timestamp"), None)
    ranged = time if any(flat(name) in FROM for name in parameters) else None
    sort = ((time, "desc"),) if time else ()
    yield question(asking, "query", by=by, range_attr=ranged, sort=sort, limit=limit)
    for name in parameters:
        if name not in by and is_equality(entity, name, asking):
            about = f"{endpoint.summary or many(entity.name)}, by {name}"
            yield question(
                asking, "query", description=about, by=(*by, name), range_attr=ranged, sort=sort, limit=limit
            )


def is_equality(entity: DraftEntity, name: str, asking: Asking) -> bool:
    known = entity.attribute(name)
    return known is not None and known.type in ("string", "number", "boolean") and name not in asking.by


def limit_of(parameters: Mapping[str, Mapping[str, Any]], asking: Asking) -> int | None:
    for name, each in parameters.items():
        if flat(name) in LIMITS:
            said = merged(asking.document, mapping(each.get("schema"))).get("default")
            return said if isinstance(said, int) and said > 0 else DEFAULT_PAGE
    return None


def flat(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


# ---- writing --------------------------------------------------------------------------------------------------------


def write_of(asking: Asking) -> Iterator[DraftPattern]:
    """A post to one item is something done with it: an update."""
    endpoint, entity = asking.endpoint, asking.entity
    op = "update" if endpoint.method == "post" and endpoint.is_one else MEANT_BY[endpoint.method]
    if op != "put" and not endpoint.is_one:
        return
    fixed = {*entity.id, *(each.name for each in entity.attributes if each.immutable)}
    changes = tuple(name for name in endpoint.body if entity.attribute(name) and name not in fixed)
    if op == "update" and not changes:
        changes = tuple(each.name for each in entity.attributes if each.name not in fixed)
    about = endpoint.summary or f"{'add' if op == 'put' else op} {one(entity.name)}"
    yield question(asking, "write", op=op, by=entity.id, changes=changes if op == "update" else (), description=about)
