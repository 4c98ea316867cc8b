"""AttributeValue as a shape: one of ten types, two of which hold further values."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tablewright.engine.faults import serialization
from tablewright.engine.requests.compounds import Members, Named, are_names
from tablewright.engine.requests.shapes import JAVA, Flag, Shape, Text, lower_first, refuse_collections
from tablewright.wire.limits import MAX_NESTING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DEEPEST = 2 * MAX_NESTING
"""Nobody looks at values below this depth; they are refused where they are read."""

PLAIN = {"S": str, "N": str, "BOOL": bool, "NULL": bool}
SETS = ("SS", "NS")


@dataclass(frozen=True)
class _Binary:
    """Bytes in base64."""

    @property
    def fits(self) -> Callable[[Any], bool]:
        return _is_base64

    @property
    def java(self) -> str:
        return "java.nio.ByteBuffer"

    def cast(self, value: Any, *, member: bool = False) -> str:  # noqa: ARG002
        if isinstance(value, str):
            return self._checked(value)
        refuse_collections(value, self.java)
        raise serialization("only base-64-encoded strings are convertible to bytes")

    def _checked(self, value: str) -> str:
        if len(value) % 4:
            raise serialization(f"Base64 encoded length is expected a multiple of 4 bytes but found: {len(value)}")
        if not _is_base64(value):
            raise serialization("Invalid last non-pad Base64 character dectected")
        return value

    def faults(self, value: str, path: str, found: list[str]) -> None:
        """Bytes break no constraint."""

    def show(self, value: Any) -> str:
        return str(value)


def _is_base64(value: Any) -> bool:
    """Whether this is base64 with nothing left over, as the service insists."""
    if type(value) is not str or len(value) % 4:
        return False
    try:
        return b64encode(b64decode(value, validate=True)).decode() == value
    except (Base64Error, ValueError):
        return False


def _fits_value(value: Any, depth: int = 0) -> bool:
    """Whether a value has one type and holds what that type says."""
    if value.__class__ is not dict or len(value) != 1:
        return False
    ((code, inner),) = value.items()
    kind = PLAIN.get(code)
    if kind is not None:
        return inner.__class__ is kind
    if code == "M":
        return inner.__class__ is dict and are_names(inner) and _fit_all(inner.values(), depth)
    if code == "B":
        return _is_base64(inner)
    if inner.__class__ is not list:
        return False
    members: list[Any] = inner
    if code == "L":
        return _fit_all(members, depth)
    if code in SETS:
        return all(type(each) is str for each in members)
    return code == "BS" and all(map(_is_base64, members))


def _fit_all(members: Iterable[Any], depth: int) -> bool:
    """The members of a list or map at this depth."""
    if depth < DEEPEST:
        for each in members:  # a loop costs less than `all` here
            if not _fits_value(each, depth + 1):
                return False
    return True


def _fits_item(value: Any) -> bool:
    """Whether every value of an item or key fits; most are plain and cost no further call."""
    if type(value) is not dict or not are_names(value):  # pyright: ignore[reportUnknownArgumentType]
        return False
    values: list[Any] = list(value.values())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    for each in values:
        if each.__class__ is dict and len(each) == 1:
            ((code, inner),) = each.items()
            if PLAIN.get(code) is inner.__class__:
                continue
        if not _fits_value(each):
            return False
    return True


@dataclass(frozen=True)
class AttributeValues(Named):
    """Values by name: items, keys, the values of placeholders."""

    @property
    def fits(self) -> Callable[[Any], bool]:
        return _fits_item


@dataclass(frozen=True)
class AttributeValue:
    depth: int = 0

    @property
    def fits(self) -> Callable[[Any], bool]:
        return _fits_value

    @property
    def java(self) -> str:
        return f"{JAVA}AttributeValue"

    @property
    def fields(self) -> dict[str, Shape]:
        deeper = AttributeValue(self.depth + 1)
        return {**SCALARS, "L": Members(deeper), "M": Named(deeper)}

    def cast(self, value: Any, *, member: bool = False) -> dict[str, Any]:
        if self.depth > DEEPEST:
            return cast("dict[str, Any]", value)
        if isinstance(value, list):
            raise serialization(f"Unrecognized collection type class {self.java}")
        if not isinstance(value, dict):
            raise serialization("Unexpected value type in payload" if member else "Unexpected field type")
        given = cast("dict[str, Any]", value)
        fields = self.fields
        return {code: fields[code].cast(inner) for code, inner in given.items() if code in fields and inner is not None}

    def faults(self, value: Any, path: str, found: list[str]) -> None:
        """What a value may be is not checked at the front door."""

    def show(self, value: dict[str, Any]) -> str:
        if self.depth > DEEPEST:
            return "AttributeValue(...)"
        fields = self.fields
        shown = (f"{lower_first(code)}={fields[code].show(inner)}" for code, inner in value.items())
        return f"AttributeValue({', '.join(shown)})"


SCALARS: dict[str, Shape] = {
    "S": Text(),
    "N": Text(),
    "B": _Binary(),
    "BOOL": Flag(),
    "NULL": Flag(),
    "SS": Members(Text()),
    "NS": Members(Text()),
    "BS": Members(_Binary()),
}
