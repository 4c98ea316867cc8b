"""The stored values of an item in one go: what `Compiled.encode` does, as straight code for one entity.

It is written for values that are right and all there. One that is not makes an encoder raise, one that was never read
is a KeyError, and the generic way then tells all that is wrong with the item, with names and places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.scalars import SCALARS
from tablewright.schema.script import Script, literal
from tablewright.schema.types import Free, ListOf, SetOf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.types.codec import Codec
    from tablewright.runtime.types.slot import TypedSlot

Encoder: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]  # from the attributes of an item, by Python name
Expression: TypeAlias = Callable[[str], str]

# Values of exactly these types are stored as they are.
AS_THEY_ARE: dict[Any, type] = {SCALARS[kind].encode_quickly: kind for kind in (str, int, bool, bytes)}


def compile_encoder(slots: Mapping[str, TypedSlot]) -> Encoder:
    script = Script()
    lines = ["values = {}"]
    for python_name, slot in slots.items():
        encoded = _expression(slot.codec, script)("value")
        lines.append(f"if (value := own[{literal(python_name)}]) is not None: values[{literal(slot.name)}] = {encoded}")
    name = script.define("encode", "own", [*lines, "return values"])
    return script.run()[name]  # type: ignore[no-any-return]


def _expression(codec: Codec, script: Script) -> Expression:
    """How a value that is there is encoded; the variable is mentioned more than once."""
    if codec.encode_quickly is None:
        return lambda value: value
    encode = script.refer(codec.encode_quickly, "encode")
    if codec.encode_quickly in AS_THEY_ARE:
        kind = script.refer(AS_THEY_ARE[codec.encode_quickly], "kind")
        return lambda value: f"({value} if {value}.__class__ is {kind} else {encode}({value}))"
    if isinstance(codec.type, ListOf) and codec.items is not None:
        element, kind = _expression(codec.items, script), script.refer(list, "kind")
        return lambda value: (
            f"([{element('each')} for each in {value}] if {value}.__class__ is {kind} else {encode}({value}))"
        )
    if codec.structure is not None:
        structure = _structure_function(codec, script)
        return lambda value: f"{structure}({value})"
    return lambda value: f"{encode}({value})"


def _structure_function(codec: Codec, script: Script) -> str:
    """The function that encodes an object of a class with fields; one of a derived class goes the generic way."""
    encode = script.refer(codec.encode_quickly, "encode")
    lines = [
        f"if value.__class__ is not {script.refer(codec.structure, 'kind')}: return {encode}(value)",
        "values = {}",
    ]
    for nested in codec.members.values():
        taken = f"(each := {script.taken('value', nested.python_name)})"
        encoded = _expression(nested.codec, script)("each")
        place = f"values[{literal(nested.attribute.name)}] ="
        if nested.attribute.required:
            lines.append(f"if {taken} is None: {script.refer(_refuse, 'refuse')}()")
            taken = "each"
        if isinstance(nested.codec.type, SetOf | Free):  # DynamoDB has no empty sets
            kept = f"((each := {encoded}) or each.__class__ is not {script.refer(set, 'kind')})"
            lines.append(f"if {taken} is not None and {kept}: {place} each")
        else:
            lines.append(f"{place} {encoded}" if taken == "each" else f"if {taken} is not None: {place} {encoded}")
    return script.define("encode", "value", [*lines, "return values"])


def _refuse() -> None:
    raise EncodingError("is required")
