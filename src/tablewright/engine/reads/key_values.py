"""Values that are compared with keys: of the key's type, neither empty nor longer than a key may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import invalid_parameters, not_valid, validation
from tablewright.engine.item_checks import NO_EMPTY_KEY, PARTITION_TOO_LONG, SORT_TOO_LONG
from tablewright.wire.limits import MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES
from tablewright.wire.sizes import value_size_bytes
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from tablewright.engine.reads.pages import Source

KINDS = {"S": "string", "B": "binary"}


def check_key_value(source: Source, name: str, value: Any, *, mismatch: str) -> None:
    """Refuse what this key attribute of the source cannot be; `mismatch` is the message for another type."""
    code = type_code(value)
    if code != source.table.types[name]:
        raise validation(mismatch)
    if code not in KINDS:
        return
    if not value:
        raise not_valid(f"{NO_EMPTY_KEY.format(KINDS[code])} Key: {name}")
    size = value_size_bytes(value)
    if name in source.keys.pk:
        if size > MAX_PARTITION_KEY_BYTES:
            raise invalid_parameters(PARTITION_TOO_LONG)
    elif size > MAX_SORT_KEY_BYTES:
        raise invalid_parameters(SORT_TOO_LONG)
