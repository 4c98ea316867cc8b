"""One attribute of a class as those see it who read and write its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.types.codec import Codec
    from tablewright.schema.types import Attribute


class TypedSlot(Protocol):
    """The attribute of the schema, the codec of its annotation, and what an absent value reads as."""

    python_name: str
    name: str
    codec: Codec
    attribute: Attribute
    encode: Callable[[Any], Any] | None
    reads_as: Callable[[], Any] | None
