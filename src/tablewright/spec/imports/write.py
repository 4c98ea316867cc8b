"""A draft as the text of a spec: what was inferred, with remarks, and the numbers that somebody should fill in.

Texts that others wrote are here either values, which `written` makes, or comments, which `in_comment` makes.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from tablewright.errors import DesignError
from tablewright.spec.text_edit import write_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.spec.imports.draft import (
        Draft,
        DraftAttribute,
        DraftEntity,
        DraftPattern,
        DraftRelationship,
    )

WIDTH = 110
GUESSED_COUNT = 10_000
LONGEST_REMARK = 500
LONGEST_NAME = 255
"""YAML takes keys of up to 1,024 characters, and a letter may take ten of them."""


def draft_text(draft: Draft) -> str:
    for name in _names_in(draft):
        if len(name) > LONGEST_NAME or len(write_value(name)) > 4 * LONGEST_NAME:
            said = f"{draft.origin}: the name {name[:20] + '...'!r} has {len(name):,} characters"
            raise DesignError(f"{_in_comment(said)}; give it one with at most {LONGEST_NAME}")
    return "\n".join(_draft_lines(draft)) + "\n"


def _draft_lines(draft: Draft) -> Iterator[str]:
    yield from _comment(
        f"Inferred from {draft.origin}. Check it, fill in the numbers, then: tablewright design <this file>"
    )
    for each in draft.remarks:
        yield from _comment(each)
    yield f"name: {write_value(draft.name)}"
    if draft.title:
        yield f"title: {write_value(draft.title)}"
    yield ""
    yield from _comment(
        "How many are there after the first month (count)? Say also what comes every month, such as growth: 1000/month."
    )
    yield "entities:"
    for entity in draft.entities:
        yield from _entity_lines(entity)
    if draft.relationships:
        yield ""
        yield from _comment("How many children has a parent? Add avg and max, such as {avg: 10, max: 500}.")
        yield "relationships:"
        yield from (_entry(_relationship_fields(each), each.remark) for each in draft.relationships)
    yield ""
    yield from _comment(
        "Only what is listed here is served. Remove what nobody asks, add what is missing, and say how often:"
        " rate: {avg: 5, peak: 50} requests a second."
    )
    yield "access_patterns:"
    for number, pattern in enumerate(draft.patterns, 1):
        yield _entry(_pattern_fields(number, pattern), pattern.remark)


def _names_in(draft: Draft) -> Iterator[str]:
    for entity in draft.entities:
        yield entity.name
        yield from (each.name for each in entity.attributes)


def _in_comment(text: str) -> str:
    """One line, in which everything can be seen: whatever YAML or an editor takes for a line break would end it."""
    letters = (each if each.isprintable() else f"\\u{ord(each):04x}" for each in " ".join(text.split()))
    found = "".join(letters)
    return found if len(found) <= LONGEST_REMARK else f"{found[:LONGEST_REMARK]}..."


def _comment(text: str) -> list[str]:
    return textwrap.wrap(_in_comment(text), WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)


def _trailing_comment(remark: str) -> str:
    """A comment at the end of a line."""
    return f"  # {_in_comment(remark)}" if remark else ""


def _entity_lines(entity: DraftEntity) -> Iterator[str]:
    yield f"  {write_value(entity.name)}:{_trailing_comment(entity.remark)}"
    yield f"    id: {write_value(entity.id)}"
    yield "    attributes:"
    for each in entity.attributes:
        yield f"      {write_value(each.name)}: {_attribute_text(each)}{_trailing_comment(each.remark)}"
    if entity.unique:
        yield f"    unique: {write_value(entity.unique)}"
    if entity.ttl_days:
        yield f"    ttl: {{days: {entity.ttl_days:g}}}"
    yield f"    count: {GUESSED_COUNT}  # a guess"


def _attribute_text(each: DraftAttribute) -> str:
    said = {"values": each.values, "required": each.required, "immutable": each.immutable, "max": each.max_bytes}
    options = {name: value for name, value in said.items() if value}
    return write_value({"type": each.type, **options}) if options else each.type


def _entry(fields: Mapping[str, Any], remark: str) -> str:
    return f"  - {write_value(fields)}{_trailing_comment(remark)}"


def _relationship_fields(each: DraftRelationship) -> dict[str, Any]:
    said = {"via": each.via, "by": each.by, "cascade": each.cascade}
    return {"from": each.source, "to": each.target, "kind": each.kind, **_drop_empty(said)}


def _drop_empty(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value}


def _pattern_fields(number: int, each: DraftPattern) -> dict[str, Any]:
    about = {"entity": each.entities[0]} if len(each.entities) == 1 else {"entities": each.entities}
    said: dict[str, Any] = {
        "range": each.range_attr and {"attr": each.range_attr, "op": "between"},
        "sort": tuple(_sort_text(each.sort)),
        "limit": each.limit,
        "changes": each.changes,
    }
    op = _drop_empty({"op": each.op})
    start = {"id": f"AP{number}", "description": each.description, "kind": each.kind}
    return {**start, **op, **about, "by": each.by, **_drop_empty(said)}


def _sort_text(sort: Iterable[tuple[str, str]]) -> Iterator[str]:
    for attr, order in sort:
        yield f"{attr} {order}" if order == "desc" else attr
