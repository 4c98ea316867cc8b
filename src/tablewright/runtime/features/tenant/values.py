"""Which values a tenant may have: those that no key can confuse with another tenant's.

A key folds letter case (unless told otherwise) and joins values with separators. `W1` and `w1` would share their
partitions, and `w1#project_a` would reach into those of `w1`. Such values are refused, wherever they come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.types.codec import EncodingError, as_it_is
from tablewright.schema.escaped import Escaped
from tablewright.schema.keys import compile_keys, key_text, piece_text

if TYPE_CHECKING:
    from tablewright.runtime.types.slot import TypedSlot
    from tablewright.schema.keys import ComposedKey
    from tablewright.schema.model import Entity

SEPARATOR = "#"  # what follows in some key, if not in this one


def guard_tenant(slot: TypedSlot, entity: Entity) -> None:
    """Let the attribute take no value that could be confused."""
    sides = [keys.pk for keys in compile_keys(entity).values() if keys.pk.pieces[:1] and not keys.pk.numeric]
    sides = [side for side in sides if side.pieces[0].name == slot.name]
    encode = slot.encode or as_it_is

    def encode_tenant(value: Any) -> Any:
        stored = encode(value)
        check_tenant_value(key_text(stored), sides)
        return stored

    slot.codec = msgspec.structs.replace(slot.codec, encode_quickly=encode_tenant)
    slot.encode = encode_tenant


def check_tenant_value(text: str, sides: list[ComposedKey]) -> None:
    if not text:
        raise EncodingError("must not be empty: it is the tenant")
    for side in sides:
        if side.cased(text) != text:
            how = "give tenants ids in that case, or declare casing='none'"
            raise EncodingError(f"is {text!r}, but keys hold it as {side.cased(text)!r} like that of another; {how}")
        held = piece_text(text, side.pieces[0].padding) if isinstance(side.pieces[0].padding, Escaped) else text
        if held != text:
            raise EncodingError(f"is {text!r}, but keys hold it as {held!r}; give tenants ids without spaces and signs")
        behind = following(side)[:1] or ("" if side.templated else SEPARATOR)
        if behind and behind in text:
            raise EncodingError(f"must not contain {behind!r}, which ends it inside keys: {text!r}")


def following(side: ComposedKey) -> str:
    """The literal text behind the tenant in a partition key."""
    return side.pieces[1].lead if len(side.pieces) > 1 else side.postfix
