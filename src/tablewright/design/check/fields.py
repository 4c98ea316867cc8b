"""Fields that a design has no place for: they would be lost without a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.schema.places import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.check.names import Fault

AS_GIVEN = ("spec", "service", "$schema")
"""Data of others, who read it themselves."""


def unknown_fields(value: Any, content: Any, place: str = "") -> Iterator[Fault]:
    """`content` is what `value` was made of."""
    if isinstance(value, msgspec.Struct):
        known = value.__struct_fields__
        for name, each in cast("Mapping[str, Any]", content).items():
            inside = f"{place}.{name}" if place else name
            if name in known and name not in AS_GIVEN:
                yield from unknown_fields(getattr(value, name), each, inside)
            elif name not in (*known, *AS_GIVEN):
                yield inside, f"is no field of a design.{nearest(name, known)} Take it away"
    elif isinstance(value, tuple | list):
        elements = cast("list[Any]", value)
        for at, (each, given) in enumerate(zip(elements, content, strict=True)):
            yield from unknown_fields(each, given, f"{place}[{at}]")
    elif isinstance(value, Mapping):
        for name, each in cast("Mapping[str, Any]", value).items():
            yield from unknown_fields(each, content[str(name)], f"{place}.{name}")
