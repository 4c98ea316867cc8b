"""The structure of an ElectroDB schema: which option takes what kind of value. Every fault here is error 1009.

Options that are not listed are left alone, as ElectroDB does. Nested attributes are held to the same table as those
at the root; ElectroDB does not look at them until a value is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from tablewright.errors import SchemaError
from tablewright.schema.places import TOP, Place, nearest
from tablewright.schema.types import PLAIN_OPTIONS, Pattern


@dataclass(frozen=True, slots=True)
class _Kind:
    """What an option takes: a test and the words for it."""

    words: str
    test: Callable[[Any], bool]


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, cast("Sequence[Any]", value)))


def _one_of(*choices: str) -> _Kind:
    listed = " or ".join(f'"{choice}"' for choice in choices)
    return _Kind(listed, lambda value: _is_text(value) and value in choices)


MAPPING = _Kind("a mapping", _is_mapping)
TEXT = _Kind("text", _is_text)
FLAG = _Kind("true or false", lambda value: isinstance(value, bool))
NUMBER = _Kind("a number", _is_number)
TEXTS = _Kind("a list of texts", _is_texts)
TEXT_OR_TEXTS = _Kind("text or a list of texts", lambda value: _is_text(value) or _is_texts(value))
TEXT_OR_LIST = _Kind("text or a list", lambda value: _is_text(value) or isinstance(value, list))
ATTRIBUTE_FORM = _Kind("a type or a mapping of options", lambda value: isinstance(value, (str, list, Mapping)))
FUNCTION = _Kind("a function", callable)
TEST = _Kind("a function or a regular expression", lambda value: callable(value) or isinstance(value, Pattern))
SCOPE = _Kind("text", lambda value: value is None or _is_text(value) or _is_number(value))
CAST = _one_of("string", "number")

SCHEMA = {"attributes": MAPPING, "indexes": MAPPING, "table": TEXT, "filters": MAPPING}
MODEL = {"service": TEXT, "entity": TEXT, "version": TEXT}
ATTRIBUTE = {
    "type": TEXT_OR_LIST,
    "field": TEXT,
    "required": FLAG,
    "validate": TEST,
    "get": FUNCTION,
    "set": FUNCTION,
    "watch": TEXT_OR_TEXTS,
    **{each.electrodb: TEXT if each.default is None else FLAG for each in PLAIN_OPTIONS.values() if each.electrodb},
    "padding": MAPPING,
    "cast": CAST,
}
PADDING = {"length": NUMBER, "char": TEXT}
INDEX = {
    "index": TEXT,
    "collection": TEXT_OR_TEXTS,
    "type": _one_of("isolated", "clustered", "composite"),
    "scope": SCOPE,
    "condition": FUNCTION,
    "projection": TEXT_OR_TEXTS,
    "pk": MAPPING,
    "sk": MAPPING,
}
KEY = {
    "field": TEXT,
    "composite": TEXTS,
    "facets": TEXT_OR_TEXTS,
    "template": TEXT,
    "casing": _one_of("upper", "lower", "none", "default"),
    "cast": CAST,
}


def check_shape(schema: Any) -> None:
    """Raise 1009 at the first value that is of the wrong kind."""
    _mapping(schema, SCHEMA, TOP, needed=("attributes", "indexes"))
    if not is_legacy(schema):
        _mapping(schema.get("model", _ABSENT), MODEL, Place("model"), needed=tuple(MODEL))
    for name, attribute in schema["attributes"].items():
        _attribute(attribute, Place("attributes") / name)
    for name, function in schema.get("filters", {}).items():
        _expect(FUNCTION, function, Place("filters") / name)
    if not schema["indexes"]:
        _refuse(Place("indexes"), "at least one access pattern is needed; describe the table's own key.")
    for name, index in schema["indexes"].items():
        _index(index, Place("indexes") / name)


def is_legacy(schema: Mapping[str, Any]) -> bool:
    """ElectroDB's beta form: the model's names at the top level, no `model`."""
    version = schema.get("version", "")
    return (
        "model" not in schema and _is_text(version) and all(_is_text(schema.get(key)) for key in ("service", "entity"))
    )


_ABSENT: Any = object()


def _mapping(value: Any, table: Mapping[str, _Kind], place: Place, *, needed: tuple[str, ...] = ()) -> None:
    if value is _ABSENT:
        _refuse(place, f"it is missing; give {', '.join(table)}.")
    _expect(MAPPING, value, place)
    for name in needed:
        if name not in value:
            _refuse(place, f'"{name}" is missing; add it ({table[name].words}).')
    for name, kind in table.items():
        if name in value:
            _expect(kind, value[name], place / name)


def _attribute(value: Any, place: Place) -> None:
    _expect(ATTRIBUTE_FORM, value, place)
    if not _is_mapping(value):
        return
    _mapping(value, ATTRIBUTE, place, needed=("type",))
    if "padding" in value:
        _mapping(value["padding"], PADDING, place / "padding", needed=tuple(PADDING))
    if value["type"] == "list" and "items" in value:
        _attribute(value["items"], place / "items")
    properties: Any = value.get("properties")
    if value["type"] == "map" and _is_mapping(properties):
        for name, each in cast("Mapping[str, Any]", properties).items():
            _attribute(each, place / "properties" / name)


def _index(value: Any, place: Place) -> None:
    _mapping(value, INDEX, place, needed=("pk",))
    for side in ("pk", "sk"):
        if side in value:
            _mapping(value[side], KEY, place / side)
            if not {"composite", "facets", "template"} & set(value[side]):
                _refuse(place / side, 'it says nothing about its value; add "composite" (a list of attributes).')


def _expect(kind: _Kind, value: Any, place: Place) -> None:
    if not kind.test(value):
        hint = nearest(value, [word for word in kind.words.split('"') if word.isalpha()]) if _is_text(value) else ""
        _refuse(place, f"{value!r} is not {kind.words}.{hint}")


def _refuse(place: Place, problem: str) -> NoReturn:
    raise SchemaError(f"Invalid schema at {place}: {problem}", code=1009)
