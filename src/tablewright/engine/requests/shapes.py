"""The shapes a request is made of, as the service's front door sees them.

Every shape answers three questions about a value: does it fit as it is (`fits`, the fast path of good requests); what
is it once read (`cast`, which refuses wrong JSON types and drops nulls); which constraints does it break (`faults`).
The words are the service's, which betray that it is written in Java.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tablewright.engine.faults import serialization

if TYPE_CHECKING:
    from collections.abc import Callable

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


def _token_of(value: Any) -> str:
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

    def cast(self, value: Any, *, member: bool = False) -> str:  # noqa: ARG002
        if isinstance(value, str):
            return value
        refuse_collections(value, self.java)
        raise serialization(f"{_token_of(value)} cannot be converted to String")

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

    def cast(self, value: Any, *, member: bool = False) -> Any:  # noqa: ARG002
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            return value if self.kind == "Double" else math.floor(value)
        refuse_collections(value, self.java)
        token = "DECIMAL_VALUE" if isinstance(value, float) else _token_of(value)
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

    def cast(self, value: Any, *, member: bool = False) -> bool:  # noqa: ARG002
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            if value.upper() not in TRUE_WORDS + FALSE_WORDS:
                raise serialization("Unexpected token received from parser")
            return value.upper() in TRUE_WORDS
        refuse_collections(value, self.java)
        raise serialization(f"{_token_of(value)} cannot be converted to Boolean")

    def faults(self, value: bool, path: str, found: list[str]) -> None:
        """A boolean breaks no constraint."""

    def show(self, value: Any) -> str:
        return str(value).lower()
