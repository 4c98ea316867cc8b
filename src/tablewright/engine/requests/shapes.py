"""The shapes a request is made of, as the service's front door sees them.

Every shape answers three questions about a value: does it fit as it is (`fits`, the fast path of good requests); what is
it once read (`cast`, which refuses wrong JSON types and drops nulls); and which constraints does it break (`faults`).
The words are the service's, which betray that it is written in Java.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from tablewright.engine.faults import serialization

JAVA = "com.amazonaws.dynamodb.v20120810."
UNEXPECTED_STRUCTURE = "Start of structure or map found where not expected"
UNCASTABLE = (
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class"
    " (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of"
    " loader 'bootstrap')"
)
MAX_FAULTS = 10
TRUE_WORDS, FALSE_WORDS = ("TRUE", "1", "YES"), ("FALSE", "0", "NO")


class Shape(Protocol):
    @property
    def fits(self) -> Callable[[Any], bool]: ...
    @property
    def java(self) -> str: ...
    def cast(self, value: Any, *, member: bool = False) -> Any: ...
    def faults(self, value: Any, path: str, found: list[str]) -> None: ...
    def show(self, value: Any) -> str: ...


def lower_first(name: str) -> str:
    return name[:1].lower() + name[1:]


def add_fault(found: list[str], shown: str | None, path: str, rule: str) -> None:
    """One broken constraint in the service's form; it stops counting at ten."""
    if len(found) < MAX_FAULTS:
        value = "null" if shown is None else f"'{shown}'"
        found.append(f"Value {value} at '{path}' failed to satisfy constraint: {rule}")


def token_of(value: Any) -> str:
    """What the service's JSON reader calls a scalar."""
    if isinstance(value, bool):
        return "TRUE_VALUE" if value else "FALSE_VALUE"
    if isinstance(value, str):
        return "STRING_VALUE"
    return "NUMBER_VALUE" if value == int(value) else "DECIMAL_VALUE"


def refuse_collections(value: Any, java: str) -> None:
    if isinstance(value, list):
        raise serialization(f"Unrecognized collection type class {java}")
    if isinstance(value, dict):
        raise serialization(UNEXPECTED_STRUCTURE)


def length_faults(length: int, low: int, high: int | None, shown: str, path: str, found: list[str]) -> None:
    if length < low:
        add_fault(found, shown, path, f"Member must have length greater than or equal to {low}")
    if high is not None and length > high:
        add_fault(found, shown, path, f"Member must have length less than or equal to {high}")


@dataclass(frozen=True)
class Text:
    """A string: its length, its pattern or the words it may be. With `arn`, a whole ARN may stand for a name."""

    low: int = 0
    high: int | None = None
    pattern: str | None = None
    choices: tuple[str, ...] = ()
    arn: bool = False

    @property
    def fits(self) -> Callable[[Any], bool]:
        if self.choices:
            words = frozenset(self.choices)
            return lambda value: type(value) is str and value in words
        if not self.low and self.high is None:
            return lambda value: type(value) is str
        low, high = self.low, self.high if self.high is not None else math.inf
        match = re.compile(self.pattern or "[^\\0]*|.*", re.DOTALL).fullmatch
        return lambda value: type(value) is str and low <= len(value) <= high and match(value) is not None

    @property
    def java(self) -> str:
        return "java.lang.String"

    def cast(self, value: Any, *, member: bool = False) -> str:
        if isinstance(value, str):
            return value
        refuse_collections(value, self.java)
        raise serialization(f"{token_of(value)} cannot be converted to String")

    def faults(self, value: str, path: str, found: list[str]) -> None:
        if self.arn and value.startswith("arn:"):
            length_faults(len(value), 1, 1024, value, path, found)
            return
        if self.choices and value not in self.choices:
            add_fault(found, value, path, f"Member must satisfy enum value set: [{', '.join(self.choices)}]")
        if self.pattern is not None and re.fullmatch(self.pattern, value) is None:
            add_fault(found, value, path, f"Member must satisfy regular expression pattern: {self.pattern}")
        length_faults(len(value), self.low, self.high, value, path, found)

    def show(self, value: Any) -> str:
        return str(value)


