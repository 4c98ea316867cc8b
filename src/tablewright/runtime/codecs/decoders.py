"""How values are taken out of a reply: for every annotation a wire type and the expression that reads it.

A typed value such as `{"N": "5"}` is decoded by msgspec into a struct with the one field that is expected, so that
another type is a misfit before any of our code runs. Numbers, texts, sets and bytes become their Python values in that
step. What cannot be decided from the type alone (`Any`, unions, properties with getters) is taken as a plain dict and
goes the generic way, the value on its own: `loose`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.runtime.items.page_items import MisfitError
from tablewright.runtime.items.plain import nested_in
from tablewright.runtime.items.reading import show_nested
from tablewright.runtime.types.annotations import absent_reads_as
from tablewright.runtime.types.scalars import SCALARS
from tablewright.runtime.types.structures import fields_of
from tablewright.schema.script import is_plain_name, literal
from tablewright.schema.types import BINARY, BOOLEAN, NUMBER, STRING, Enum, ListOf, MapOf, RecordOf, Scalar, SetOf
from tablewright.wire.numbers import parse_number
from tablewright.wire.values import unmarshal

if TYPE_CHECKING:
    from tablewright.runtime.types.codec import Codec
    from tablewright.schema.script import Script
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


def typed(code: str, content: Any) -> Any:
    """The struct of a typed value. It holds no cycles, and what the collector need not look at costs it nothing."""
    return msgspec.defstruct(f"Typed{code}", [(code, content)], gc=False)


scalar_typed = cache(typed)  # all entities share those of scalars and sets


def _attribute_of(code: str) -> Expression:
    return lambda wire: f"{wire}.{code}"


def taking_of(attribute: Attribute, codec: Codec, script: Script) -> Taking:
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


def _take_scalar(attribute: Attribute, codec: Codec, script: Script) -> Taking:
    if attribute.type == NUMBER:
        return _take_number(codec, script)
    code, content = CODES[attribute.type]
    if codec.decode_quickly is None:
        return Taking(scalar_typed(code, content), _attribute_of(code))
    decode = script.refer(codec.decode_quickly, "decode")
    return Taking(scalar_typed(code, content), lambda wire: f"{decode}({wire}.{code})")


def _take_number(codec: Codec, script: Script) -> Taking:
    if codec.decode_quickly in NUMBERS:
        return Taking(scalar_typed("N", NUMBERS[codec.decode_quickly]), _attribute_of("N"))
    return Taking(scalar_typed("N", str), lambda wire: _number(codec, script, f"{wire}.N"))


def _number(codec: Codec, script: Script, text: str) -> str:
    """The expression for a number that is made from its text by us."""
    parsed = f"{script.refer(parse_number, 'parse')}({text})"
    return parsed if codec.decode_quickly is None else f"{script.refer(codec.decode_quickly, 'decode')}({parsed})"


def _take_constant(attribute: Attribute, codec: Codec, script: Script) -> Taking | None:
    assert isinstance(attribute.type, Enum)
    kind = _kind_of(attribute.type)
    return None if kind is None else _take_scalar(msgspec.structs.replace(attribute, type=kind), codec, script)


def _kind_of(constants: Enum) -> Scalar | None:
    """What literals and enums are stored as: texts or numbers; None for those that could be either."""
    kinds = {type(choice) for choice in constants.choices}
    return CONSTANTS.get(kinds.pop()) if len(kinds) == 1 else None


CONSTANTS: dict[type, Scalar] = {str: STRING, int: NUMBER}


# ---- containers --------------------------------------------------------------------------------------------------


def _take_set(attribute: Attribute, codec: Codec, script: Script) -> Taking | None:
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


def _built(codec: Codec, script: Script, code: str, member: Expression) -> Taking:
    """A set whose members are made one by one."""
    build = script.refer(codec.empty, "build")
    return Taking(
        scalar_typed(code, list[bytes] if code == "BS" else list[str]),
        lambda wire: f"{build}([{member('each')} for each in {wire}.{code}])",
    )


def _take_list(attribute: Attribute, codec: Codec, script: Script) -> Taking | None:
    assert isinstance(attribute.type, ListOf)
    if attribute.type.items is None or codec.items is None or codec.empty not in (list, tuple):
        return None
    element = demanded(taking_of(attribute.type.items, codec.items, script), codec.items, script)
    wire_type = typed("L", LIST[element.wire])
    if codec.empty is list:
        return Taking(wire_type, lambda wire: f"[{element.read('each')} for each in {wire}.L]")
    build = script.refer(tuple, "build")
    return Taking(wire_type, lambda wire: f"{build}([{element.read('each')} for each in {wire}.L])")


def _take_record(attribute: Attribute, codec: Codec, script: Script) -> Taking | None:
    assert isinstance(attribute.type, RecordOf)
    if codec.items is None:
        return None
    value = demanded(taking_of(attribute.type.values, codec.items, script), codec.items, script)
    return Taking(
        typed("M", DICT[str, value.wire]),
        lambda wire: f"{{key: {value.read('each')} for key, each in {wire}.M.items()}}",
    )


def _take_structure(attribute: Attribute, codec: Codec, script: Script) -> Taking | None:
    assert isinstance(attribute.type, MapOf)
    return structure(codec, script)


def demanded(taking: Taking, codec: Codec, script: Script) -> Taking:
    """The same where absent is not an answer, unless anything goes (`Any`)."""
    if not taking.is_loose or codec.decode_quickly is None:
        return taking
    demand = script.refer(_required, "required")
    return Taking(taking.wire, lambda wire: f"{demand}({taking.read(wire)})")


def _required(value: Any) -> Any:
    if value is None:
        raise MisfitError("NULL stands where a value must be")
    return value


def _loosely(attribute: Attribute, codec: Codec, script: Script) -> Taking:
    """The generic way for one value."""

    def read(value: dict[str, Any]) -> Any:
        plain = show_nested(attribute, unmarshal(value))
        return None if plain is None else codec.decode(plain)

    reader = script.refer(read, "loose")
    return Taking(LOOSE, lambda wire: f"{reader}({wire})", is_loose=True)


TAKERS: dict[type, Callable[[Attribute, Codec, Script], Taking | None]] = {
    Scalar: _take_scalar,
    Enum: _take_constant,
    SetOf: _take_set,
    ListOf: _take_list,
    RecordOf: _take_record,
    MapOf: _take_structure,
}


# ---- constructors of nested classes ----------------------------------------------------------------------------------
#
# One call with everything that is stored, whatever library made the class. What must be there is demanded of the wire
# struct. Where something with a default is absent, a second function builds the arguments one by one, so that the class
# fills in its own defaults.


class _Part(msgspec.Struct, frozen=True):
    """One field of a class: where it stands in the wire struct, what the constructor calls it, how it is read."""

    slot: str
    field: str
    parameter: str
    taking: Taking
    absent: Callable[[], Any] | None = None  # what it is given as when it is absent
    has_default: bool = False

    def argument(self, script: Script) -> str:
        """The expression for what the constructor is given."""
        if self.absent is None:
            return self.taking.read(f"wire.{self.slot}")
        return with_fallback(self.taking, f"wire.{self.slot}", fallback(self.absent, script))

    def absence(self) -> str:
        """The test whether it is absent; its value is in a variable of its own otherwise."""
        test = f"({self.slot} := wire.{self.slot}) is None"
        if not self.taking.is_loose:
            return test
        return f"{test} or ({self.slot} := {self.taking.read(self.slot)}) is None"

    def present(self) -> str:
        """The expression for the value behind the variable of `absence`."""
        return self.slot if self.taking.is_loose else self.taking.read(self.slot)


def fallback(absent: Callable[[], Any], script: Script) -> str:
    """The expression for what stands in for an absent value."""
    return "None" if absent is nothing else f"{script.refer(absent, 'absent')}()"


def nothing() -> None:
    """What an optional value is when it is absent."""


def with_fallback(taking: Taking, wire: str, otherwise: str) -> str:
    """The value, or what stands in for it; the variable is free for use again behind the expression."""
    if not taking.is_loose:
        return f"({otherwise} if (value := {wire}) is None else {taking.read('value')})"
    if otherwise == "None":
        return f"(None if (value := {wire}) is None else {taking.read('value')})"
    return f"({otherwise} if (value := {wire}) is None or (value := {taking.read('value')}) is None else value)"


def structure(codec: Codec, script: Script) -> Taking | None:
    """The constructor of a class with fields; None where only the generic way knows how."""
    kind: type[Any] | None = codec.structure
    if kind is None:
        return None
    parts = _parts_of(kind, codec, script)
    if parts is None:
        return None
    if not all(is_told(part.field) for part in parts):
        return None
    wire = struct_of([(part.field, part.slot, part.taking.wire, _is_demanded(part)) for part in parts])
    build = _constructor(kind, parts, script)
    return Taking(typed("M", wire), lambda value: f"{build}({value}.M)")


def _is_demanded(part: _Part) -> bool:
    return part.absent is None and not part.has_default


def _parts_of(kind: type[Any], codec: Codec, script: Script) -> list[_Part] | None:
    parts: list[_Part] = []
    for at, field in enumerate(fields_of(kind)):
        nested = codec.members[field.name]
        if field.given_as is None:
            return None
        absent = absent_reads_as(field, nested)
        if absent is not None and absent is not nested.codec.empty:
            absent = nothing
        taking = taking_of(nested.attribute, nested.codec, script)
        if absent is None and not field.has_default:
            taking = demanded(taking, nested.codec, script)
        part = _Part(f"f{at}", nested.attribute.field, field.given_as, taking, absent, field.has_default)
        parts.append(part)
    return parts


ESCAPED = re.compile(r'["\\\x00-\x1f\ud800-\udfff]')


def is_told(field: str) -> bool:
    """Whether a struct can have a field of this name: msgspec knows none that JSON writes with escapes."""
    return ESCAPED.search(field) is None


def struct_of(fields: list[tuple[str, str, Any, bool]]) -> type[Any]:
    """A wire struct from (stored field, name in the struct, type, whether it must be there); others are skipped."""
    ordered = sorted(fields, key=lambda each: not each[3])
    return msgspec.defstruct(
        "Wire",
        [(slot, wire) if demanded else (slot, wire, None) for _, slot, wire, demanded in ordered],
        rename={slot: field for field, slot, _, _ in fields},
        gc=False,
    )


def _constructor(kind: type[Any], parts: list[_Part], script: Script) -> str:
    """The name of the function that makes an object of the class from its wire struct."""
    uncertain = [part for part in parts if part.absent is None and part.has_default]
    given = {part.parameter: part.present() if part in uncertain else part.argument(script) for part in parts}
    body: list[str] = []
    if uncertain:
        absent = " or ".join(part.absence() for part in uncertain)
        body.append(f"if {absent}: return {_partial_constructor(kind, parts, uncertain, script)}(wire)")
    if _is_plainly_filled(kind):
        new, name = script.refer(object.__new__, "new"), script.refer(kind, "kind")
        sets = [script.put("made", parameter, value) for parameter, value in given.items()]
        return script.define("build", "wire", [*body, f"made = {new}({name})", *sets, "return made"])
    return script.define("build", "wire", [*body, f"return {_made(kind, given, script)}"])


def _made(kind: type[Any], given: dict[str, str], script: Script) -> str:
    """The call of the class."""
    name = script.refer(kind, "kind")
    if all(is_plain_name(parameter) for parameter in given):
        return f"{name}({', '.join(f'{parameter}={value}' for parameter, value in given.items())})"
    return f"{name}(**{{{', '.join(f'{literal(parameter)}: {value}' for parameter, value in given.items())}}})"


def _partial_constructor(kind: type[Any], parts: list[_Part], uncertain: list[_Part], script: Script) -> str:
    """The same where something with a default is absent: the class says what it is."""
    certain = [f"{literal(part.parameter)}: {part.argument(script)}" for part in parts if part not in uncertain]
    body = [f"given = {{{', '.join(certain)}}}"]
    body += [f"if not ({part.absence()}): given[{literal(part.parameter)}] = {part.present()}" for part in uncertain]
    return script.define("build", "wire", [*body, f"return {script.refer(kind, 'kind')}(**given)"])


def _is_plainly_filled(kind: Any) -> bool:
    """Whether the constructor does nothing but set attributes, so that they may be set without asking it."""
    if kind.__new__ is not object.__new__ or not sets_plainly(kind):
        return False
    if hasattr(kind, "__tablewright_init__"):  # declared with us
        return bool(kind.__init__ is kind.__tablewright_init__)
    return "__dataclass_fields__" in vars(kind) and _is_written_by_dataclasses(kind)


def sets_plainly(kind: Any) -> bool:
    return kind.__setattr__ is object.__setattr__


def _is_written_by_dataclasses(kind: Any) -> bool:
    """Whether `__init__` is the one that the decorator wrote, and calls nobody else."""
    written: Any = kind.__dict__.get("__init__")
    fields = kind.__dataclass_fields__.values()
    kinds = {each._field_type for each in fields}  # noqa: SLF001 - nothing else tells parameters that are no fields
    is_simple = len(kinds) <= 1 and not hasattr(kind, "__post_init__")
    return bool(is_simple and written is not None and written.__code__.co_filename == "<string>")
