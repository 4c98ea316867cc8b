"""Kinds of values: for each, how it is read, written and described. Reading points at the place of a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn, cast

from tablewright.errors import SchemaError
from tablewright.schema.places import TOP, Place, nearest

if TYPE_CHECKING:
    from tablewright.schema.functions import Functions

REQUIRED: Any = object()
JsonSchema = dict[str, Any]
LONGEST_QUOTE = 80
MOST_BITS = 900


class Misplaced(SchemaError):
    """A fault with its place, for whoever can tell the line as well."""

    def __init__(self, place: Place, problem: str) -> None:
        super().__init__(f"{place}: {problem}", code=1009)
        self.place = place
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Reading:
    """Where we are, which functions are known, and what the parts inside inherit (such as the service's name)."""

    functions: Functions = field(default_factory=dict[str, Callable[..., Any]])
    place: Place = TOP
    inherited: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __truediv__(self, name: str) -> Reading:
        return replace(self, place=self.place / name)

    def at(self, index: int) -> Reading:
        return replace(self, place=self.place[index])

    def inheriting(self, **values: Any) -> Reading:
        return replace(self, inherited={**self.inherited, **values})

    def refuse(self, problem: str) -> NoReturn:
        raise Misplaced(self.place, problem)


@dataclass(frozen=True, slots=True)
class Writing:
    """Which names functions have, and what the parts inside inherit."""

    functions: Functions | None = None
    inherited: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def inheriting(self, **values: Any) -> Writing:
        return replace(self, inherited={**self.inherited, **values})


def _as_is(value: Any, _: Writing) -> Any:
    return list(cast("Sequence[Any]", value)) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of value is read, written (as it is, unless told otherwise; a tuple as a list) and described."""

    read: Callable[[Any, Reading], Any]
    schema: JsonSchema
    write: Callable[[Any, Writing], Any] = _as_is


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record. Without a default it is required; `inherits` names an inherited value as its default.

    `model` is its name in the model, where that differs.
    """

    name: str
    kind: Kind
    doc: str
    default: Any = REQUIRED
    inherits: str | None = None
    model: str = ""

    @property
    def model_name(self) -> str:
        return self.model or self.name

    def default_in(self, inherited: Mapping[str, Any]) -> Any:
        return self.default if self.inherits is None else inherited.get(self.inherits, self.default)


@dataclass(frozen=True, slots=True)
class Record:
    """A part of a service: its fields, and the function that makes its model value of them."""

    make: Callable[..., Any]
    fields: tuple[Field, ...]
    doc: str

    def read(self, value: Any, at: Reading, **given: Any) -> Any:
        mapping = read_mapping(value, at)
        known = [each.name for each in self.fields]
        for name in mapping:
            if name not in known:
                at.refuse(f'"{name}" is not a known field.{nearest(name, known)} Known: {", ".join(known)}.')
        return self.make(**given, **{each.model_name: self._read_field(each, mapping, at) for each in self.fields})

    def _read_field(self, each: Field, mapping: Mapping[str, Any], at: Reading) -> Any:
        if each.name in mapping:
            return each.kind.read(mapping[each.name], at / each.name)
        default = each.default_in(at.inherited)
        if default is REQUIRED:
            at.refuse(f'"{each.name}" is missing. Add it: {each.doc}')
        return default

    def write(self, value: Any, to: Writing) -> dict[str, Any]:
        """The fields that differ from their defaults."""
        found = ((each, getattr(value, each.model_name)) for each in self.fields)
        return {
            each.name: each.kind.write(content, to)
            for each, content in found
            if each.default_in(to.inherited) is REQUIRED or not _same(content, each.default_in(to.inherited))
        }

    def schema(self) -> JsonSchema:
        required = [each.name for each in self.fields if each.default is REQUIRED and each.inherits is None]
        return {
            "type": "object",
            "description": self.doc,
            "properties": {each.name: {**each.kind.schema, "description": each.doc} for each in self.fields},
            "additionalProperties": False,
            **({"required": required} if required else {}),
        }


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def read_mapping(value: Any, at: Reading) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        at.refuse(f"{value!r} is not a mapping.")
    mapping = cast("Mapping[str, Any]", value)
    unnamed = [name for name in cast("Mapping[object, Any]", value) if not isinstance(name, str)]
    if unnamed:
        at.refuse(f"the name {unnamed[0]!r} is not text; put it in quotes.")
    return mapping


def quoted(value: Any) -> str:
    """As it was said, or its beginning; of very large numbers Python gives no digits."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a number of {value.bit_length():,} bits"
    said = repr(value)
    return said if len(said) <= LONGEST_QUOTE else f"{said[:LONGEST_QUOTE]}..."


def scalar(words: str, schema: JsonSchema, test: Callable[[Any], bool]) -> Kind:
    """A value that is written as it is."""

    def read(value: Any, at: Reading) -> Any:
        return value if test(value) else at.refuse(f"{quoted(value)} is not {words}.")

    return Kind(read, schema)


def choice(*words: str) -> Kind:
    def read(value: Any, at: Reading) -> Any:
        problem = f"{value!r} is not one of {', '.join(words)}.{nearest(value, words)}"
        return value if value in words else at.refuse(problem)

    return Kind(read, {"enum": list(words)})


def listed(element: Kind, *, least: int = 0) -> Kind:
    """A tuple, written as a list."""

    def read(value: Any, at: Reading) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)) or len(cast("list[Any]", value)) < least:
            at.refuse(f"{value!r} is not a list{' with something in it' if least else ''}.")
        return tuple(element.read(each, at.at(place)) for place, each in enumerate(cast("list[Any]", value)))

    schema = {"type": "array", "items": element.schema, **({"minItems": least} if least else {})}
    return Kind(read, schema, lambda value, to: [element.write(each, to) for each in value])


def optional(kind: Kind) -> Kind:
    """The same, or null."""
    return Kind(
        lambda value, at: None if value is None else kind.read(value, at),
        {"anyOf": [kind.schema, {"type": "null"}]},
        lambda value, to: None if value is None else kind.write(value, to),
    )


def record(table: Record) -> Kind:
    return Kind(table.read, table.schema(), table.write)


def one_or_many(element: Kind) -> Kind:
    """A tuple, written as a single value when it has one."""
    many = listed(element)

    def read(value: Any, at: Reading) -> tuple[Any, ...]:
        return many.read(value, at) if isinstance(value, (list, tuple)) else (element.read(value, at),)

    def write(value: tuple[Any, ...], to: Writing) -> Any:
        return element.write(value[0], to) if len(value) == 1 else many.write(value, to)

    return Kind(read, {"anyOf": [element.schema, many.schema]}, write)


TEXT = scalar("text", {"type": "string"}, lambda value: isinstance(value, str))
NAME = scalar("a name", {"type": "string", "minLength": 1}, lambda value: isinstance(value, str) and value != "")
FLAG = scalar("true or false", {"type": "boolean"}, lambda value: isinstance(value, bool))
NAMES = listed(NAME)
