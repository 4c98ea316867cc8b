"""Items as plain data and back: `to_dict`, `from_dict`, JSON, `replace`.

Names are Python's, hidden attributes stay hidden, and what was not read is not there. A document may hold values as
Python has them or as JSON writes them (times and decimals as text, bytes in base64, sets as lists): each value is
taken as it is where it fits its attribute, and read from its JSON form otherwise.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from datetime import datetime as _datetime
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import msgspec

from tablewright.errors import FieldFault, TablewrightError, ValidationError
from tablewright.runtime.declare.attr import NOTHING, Declared, Slot, attributes_of, slots_of
from tablewright.runtime.items.checks import inspect
from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.scalars import SCALARS
from tablewright.runtime.types.structures import fields_of
from tablewright.runtime.types.ttl import AS_MOMENT
from tablewright.schema.types import BINARY, NUMBER, STRING, ListOf, OneOf, RecordOf, SetOf

if TYPE_CHECKING:
    from tablewright.runtime.types.codec import Codec, Nested

D = TypeVar("D", bound=Declared)

Scalar: TypeAlias = "Callable[[Codec, Any], Any]"

WHOLE = "$"
"""The path of the document itself, as JSON paths begin."""


def document_slots(cls: type[Any]) -> dict[str, Slot]:
    """The attributes of an entity or map, by Python name; they need no service."""
    found: dict[str, Slot] | None = vars(cls).get("__tablewright_document__")
    if found is None:
        found = cls.__tablewright_document__ = slots_of(cls)
    return found


# ---- out ---------------------------------------------------------------------------------------------------------


def to_dict(item: Declared) -> dict[str, Any]:
    return _shown(item, _as_it_is, is_json=False)


def to_json(item: Declared) -> str:
    return msgspec.json.encode(_shown(item, _json_scalar, is_json=True)).decode()


def _shown(item: Declared, scalar: Scalar, *, is_json: bool) -> dict[str, Any]:
    own, slots = vars(item), document_slots(type(item))
    return {
        name: _plain(slot.codec, own[name], scalar, is_json=is_json)
        for name, slot in slots.items()
        if name in own and not slot.attribute.hidden
    }


def _plain(codec: Codec, value: Any, scalar: Scalar, *, is_json: bool) -> Any:
    """A value without the classes of others around it."""
    kind = codec.type
    if value is None:
        return None
    if isinstance(value, Declared):
        return _shown(value, scalar, is_json=is_json)
    if codec.members:
        names = (each.name for each in fields_of(cast("Any", type(value))))
        return {
            name: _plain(codec.members[name].codec, getattr(value, name), scalar, is_json=is_json) for name in names
        }
    if isinstance(kind, RecordOf) and codec.items is not None:
        return {key: _plain(codec.items, each, scalar, is_json=is_json) for key, each in value.items()}
    if isinstance(kind, ListOf | SetOf) and codec.items is not None:
        elements = [_plain(codec.items, each, scalar, is_json=is_json) for each in value]
        if is_json:
            return sorted(elements) if isinstance(kind, SetOf) else elements
        return type(value)(elements)
    return scalar(codec, value)


def json_value(codec: Codec, value: Any) -> Any:
    """One value in its JSON form."""
    return _plain(codec, value, _json_scalar, is_json=True)


def _as_it_is(_: Codec, value: Any) -> Any:
    return value


def _json_scalar(codec: Codec, value: Any) -> Any:
    """A value as JSON has it; references and paths of trees, which are classes of ours, as they are stored."""
    if codec.type == STRING and isinstance(value, tuple | msgspec.Struct):
        return codec.encode(value)
    return b64encode(value).decode() if isinstance(value, bytes) else msgspec.to_builtins(value)


# ---- in ----------------------------------------------------------------------------------------------------------


def from_json(cls: type[D], text: str | bytes) -> D:
    try:
        document = _decode(text)
    except msgspec.DecodeError as error:
        raise ValidationError([FieldFault(WHOLE, f"is no JSON: {error}")], message=_refusal(cls)) from error
    return from_dict(cls, document)


_decode = msgspec.json.Decoder(float_hook=Decimal).decode


def from_dict(cls: type[D], document: Any) -> D:
    """The item, or a `ValidationError` that lists everything that is wrong with the document."""
    faults: list[FieldFault] = []
    made = _read_declared(cls, document, "", faults)
    if faults:
        raise ValidationError(faults, message=_refusal(cls))
    return cast("D", made)


def _refusal(cls: type[Any]) -> str:
    return f"{cls.__name__} cannot be made of this"


def _read_declared(cls: type[Any], document: Any, path: str, faults: list[FieldFault]) -> Any:
    if not isinstance(document, Mapping):
        faults.append(FieldFault(path or WHOLE, f"must be an object with attributes, not {document!r:.60}"))
        return None
    given: dict[str, Any] = dict(cast("Mapping[str, Any]", document))
    before, values = len(faults), dict[str, Any]()
    for name, slot in document_slots(cls).items():
        value = given.pop(name, NOTHING)
        if value is NOTHING and "alias" in slot.attr.options:
            value = given.pop(slot.attr.options["alias"], NOTHING)
        if value is not NOTHING:
            values[name] = _read_attribute(slot, value, _join(path, name), faults)
        elif not slot.attr.has_default:
            faults.append(FieldFault(_join(path, name), "is required"))
    faults += [FieldFault(_join(path, str(name)), _unknown(cls, str(name))) for name in given]
    return cls(**values) if len(faults) == before else None


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _unknown(cls: type[Any], name: str) -> str:
    import difflib  # only to help someone who mistyped

    near = difflib.get_close_matches(name, attributes_of(cls), 1)
    return f"is no attribute of {cls.__name__}" + (f"; did you mean {near[0]}?" if near else "")


def _read_attribute(slot: Slot, value: Any, path: str, faults: list[FieldFault]) -> Any:
    """The value, asked of the attribute's validator as well."""
    before = len(faults)
    read = _read(slot.codec, value, path, faults, optional=slot.optional)
    if len(faults) == before and read is not None:
        faults += inspect(slot.attribute, slot.codec.encode(read), path, quiet=True)
    return read


