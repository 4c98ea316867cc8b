"""Index keys in the loaded style: which of them a write touches, and what they become, as ElectroDB does it.

A put writes every index of which any composite is known. An update rebuilds only the sides whose composites change.
What surprises here is ElectroDB's, and kept because tables are shared with it:

    put, one side unknown   its key is cut at its first label, and gathers all such items
    update, pk changed      the sort key is left as it is
    sparse condition        sees what this call happens to supply, and values of composite() over those of set()
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
    """Index key fields to set and to remove, in the order in which they were found.

    `used` names what this rests on of the memory of the item an update was called on (typed style).
    """

    set: dict[str, Any]
    remove: dict[str, None]
    used: dict[str, None] = {}


# ---- put, create, upsert ----------------------------------------------------------------------------------------


def keys_for_put(layout: Layout, values: Values) -> KeyChanges:
    """All keys of a complete item; those of indexes it does not belong to are in `remove`."""
    changes = KeyChanges(layout.key(values), {})
    for keys in layout.secondary:
        if not any(name in values for name in keys.pattern.composites):
            continue
        if _is_left_out(layout, keys, values):
            changes.remove.update(dict.fromkeys(_own_fields(layout, keys)))
            continue
        for side in _sides_of(keys):
            _add_put_key(layout, keys, side, values, changes)
    for field in changes.set:
        changes.remove.pop(field, None)
    return changes


def _is_left_out(layout: Layout, keys: PatternKeys, values: Values) -> bool:
    """Whether the condition of a sparse index keeps the item out of it."""
    condition = keys.pattern.condition
    if condition is None:
        return False
    _require_members(layout, keys, values)
    return not condition(values)


def _add_put_key(layout: Layout, keys: PatternKeys, side: ComposedKey, values: Values, changes: KeyChanges) -> None:
    missing = side.missing(values)
    if missing and len(missing) < len(side.pieces):
        raise incomplete(layout, keys.pattern, missing)
    key = side.compose(values)
    if key is not None:
        changes.set.setdefault(side.field, key)


# ---- update, patch ----------------------------------------------------------------------------------------------


class _Upkeep(msgspec.Struct):
    """What an update changes, removes and knows, and the keys that follow so far."""

    layout: Layout
    changed: Values
    gone: frozenset[str]
    known: Values  # table composites and what composite() says
    keys: KeyChanges

    def dense(self, keys: PatternKeys) -> None:
        """An index without condition: each side on its own; a static sort key comes with the partition key."""
        pk_touched = self.touches(keys.pk)
        for side in _sides_of(keys):
            if self.touches(side) or (pk_touched and not side.pieces):
                self.write(keys, side)
            self.remove(keys, side)

    def sparse(self, keys: PatternKeys) -> None:
        """An index with a condition, asked when a member is supplied or all of them are known anyway."""
        pattern, members = keys.pattern, keys.pattern.composites
        for side in _sides_of(keys):
            self.remove(keys, side)
        supplied = any(name in self.changed for name in members)
        if not supplied and not (members and all(name in self.known for name in members)):
            return
        values = {**self.changed, **self.known}
        _require_members(self.layout, keys, values)
        if pattern.condition is not None and pattern.condition(values):
            for side in _sides_of(keys):
                self.write(keys, side)
        else:
            self.keys.remove.update(dict.fromkeys(_own_fields(self.layout, keys)))

    def touches(self, side: ComposedKey) -> bool:
        return any(piece.name in self.changed for piece in side.pieces)

    def write(self, keys: PatternKeys, side: ComposedKey) -> None:
        if side.field in self.layout.table_fields:
            return
        values = {**self.known, **self.changed}
        missing = side.missing(values)
        if missing:
            raise incomplete(self.layout, keys.pattern, missing)
        key = side.compose(values)
        if key is not None:
            self.keys.set[side.field] = key

    def remove(self, keys: PatternKeys, side: ComposedKey) -> None:
        """A side goes with its composites, all of them (those of the table cannot go)."""
        if not any(piece.name in self.gone for piece in side.pieces):
            return
        free = [piece.name for piece in side.pieces if piece.name not in self.layout.table_composites]
        kept = [name for name in free if name not in self.gone]
        if kept:
            raise incomplete(self.layout, keys.pattern, kept)
        self.keys.remove[side.field] = None


def keys_for_update(layout: Layout, changed: Values, removed: Iterable[str], known: Values) -> KeyChanges:
    """The index keys that follow from changed and removed attributes; `known` are table composites and composite()."""
    upkeep = _Upkeep(layout, changed, frozenset(removed), known, KeyChanges({}, {}))
    for keys in layout.secondary:
        if keys.pattern.condition is not None:
            upkeep.sparse(keys)
        else:
            upkeep.dense(keys)
    for field in layout.table_fields:
        upkeep.keys.set.pop(field, None)
        upkeep.keys.remove.pop(field, None)
    return upkeep.keys


def _require_members(layout: Layout, keys: PatternKeys, values: Values) -> None:
    """A condition wants to know every member of its index."""
    missing = [name for name in keys.pattern.composites if name not in values]
    if missing:
        error = incomplete(layout, keys.pattern, missing, 2012)
        raise RequestError(f"{error.message} (its condition decides whether the item is indexed)", code=2012)


# ---- sides ------------------------------------------------------------------------------------------------------


def _sides_of(keys: PatternKeys) -> tuple[ComposedKey, ...]:
    return (keys.pk,) if keys.sk is None else (keys.pk, keys.sk)


def _own_fields(layout: Layout, keys: PatternKeys) -> list[str]:
    return [side.field for side in _sides_of(keys) if side.field not in layout.table_fields]
