"""Which index keys a write touches, and what they become.

A put writes every index of which any composite is known. An update rebuilds only the sides whose composites change.
Where the manners differ:

                          loaded (ElectroDB)                        strict (typed style)
    put, pk incomplete    cut key that gathers all such items       left out of the index
    update, pk changed    the sort key is left as it is             both keys are written, or the update is refused
    sparse condition      sees what this call happens to supply     sees all it depends on, or the update is refused
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.items.layout import Layout, Values, incomplete

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.schema.keys import ComposedKey, PatternKeys


class KeyChanges(msgspec.Struct):
    """Index key fields to set and to remove, in the order in which they were found."""

    set: dict[str, Any]
    remove: dict[str, None]


# ---- put, create, upsert ----------------------------------------------------------------------------------------


def keys_for_put(layout: Layout, values: Values) -> KeyChanges:
    """All keys of a complete item; those of indexes it does not belong to are in `remove`."""
    changes = KeyChanges(layout.key(values), {})
    for keys in layout.secondary:
        if not any(name in values for name in keys.pattern.composites):
            continue
        if is_left_out(layout, keys, values):
            changes.remove.update(dict.fromkeys(own_fields(layout, keys)))
            continue
        for side in sides_of(keys):
            add_put_key(layout, keys, side, values, changes)
    for field in changes.set:
        changes.remove.pop(field, None)
    return changes


def is_left_out(layout: Layout, keys: PatternKeys, values: Values) -> bool:
    if layout.strict and keys.pk.missing(values):
        return True
    if keys.pattern.condition is None:
        return False
    missing = [name for name in keys.pattern.composites if name not in values]
    if missing:
        raise sparse_members(layout, keys, missing)
    return not keys.pattern.condition(values)


def add_put_key(layout: Layout, keys: PatternKeys, side: ComposedKey, values: Values, changes: KeyChanges) -> None:
    missing = side.missing(values)
    if missing and len(missing) < len(side.pieces):
        raise incomplete(layout, keys.pattern, missing)
    key = side.compose(values)
    if key is not None:
        changes.set.setdefault(side.field, key)


# ---- update, patch ----------------------------------------------------------------------------------------------


def keys_for_update(layout: Layout, changed: Values, removed: Iterable[str], known: Values) -> KeyChanges:
    """The index keys that follow from changed and removed attributes; `known` are table composites and composite()."""
    changes = KeyChanges({}, {})
    gone = frozenset(removed)
    for keys in layout.secondary:
        if keys.pattern.condition is not None:
            update_sparse(layout, keys, changed, gone, known, changes)
        else:
            update_dense(layout, keys, changed, gone, known, changes)
    for field in layout.table_fields:
        changes.set.pop(field, None)
        changes.remove.pop(field, None)
    return changes


def update_dense(
    layout: Layout, keys: PatternKeys, changed: Values, gone: frozenset[str], known: Values, changes: KeyChanges
) -> None:
    pk_touched = touches(keys.pk, changed)
    for side in sides_of(keys):
        if touches(side, changed) or (pk_touched and (layout.strict or not side.pieces)):
            set_side(layout, keys, side, changed, known, changes)
        remove_side(layout, keys, side, gone, changed, changes)


def set_side(
    layout: Layout, keys: PatternKeys, side: ComposedKey, changed: Values, known: Values, changes: KeyChanges
) -> None:
    if side.field in layout.table_fields:
        return
    values = {**known, **changed}
    missing = side.missing(values)
    if missing:
        raise incomplete(layout, keys.pattern, missing)
    key = side.compose(values)
    if key is not None:
        changes.set[side.field] = key


def remove_side(
    layout: Layout, keys: PatternKeys, side: ComposedKey, gone: frozenset[str], changed: Values, changes: KeyChanges
) -> None:
    if not any(piece.name in gone for piece in side.pieces):
        return
    kept = [piece.name for piece in side.pieces if piece.name not in gone]
    if not layout.strict:
        kept = [name for name in kept if name not in layout.table_composites]
    if kept:
        raise incomplete(layout, keys.pattern, kept)
    changes.remove[side.field] = None


def update_sparse(
    layout: Layout, keys: PatternKeys, changed: Values, gone: frozenset[str], known: Values, changes: KeyChanges
) -> None:
    pattern, members = keys.pattern, keys.pattern.composites
    depends = pattern.depends_on if layout.strict else None
    relevant = (*members, *(depends or ()))
    if layout.strict and any(name in gone for name in relevant) and not any(name in changed for name in members):
        changes.remove.update(dict.fromkeys(own_fields(layout, keys)))
        return
    for side in sides_of(keys):
        remove_side(layout, keys, side, gone, changed, changes)
    supplied = any(name in changed for name in relevant)
    all_known = all(name in known for name in members)
    if not (supplied or (all_known and depends is None and members)):
        return
    values = {**changed, **known} if depends is None else {**known, **changed}
    missing = [name for name in relevant if name not in values]
    if missing:
        raise sparse_members(layout, keys, missing)
    assert pattern.condition is not None
    if pattern.condition(values):
        for side in sides_of(keys):
            set_side(layout, keys, side, changed, known, changes)
    else:
        changes.remove.update(dict.fromkeys(own_fields(layout, keys)))


def sparse_members(layout: Layout, keys: PatternKeys, missing: list[str]) -> RequestError:
    error = incomplete(layout, keys.pattern, missing, 2012)
    return RequestError(f"{error.message} (its condition decides whether the item is indexed)", code=2012)


# ---- sides ------------------------------------------------------------------------------------------------------


def sides_of(keys: PatternKeys) -> tuple[ComposedKey, ...]:
    return (keys.pk,) if keys.sk is None else (keys.pk, keys.sk)


def own_fields(layout: Layout, keys: PatternKeys) -> list[str]:
    return [side.field for side in sides_of(keys) if side.field not in layout.table_fields]


def touches(side: ComposedKey, changed: Values) -> bool:
    return any(piece.name in changed for piece in side.pieces)