def read_value(slot: Slot, value: Any) -> Any:
    """One attribute's value on its own."""
    faults: list[FieldFault] = []
    read = _read_attribute(slot, value, slot.python_name, faults)
    if faults:
        raise ValidationError(faults)
    return read


def _read(codec: Codec, value: Any, path: str, faults: list[FieldFault], *, optional: bool = False) -> Any:
    """The Python value; a fault is noted with its place."""
    if value is None and optional:
        return None
    container = None if codec.items is None else CONTAINERS.get(type(codec.type))
    if container is not None:
        return container(codec, value, path, faults)
    try:
        codec.encode(value)
    except (EncodingError, AttributeError) as error:
        if codec.members:
            return _read_structure(codec, value, path, faults)
        return _converted(codec, value, path, error, faults)
    return value


def _read_elements(codec: Codec, value: Any, path: str, faults: list[FieldFault]) -> Any:
    if not isinstance(value, list | tuple | set | frozenset):
        faults.append(FieldFault(path, f"must be a list, not {type(value).__name__} {value!r:.60}"))
        return None
    before, items = len(faults), cast("Any", codec.items)
    elements = [_read(items, each, f"{path}[{at}]", faults) for at, each in enumerate(cast("list[Any]", value))]
    return cast("Any", codec.empty)(elements) if len(faults) == before else None


def _read_record(codec: Codec, value: Any, path: str, faults: list[FieldFault]) -> Any:
    if not isinstance(value, Mapping):
        faults.append(FieldFault(path, f"must be an object, not {type(value).__name__} {value!r:.60}"))
        return None
    given, items = cast("Mapping[str, Any]", value), cast("Any", codec.items)
    return {key: _read(items, each, f"{path}.{key}", faults) for key, each in given.items()}


