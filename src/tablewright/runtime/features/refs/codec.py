"""How references are stored: what an annotation such as `Ref[Task | Document]` allows, as text and back."""

from __future__ import annotations

import math
import types
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from tablewright.errors import RequestError, SchemaError
from tablewright.runtime.features.refs.ref import Ref, layout_of
from tablewright.runtime.types.codec import Codec, EncodingError
from tablewright.runtime.types.segments import parted
from tablewright.schema.keys import read_number
from tablewright.schema.types import BOOLEAN, NUMBER, STRING, Enum

if TYPE_CHECKING:
    from tablewright.schema.types import Type


def ref_codec(args: tuple[Any, ...], where: str) -> Codec:
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
