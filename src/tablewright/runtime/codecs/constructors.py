"""Constructors of nested classes: one call with everything that is stored, whatever library made the class.

What must be there is demanded of the wire struct. Where something with a default is absent, a second function builds
the arguments one by one, so that the class fills in its own defaults.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.codecs.decoders import ReadingScript, Taking, demanded, taking_of, typed
from tablewright.runtime.types.annotations import absent_reads_as
from tablewright.runtime.types.structures import fields_of
from tablewright.schema.script import is_plain_name, literal

if TYPE_CHECKING:
    from tablewright.runtime.types.codec import Codec
    from tablewright.schema.script import Script


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


def structure(codec: Codec, script: ReadingScript) -> Taking | None:
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


def _parts_of(kind: type[Any], codec: Codec, script: ReadingScript) -> list[_Part] | None:
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
        sets = setting(kind, list(given.items()), script)
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
    if kind.__new__ is not object.__new__:
        return False
    if hasattr(kind, "__tablewright_init__"):  # declared with us; its `__setattr__` asks for names that these are
        return bool(kind.__init__ is kind.__tablewright_init__ and kind.__setattr__ is kind.__tablewright_setattr__)
    return _sets_plainly(kind) and "__dataclass_fields__" in vars(kind) and _is_written_by_dataclasses(kind)


def _sets_plainly(kind: Any) -> bool:
    return kind.__setattr__ is object.__setattr__


def setting(kind: Any, given: list[tuple[str, str]], script: Script) -> list[str]:
    """The statements that set the attributes of what was just made, around any `__setattr__`."""
    if _sets_plainly(kind):
        return [script.put("made", name, value) for name, value in given]
    return ["own = made.__dict__", *(f"own[{literal(name)}] = {value}" for name, value in given)]


def _is_written_by_dataclasses(kind: Any) -> bool:
    """Whether `__init__` is the one that the decorator wrote, and calls nobody else."""
    written: Any = kind.__dict__.get("__init__")
    fields = kind.__dataclass_fields__.values()
    kinds = {each._field_type for each in fields}  # noqa: SLF001 - nothing else tells parameters that are no fields
    is_simple = len(kinds) <= 1 and not hasattr(kind, "__post_init__")
    return bool(is_simple and written is not None and written.__code__.co_filename == "<string>")
