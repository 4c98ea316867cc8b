"""From an annotation to its codec.

Scalars are looked up in `SCALARS`; containers, unions and classes with fields are taken apart.
Classes count as fields-and-values whatever library made them: `tw.Map`, dataclasses, attrs, pydantic, msgspec.
"""

from __future__ import annotations

import enum
import types
import typing
from decimal import Decimal
from typing import Any, Literal, Union, cast, get_args, get_origin

import msgspec

from tablewright.errors import RequestError, SchemaError
from tablewright.runtime.types.codec import Codec, Convert, EncodingError, Nested, as_it_is, copied, located
from tablewright.runtime.types.renaming import Renaming, unchanged
from tablewright.runtime.types.scalars import SCALARS, checked, to_decimal, to_float
from tablewright.runtime.types.structures import Field, fields_of, is_structure
from tablewright.schema import types as schema
from tablewright.schema.types import (
    ANY,
    BOOLEAN,
    NUMBER,
    Attribute,
    Enum,
    ListOf,
    MapOf,
    OneOf,
    RecordOf,
    SetOf,
)

if typing.TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def codec_for(annotation: Any, where: str, rename: Renaming = unchanged) -> Codec:
    """The codec of an annotation; `where` names the attribute for the error when there is none.

    `rename` makes stored names of the fields of classes inside it.
    """
    annotation = _plain_annotation(annotation)
    if annotation in SCALARS:
        return SCALARS[annotation]
    if annotation in (Any, object):
        return Codec(type=ANY)
    origin = get_origin(annotation)
    if origin is Literal:
        return _literal_codec(get_args(annotation), where)
    if origin in (Union, types.UnionType):
        return _union_codec(annotation, where, rename)
    maker = CONTAINERS.get(origin or annotation)
    if maker is not None:
        return maker(get_args(annotation), where, rename)
    own = getattr(origin or annotation, "__tablewright_codec__", None)  # a class that knows best how it is stored
    if own is not None:
        codec: Codec = own(get_args(annotation), where)
        return codec
    if isinstance(annotation, type):
        return _class_codec(annotation, where, rename)
    raise _unsupported(annotation, where)


def _plain_annotation(annotation: Any) -> Any:
    """Without Annotated, Required, NewType and type aliases, which say nothing about storage."""
    while True:
        if get_origin(annotation) in (typing.Annotated, typing.Required, typing.NotRequired):
            annotation = get_args(annotation)[0]
        elif hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        else:
            return annotation


def _unsupported(annotation: Any, where: str) -> SchemaError:
    remedy = "use a plain type, a tw.Map, a dataclass, or Any with get= and set= functions"
    return SchemaError(f"{where}: values of type {_shown(annotation)} cannot be stored; {remedy}", code=1008)


def _shown(annotation: Any) -> str:
    return annotation.__qualname__ if isinstance(annotation, type) else str(annotation)


# ---- constants ----------------------------------------------------------------------------------------------------


def _literal_codec(choices: tuple[Any, ...], where: str) -> Codec:
    if not all(isinstance(choice, str | int) and not isinstance(choice, bool) for choice in choices):
        raise SchemaError(f"{where}: constants must be texts or whole numbers, not {choices!r}", code=1008)
    return Codec(type=Enum(choices), encode_quickly=_one_of(choices))


def _one_of(choices: tuple[Any, ...]) -> Convert:
    allowed = frozenset(choices)

    def check(value: Any) -> Any:
        try:
            fits = value in allowed and not isinstance(value, bool)
        except TypeError:
            fits = False
        if not fits:
            listed = ", ".join(repr(choice) for choice in choices)
            raise EncodingError(f"must be one of {listed}, not {value!r:.60}")
        return value

    return check


def _enum_codec(kind: type[enum.Enum], where: str) -> Codec:
    values = tuple(member.value for member in kind)
    _literal_codec(values, where)
    by_value = {member.value: member for member in kind}

    def encode(value: Any) -> Any:
        if isinstance(value, kind):
            return value.value
        listed = ", ".join(str(member) for member in kind)
        raise EncodingError(f"must be one of {listed}, not {value!r:.60}")

    return Codec(type=Enum(values), encode_quickly=encode, decode_quickly=by_value.__getitem__)


