"""Python types and what is stored: every annotation of an attribute becomes a codec.

A codec knows the schema type, how a Python value becomes a plain one and back, and what is nested in it. Wrong values
raise `EncodingError` with the place and the reason; the caller knows the name of the attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from tablewright.runtime.types.values import ABSENT
from tablewright.schema.types import Attribute, Enum, Free, ListOf, MapOf, OneOf, RecordOf, Scalar, SetOf, Type

__all__ = ["ABSENT", "Codec", "EncodingError", "Nested", "as_it_is", "copied", "located"]

Convert: TypeAlias = Callable[[Any], Any]


class EncodingError(ValueError):
    """A value that does not fit its annotation; `path` leads to it from the attribute (`[2].city`)."""

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.reason = reason
        self.path = path


class Nested(msgspec.Struct, frozen=True):
    """A property of a nested type: its attribute, its codec, and the Python name of its field."""

    attribute: Attribute
    codec: Codec
    python_name: str


class Codec(msgspec.Struct, frozen=True, kw_only=True):
    """How values of one annotation are stored. `encode_quickly` is None where a plain value is stored as it is."""

    type: Type
    encode_quickly: Convert | None = None
    decode_quickly: Convert | None = None
    items: Codec | None = None  # elements of lists and sets, values of dicts
    members: Mapping[str, Nested] = msgspec.field(default_factory=dict[str, Nested])
    empty: Callable[[], Any] | None = None  # what an absent value reads as, for collections
    structure: Any = None  # the class whose fields the members are
    choices: tuple[tuple[Any, Codec], ...] = ()  # of unions: the codec of each class, by the constant that tells it
    width: int | None = None  # the length that every stored text has
    note: tuple[str, tuple[str, ...]] | None = None  # what the entity's features say of such an attribute

    def encode(self, value: Any) -> Any:
        return value if self.encode_quickly is None else self.encode_quickly(value)

    def decode(self, value: Any) -> Any:
        return value if self.decode_quickly is None else self.decode_quickly(value)

    def element(self, key: Any) -> Codec | None:
        """The codec of what stands at an index of a list or a key of a dict."""
        wanted: type = str if isinstance(self.type, RecordOf) else int
        if isinstance(self.type, Free):
            return self
        return self.items if isinstance(key, wanted) and isinstance(self.type, ListOf | RecordOf) else None

    @property
    def kind(self) -> str:
        """The type in a word, for messages."""
        match self.type:
            case Scalar(name) | Free(name):
                return name
            case Enum():
                return "constant"
            case SetOf():
                return "set"
            case ListOf():
                return "list"
            case MapOf() | RecordOf() | OneOf():
                return "map"


def as_it_is(value: Any) -> Any:
    return value


def copied(value: Any) -> Any:
    """A list of its own for everyone who reads; what is stored instead of a list stays as it is."""
    return [*value] if value.__class__ is list else value


def located(encode: Convert, value: Any, step: str) -> Any:
    """Encode something nested; a fault knows the step that leads to it."""
    try:
        return encode(value)
    except EncodingError as error:
        raise EncodingError(error.reason, step + error.path) from error
