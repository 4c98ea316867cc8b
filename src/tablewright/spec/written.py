"""Values that `design.json` shows as text: `str(value)` writes them, `parse` reads them.

Templates, paths, buckets, totals, amounts and conditions are structured values for every program here, and texts for
people and for programs without Tablewright. What a text may say stands in the JSON Schema (`grammar`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self


class Written(ABC):
    """A frozen value with a written form; equal when it says the same."""

    __slots__ = ()
    grammar: ClassVar[str]

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Self:
        """The value that a text stands for; a ValueError says what is wrong with it."""

    @abstractmethod
    def __str__(self) -> str: ...

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Written) and type(other) is type(self) and self.content() == other.content()

    def __hash__(self) -> int:
        return hash((type(self), self.content()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def content(self) -> tuple[object, ...]:
        """Its parts, which tell it from others of its kind."""
        names: tuple[str, ...] = self.__slots__
        return tuple(getattr(self, name) for name in names)


def encode_written(value: Any) -> str:
    """The hook by which msgspec writes such values."""
    if isinstance(value, Written):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no place in a design")


def decode_written(kind: type, text: Any) -> Any:
    """The hook by which msgspec reads them."""
    if not issubclass(kind, Written):
        raise NotImplementedError(f"{kind.__name__} has no place in a design")
    if not isinstance(text, str):
        raise ValueError(f"a text is expected, and this is {type(text).__name__}")  # noqa: TRY004 (the kind of error that msgspec reports)
    return kind.parse(text)


def schema_of_written(kind: type) -> dict[str, Any]:
    """What the JSON Schema says of them."""
    if not issubclass(kind, Written):
        raise NotImplementedError(f"{kind.__name__} has no place in a design")
    return {"type": "string", "description": kind.grammar}