@dataclass(frozen=True)
class Number:
    """A number of one of Java's kinds; fractions are cut off as Java does."""

    kind: str = "Integer"
    low: int | None = None
    high: int | None = None

    @property
    def fits(self) -> Callable[[Any], bool]:
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        return lambda value: type(value) is int and low <= value <= high

    @property
    def java(self) -> str:
        return f"java.lang.{self.kind}"

    def cast(self, value: Any, *, member: bool = False) -> Any:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            return value if self.kind == "Double" else math.floor(value)
        refuse_collections(value, self.java)
        token = "DECIMAL_VALUE" if isinstance(value, float) else token_of(value)
        raise serialization(f"{token} cannot be converted to {self.kind}")

    def faults(self, value: Any, path: str, found: list[str]) -> None:
        if self.low is not None and value < self.low:
            add_fault(found, str(value), path, f"Member must have value greater than or equal to {self.low}")
        if self.high is not None and value > self.high:
            add_fault(found, str(value), path, f"Member must have value less than or equal to {self.high}")

    def show(self, value: Any) -> str:
        return str(value)


@dataclass(frozen=True)
class Flag:
    """A boolean; some words for yes and no are taken as well."""

    @property
    def fits(self) -> Callable[[Any], bool]:
        return lambda value: type(value) is bool

    @property
    def java(self) -> str:
        return "java.lang.Boolean"

    def cast(self, value: Any, *, member: bool = False) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            if value.upper() not in TRUE_WORDS + FALSE_WORDS:
                raise serialization("Unexpected token received from parser")
            return value.upper() in TRUE_WORDS
        refuse_collections(value, self.java)
        raise serialization(f"{token_of(value)} cannot be converted to Boolean")

    def faults(self, value: bool, path: str, found: list[str]) -> None:
        """A boolean breaks no constraint."""

    def show(self, value: Any) -> str:
        return str(value).lower()


def has_fields(shape: Shape) -> bool:
    """A null in place of such a member is one without fields; other nulls are left out."""
    return hasattr(shape, "fields")


def filled(shape: Shape, members: list[Any]) -> list[Any]:
    if has_fields(shape):
        return [{} if each is None else each for each in members]
    return [each for each in members if each is not None]


@dataclass(frozen=True)
class Members:
    """A list of one shape."""

    of: Shape
    low: int = 0
    high: int | None = None

    @property
    def fits(self) -> Callable[[Any], bool]:
        fits, low, high = self.of.fits, self.low, self.high if self.high is not None else math.inf

        def fits_list(value: Any) -> bool:
            return type(value) is list and low <= len(value) <= high and all(map(fits, cast("list[Any]", value)))

        return fits_list

    @property
    def java(self) -> str:
        return f"java.util.List<{self.of.java}>"

    def cast(self, value: Any, *, member: bool = False) -> list[Any]:
        if isinstance(value, dict):
            raise serialization(UNEXPECTED_STRUCTURE)
        if not isinstance(value, list):
            raise serialization(UNCASTABLE if member else "Unexpected field type")
        return [self.of.cast(each, member=True) for each in filled(self.of, cast("list[Any]", value))]

    def faults(self, value: list[Any], path: str, found: list[str]) -> None:
        if not self.low <= len(value) <= (len(value) if self.high is None else self.high):
            length_faults(len(value), self.low, self.high, self.show(value), path, found)
        for place, each in enumerate(value, 1):
            self.of.faults(each, f"{path}.{place}.member", found)

    def show(self, value: list[Any]) -> str:
        return f"[{', '.join(map(self.of.show, value))}]"


