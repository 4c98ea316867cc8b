"""Key templates: literal texts with slots between them, and the comparisons that find what was written with them.

A key ends where its first absent attribute would stand, so that an item without a team is still found by its office.
Two styles share the arithmetic and differ in their texts: plain (`LINE#p1`) and ElectroDB's (`$line_1#productId_p1`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

import msgspec

from tablewright.expr.nodes import Slot
from tablewright.spec.written import Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DELIMITER = "#"
HIGHEST = "\U0010ffff"
"""Sorts behind every character that text is made of."""
LOWEST = "\x01"
"""Sorts before every character that text is made of, and behind no character at all."""
SHARD = "_shard"
"""Stands in keys for a number that follows from the item's id."""
COPY = "_copy"
"""Stands in the keys of a read for the number of a copy, any one of them."""
BUCKET = "_bucket"
"""Stands in keys for the beginning of a timestamp."""
EARLIEST = "_earliest"
"""Stands in the keys of a read for where what overlaps may have begun: `from` less the longest time."""
CUT = {"from": "_from", "to": "_to", "value": "_value"}
"""By end of a range: stands in the keys of a read for what it begins with, as the periods of packed items do."""
PACKED = "*"
"""What a step unfolds where the answer is all packed in an item, and not the entries of a map."""
EXPIRES = "_expires"
"""Stands in writes for the time at which an item goes that is written now."""
FOUND = "_found"
"""Stands in the checks of an update for how many items were found that keep copies."""

Part: TypeAlias = str | Slot


class Template(Written):
    """Texts and slots in order: `ORDER#{orderId}`. One of nothing but a slot is the value itself, any other is text."""

    __slots__ = ("parts",)
    grammar: ClassVar[str] = (
        "Text in which {name} stands for a value: an attribute of the item, a parameter of the pattern, or {old.name},"
        " the attribute of the item that the pattern's reads found, or {new.name}, the attribute as the write leaves"
        " it. A template of nothing but {name} is the value"
        " itself; {*} is the whole item as a map; any other is text with the values written as `encoding` says."
    )
    parts: tuple[Part, ...]

    def __init__(self, *parts: Part) -> None:
        merged: list[Part] = []
        for part in parts:
            if isinstance(part, str) and merged and isinstance(merged[-1], str):
                merged[-1] += part
            elif part != "":
                merged.append(part)
        self.parts = tuple(merged)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Braces that hold no name are text."""
        parts: list[Part] = []
        while text:
            before, opened, behind = text.partition("{")
            name, closed, after = behind.partition("}")
            if not opened:
                parts.append(text)
                break
            if not closed or not name or "{" in name:
                parts.append(before + opened)
                text = behind
            else:
                parts += [before, Slot(name)]
                text = after
        return cls(*parts)

    def __str__(self) -> str:
        return "".join(part if isinstance(part, str) else f"{{{part.name}}}" for part in self.parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its slots, in order."""
        return tuple(part.name for part in self.parts if isinstance(part, Slot))

    @property
    def only_name(self) -> str | None:
        """The name, where the template is nothing but one slot."""
        (name,) = self.names if len(self.parts) == 1 and self.names else (None,)
        return name

    @property
    def stem(self) -> str:
        """The literal text it begins with."""
        first = self.parts[0] if self.parts else ""
        return first if isinstance(first, str) else ""

    def rename(self, names: Mapping[str, str]) -> Template:
        """The same with other names in its slots."""
        return Template(
            *(Slot(names.get(part.name, part.name)) if isinstance(part, Slot) else part for part in self.parts)
        )

    def put(self, texts: Mapping[str, str]) -> Template:
        """The same with texts in the place of some slots."""
        return Template(*(texts.get(part.name, part) if isinstance(part, Slot) else part for part in self.parts))

    def fill(self, texts: Mapping[str, str]) -> str:
        """The text, which ends where the first absent value would stand."""
        filled = ""
        for part in self.parts:
            if isinstance(part, Slot) and part.name not in texts:
                break
            filled += texts[part.name] if isinstance(part, Slot) else part
        return filled

    def until(self, given: int) -> tuple[Template, bool]:
        """What stands before the slot number `given` (counted from 0), and whether anything follows that slot.

        Without such a slot it is the whole template.
        """
        slots = [at for at, part in enumerate(self.parts) if isinstance(part, Slot)]
        if given >= len(slots):
            return self, False
        return Template(*self.parts[: slots[given]]), slots[given] + 1 < len(self.parts)


