"""What an operation asks for, as a digest: equal for the same request made again, also by another process.

Left out is what differs although nobody asked for anything else: values of attributes whose default is a function (new
ids, times), versions, and what an item remembers of itself.
"""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.wire.numbers import number_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.runtime.items.layout import Layout


def digest_of(members: Iterable[Any]) -> str:
    """The digest of one or several writes."""
    text = json.dumps([_asked(member) for member in members], separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _asked(operation: Any) -> list[Any]:
    layout: Layout = operation.layout
    given = operation.values if operation.method in ("put", "upsert") else operation.composites
    insisting = getattr(operation, "only_new", None) or getattr(operation, "must_exist", None)
    return [
        layout.entity.service,
        layout.name,
        operation.method,
        bool(insisting),
        _spelled(_said(layout, given) if operation.method in ("put", "upsert") else given),
        _spelled(getattr(operation, "changes", ())),
        _spelled(operation.condition),
        operation.options.table,
    ]


def _said(layout: Layout, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that somebody must have said, rather than a default or a count."""
    lock = None if layout.plan is None else layout.plan.lock
    return {
        name: value for name, value in values.items() if not callable(layout.attributes[name].default) and name != lock
    }


def _spelled(value: Any) -> Any:
    """Any value as JSON that is the same for equal values and differs for different ones."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float | Decimal):
        return ["N", number_text(value)]
    if isinstance(value, bytes | bytearray):
        return ["B", value.hex()]
    if isinstance(value, msgspec.Struct):
        fields = [_spelled(getattr(value, name)) for name in value.__struct_fields__ if name != "hint"]
        return ["T", type(value).__name__, *fields]
    return _spelled_container(value)


def _spelled_container(value: Any) -> Any:
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        return ["M", [[name, _spelled(mapping[name])] for name in sorted(mapping)]]
    if isinstance(value, set | frozenset):
        return ["S", sorted(json.dumps(_spelled(each)) for each in cast("set[Any]", value))]
    if isinstance(value, list | tuple):
        return ["L", *(_spelled(each) for each in cast("list[Any]", value))]
    return ["?", type(value).__name__]  # ABSENT, and whatever else stands for nothing
