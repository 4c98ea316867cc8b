"""What a modification changed: the names, and for a place in the item the values before and after.

Values are compared as DynamoDB compares them: 1 and 1.0 are one number, and the order of a set means nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar, overload

from tablewright.errors import RequestError
from tablewright.expr.compare import MISSING, is_equal, look_up
from tablewright.runtime.declare.attr import Map
from tablewright.runtime.features.blobs.stored_form import is_marked
from tablewright.runtime.requests.path import Path

if TYPE_CHECKING:
    from tablewright.runtime.items.reading import RawItem
    from tablewright.runtime.streams.changes.image import Image

V = TypeVar("V")
M = TypeVar("M", bound=Map)

Place: TypeAlias = Path[Any] | type[Map]
"""An attribute on its class, or a place inside it; to a type checker, that of a map is the map's class."""


class Moved(NamedTuple, Generic[V]):
    """A value before and after a change; None where there was none."""

    old: V | None
    new: V | None


class Changed(frozenset[str]):
    """The names of the attributes that changed. Called with a place, what became of the value there."""

    __slots__ = ("_new", "_old")

    _old: Image
    _new: Image

    @classmethod
    def between(cls, old: Image, new: Image) -> Changed:
        """The difference of two images of one entity's item."""
        layout = new.layout
        fields = (field for field in layout.by_field if _differs((field,), old.stored, new.stored))
        made = cls(layout.called(layout.by_field[field].name) for field in fields)
        made._old, made._new = old, new
        return made

    @overload
    def __call__(self, place: Path[V]) -> Moved[V] | None: ...
    @overload
    def __call__(self, place: type[M]) -> Moved[M] | None: ...
    def __call__(self, place: Any) -> Moved[Any] | None:
        """`event.changed(Order.status)`: the values there before and after, None when they are the same."""
        path = as_path(place)
        if not _differs(path.stored.parts, self._old.stored, self._new.stored):
            return None
        return Moved(_value_at(path, self._old), _value_at(path, self._new))


def _value_at(path: Path[Any], image: Image) -> Any:
    """The value at a place as it stands on the item; the hidden stands there only in the table."""
    stored = look_up(path.stored.parts, image.stored)
    if stored is MISSING:
        return None
    name = image.layout.called(path.root_name)
    own = image.item.__dict__
    if len(path.parts) == 1 and (name in own or is_marked(stored)):
        return own.get(name)  # what is kept outside the table was not read
    return path.__tablewright_read__(stored)


def _differs(parts: tuple[str | int, ...], old: RawItem, new: RawItem) -> bool:
    before, after = look_up(parts, old), look_up(parts, new)
    if before is MISSING or after is MISSING:
        return before is not after
    return not is_equal(before, after)


def as_path(place: Any) -> Path[Any]:
    if isinstance(place, Path):
        return place  # pyright: ignore[reportUnknownVariableType]
    raise RequestError(f"{place!r:.60} is no attribute; give one of the entity, such as Order.status", code=2002)
