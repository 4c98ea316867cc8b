"""Key templates: literal texts with attributes between them, and the comparisons that find what was written with them.

A key ends where its first absent attribute would stand, so that an item without a team is still found by its office.
Two styles share the arithmetic and differ in their texts: plain (`LINE#p1`) and ElectroDB's (`$line_1#productId_p1`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

DELIMITER = "#"
HIGHEST = "\U0010ffff"
"""Sorts behind every character that text is made of."""


FIELD = re.compile(r"\{([^{}]+)\}")


def fields_in(template: str) -> tuple[str, ...]:
    """The names in a template's text, in order."""
    return tuple(FIELD.findall(template))


def named_as(template: str, names: Mapping[str, str]) -> str:
    """The same text with other names in it."""
    return FIELD.sub(lambda found: f"{{{names.get(found[1], found[1])}}}", template)


class Part(msgspec.Struct, frozen=True):
    """Literal text, and the attribute whose value follows it (None for a tag)."""

    text: str
    attribute: str | None = None


class Template(msgspec.Struct, frozen=True):
    """One key field of one item type."""

    field: str
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """As people write it: `ORDER#{orderId}`."""
        return "".join(part.text + (f"{{{part.attribute}}}" if part.attribute else "") for part in self.parts)

    @property
    def attributes(self) -> tuple[str, ...]:
        return tuple(part.attribute for part in self.parts if part.attribute is not None)

    def fill(self, values: Mapping[str, Any]) -> str:
        """The key of an item, cut at what is absent."""
        text = ""
        for part in self.parts:
            if part.attribute is None:
                text += part.text
            elif part.attribute in values:
                text += part.text + str(values[part.attribute])
            else:
                return text + part.text
        return text

    def until(self, given: int) -> tuple[str, Part | None]:
        """The template's text with its first `given` attributes, the tags behind them, and the part that follows."""
        text, taken = "", 0
        for part in self.parts:
            if part.attribute is not None and taken == given:
                return text, part
            text += part.text + (f"{{{part.attribute}}}" if part.attribute else "")
            taken += part.attribute is not None
        return text, None


class Comparison(msgspec.Struct, frozen=True):
    """What a sort key must satisfy: `=`, `begins_with` or `between`, with texts that parameters are put into."""

    operator: str
    low: str
    high: str = ""


def under(template: Template, given: int, *, whole: bool) -> Comparison | None:
    """All keys with these first attributes; with `whole` only those that have the next attribute as well."""
    text, following = template.until(given)
    if following is None:
        return Comparison("=", text)
    stem = text + following.text
    if whole:
        return Comparison("between", stem + LOWEST, stem + HIGHEST)
    return Comparison("begins_with", stem) if stem else None


def under_lead(template: Template, given: int) -> Comparison:
    """All keys with these first attributes of the lead, whatever the types of their items."""
    text, taken = "", 0
    for part in template.parts:
        text += part.text + (f"{{{part.attribute}}}" if part.attribute else "")
        taken += part.attribute is not None
        if taken == given:
            break
    return Comparison("begins_with", text + DELIMITER)


LOWEST = "\x01"
"""Sorts before every character that text is made of, and behind no character at all."""


def compared(template: Template, given: int, operator: str) -> Comparison:
    """A comparison of the attribute behind the first `given` ones, with `{from}`, `{to}` or `{value}`."""
    text, following = template.until(given)
    assert following is not None
    stem = text + following.text
    end = "" if template.parts[-1] == following else DELIMITER + HIGHEST
    match operator:
        case "between":
            return Comparison("between", stem + "{from}", stem + "{to}" + end)
        case "gte":
            return Comparison("between", stem + "{value}", stem + HIGHEST)
        case "gt":
            return Comparison("between", stem + "{value}" + DELIMITER + HIGHEST, stem + HIGHEST)
        case "lte":
            return Comparison("between", stem + LOWEST, stem + "{value}" + end)
        case "lt":
            return Comparison("between", stem + LOWEST, stem + "{value}")
        case _:
            return Comparison("begins_with", stem + "{value}")
