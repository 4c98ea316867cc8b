"""Comparisons that an access pattern declares (`Range[...]`) need keys in the order of the values; others are refused.

The rule is that of `schema/ordered.py`; here it meets the class, whose annotations say what is compared and what a
number may be.
"""

from __future__ import annotations

import typing
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, get_args, get_origin

from tablewright.errors import SchemaError
from tablewright.runtime.declare.access import TABLE
from tablewright.runtime.declare.bounds import Bound
from tablewright.runtime.types.scalars import SCALARS
from tablewright.schema.ordered import Ordered, disorder
from tablewright.schema.types import Padding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.declare.access import Pattern
    from tablewright.runtime.declare.attr import Slot
    from tablewright.runtime.items.layout import Layout
    from tablewright.schema.keys import PatternKeys, Piece

FRACTIONS = tuple(SCALARS[kind] for kind in (float, Decimal, timedelta))


def check_ranges(
    cls: type[Any], declared: Mapping[str, Pattern[Any]], layout: Layout, slots: Mapping[str, Slot]
) -> None:
    """Refuse a class that declares comparisons which its keys cannot make."""
    for name, pattern in declared.items():
        keys = layout.primary if pattern.options.index == TABLE else layout.keys[pattern.signature.name]
        for python_name, reason in _disorders(pattern, keys, slots).items():
            if python_name in _ranged(pattern):
                raise SchemaError(f"{cls.__name__}.{name}: {python_name} {reason}", code=1009)


def _disorders(pattern: Pattern[Any], keys: PatternKeys, slots: Mapping[str, Slot]) -> dict[str, str]:
    """By Python name: why a sort composite cannot be compared."""
    if keys.sk is None or keys.sk.numeric or keys.pattern.kind == "composite":
        return {}
    pieces = {piece.name: piece for piece in keys.sk.pieces}
    named = ((name, slots[name], pieces.get(slots[name].name)) for name in pattern.signature.sk)
    found = ((name, _reason_of(slot, piece)) for name, slot, piece in named if piece is not None)
    return {name: reason for name, reason in found if reason is not None}


def _reason_of(slot: Slot, piece: Piece) -> str | None:
    form = piece.padding
    reason = disorder(piece.type, form)
    if reason is not None or not isinstance(form, Ordered):
        return reason
    if isinstance(form.form, Padding) and not form.signed and slot.codec in FRACTIONS:
        return "may have decimals, which padding does not put in order; declare digits=(12, 2) instead"
    return None


def _ranged(pattern: Pattern[Any]) -> frozenset[str]:
    """The parameters that are annotated as `Range[...]`."""
    try:
        hints = typing.get_type_hints(pattern.function)
    except (NameError, AttributeError, TypeError):  # what only type checkers can look up; then the text has to do
        hints = pattern.function.__annotations__
    return frozenset(name for name, hint in hints.items() if _is_range(hint))


def _is_range(hint: Any) -> bool:
    if isinstance(hint, str):
        return "Range[" in hint or "Bound[" in hint
    return any((get_origin(each) or each) is Bound for each in (hint, *get_args(hint)))
