"""Entities and maps as pydantic knows types: bodies and answers of FastAPI, fields of models, JSON Schemas.

pydantic asks a class for its schema when it meets it, and only then is pydantic imported here. Every annotation is
given back to pydantic, so that constraints in `Annotated[...]` count; the attribute's own rules are asked besides.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from tablewright.errors import TablewrightError
from tablewright.runtime.declare.documents import document_slots, json_value, read_value
from tablewright.runtime.items.checks import inspect
from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.scalars import SCALARS
from tablewright.runtime.types.structures import resolved_hints
from tablewright.schema.types import STRING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.declare.attr import Slot


def core_schema_of(cls: type[Any], handler: Any) -> Any:
    """What pydantic checks and writes: an object with the attributes, which becomes an item; an item is one already."""
    from pydantic_core import core_schema

    hints = resolved_hints(cls, cls.__name__)
    fields = {
        name: _field(slot, _value_schema(slot, get_args(hints[name])[0], handler, core_schema), core_schema)
        for name, slot in document_slots(cls).items()
    }
    config = core_schema.CoreConfig(title=cls.__name__)
    attributes = core_schema.typed_dict_schema(fields, extra_behavior="forbid", config=config)
    return core_schema.no_info_wrap_validator_function(
        lambda value, check: value if isinstance(value, cls) else cls(**check(value)),
        attributes,
        serialization=core_schema.wrap_serializer_function_ser_schema(
            lambda item, write: write(item if isinstance(item, dict) else vars(item)), schema=attributes
        ),
        ref=f"{cls.__module__}.{cls.__qualname__}:{id(cls)}",
    )


def _value_schema(slot: Slot, annotation: Any, handler: Any, core_schema: Any) -> Any:
    """What pydantic makes of the annotation; but bytes are base64 in JSON, where pydantic would take any text."""
    from pydantic import PydanticSchemaGenerationError

    if slot.codec is not SCALARS[bytes]:
        try:
            return handler.generate_schema(annotation)
        except PydanticSchemaGenerationError:  # classes of other libraries inside, which are no strangers to us
            return _own_schema(slot, core_schema)
    encoded = _text_schema(bytes, partial(b64decode, validate=True), lambda value: b64encode(value).decode())
    encoded["metadata"] = {"pydantic_js_updates": {"contentEncoding": "base64"}}
    return core_schema.nullable_schema(encoded) if slot.optional else encoded


def _own_schema(slot: Slot, core_schema: Any) -> Any:
    """What pydantic does not know, read and written by us; its JSON Schema says that it is text, or nothing."""
    read = _refusing(partial(read_value, slot))

    def take(value: Any, _: Any) -> Any:
        return read(value)

    return core_schema.no_info_wrap_validator_function(
        take,
        core_schema.str_schema() if slot.codec.type == STRING else core_schema.any_schema(),
        serialization=core_schema.plain_serializer_function_ser_schema(
            partial(json_value, slot.codec), when_used="json-unless-none"
        ),
    )


def _field(slot: Slot, schema: Any, core_schema: Any) -> Any:
    """One attribute: its annotation's schema, its own rules, its default."""
    schema = core_schema.no_info_after_validator_function(_checked(slot), schema)
    default = slot.attr.options.get("default")
    if "default" in slot.attr.options and not slot.attr.options.get("default_factory"):
        schema = core_schema.with_default_schema(schema, default=default)
    told: dict[str, Any] = {"description": slot.attribute.doc} if slot.attribute.doc else {}
    told |= {"writeOnly": True} if slot.attribute.hidden else {}
    alias = slot.attr.options.get("alias")
    return core_schema.typed_dict_field(
        schema,
        required=not slot.attr.has_default,
        validation_alias=None if alias is None else [[slot.python_name], [alias]],
        serialization_exclude=slot.attribute.hidden,
        metadata={"pydantic_js_updates": told} if told else None,
    )


def _checked(slot: Slot) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value is None:
            return value
        try:
            faults = inspect(slot.attribute, slot.codec.encode(value), "", quiet=True)
        except EncodingError as error:
            raise ValueError(str(error)) from error
        if faults:
            raise ValueError("; ".join(f"{fault.path} {fault.reason}".strip() for fault in faults))
        return value

    return check


def json_schema_of(cls: type[Any], schema: Any, handler: Any) -> Any:
    """The JSON Schema, under the name of the class and with its docstring."""
    described = handler(schema)
    inner = handler.resolve_ref_schema(described)
    inner["title"] = cls.__name__
    if cls.__doc__:
        inner["description"] = cls.__doc__.strip()
    return described


def _text_schema(kind: type[Any], read: Callable[[str], Any], write: Callable[[Any], str] = str) -> Any:
    """A value that documents hold as text."""
    from pydantic_core import core_schema

    take = _refusing(read)
    return core_schema.no_info_wrap_validator_function(
        lambda value, check: value if isinstance(value, kind) else take(check(value)),
        core_schema.str_schema(),
        serialization=core_schema.plain_serializer_function_ser_schema(write, when_used="json-unless-none"),
    )


def _refusing(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def take(value: Any) -> Any:
        try:
            return read(value)
        except (TablewrightError, TypeError) as error:
            raise ValueError(str(error)) from error

    return take