@dataclass(frozen=True)
class Named:
    """A map from names to one shape; `keys` and `value_lengths` are constraints the service checks for all at once."""

    of: Shape
    low: int = 0
    keys: Text | None = None
    value_lengths: tuple[int, int] | None = None

    @property
    def fits(self) -> Callable[[Any], bool]:
        fits, low, lengths = self.of.fits, self.low, self.value_lengths
        fits_key = self.keys.fits if self.keys is not None else None

        def fits_map(value: Any) -> bool:
            if type(value) is not dict:
                return False
            named = cast("dict[str, Any]", value)
            if len(named) < low or not all(map(fits, named.values())):
                return False
            if fits_key is not None and not all(map(fits_key, named)):
                return False
            return lengths is None or all(lengths[0] <= len(each) <= lengths[1] for each in named.values())

        return fits_map

    @property
    def java(self) -> str:
        return f"java.util.Map<java.lang.String, {self.of.java}>"

    def cast(self, value: Any, *, member: bool = False) -> dict[str, Any]:
        if isinstance(value, list):
            raise serialization(f"Unrecognized collection type {self.java}")
        if not isinstance(value, dict):
            raise serialization(UNCASTABLE if member else "Unexpected field type")
        named = cast("dict[str, Any]", value)
        given = {name: each for name, each in named.items() if each is not None or has_fields(self.of)}
        return {name: self.of.cast({} if each is None else each, member=True) for name, each in given.items()}

    def faults(self, value: dict[str, Any], path: str, found: list[str]) -> None:
        if len(value) < self.low:
            length_faults(len(value), self.low, None, self.show(value), path, found)
        if self.keys is not None and not all(self._good_key(name) for name in value):
            rules = f"{self._length_rules(self.keys.low, self.keys.high)}, "
            rules += f"Member must satisfy regular expression pattern: {self.keys.pattern}"
            add_fault(found, self.show(value), path, f"Map keys must satisfy constraint: [{rules}]")
        if self.value_lengths is not None:
            low, high = self.value_lengths
            if not all(low <= len(each) <= high for each in value.values()):
                rule = f"Map value must satisfy constraint: [{self._length_rules(low, high)}]"
                add_fault(found, self.show(value), path, rule)
        for name, each in value.items():
            self.of.faults(each, f"{path}.{name}.member", found)

    def _good_key(self, name: str) -> bool:
        broken: list[str] = []
        assert self.keys is not None
        self.keys.faults(name, "", broken)
        return not broken

    def _length_rules(self, low: int, high: int | None) -> str:
        below = f"Member must have length less than or equal to {high}"
        return f"{below}, Member must have length greater than or equal to {low}"

    def show(self, value: dict[str, Any]) -> str:
        return "{" + ", ".join(f"{name}={self.of.show(each)}" for name, each in value.items()) + "}"


@dataclass(frozen=True)
class Structure:
    """Fields of different shapes. Unknown fields are ignored; those in `required` must be there."""

    name: str
    fields: dict[str, Shape]
    required: tuple[str, ...] = ()

    @property
    def fits(self) -> Callable[[Any], bool]:
        fits = {name: shape.fits for name, shape in self.fields.items()}
        required = self.required

        def fits_structure(value: Any) -> bool:
            if type(value) is not dict:
                return False
            given = cast("dict[str, Any]", value)
            for name, inner in given.items():
                if name not in fits or not fits[name](inner):
                    return False
            for name in required:  # a loop costs less than a set here  # noqa: SIM110
                if name not in given:
                    return False
            return True

        return fits_structure

    @property
    def java(self) -> str:
        return JAVA + self.name

    def cast(self, value: Any, *, member: bool = False) -> dict[str, Any]:
        if isinstance(value, list):
            raise serialization(f"Unrecognized collection type class {self.java}")
        if not isinstance(value, dict):
            raise serialization("Unexpected value type in payload" if member else "Unexpected field type")
        given = cast("dict[str, Any]", value)
        return {name: shape.cast(given[name]) for name, shape in self.fields.items() if given.get(name) is not None}

    def faults(self, value: dict[str, Any], path: str, found: list[str]) -> None:
        for name, shape in self.fields.items():
            place = f"{path}.{lower_first(name)}" if path else lower_first(name)
            if name in value:
                shape.faults(value[name], place, found)
            elif name in self.required:
                add_fault(found, None, place, "Member must not be null")

    def show(self, value: dict[str, Any]) -> str:
        shown = (
            f"{lower_first(name)}={shape.show(value[name]) if name in value else 'null'}"
            for name, shape in self.fields.items()
        )
        return f"{self.name}({', '.join(shown)})"