# ---- containers --------------------------------------------------------------------------------------------------


def _list_codec(args: tuple[Any, ...], where: str, rename: Renaming, *, build: Callable[..., Any] = list) -> Codec:
    items = _element_codec(args[0], f"{where}[*]", rename) if args else Codec(type=ANY)
    element = Attribute(name="*", type=items.type, field="*")  # not required: it may be removed
    check = checked("a list", list, tuple)

    quick_encode = items.encode_quickly or as_it_is

    def encode(value: Any) -> list[Any]:
        try:
            return [quick_encode(each) for each in check(value)]
        except EncodingError:  # find out where
            return [located(items.encode, each, f"[{at}]") for at, each in enumerate(check(value))]

    decode = items.decode_quickly
    plainly: Convert = copied if build is list else build
    read: Convert = plainly if decode is None else lambda value: build([decode(each) for each in value])
    return Codec(type=ListOf(element), encode_quickly=encode, decode_quickly=read, items=items, empty=build)


def _element_codec(annotation: Any, where: str, rename: Renaming) -> Codec:
    """What lists and dicts hold. A None among them would have to be stored, where everywhere else it is absent."""
    if _plain_annotation(annotation) not in (Any, object) and is_optional(annotation):
        raise SchemaError(f"{where}: elements cannot be None; leave them out, or use Any for the elements", code=1008)
    return codec_for(annotation, where, rename)


def _tuple_codec(args: tuple[Any, ...], where: str, rename: Renaming) -> Codec:
    if len(args) != 2 or args[1] is not Ellipsis:
        raise SchemaError(f"{where}: a tuple is stored as a list of one type; write tuple[X, ...]", code=1008)
    return _list_codec(args[:1], where, rename, build=tuple)


def _set_codec(args: tuple[Any, ...], where: str, *, build: Callable[..., Any] = set) -> Codec:
    items = codec_for(args[0], f"{where}[*]") if args else SCALARS[str]
    if not isinstance(items.type, schema.Scalar | Enum) or items.type == BOOLEAN:
        raise SchemaError(f"{where}: DynamoDB's sets hold texts, numbers or bytes; use a list for the rest", code=1008)
    check = checked("a set", set, frozenset)

    quick_encode = items.encode_quickly or as_it_is

    def encode(value: Any) -> set[Any]:
        members = check(value)
        try:
            return {quick_encode(each) for each in members}
        except EncodingError as error:
            raise EncodingError(error.reason, "[*]" + error.path) from error

    def decode(value: Any) -> Any:
        return build(items.decode(each) for each in value)

    return Codec(type=SetOf(items.type), encode_quickly=encode, decode_quickly=decode, items=items, empty=build)


def _dict_codec(args: tuple[Any, ...], where: str, rename: Renaming) -> Codec:
    """A map with free keys."""
    if args and _plain_annotation(args[0]) is not str:
        raise SchemaError(f"{where}: the keys of a map are texts; write dict[str, ...]", code=1008)
    values = _element_codec(args[1], f"{where}[*]", rename) if args else Codec(type=ANY)
    value_type = Attribute(name="*", type=values.type, field="*")  # not required: it may be removed
    check = checked("a dict", dict)

    def encode(value: Any) -> dict[str, Any]:
        stray = [key for key in check(value) if not isinstance(key, str)]
        if stray:
            raise EncodingError(f"must have texts as keys, not {type(stray[0]).__name__} {stray[0]!r:.60}")
        return {key: located(values.encode, each, f".{key}") for key, each in value.items()}

    def decode(value: Mapping[str, Any]) -> dict[str, Any]:
        return {key: values.decode(each) for key, each in value.items()}

    return Codec(type=RecordOf(value_type), encode_quickly=encode, decode_quickly=decode, items=values, empty=dict)


