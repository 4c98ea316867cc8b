"""References: an attribute that points at an item of one of several entities.

class Comment(tw.Entity, ...):
    on: Attr[tw.Ref[Task | Document]]

    @tw.index("gsi1")
    def about(self, on: tw.Ref[Task | Document]) -> None: ...

Stored is one text, the entity's name and its key values: `task/w1/t1`. So a reference can stand in keys, be compared,
and be written by ElectroDB, to which it is a plain string.
"""

from __future__ import annotations

import math
import types
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union, get_args, get_origin

import msgspec

from tablewright.errors import RequestError, SchemaError
from tablewright.runtime.key import Key, key_of
from tablewright.runtime.types.codec import Codec, EncodingError
from tablewright.runtime.types.segments import joined, parted
from tablewright.schema.keys import key_text, read_number
from tablewright.schema.types import BOOLEAN, NUMBER, STRING, Enum

if TYPE_CHECKING:
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.operations.get import Get
    from tablewright.schema.types import Type

E = TypeVar("E", bound="StoredItem")
E_co = TypeVar("E_co", bound="StoredItem", covariant=True)


class Ref(msgspec.Struct, Generic[E_co], frozen=True):
    """Which item, of which entity: made by `tw.ref(item)` or `tw.ref(Task.key(...))`, and by reading items."""

    entity: type[E_co]
    values: tuple[Any, ...]  # the stored values of the table key's composites, in order

    @classmethod
    def __tablewright_codec__(cls, args: tuple[Any, ...], where: str) -> Codec:
        """How attributes annotated so are stored."""
        return _ref_codec(args, where)

    @property
    def key(self) -> Key[E_co]:
        """The key of the item pointed at, for everything that can be done with a key."""
        layout = layout_of(self.entity)
        return Key(layout, dict(zip(layout.table_composites, self.values, strict=True)))

    def get(self) -> Get[E_co]:
        """Read the item pointed at; None when it is gone."""
        return self.key.get()

    def __str__(self) -> str:
        """The text that is stored."""
        texts = (key_text(value) for value in self.values)
        return joined((layout_of(self.entity).name, *texts))


def layout_of(entity: type[StoredItem]) -> Layout:
    return entity.__tablewright_layout__()


def class_of(layout: Layout) -> type[Any]:
    """The class that a layout was made for."""
    found: type[Any] | None = getattr(getattr(layout.make, "__self__", None), "cls", None)
    if found is None:
        raise RequestError(f"{layout.name} was loaded from data; this takes classes of entities", code=2002)
    return found


def ref(target: E | Key[E]) -> Ref[E]:
    """A reference to an item, or to the item of a key."""
    key = key_of(target)
    values = tuple(key.composites[name] for name in key.layout.table_composites)
    return Ref(class_of(key.layout), values)


# ---- how references are stored ---------------------------------------------------------------------------------------


def _ref_codec(args: tuple[Any, ...], where: str) -> Codec:
    """The codec of `Ref[...]`; entities are looked at when values come, so that classes may refer to each other."""
    allowed = _entities_in(args[0] if args else None, where)
    by_name = {each.__tablewright_about__.name: each for each in allowed}
    if len(by_name) < len(allowed):
        raise SchemaError(f"{where}: two of {_listed(allowed)} have the same name, which is stored", code=1008)

    def encode(value: Any) -> str:
        if not isinstance(value, Ref):
            raise EncodingError(f"must be a reference (tw.ref(...)), not {type(value).__name__} {value!r:.60}")
        entity: type[Any] = value.entity  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if entity not in allowed:
            raise EncodingError(f"must point at {_listed(allowed)}, not at {entity.__name__}")
        return str(value)  # pyright: ignore[reportUnknownArgumentType]

    def decode(text: str) -> Ref[Any]:
        name, *parts = parted(text)
        entity = by_name.get(name)
        if entity is None:
            raise RequestError(
                f"{where}: a stored reference is {text!r}, but allowed are {_listed(allowed)}", code=3001
            )
        return Ref(entity, _values_from(entity, parts, text))

    return Codec(type=STRING, encode_quickly=encode, decode_quickly=decode, note=("refers", tuple(by_name)))


def _entities_in(annotation: Any, where: str) -> tuple[type[Any], ...]:
    """The entities of a union."""
    is_union = get_origin(annotation) in (Union, types.UnionType)
    members = get_args(annotation) if is_union else (annotation,)
    for each in members:
        if not hasattr(each, "__tablewright_about__") or not hasattr(each, "__tablewright_layout__"):
            raise SchemaError(f"{where}: a reference points at entities; write Ref[Task | Document]", code=1008)
    return members


def _values_from(entity: type[Any], parts: list[str], text: str) -> tuple[Any, ...]:
    """The key values in a stored reference, as the entity's attributes store them."""
    layout = layout_of(entity)
    names = layout.table_composites
    if len(parts) != len(names):
        wanted = layout.listed(names)
        raise RequestError(
            f"the stored reference {text!r} does not fit {layout.name}, whose key is {wanted}", code=3001
        )
    return tuple(_value_from(layout.attributes[name].type, part, text) for name, part in zip(names, parts, strict=True))


def _value_from(kind: Type, part: str, text: str) -> Any:
    if isinstance(kind, Enum):
        return next((choice for choice in kind.choices if str(choice) == part), part)
    if kind == BOOLEAN:
        return part == "true"
    if kind != NUMBER:
        return part
    number = read_number(part)
    if math.isnan(number):
        raise RequestError(f"the stored reference {text!r} has no number where {part!r} stands", code=3001)
    return number


def _listed(entities: tuple[type[Any], ...]) -> str:
    return " or ".join(each.__name__ for each in entities)
