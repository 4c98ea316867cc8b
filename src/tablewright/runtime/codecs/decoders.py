"""How values are taken out of a reply: for every annotation a wire type and the expression that reads it.

A typed value such as `{"N": "5"}` is decoded by msgspec into a struct with the one field that is expected, so that
another type is a misfit before any of our code runs. Numbers, texts, sets and bytes become their Python values in that
step. What cannot be decided from the type alone (`Any`, unions, properties with getters) is taken as a plain dict and
goes the generic way, the value on its own: `loose`.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.runtime.items.page_items import MisfitError
from tablewright.runtime.items.plain import nested_in
from tablewright.runtime.items.reading import show_nested
from tablewright.runtime.types.scalars import SCALARS
from tablewright.schema.script import Script
from tablewright.schema.types import BINARY, BOOLEAN, NUMBER, STRING, Enum, ListOf, MapOf, RecordOf, Scalar, SetOf
from tablewright.wire.numbers import parse_number
from tablewright.wire.values import unmarshal

if TYPE_CHECKING:
    from tablewright.runtime.types.codec import Codec
    from tablewright.schema.types import Attribute

Expression: TypeAlias = Callable[[str], str]
LOOSE: Any = dict[str, Any]
LIST: Any = list  # to be subscribed with types that are made here, which no checker knows
DICT: Any = dict


class Taking(msgspec.Struct, frozen=True):
    """What a typed value is decoded into, and the expression for the Python value given that of the wire value.

    `is_loose`: the value may still turn out to be absent (NULL).
    """

    wire: Any
    read: Expression
    is_loose: bool = False


class ReadingScript(Script):
    """A script in the making that knows how classes are constructed, whose fields are taken by the rules below."""

    __slots__ = ("structure",)

    def __init__(self, structure: Callable[[Codec, ReadingScript], Taking | None]) -> None:
        super().__init__()
        self.structure = structure


def typed(code: str, content: Any) -> Any:
    """The struct of a typed value. It holds no cycles, and what the collector need not look at costs it nothing."""
    return msgspec.defstruct(f"Typed{code}", [(code, content)], gc=False)


scalar_typed = cache(typed)  # all entities share those of scalars and sets


def _attribute_of(code: str) -> Expression:
    return lambda wire: f"{wire}.{code}"


def taking_of(attribute: Attribute, codec: Codec, script: ReadingScript) -> Taking:
    """How the value of an attribute, or of something nested in one, is taken."""
    take = TAKERS.get(type(attribute.type))
    if take is None or any(is_mindful(each) for each in nested_in(attribute)):
        return _loosely(attribute, codec, script)
    return take(attribute, codec, script) or _loosely(attribute, codec, script)


def is_mindful(attribute: Attribute) -> bool:
    """Whether a nested attribute, or one inside it, is more than its value when it is read."""
    return attribute.get is not None or attribute.hidden or any(is_mindful(each) for each in nested_in(attribute))


# ---- scalars -----------------------------------------------------------------------------------------------------

# What msgspec can make of a number's text by itself, by the function that would make it otherwise.
NUMBERS: dict[Any, Any] = {SCALARS[kind].decode_quickly: kind for kind in (int, float, Decimal)}
CODES: dict[Any, tuple[str, Any]] = {STRING: ("S", str), BOOLEAN: ("BOOL", bool), BINARY: ("B", bytes)}


def _take_scalar(attribute: Attribute, codec: Codec, script: ReadingScript) -> Taking:
    if attribute.type == NUMBER:
        return _take_number(codec, script)
    code, content = CODES[attribute.type]
    if codec.decode_quickly is None:
        return Taking(scalar_typed(code, content), _attribute_of(code))
    decode = script.refer(codec.decode_quickly, "decode")
    return Taking(scalar_typed(code, content), lambda wire: f"{decode}({wire}.{code})")


def _take_number(codec: Codec, script: ReadingScript) -> Taking:
    if codec.decode_quickly in NUMBERS:
        return Taking(scalar_typed("N", NUMBERS[codec.decode_quickly]), _attribute_of("N"))
    return Taking(scalar_typed("N", str), lambda wire: _number(codec, script, f"{wire}.N"))


def _number(codec: Codec, script: ReadingScript, text: str) -> str:
    """The expression for a number that is made from its text by us."""
    parsed = f"{script.refer(parse_number, 'parse')}({text})"
    return parsed if codec.decode_quickly is None else f"{script.refer(codec.decode_quickly, 'decode')}({parsed})"


def _take_constant(attribute: Attribute, codec: Codec, script: ReadingScript) -> Taking | None:
    assert isinstance(attribute.type, Enum)
    kind = _kind_of(attribute.type)
    return None if kind is None else _take_scalar(msgspec.structs.replace(attribute, type=kind), codec, script)


def _kind_of(constants: Enum) -> Scalar | None:
    """What literals and enums are stored as: texts or numbers; None for those that could be either."""
    kinds = {type(choice) for choice in constants.choices}
    return CONSTANTS.get(kinds.pop()) if len(kinds) == 1 else None


CONSTANTS: dict[type, Scalar] = {str: STRING, int: NUMBER}


# ---- containers --------------------------------------------------------------------------------------------------


def _take_set(attribute: Attribute, codec: Codec, script: ReadingScript) -> Taking | None:
    assert isinstance(attribute.type, SetOf)
    items, members = codec.items, attribute.type.items
    kind = _kind_of(members) if isinstance(members, Enum) else members
    if items is None or kind is None or codec.empty not in (set, frozenset):
        return None
    build: Any = codec.empty
    if kind == NUMBER and items.decode_quickly in NUMBERS:
        return Taking(scalar_typed("NS", build[NUMBERS[items.decode_quickly]]), _attribute_of("NS"))
    if kind == NUMBER:
        return _built(codec, script, "NS", lambda each: _number(items, script, each))
    code, content = ("SS", str) if kind == STRING else ("BS", bytes)
    if items.decode_quickly is None:
        return Taking(scalar_typed(code, build[content]), _attribute_of(code))
    decode = script.refer(items.decode_quickly, "decode")
    return _built(codec, script, code, lambda each: f"{decode}({each})")


def _built(codec: Codec, script: ReadingScript, code: str, member: Expression) -> Taking:
    """A set whose members are made one by one."""
    build = script.refer(codec.empty, "build")
    return Taking(
        scalar_typed(code, list[bytes] if code == "BS" else list[str]),
        lambda wire: f"{build}([{member('each')} for each in {wire}.{code}])",
    )


def _take_list(attribute: Attribute, codec: Codec, script: ReadingScript) -> Taking | None:
    assert isinstance(attribute.type, ListOf)
    if attribute.type.items is None or codec.items is None or codec.empty not in (list, tuple):
        return None
    element = demanded(taking_of(attribute.type.items, codec.items, script), codec.items, script)
    wire_type = typed("L", LIST[element.wire])
    if codec.empty is list:
        return Taking(wire_type, lambda wire: f"[{element.read('each')} for each in {wire}.L]")
    build = script.refer(tuple, "build")
    return Taking(wire_type, lambda wire: f"{build}([{element.read('each')} for each in {wire}.L])")


def _take_record(attribute: Attribute, codec: Codec, script: ReadingScript) -> Taking | None:
    assert isinstance(attribute.type, RecordOf)
    if codec.items is None:
        return None
    value = demanded(taking_of(attribute.type.values, codec.items, script), codec.items, script)
    return Taking(
        typed("M", DICT[str, value.wire]),
        lambda wire: f"{{key: {value.read('each')} for key, each in {wire}.M.items()}}",
    )


def _take_structure(attribute: Attribute, codec: Codec, script: ReadingScript) -> Taking | None:
    assert isinstance(attribute.type, MapOf)
    return script.structure(codec, script)


def demanded(taking: Taking, codec: Codec, script: ReadingScript) -> Taking:
    """The same where absent is not an answer, unless anything goes (`Any`)."""
    if not taking.is_loose or codec.decode_quickly is None:
        return taking
    demand = script.refer(_required, "required")
    return Taking(taking.wire, lambda wire: f"{demand}({taking.read(wire)})")


def _required(value: Any) -> Any:
    if value is None:
        raise MisfitError("NULL stands where a value must be")
    return value


def _loosely(attribute: Attribute, codec: Codec, script: ReadingScript) -> Taking:
    """The generic way for one value."""

    def read(value: dict[str, Any]) -> Any:
        plain = show_nested(attribute, unmarshal(value))
        return None if plain is None else codec.decode(plain)

    reader = script.refer(read, "loose")
    return Taking(LOOSE, lambda wire: f"{reader}({wire})", is_loose=True)


TAKERS: dict[type, Callable[[Attribute, Codec, ReadingScript], Taking | None]] = {
    Scalar: _take_scalar,
    Enum: _take_constant,
    SetOf: _take_set,
    ListOf: _take_list,
    RecordOf: _take_record,
    MapOf: _take_structure,
}
