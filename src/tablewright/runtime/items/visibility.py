"""Items that are there and not shown: expired and yet to be deleted, or marked as deleted, if the entity says so.

DynamoDB deletes an item within days of its time, not at once. Until then it is there for everyone who reads; the filter
made here hides it, at no cost beyond reading it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import FieldFault, ValidationError
from tablewright.expr.nodes import Compare, Condition, Function, Name, Or, Value, all_of
from tablewright.runtime.clock import now
from tablewright.runtime.types.ttl import MILLISECONDS, MOST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options
    from tablewright.schema.features import TimeToLive


def _seconds_now() -> int:
    return int(now().timestamp())


def alive(layout: Layout, options: Options) -> Condition | None:
    """That an item has not expired and is not marked as deleted, where that hides it."""
    unmarked = None if options.deleted else is_unmarked(layout)
    if layout.hidden_by is None or options.expired:
        return unmarked
    field = Name((layout.hidden_by,))
    living = Or((Function("attribute_not_exists", (field,)), Compare(">", field, Value(_seconds_now()))))
    return all_of(living, unmarked)


def is_unmarked(layout: Layout) -> Condition | None:
    """That an item is not marked as deleted, where deleting marks."""
    return None if layout.marked_by is None else Function("attribute_not_exists", (Name((layout.marked_by,)),))


def expired(layout: Layout) -> Condition | None:
    """That a hidden item has expired: for whoever creates one, it is not there."""
    if layout.hidden_by is None:
        return None
    return Compare("<=", Name((layout.hidden_by,)), Value(_seconds_now()))


def can_hide(layout: Layout, options: Options) -> bool:
    """Whether a reader may have to leave items out."""
    by_time = layout.hidden_by is not None and not options.expired
    return by_time or (layout.marked_by is not None and not options.deleted)


def is_hidden(layout: Layout, item: Mapping[str, Any], options: Options) -> bool:
    """Whether a stored item is hidden from its reader."""
    if layout.marked_by is not None and not options.deleted and layout.marked_by in item:
        return True
    if layout.hidden_by is None or options.expired:
        return False
    expires = item.get(layout.hidden_by)
    return isinstance(expires, int | float) and not isinstance(expires, bool) and expires <= _seconds_now()


def living(ttl: TimeToLive, values: dict[str, Any]) -> dict[str, Any]:
    """Values of the loaded style, which come as numbers: never milliseconds, and a lifetime where none is said."""
    expires = values.get(ttl.attribute)
    if expires is None:
        lifetime = ttl.lifetime_seconds
        return values if lifetime is None else {**values, ttl.attribute: _seconds_now() + lifetime}
    if isinstance(expires, int | float) and expires > MOST_SECONDS:
        raise ValidationError([FieldFault(ttl.attribute, f"is {expires}, which {MILLISECONDS}")])
    return values
