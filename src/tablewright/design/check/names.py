"""Names in a design: those of tables and indexes as DynamoDB takes them, attributes as any text that can be stored."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from tablewright.schema.places import nearest
from tablewright.wire.limits import (
    MAX_KEY_NAME_BYTES,
    MAX_NAME_BYTES,
    MAX_TABLE_NAME_LENGTH,
    MIN_TABLE_NAME_LENGTH,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.model import Design
    from tablewright.design.values.templates import Template

Fault: TypeAlias = tuple[str, str]
"""A place, and what is wrong there."""
RESOURCE = re.compile(rf"[A-Za-z0-9_.-]{{{MIN_TABLE_NAME_LENGTH},{MAX_TABLE_NAME_LENGTH}}}")
RESOURCE_WORDS = (
    f"has {MIN_TABLE_NAME_LENGTH} to {MAX_TABLE_NAME_LENGTH} letters, digits, underscores, hyphens and dots"
)


def design_name_faults(design: Design) -> Iterator[Fault]:
    yield from resource_faults("name", "a design", design.name)
    yield from attribute_faults("encoding.type_field", design.encoding.type_field)
    if not design.tables:
        yield "tables", "a design has at least one table"


def resource_faults(place: str, what: str, name: str) -> Iterator[Fault]:
    """A table or an index: `[a-zA-Z0-9_.-]{3,255}`, and nothing else ever reaches AWS, a shell or a program."""
    if RESOURCE.fullmatch(name) is None:
        yield place, f"{quote(name)} is no name of {what}, which {RESOURCE_WORDS}"


def attribute_faults(place: str, name: str, most_bytes: int = MAX_NAME_BYTES) -> Iterator[Fault]:
    """Any text, as long as it can be stored and is not too long."""
    try:
        length = len(name.encode())
    except UnicodeEncodeError:
        yield place, f"{quote(name)} is no text that can be stored"
        return
    if not 1 <= length <= most_bytes:
        yield place, f"{quote(name)} is no name of an attribute: 1 to {most_bytes:,} bytes are"


def key_field_faults(place: str, name: str) -> Iterator[Fault]:
    yield from attribute_faults(place, name, MAX_KEY_NAME_BYTES)


def repeated(place: str, names: Iterable[str]) -> Iterator[Fault]:
    for name, times in Counter(names).items():
        if times > 1:
            yield place, f"{quote(name)} is there {times} times; names differ"


def unknown(place: str, what: str, name: str, known: Iterable[str]) -> Iterator[Fault]:
    there = list(known)
    if name not in there:
        some = ", ".join(map(quote, there[:20])) or "none"
        yield place, f"there is no {what} {quote(name)}.{nearest(name, there)} There are: {some}"


def template_faults(place: str, template: Template, known: Iterable[str]) -> Iterator[Fault]:
    """Every `{name}` stands for something."""
    there = set(known)
    for name in template.names:
        if name not in there:
            yield from unknown(place, f"value for {quote(f'{{{name}}}')}, that is no", name, sorted(there))


def quote(name: str) -> str:
    return ascii(name if len(name) <= 60 else f"{name[:60]}...")