CONTAINERS: dict[Any, Callable[[tuple[Any, ...], str, Renaming], Codec]] = {
    list: _list_codec,
    tuple: _tuple_codec,
    set: lambda args, where, _: _set_codec(args, where),
    frozenset: lambda args, where, _: _set_codec(args, where, build=frozenset),
    dict: _dict_codec,
}


# ---- unions ------------------------------------------------------------------------------------------------------


def is_optional(annotation: Any) -> bool:
    annotation = _plain_annotation(annotation)
    if get_origin(annotation) not in (Union, types.UnionType):
        return annotation in (None, type(None), Any, object)
    return any(is_optional(each) for each in get_args(annotation))


def _union_codec(annotation: Any, where: str, rename: Renaming) -> Codec:
    """Optional values, unions of constants, and unions of classes told apart by a constant field."""
    choices = [_plain_annotation(each) for each in get_args(annotation) if each is not type(None)]
    if len(choices) == 1:
        return codec_for(choices[0], where, rename)
    if all(get_origin(each) is Literal for each in choices):
        return _literal_codec(tuple(value for each in choices for value in get_args(each)), where)
    if all(is_structure(each) for each in choices):
        return _tagged_codec(choices, where, rename)
    if set(choices) <= {int, float, Decimal}:
        return _number_codec(choices)
    raise _unsupported(annotation, where)


def _number_codec(choices: list[Any]) -> Codec:
    """Whole numbers come back as int, others as the most exact type there is to choose from."""
    exact = to_decimal if Decimal in choices else to_float

    def decode(value: Any) -> Any:
        return value if value.__class__ in choices and value.__class__ is not float else exact(value)

    listed = " or ".join(each.__name__ for each in choices)
    return Codec(
        type=NUMBER, encode_quickly=checked(f"a number ({listed})", *choices, but_not=(bool,)), decode_quickly=decode
    )


def _tagged_codec(choices: list[Any], where: str, rename: Renaming) -> Codec:
    codecs = [_class_codec(each, where, rename) for each in choices]
    tag = _common_tag(choices, codecs, where)
    by_class = dict(zip(choices, codecs, strict=True))
    by_tag = {_constant_of(codec.members[tag]): codec for codec in codecs}
    stored_tag = next(iter(by_tag.values())).members[tag].attribute

    def encode(value: Any) -> Any:
        codec = by_class.get(type(value))
        if codec is None:
            listed = ", ".join(_shown(each) for each in choices)
            raise EncodingError(f"must be one of {listed}, not {type(value).__name__} {value!r:.60}")
        return codec.encode(value)

    def decode(value: Mapping[str, Any]) -> Any:
        codec = by_tag.get(value.get(stored_tag.name))
        if codec is None:
            found, known = value.get(stored_tag.name), ", ".join(map(repr, by_tag))
            raise RequestError(f"{where}: a stored {stored_tag.name} is {found!r}, but known are {known}", code=3001)
        return codec.decode(value)

    members = {name: nested for codec in codecs for name, nested in codec.members.items()}
    members[tag] = msgspec.structs.replace(
        members[tag], codec=_literal_codec(tuple(by_tag), where)
    )  # a path may name any of them
    union = OneOf(stored_tag.name, tuple((constant, cast("MapOf", codec.type)) for constant, codec in by_tag.items()))
    choices_by_tag = tuple(by_tag.items())
    return Codec(type=union, encode_quickly=encode, decode_quickly=decode, members=members, choices=choices_by_tag)


def _common_tag(choices: list[Any], codecs: list[Codec], where: str) -> str:
    """The field that is one constant in every class, a different one in each."""
    for name in codecs[0].members:
        constants = [_constant_of(codec.members[name]) for codec in codecs if name in codec.members]
        if len(constants) == len(codecs) == len({*constants} - {None}):
            return name
    listed = " | ".join(_shown(each) for each in choices)
    remedy = 'give each a field of its own constant, such as kind: Literal["card"] = "card"'
    raise SchemaError(f"{where}: nothing tells {listed} apart; {remedy}", code=1008)


def _constant_of(nested: Nested) -> Any:
    kind = nested.codec.type
    return kind.choices[0] if isinstance(kind, Enum) and len(kind.choices) == 1 else None


