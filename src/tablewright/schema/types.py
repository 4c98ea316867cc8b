"""Attribute types and attributes: what a value may be, and what happens to it on its way in and out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

Item: TypeAlias = Mapping[str, Any]
Getter: TypeAlias = Callable[[Any, Item], Any]
Setter: TypeAlias = Callable[[Any, Item], Any]
Validator: TypeAlias = Callable[[Any], Any]

ScalarName: TypeAlias = Literal["string", "number", "boolean", "binary"]
FreeName: TypeAlias = Literal["any", "custom", "static"]


class Scalar(msgspec.Struct, frozen=True):
    """A string, number, boolean or (beyond ElectroDB) binary."""

    name: ScalarName


class Free(msgspec.Struct, frozen=True):
    """Anything at all: `any`, `custom` (a type known to the type checker only) and `static` (written once)."""

    name: FreeName


class Enum(msgspec.Struct, frozen=True):
    """One of these constants."""

    choices: tuple[str | int | float, ...]


class SetOf(msgspec.Struct, frozen=True):
    """A set of strings, numbers, binaries or constants."""

    items: Scalar | Enum


class ListOf(msgspec.Struct, frozen=True):
    """A list; without `items` its elements are unchecked."""

    items: Attribute | None = None


class MapOf(msgspec.Struct, frozen=True):
    """A map with these properties; others are dropped."""

    properties: tuple[Attribute, ...]

    def property(self, name: str) -> Attribute | None:
        return next((each for each in self.properties if each.name == name), None)


class RecordOf(msgspec.Struct, frozen=True):
    """A map with free keys whose values are all alike (beyond ElectroDB)."""

    values: Attribute


class OneOf(msgspec.Struct, frozen=True):
    """One of several maps, told apart by the constant in their `tag` property (beyond ElectroDB)."""

    tag: str
    members: tuple[tuple[str, MapOf], ...]


Type: TypeAlias = Scalar | Free | Enum | SetOf | ListOf | MapOf | RecordOf | OneOf

STRING, NUMBER, BOOLEAN, BINARY = Scalar("string"), Scalar("number"), Scalar("boolean"), Scalar("binary")
ANY, CUSTOM, STATIC = Free("any"), Free("custom"), Free("static")


class Padding(msgspec.Struct, frozen=True):
    """Left padding inside keys, so that numbers sort as numbers."""

    length: int
    char: str


class Digits(msgspec.Struct, frozen=True):
    """Numbers inside keys as a sign and so many digits, so that they sort below zero and with decimals too."""

    whole: int
    decimals: int = 0


class Pattern(msgspec.Struct, frozen=True):
    """A regular expression as a validator: searched unanchored, skipped for absent values."""

    source: str


class Constant(msgspec.Struct, frozen=True):
    """A default that is the same value every time."""

    value: Any


class Attribute(msgspec.Struct, frozen=True, kw_only=True):
    """One attribute of an entity, or one property of a map, or the element of a list (then its name is `*`)."""

    name: str
    type: Type
    field: str
    required: bool = False
    default: Constant | Callable[[], Any] | None = None
    validate: Pattern | Validator | None = None
    get: Getter | None = None
    set: Setter | None = None
    watch: tuple[str, ...] | Literal["*"] | None = None
    read_only: bool = False
    hidden: bool = False
    label: str | None = None
    escaped: bool = False  # beyond ElectroDB
    padding: Padding | None = None
    signed: bool = False  # beyond ElectroDB: its padding
    digits: Digits | None = None  # beyond ElectroDB
    doc: str = ""


class _PlainOption(NamedTuple):
    """An option that is the same flag or text in a class, in our written form and in ElectroDB's."""

    default: Literal[False] | None  # of a flag, or of a text
    about: str
    electrodb: str | None  # its word there, if there is one


PLAIN_OPTIONS: Mapping[str, _PlainOption] = {
    "read_only": _PlainOption(False, "Whether it stays as created.", "readOnly"),
    "hidden": _PlainOption(False, "Whether it is left out of results.", "hidden"),
    "label": _PlainOption(None, "Its name inside composed keys.", "label"),
    "signed": _PlainOption(
        False, "Whether its padding orders numbers below zero and decimals too (beyond ElectroDB).", None
    ),
    "escaped": _PlainOption(False, "Whether its text may hold anything, also inside keys (beyond ElectroDB).", None),
}
"""Fields of an attribute that classes, both written forms, the JSON Schema and generated classes take from here."""
