"""Index keys: which of them a write touches, and what they become. This is the one door, for both styles.

In the typed style an item is in the right place of every index, or the write is refused. (`electrodb_keys.py` has the
rules of the loaded style.)

One rule for every write. Of each composite of an index it must be known whether it has a value; then

    a partition composite is absent     the item is not in the index, and nothing else needs to be known
    the condition says no               the item is not in the index
    a sort composite is absent          the sort key is cut there; those behind it must be absent too
    otherwise                           both keys are written

A put knows everything. An update knows what it changes, removes, is told by `composite()`, and what the item it was
called on remembers (`ABSENT` where it has no value); it looks only at indexes it touches. What is used of the item's
memory is reported, for the update to demand that it still holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError
from tablewright.runtime.items import electrodb_keys
from tablewright.runtime.items.electrodb_keys import KeyChanges
from tablewright.runtime.types.values import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.runtime.items.layout import Layout, Values
    from tablewright.schema.keys import ComposedKey, PatternKeys


def keys_for_put(layout: Layout, values: Values) -> KeyChanges:
    """The keys of a complete item; those of indexes it is not in are in `remove`."""
    if not layout.strict:
        return electrodb_keys.keys_for_put(layout, values)
    plan = KeyChanges(layout.key(values), {}, {})
    for keys in layout.secondary:
        _place(layout, keys, values, plan)
    return _tidy(layout, plan, keep_table_keys=True)


def keys_for_update(
    layout: Layout, changed: Values, gone: Iterable[str], told: Values, remembered: Values, *, may_create: bool
) -> KeyChanges:
    """The keys that follow from what an update changes and removes, and those that its key decides if it may create."""
    if not layout.strict:
        return electrodb_keys.keys_for_update(layout, changed, gone, told)
    plan = _keys_that_follow(layout, changed, gone, told, remembered)
    if may_create:
        _add_constant_keys(layout, told, plan)
    return plan


def _keys_that_follow(
    layout: Layout, changed: Values, gone: Iterable[str], told: Values, remembered: Values
) -> KeyChanges:
    plan = KeyChanges({}, {}, {})
    fresh: dict[str, Any] = {**dict.fromkeys(gone, ABSENT), **changed}
    if not fresh:
        return plan
    known = {**remembered, **told, **fresh}
    touched = [(keys, names) for keys in layout.secondary if (names := _names_to_know(keys, fresh, known))]
    _check_known(layout, touched, known)
    for keys, names in touched:
        plan.used.update(dict.fromkeys(name for name in names if name not in fresh and name not in told))
        values = {name: known[name] for name in names if known[name] is not ABSENT}
        _place(layout, keys, values, plan, sort_only=_is_about_sort_only(keys, names))
    return _tidy(layout, plan, keep_table_keys=False)


def _add_constant_keys(layout: Layout, composites: Values, plan: KeyChanges) -> None:
    """The keys of indexes made of table composites alone: an item that an update creates has them from the start."""
    for keys in layout.secondary:
        names = _all_names(keys)
        if keys.pattern.condition is None and all(is_constant(layout, name) for name in names):
            _place(layout, keys, {name: composites[name] for name in names}, plan)
    _tidy(layout, plan, keep_table_keys=False)


def is_constant(layout: Layout, name: str) -> bool:
    """Whether the table key alone says what an attribute is."""
    return name in layout.table_composites or any(each.name == name and each.is_constant for each in layout.derived)


def _tidy(layout: Layout, plan: KeyChanges, *, keep_table_keys: bool) -> KeyChanges:
    """A field that several indexes share is written when one of them needs it; table keys never change."""
    for field in plan.set:
        plan.remove.pop(field, None)
    if not keep_table_keys:
        for field in layout.table_fields:
            plan.set.pop(field, None)
    for field in layout.table_fields:
        plan.remove.pop(field, None)
    return plan


# ---- what must be known ------------------------------------------------------------------------------------------


def _all_names(keys: PatternKeys) -> list[str]:
    return list(dict.fromkeys((*keys.pattern.composites, *(keys.pattern.depends_on or ()))))


def _names_to_know(keys: PatternKeys, fresh: Mapping[str, Any], known: Values) -> list[str]:
    """The composites an update must know of one index: none, those of the sort key, all, or the one that is absent."""
    sort = [piece.name for piece in keys.sk.pieces] if keys.sk is not None else []
    partition = _deciding(keys)
    everything = _all_names(keys)
    decisive = [name for name in everything if name not in sort or name in (keys.pattern.depends_on or ())]
    if any(name in fresh for name in (*decisive, *partition)):
        return _absent_one(partition, fresh) or _absent_one(partition, known) or everything
    if not any(name in fresh for name in sort):
        return []
    return _absent_one(partition, known) or (sort if keys.pattern.condition is None else everything)


def _deciding(keys: PatternKeys) -> list[str]:
    """The composites without which the item is not in the index: those of the partition, and when it is due."""
    queue = keys.pattern.queue
    return [*(piece.name for piece in keys.pk.pieces), *([queue.due] if queue is not None else [])]


def _absent_one(partition: list[str], values: Mapping[str, Any]) -> list[str]:
    """A partition composite that has no value decides alone: the item is not in the index."""
    return [name for name in partition if name in values and values[name] is ABSENT][:1]


def _is_about_sort_only(keys: PatternKeys, names: list[str]) -> bool:
    """Whether the sort key alone is to be written, wherever the item is."""
    partition = _deciding(keys)
    return keys.pattern.condition is None and bool(partition) and not any(name in partition for name in names)


def _check_known(layout: Layout, touched: list[tuple[PatternKeys, list[str]]], known: Values) -> None:
    """Refuse an update that cannot tell where the item belongs, with everything that is missing."""
    lacking = {keys.pattern: [name for name in names if name not in known] for keys, names in touched}
    wanted = list(dict.fromkeys(name for missing in lacking.values() for name in missing))
    if not wanted:
        return
    patterns = [pattern for pattern, missing in lacking.items() if missing]
    where = " and ".join(f"{layout.name}.{pattern.name}" for pattern in patterns)
    remedy = "say what they are with .composite(...), or update through the item itself"
    code = 2012 if all(pattern.condition is not None for pattern in patterns) else 2002
    what = layout.listed(wanted)
    raise RequestError(f"this changes the index keys of {where}, for which {what} must be known; {remedy}", code=code)


# ---- placing -----------------------------------------------------------------------------------------------------


def _place(layout: Layout, keys: PatternKeys, values: Values, plan: KeyChanges, *, sort_only: bool = False) -> None:
    """Put the item where it belongs in one index, or take it out."""
    if not sort_only:
        condition = keys.pattern.condition
        is_nowhere = any(name not in values for name in _deciding(keys))
        if is_nowhere or (condition is not None and not condition(values)):
            plan.remove.update(dict.fromkeys(_fields_to_leave(layout, keys, is_nowhere=is_nowhere)))
            return
        plan.set[keys.pk.field] = keys.pk.compose(values)
    if keys.sk is not None:
        _place_sort(layout, keys, keys.sk, values, plan)


def _fields_to_leave(layout: Layout, keys: PatternKeys, *, is_nowhere: bool) -> list[str]:
    """The fields to remove to take an item out of an index, but for those that another index needs.

    Without its partition composites the item is in no index that shares the partition key.
    """
    fields = [side.field for side in (keys.pk, keys.sk) if side is not None]
    needed = {
        side.field for each in layout.secondary if each is not keys for side in (each.pk, each.sk) if side is not None
    }
    own = [field for field in fields if field not in needed or (is_nowhere and field == keys.pk.field)]
    return own or fields


def _place_sort(layout: Layout, keys: PatternKeys, side: ComposedKey, values: Values, plan: KeyChanges) -> None:
    """The sort key, cut at the first absent composite."""
    behind = [piece.name for piece in side.pieces[side.given(values) :]]
    stray = [name for name in behind if name in values]
    if stray:
        where = f"{layout.name}.{keys.pattern.name}"
        first = layout.called(behind[0])
        reason = f"{first} is absent, but {layout.listed(stray)} behind it in the sort key is not"
        raise RequestError(f"{where}: {reason}; give {first} a value", code=2002)
    key = side.compose(values)
    if key is None:
        plan.remove[side.field] = None
    else:
        plan.set[side.field] = key
