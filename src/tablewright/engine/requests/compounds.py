"""Shapes made of shapes: lists, maps and structures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.engine.faults import serialization
from tablewright.engine.requests.shapes import (
    JAVA,
    UNCASTABLE,
    UNEXPECTED_STRUCTURE,
    Shape,
    Text,
    add_fault,
    length_faults,
    lower_first,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def are_names(names: Iterable[Any]) -> bool:
    """Only callers in the same process can have others than text."""
    for each in names:  # a loop costs less than `all` here  # noqa: SIM110
        if each.__class__ is not str:
            return False
    return True


def _has_fields(shape: Shape) -> bool:
    """A null in place of such a member is one without fields; other nulls are left out."""
    return hasattr(shape, "fields")


def _filled(shape: Shape, members: list[Any]) -> list[Any]:
    if _has_fields(shape):
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
            if type(value) is not list:
                return False
            members: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
            return low <= len(members) <= high and all(map(fits, members))

        return fits_list

    @property
    def java(self) -> str:
        return f"java.util.List<{self.of.java}>"

    def cast(self, value: Any, *, member: bool = False) -> list[Any]:
        if isinstance(value, dict):
            raise serialization(UNEXPECTED_STRUCTURE)
        if not isinstance(value, list):
            raise serialization(UNCASTABLE if member else "Unexpected field type")
        members: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        return [self.of.cast(each, member=True) for each in _filled(self.of, members)]

    def faults(self, value: list[Any], path: str, found: list[str]) -> None:
        if not self.low <= len(value) <= (len(value) if self.high is None else self.high):
            length_faults(len(value), self.low, self.high, self.show(value), path, found)
        for place, each in enumerate(value, 1):
            self.of.faults(each, f"{path}.{place}.member", found)

    def show(self, value: list[Any]) -> str:
        return f"[{', '.join(map(self.of.show, value))}]"


@dataclass(frozen=True)
class Named:
    """A map from names to one shape; `keys` and `value_lengths` are constraints the service checks for all at once.

    In faults it is shown as Java prints it, or `as_json`.
    """

    of: Shape
    low: int = 0
    keys: Text | None = None
    value_lengths: tuple[int, int] | None = None
    as_json: bool = False

    @property
    def fits(self) -> Callable[[Any], bool]:
        fits, low, lengths = self.of.fits, self.low, self.value_lengths
        fits_key = self.keys.fits if self.keys is not None else None

        def fits_map(value: Any) -> bool:
            if type(value) is not dict:
                return False
            named = cast("dict[str, Any]", value)
            if len(named) < low or not are_names(named) or not all(map(fits, named.values())):
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
        given = {name: each for name, each in named.items() if each is not None or _has_fields(self.of)}
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
        if self.as_json:
            return msgspec.json.encode(value).decode()
        return "{" + ", ".join(f"{name}={self.of.show(each)}" for name, each in value.items()) + "}"


@dataclass(frozen=True)
class Structure:
    """Fields of different shapes. Unknown fields are ignored; those in `required` must be there.

    Of a structure without any field the service may miss others: those in `when_empty`.
    """

    name: str
    fields: dict[str, Shape]
    required: tuple[str, ...] = ()
    when_empty: tuple[str, ...] | None = None

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
        required = self.required if value or self.when_empty is None else self.when_empty
        for name, shape in self.fields.items():
            place = f"{path}.{lower_first(name)}" if path else lower_first(name)
            if name in value:
                shape.faults(value[name], place, found)
            elif name in required:
                add_fault(found, None, place, "Member must not be null")

    def show(self, value: dict[str, Any]) -> str:
        shown = (
            f"{lower_first(name)}={shape.show(value[name]) if name in value else 'null'}"
            for name, shape in self.fields.items()
        )
        return f"{self.name}({', '.join(shown)})"
