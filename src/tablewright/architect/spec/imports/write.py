"""A draft as the text of a spec: what was inferred, with remarks, and the numbers that somebody should fill in."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from tablewright.architect.spec.edit import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.architect.spec.imports.draft import (
        Draft,
        DraftAttribute,
        DraftEntity,
        DraftPattern,
        DraftRelationship,
    )

WIDTH = 110
GUESSED_COUNT = 10_000


def draft_text(draft: Draft) -> str:
    return "\n".join(draft_lines(draft)) + "\n"


def draft_lines(draft: Draft) -> Iterator[str]:
    yield from comment(
        f"Inferred from {draft.origin}. Check it, fill in the numbers, then: tablewright design <this file>"
    )
    for each in draft.remarks:
        yield from comment(each)
    yield f"name: {written(draft.name)}"
    if draft.title:
        yield f"title: {written(draft.title)}"
    yield ""
    yield from comment(
        "How many are there after the first month (count)? Say also what comes every month, such as growth: 1000/month."
    )
    yield "entities:"
    for entity in draft.entities:
        yield from entity_lines(entity)
    if draft.relationships:
        yield ""
        yield from comment("How many children has a parent? Add avg and max, such as {avg: 10, max: 500}.")
        yield "relationships:"
        yield from (entry(relationship_fields(each), each.remark) for each in draft.relationships)
    yield ""
    yield from comment(
        "Only what is listed here is served. Remove what nobody asks, add what is missing, and say how often:"
        " rate: {avg: 5, peak: 50} requests a second."
    )
    yield "access_patterns:"
    for number, pattern in enumerate(draft.patterns, 1):
        yield entry(pattern_fields(number, pattern), pattern.remark)


def comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)


def entity_lines(entity: DraftEntity) -> Iterator[str]:
    yield f"  {written(entity.name)}:{f'  # {entity.remark}' if entity.remark else ''}"
    yield f"    id: {written(entity.id)}"
    yield "    attributes:"
    for each in entity.attributes:
        yield f"      {written(each.name)}: {attribute_text(each)}{f'  # {each.remark}' if each.remark else ''}"
    if entity.unique:
        yield f"    unique: {written(entity.unique)}"
    if entity.ttl_days:
        yield f"    ttl: {{days: {entity.ttl_days:g}}}"
    yield f"    count: {GUESSED_COUNT}  # a guess"


def attribute_text(each: DraftAttribute) -> str:
    said = {"values": each.values, "required": each.required, "immutable": each.immutable, "max": each.max_bytes}
    options = {name: value for name, value in said.items() if value}
    return written({"type": each.type, **options}) if options else each.type


def entry(fields: Mapping[str, Any], remark: str) -> str:
    return f"  - {written(fields)}{f'  # {remark}' if remark else ''}"


def relationship_fields(each: DraftRelationship) -> dict[str, Any]:
    said = {"via": each.via, "by": each.by, "cascade": each.cascade}
    return {"from": each.source, "to": each.target, "kind": each.kind, **given(said)}


def given(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value}


def pattern_fields(number: int, each: DraftPattern) -> dict[str, Any]:
    about = {"entity": each.entities[0]} if len(each.entities) == 1 else {"entities": each.entities}
    said: dict[str, Any] = {
        "range": each.range_attr and {"attr": each.range_attr, "op": "between"},
        "sort": tuple(sort_text(each.sort)),
        "limit": each.limit,
        "changes": each.changes,
    }
    op = given({"op": each.op})
    start = {"id": f"AP{number}", "description": each.description, "kind": each.kind}
    return {**start, **op, **about, "by": each.by, **given(said)}


def sort_text(sort: Iterable[tuple[str, str]]) -> Iterator[str]:
    for attr, order in sort:
        yield f"{attr} {order}" if order == "desc" else attr
