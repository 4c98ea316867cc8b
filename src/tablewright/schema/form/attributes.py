"""Attributes and their types, which contain each other.

An attribute without options is written as its type alone. A type is a word (`"string"`), or a mapping of one word to
what it is made of: `{"enum": [...]}`, `{"set": type}`, `{"list": attribute}`, `{"map": {name: attribute}}`,
`{"record": attribute}`, `{"one_of": {"tag": name, "members": {constant: {name: attribute}}}}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tablewright.schema.form.kinds import (
    FLAG,
    NAME,
    NAMES,
    TEXT,
    Field,
    JsonSchema,
    Kind,
    Reading,
    Record,
    Writing,
    optional,
    read_mapping,
    record,
    scalar,
)
from tablewright.schema.form.values import DEFAULT, FUNCTION, TEST
from tablewright.schema.places import nearest
from tablewright.schema.types import (
    PLAIN_OPTIONS,
    Attribute,
    Digits,
    Enum,
    Free,
    ListOf,
    MapOf,
    OneOf,
    Padding,
    RecordOf,
    Scalar,
    SetOf,
    Type,
)

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS: dict[str, Type] = {
    **{name: Scalar(name) for name in ("string", "number", "boolean", "binary")},
    **{name: Free(name) for name in ("any", "custom", "static")},
    "list": ListOf(),
}
ATTRIBUTE_REF = {"$ref": "#/$defs/attribute"}
PROPERTIES_REF = {"type": "object", "additionalProperties": ATTRIBUTE_REF}


def _read_type(value: Any, at: Reading) -> Type:
    if isinstance(value, str):
        known = [*WORDS, *MADE_OF]
        return WORDS.get(value) or at.refuse(f"{value!r} is not a type.{nearest(value, known)} Known: {_list(known)}.")
    mapping = read_mapping(value, at)
    word = next(iter(mapping), "")
    if len(mapping) != 1 or word not in MADE_OF:
        at.refuse(f"a type is one of {_list(MADE_OF)} with its content.{nearest(word, MADE_OF)}")
    return MADE_OF[word][0](mapping[word], at / word)


def _list(words: Any) -> str:
    return ", ".join(words)


def _read_enum(value: Any, at: Reading) -> Enum:
    if not isinstance(value, (list, tuple)) or not all(
        isinstance(each, (str, int, float)) for each in cast("Any", value)
    ):
        at.refuse(f"{value!r} is not a list of texts or numbers.")
    return Enum(tuple(cast("list[str | int | float]", value)))


def _read_set(value: Any, at: Reading) -> SetOf:
    items = _read_type(value, at)
    return SetOf(items) if isinstance(items, (Scalar, Enum)) else at.refuse("a set holds scalars or an enum.")


def _read_one_of(value: Any, at: Reading) -> OneOf:
    mapping = read_mapping(value, at)
    if set(mapping) != {"tag", "members"}:
        at.refuse('one_of has a "tag" (the property that tells the members apart) and "members", nothing else.')
    members = read_mapping(mapping["members"], at / "members").items()
    read = ((name, MapOf(_read_attributes(each, at / "members" / name))) for name, each in members)
    return OneOf(TEXT.read(mapping["tag"], at / "tag"), tuple(read))


def _read_attributes(value: Any, at: Reading) -> tuple[Attribute, ...]:
    return tuple(_read_attribute(name, each, at / name) for name, each in read_mapping(value, at).items())


def _read_attribute(name: str, value: Any, at: Reading) -> Attribute:
    options: Any = {"type": value} if isinstance(value, str) else value
    attribute: Attribute = ATTRIBUTE.read(options, at.inheriting(name=name), name=name)
    return attribute


def _read_element(value: Any, at: Reading) -> Attribute:
    return _read_attribute("*", value, at)


# Word -> how its content is read, and its JSON Schema.
MADE_OF: dict[str, tuple[Callable[[Any, Reading], Type], JsonSchema]] = {
    "enum": (_read_enum, {"type": "array", "items": {"type": ["string", "number", "boolean"]}}),
    "set": (_read_set, {"$ref": "#/$defs/type"}),
    "list": (lambda value, at: ListOf(_read_element(value, at)), ATTRIBUTE_REF),
    "map": (lambda value, at: MapOf(_read_attributes(value, at)), PROPERTIES_REF),
    "record": (lambda value, at: RecordOf(_read_element(value, at)), ATTRIBUTE_REF),
    "one_of": (
        _read_one_of,
        {
            "type": "object",
            "properties": {
                "tag": {"type": "string"},
                "members": {"type": "object", "additionalProperties": PROPERTIES_REF},
            },
            "required": ["tag", "members"],
            "additionalProperties": False,
        },
    ),
}


def _write_type(value: Type, to: Writing) -> Any:
    match value:
        case Scalar(name) | Free(name):
            return name
        case Enum(choices):
            return {"enum": list(choices)}
        case SetOf(items):
            return {"set": _write_type(items, to)}
        case ListOf(items):
            return "list" if items is None else {"list": _write_attribute(items, to)}
        case MapOf(properties):
            return {"map": _write_attributes(properties, to)}
        case RecordOf(values):
            return {"record": _write_attribute(values, to)}
        case OneOf(tag, members):
            written = {name: _write_attributes(member.properties, to) for name, member in members}
            return {"one_of": {"tag": tag, "members": written}}


def _write_attributes(value: tuple[Attribute, ...], to: Writing) -> dict[str, Any]:
    return {each.name: _write_attribute(each, to) for each in value}


def _write_attribute(value: Attribute, to: Writing) -> Any:
    written = ATTRIBUTE.write(value, to.inheriting(name=value.name))
    return written["type"] if written.keys() == {"type"} and isinstance(written["type"], str) else written


def type_schema() -> JsonSchema:
    words = {"enum": list(WORDS)}
    made = [_one_key(word, schema) for word, (_, schema) in MADE_OF.items()]
    return {"description": "What a value may be.", "anyOf": [words, *made]}


def _one_key(word: str, schema: JsonSchema) -> JsonSchema:
    return {"type": "object", "properties": {word: schema}, "required": [word], "additionalProperties": False}


def attribute_schema() -> JsonSchema:
    return {"anyOf": [{"enum": list(WORDS)}, ATTRIBUTE.schema()], "description": ATTRIBUTE.doc}


def _read_watch(value: Any, at: Reading) -> Any:
    return value if value == "*" else NAMES.read(value, at)


WATCH = Kind(
    _read_watch,
    {"anyOf": [{"const": "*"}, NAMES.schema]},
)
LENGTH = scalar(
    "a whole number", {"type": "integer"}, lambda value: isinstance(value, int) and not isinstance(value, bool)
)
PADDING = Record(
    Padding,
    (Field("length", LENGTH, "The length to reach."), Field("char", TEXT, "What to fill with.")),
    "Left padding inside keys, so that numbers sort as numbers.",
)
DIGITS = Record(
    Digits,
    (
        Field("whole", LENGTH, "Digits before the point."),
        Field("decimals", LENGTH, "Digits behind the point.", 0),
    ),
    "Numbers inside keys as a sign and so many digits: they sort below zero and with decimals too.",
)
TYPE = Kind(_read_type, {"$ref": "#/$defs/type"}, _write_type)
ATTRIBUTE = Record(
    Attribute,
    (
        Field("doc", TEXT, "What the attribute means.", ""),
        Field("type", TYPE, "What its values may be."),
        Field("field", NAME, "Its stored name.", inherits="name"),
        Field("required", FLAG, "Whether it must be given when an item is created.", False),
        Field("default", DEFAULT, "The value of an item that is created without it.", None),
        Field("validate", optional(TEST), "A test that values must pass.", None),
        Field("get", optional(FUNCTION), "Applied to stored values on their way out.", None),
        Field("set", optional(FUNCTION), "Applied to values on their way in.", None),
        Field("watch", optional(WATCH), "The attributes whose change runs `set` and `get` as well.", None),
        *(
            Field(name, optional(TEXT) if each.default is None else FLAG, each.about, each.default)
            for name, each in PLAIN_OPTIONS.items()
        ),
        Field("padding", optional(record(PADDING)), "How its text is padded inside keys.", None),
        Field("digits", optional(record(DIGITS)), "How its numbers are written inside keys (beyond ElectroDB).", None),
    ),
    "An attribute: its type alone, or a mapping of options.",
)
ATTRIBUTES = Kind(_read_attributes, PROPERTIES_REF, _write_attributes)
