"""Functions a declaration brings along: they see Python values under Python names; the schema's see what is stored.

Each wrapper points to the user's function with `__wrapped__`, so that a schema written as data names that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tablewright.errors import SchemaError
from tablewright.schema.functions import arguments_taken
from tablewright.schema.types import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.runtime.types.codec import Codec
    from tablewright.schema.types import Attribute

F = TypeVar("F", bound="Callable[..., Any]")


class Sibling(Protocol):
    """An attribute of the same item or map."""

    @property
    def attribute(self) -> Attribute: ...

    @property
    def codec(self) -> Codec: ...


class View:
    """An item as callbacks see it: attributes as Python values, None for absent ones."""

    __slots__ = ("_siblings", "_values")

    def __init__(self, siblings: Mapping[str, Sibling], values: Any) -> None:
        self._siblings = siblings
        self._values: Mapping[str, Any] = values if hasattr(values, "get") else {}

    def __getattr__(self, name: str) -> Any:
        sibling = self._siblings.get(name)
        if sibling is None:
            raise AttributeError(f"there is no attribute {name!r}, only {', '.join(self._siblings)}")
        attribute = sibling.attribute
        value = self._values.get(attribute.name, self._values.get(attribute.field))
        return None if value is None else sibling.codec.decode(value)

    __getitem__ = __getattr__


def accessor(function: Callable[..., Any] | None, codec: Codec, siblings: Mapping[str, Sibling]) -> Any:
    """A get or set function, which may take the value alone or the value and the item."""
    if function is None:
        return None
    takes_item = arguments_taken(function, 2) > 1

    def run(value: Any, item: Any) -> Any:
        python = None if value is None else codec.decode(value)
        result = function(python, View(siblings, item)) if takes_item else function(python)
        return None if result is None else codec.encode(result)

    return _wrapping(run, function)


def validator(validate: Any, codec: Codec, where: str) -> Any:
    if validate is None:
        return None
    if isinstance(validate, str):
        return Pattern(validate)
    if not callable(validate):
        raise SchemaError(f"{where}: validate is a function or a regular expression, not {validate!r}", code=1009)
    user_check: Callable[[Any], Any] = validate

    def check(value: Any) -> Any:
        return user_check(codec.decode(value))

    return _wrapping(check, user_check)


def factory(make: Callable[[], Any], codec: Codec) -> Callable[[], Any]:
    """A default factory that gives the stored value."""
    return _wrapping(lambda: codec.encode(make()), make)


def condition(function: Callable[[Any], Any], siblings: Mapping[str, Sibling]) -> Callable[[Any], Any]:
    """An index condition, asked about stored values."""
    return _wrapping(lambda values: function(View(siblings, values)), function)


def _wrapping(wrapper: F, function: Callable[..., Any]) -> F:
    wrapper.__wrapped__ = function  # type: ignore[attr-defined]  # pyright: ignore[reportFunctionMemberAccess]
    return wrapper