CONTAINERS: dict[Any, Callable[[Any, Any, str, list[FieldFault]], Any]] = {
    ListOf: _read_elements,
    SetOf: _read_elements,
    RecordOf: _read_record,
}


def _read_structure(codec: Codec, value: Any, path: str, faults: list[FieldFault]) -> Any:
    if isinstance(codec.type, OneOf):
        return _read_choice(codec, value, path, faults)
    kind: Any = codec.structure
    if issubclass(kind, Declared) or not isinstance(value, Mapping):
        return _read_declared(kind, value, path, faults)
    given, before = dict(cast("Mapping[str, Any]", value)), len(faults)
    values: dict[str, Any] = {}
    for field in fields_of(kind):
        if field.name in given:
            nested: Nested = codec.members[field.name]
            read = _read(
                nested.codec,
                given.pop(field.name),
                _join(path, field.name),
                faults,
                optional=not nested.attribute.required,
            )
            values[field.given_as or field.name] = read
        elif not field.has_default:
            faults.append(FieldFault(_join(path, field.name), "is required"))
    faults += [FieldFault(_join(path, name), f"is no attribute of {kind.__name__}") for name in given]
    return kind(**values) if len(faults) == before else None


def _read_choice(codec: Codec, value: Any, path: str, faults: list[FieldFault]) -> Any:
    """One of several classes, told apart by the constant in one of their fields."""
    tag = next(name for name, each in codec.members.items() if each.attribute.name == cast("OneOf", codec.type).tag)
    said = cast("Mapping[str, Any]", value).get(tag) if isinstance(value, Mapping) else None
    by_constant = {codec.members[tag].codec.decode(constant): choice for constant, choice in codec.choices}
    chosen = by_constant.get(said) if isinstance(said, str | int) else None
    if chosen is None:
        known = ", ".join(map(repr, by_constant))
        faults.append(FieldFault(_join(path, tag), f"must be one of {known}, not {said!r:.60}"))
        return None
    return _read_structure(chosen, value, path, faults)


def _converted(codec: Codec, value: Any, path: str, error: Exception, faults: list[FieldFault]) -> Any:
    """A value in its JSON form; what is wrong with it is what was wrong with it as it stood."""
    try:
        made = _from_json_form(codec, value)
        codec.encode(made)
    except (ValueError, TypeError, KeyError, ArithmeticError, TablewrightError, msgspec.MsgspecError) as second:
        told = second if isinstance(second, EncodingError) and value is not None else error
        faults.append(FieldFault(path, getattr(told, "reason", str(told))))
        return None
    return made


def _from_json_form(codec: Codec, value: Any) -> Any:
    if codec.type == BINARY:
        return b64decode(value, validate=True)
    if codec is SCALARS[timedelta]:
        return msgspec.convert(value, timedelta)
    if codec is AS_MOMENT:
        codec = SCALARS[_datetime]
    if codec.decode_quickly is None or value is None or isinstance(value, bool):
        raise TypeError("there is no other form")
    made = codec.decode_quickly(value)
    is_cut = codec.decode_quickly is int and made != value
    if codec.type == NUMBER and codec is not SCALARS[Decimal] and (isinstance(value, str) or is_cut):
        raise TypeError("another number, or none")
    return made


# ---- the same item, changed --------------------------------------------------------------------------------------


def replace(item: D, /, **changes: Any) -> D:
    """The same item with other values; what it does not know stays unknown, and nothing is written."""
    slots = attributes_of(type(item))
    aliases = {each.options["alias"]: name for name, each in slots.items() if "alias" in each.options}
    named = {aliases.get(name, name): value for name, value in changes.items()}
    unknown = [name for name in named if name not in slots]
    if unknown:
        raise TypeError(f"replace(): {unknown[0]} {_unknown(type(item), unknown[0])}")
    made = object.__new__(type(item))
    vars(made).update({**vars(item), **named})
    return made