# ---- classes -----------------------------------------------------------------------------------------------------


def _class_codec(kind: type[Any], where: str, rename: Renaming) -> Codec:
    if issubclass(kind, enum.Enum):
        return _enum_codec(kind, where)
    if not is_structure(kind):
        for base, codec in SCALARS.items():
            if issubclass(kind, base):
                return codec
        raise _unsupported(kind, where)
    return _structure_codec(kind, where, rename)


_in_progress: set[type[Any]] = set()


def _structure_codec(kind: type[Any], where: str, rename: Renaming) -> Codec:
    if kind in _in_progress:
        raise SchemaError(
            f"{where}: {_shown(kind)} contains itself; DynamoDB's maps are finite, use Any there", code=1008
        )
    _in_progress.add(kind)
    try:
        nested: dict[str, Nested] = {}
        for each in fields_of(kind):
            nested[each.name] = _nested_field(each, f"{where}.{each.name}", nested, rename)
    finally:
        _in_progress.discard(kind)
    properties = MapOf(tuple(each.attribute for each in nested.values()))
    return Codec(
        type=properties,
        encode_quickly=_structure_encoder(kind, nested),
        decode_quickly=_structure_decoder(kind, nested),
        members=nested,
        structure=kind,
    )


def _nested_field(each: Field, where: str, siblings: Mapping[str, Nested], rename: Renaming) -> Nested:
    codec = codec_for(each.annotation, where, rename)
    if each.attribute is not None:
        return Nested(each.attribute(codec, siblings, rename), codec, each.name)
    required = not each.has_default and not is_optional(each.annotation) and not isinstance(codec.type, SetOf)
    stored = rename(each.name)
    attribute = Attribute(name=stored, type=codec.type, field=stored, required=required)
    return Nested(attribute, codec, each.name)


def _structure_encoder(kind: type[Any], nested: Mapping[str, Nested]) -> Convert:
    check = checked(f"a {kind.__name__}", kind)
    slots = [
        (name, each.attribute.name, each.codec.encode_quickly or as_it_is, each.attribute.required)
        for name, each in nested.items()
    ]

    def encode(value: Any) -> dict[str, Any]:
        check(value)
        encoded: dict[str, Any] = {}
        for python_name, name, to_plain, required in slots:
            given = getattr(value, python_name)
            if given is not None:
                try:
                    plain = to_plain(given)
                except EncodingError as error:
                    raise EncodingError(error.reason, f".{python_name}{error.path}") from error
                if plain or plain.__class__ is not set:  # DynamoDB has no empty sets
                    encoded[name] = plain
            elif required:
                raise EncodingError("is required", f".{python_name}")
        return encoded

    return encode


def _structure_decoder(kind: type[Any], nested: Mapping[str, Nested]) -> Convert:
    fields = fields_of(kind)
    slots = [
        (each.given_as, each.name, nested[each.name].attribute.name, nested[each.name].codec.decode) for each in fields
    ]
    absent = [
        (each.given_as, made) for each in fields if (made := absent_reads_as(each, nested[each.name])) is not None
    ]

    def decode(value: Mapping[str, Any]) -> Any:
        given: dict[str, Any] = {parameter: made() for parameter, made in absent if parameter is not None}
        besides: dict[str, Any] = {}
        for parameter, field, name, read in slots:
            stored = value.get(name)
            if stored is not None and parameter is not None:
                given[parameter] = read(stored)
            elif stored is not None:
                besides[field] = read(stored)
        made = kind(**given)
        for field, read_value in besides.items():
            object.__setattr__(made, field, read_value)
        return made

    return decode


def absent_reads_as(field: Field, nested: Nested) -> Callable[[], Any] | None:
    """An empty set is stored as nothing; what else is absent is the class's default, or None where that is allowed."""
    if isinstance(nested.codec.type, SetOf) and not is_optional(field.annotation):
        return nested.codec.empty
    return (lambda: None) if is_optional(field.annotation) and not field.has_default else None
