"""Soft delete: deleting marks an item with the time, readers leave it out, and it can be restored or purged.

    delete(), remove()     set the mark (and, with keep=..., the second from which on DynamoDB may delete the item)
    tw.restore(key)        removes both
    tw.purge(key)          deletes the item for good

A marked item keeps its key and its unique values, so that restoring always works: creating another one in its place
fails. It adds nothing to aggregates. Patches do not find it; put, update and upsert write it as they write any other.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tablewright.errors import ConditionFailed, RequestError
from tablewright.expr import nodes
from tablewright.runtime.clock import now
from tablewright.runtime.key import key_of
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.update import Update
from tablewright.runtime.requests.changes import Change
from tablewright.runtime.requests.request import existence, read_item
from tablewright.runtime.types.scalars import encode_datetime
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.key import Key
    from tablewright.schema.features import SoftDelete

E = TypeVar("E", bound="StoredItem")


def _soft_of(layout: Layout) -> SoftDelete:
    soft = layout.entity.features.soft_delete
    if soft is None:
        raise RequestError(f"{layout.name} is deleted for good; declare it with soft_delete=True", code=2002)
    return soft


def marking(deletion: Delete[Any]) -> Update[Any]:
    """The update that a deletion is."""
    layout = deletion.layout
    soft, moment = _soft_of(layout), now()
    changes = [Change("set", (soft.attribute,), encode_datetime(moment))]
    if soft.keep is not None and layout.ttl is not None:
        gone = int((moment + timedelta(seconds=soft.keep)).timestamp())
        changes.append(Change("set", (layout.ttl.attribute,), gone))
    return Update(
        layout,
        deletion.composites,
        tuple(changes),
        must_exist=True,
        condition=deletion.condition,
        options=msgspec.structs.replace(deletion.options, return_on_condition_check_failure="all_old"),
        remembered=deletion.remembered,
    )


def mark(deletion: Delete[Any]) -> Flow[Any]:
    """Mark an item. One that is not there, or marked already, is fine unless it must exist."""
    layout = deletion.layout
    try:
        return (yield from marking(deletion).flow())
    except ConditionFailed as error:
        met: dict[str, Any] = error.details.get("Item") or {}
        is_there = bool(met) and layout.marked_by not in met
        if is_there or deletion.must_exist or deletion.condition is not None:
            error.item = read_item(layout, unmarshal_item(met), deletion.options, ignore=False) if met else None
            raise
        return None


class _Marking:
    """How items are deleted that are only marked, see `items/hooks.py`."""

    def as_update(self, deletion: Delete[Any]) -> Update[Any]:
        return marking(deletion)

    def flow(self, deletion: Delete[Any]) -> Flow[Any]:
        return mark(deletion)


MARKING = _Marking()


def unmark(target: E | Key[E]) -> Update[E]:
    """Bring a marked item back; it must be there, and marked."""
    key = key_of(target)
    layout = key.layout
    soft = _soft_of(layout)
    changes = [Change("remove", (soft.attribute,))]
    if soft.keep is not None and layout.ttl is not None:
        changes.append(Change("remove", (layout.ttl.attribute,)))
    known: Any = {} if target is key else target.update().remembered
    is_marked = nodes.Function("attribute_exists", (nodes.Name((str(layout.marked_by),)),))
    condition = nodes.all_of(existence(layout, exists=True), is_marked)
    return Update(layout, key.composites, tuple(changes), condition=condition, remembered=known)


def purge(target: E | Key[E]) -> Delete[E]:
    """Delete an item for good, whether it is marked or not; kept versions of it stay."""
    key = key_of(target)
    return Delete(key.layout, key.composites, for_good=True)