def slot(name: str) -> Template:
    """The value of that name, as it is."""
    return Template(Slot(name))


class KeyTemplate(msgspec.Struct, frozen=True):
    """One key field of an item type and the template that fills it."""

    field: str
    template: Template

    @property
    def text(self) -> str:
        """As people write it: `ORDER#{orderId}`."""
        return str(self.template)


class Comparison(msgspec.Struct, frozen=True):
    """What a sort key must satisfy: `=`, `begins_with` or `between`, with templates that parameters are put into."""

    operator: str
    low: Template
    high: Template | None = None


def under(template: Template, given: int, *, whole: bool) -> Comparison | None:
    """All keys with these first attributes; with `whole` only those that have the next attribute as well."""
    stem, _ = template.until(given)
    if stem == template:
        return Comparison("=", template)
    if whole:
        return Comparison("between", Template(*stem.parts, LOWEST), Template(*stem.parts, HIGHEST))
    return Comparison("begins_with", stem) if stem.parts else None


def under_lead(template: Template, given: int) -> Comparison:
    """All keys with these first attributes of the lead, whatever the types of their items."""
    slots = [at for at, part in enumerate(template.parts) if isinstance(part, Slot)]
    return Comparison("begins_with", Template(*template.parts[: slots[given - 1] + 1], DELIMITER))


def compare_at(template: Template, given: int, operator: str) -> Comparison:
    """A comparison of the attribute behind the first `given` ones, with `{from}`, `{to}` or `{value}`."""
    stem, is_followed = template.until(given)
    value, end = Slot("value"), (DELIMITER + HIGHEST,) if is_followed else ()
    match operator:
        case "between":
            return _between(stem, [Slot("from")], [Slot("to"), *end])
        case "overlaps":
            return _between(stem, [Slot(EARLIEST)], [Slot("to"), *end])
        case "gte":
            return _between(stem, [value], [HIGHEST])
        case "gt":
            return _between(stem, [value, DELIMITER + HIGHEST], [HIGHEST])
        case "lte":
            return _between(stem, [LOWEST], [value, *end])
        case "lt":
            return _between(stem, [LOWEST], [value])
        case _:
            return Comparison("begins_with", Template(*stem.parts, value))


def _between(stem: Template, low: Iterable[Part], high: Iterable[Part]) -> Comparison:
    return Comparison("between", Template(*stem.parts, *low), Template(*stem.parts, *high))


class Path(Written):
    """A document path: names, and slots for the entries of a map, as in `children.{childId}`."""

    __slots__ = ("parts",)
    grammar: ClassVar[str] = (
        "An attribute's name as it is stored; behind a dot follows {name}, the value of which names an entry of that"
        " map attribute. Other dots are part of the name. {name} alone is the attribute that this value names."
    )
    parts: tuple[Part, ...]

    def __init__(self, *parts: Part) -> None:
        self.parts = parts

    @classmethod
    def parse(cls, text: str) -> Self:
        name, dotted, entry = text.rpartition(".{")
        if dotted and entry.endswith("}") and name:
            return cls(name, Slot(entry[:-1]))
        if text.startswith("{") and text.endswith("}"):
            return cls(Slot(text[1:-1]))
        return cls(text)

    def __str__(self) -> str:
        return ".".join(part if isinstance(part, str) else f"{{{part.name}}}" for part in self.parts)

    @property
    def name(self) -> str:
        """The attribute it begins with; `{name}` where a value names it, which no attribute is called."""
        first = self.parts[0]
        return first if isinstance(first, str) else f"{{{first.name}}}"
