"""Write units: the larger image in steps of 1 KB, and every entry of the item that has to follow.

add, rewrite, remove   one write of the entry, for the share of items that have one
move                   two: its old place and its new one; one for items that enter or leave an index
transaction            everything twice
refused condition      the table's part is billed, the indexes are not touched
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.effects import Effect, effects_of, in_transaction
from tablewright.design.cost.units.entries import TABLE, Entry, EntryKind, place_of_view
from tablewright.design.cost.units.following import followed_rcu, followed_wcu, shards_in
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.cost.units.volumes import Volumes, entry_at, looked_up
from tablewright.design.serving.writes import failure_share, operation_on
from tablewright.spec.writes import effect_on
from tablewright.wire.capacity import read_rcu, write_wcu

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View
    from tablewright.spec.model import EntitySpec, PatternSpec


class _Line(msgspec.Struct, frozen=True):
    """Units of one entry, on average over all runs; of which were spent in vain."""

    entry: Entry
    wcu: float
    failed_wcu: float = 0.0


class LookUp(msgspec.Struct, frozen=True):
    """The read by which a write finds the key of what it writes, or sees what else stands in keys it changes.

    `asked`: how many partitions it asks.
    """

    place: str
    entity: str
    asked: float
    bytes: float
    rcu: float


def predict_write(layout: Layout, pattern: PatternSpec, volumes: Volumes) -> Prediction:
    effects = effects_of(layout.facts, volumes.entries, pattern)
    transactional = in_transaction(pattern, effects)
    lines = [
        estimated_line(each, failure_share(layout.facts, pattern), transactional=transactional) for each in effects
    ]
    lookups = look_ups(layout, pattern, volumes)
    return Prediction(
        pattern=pattern.id,
        requests=1.0 + sum(each.asked for each in lookups),
        items=sum(each.times for each in effects if each.entry.kind != "index"),
        bytes_read=sum(each.bytes for each in lookups),
        rcu=sum(each.rcu for each in lookups),
        wcu=sum(each.wcu for each in lines),
        rcu_by_place=_sum_by_name((each.place, each.rcu) for each in lookups),
        wcu_by_place=_sum_by_name((each.entry.place, each.wcu) for each in lines),
        rcu_by_entity=_sum_by_name((each.entity, each.rcu) for each in lookups),
        wcu_by_entity=_sum_by_name((each.entry.entity, each.wcu) for each in lines),
        item_wcu=_of_kinds(lines, "item"),
        index_wcu=_of_kinds(lines, "index"),
        copy_wcu=sum(each.wcu for each in lines if each.entry.kind not in ("item", "index")),
        failed_wcu=sum(each.failed_wcu for each in lines),
        followed_wcu=followed_wcu(layout.facts, volumes.entries, pattern, shards=shards_in(volumes)),
        followed_rcu=followed_rcu(layout.facts, volumes.entries, pattern, shards=shards_in(volumes)),
        transactional=transactional,
    )


def _sum_by_name(pairs: Iterable[tuple[str, float]]) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for name, value in pairs:
        found[name] = found.get(name, 0.0) + value
    return found


def _of_kinds(lines: Iterable[_Line], *kinds: EntryKind) -> float:
    return sum(each.wcu for each in lines if each.entry.kind in kinds)


# ---- estimated ----------------------------------------------------------------------------------------------------


def estimated_line(effect: Effect, failures: float, *, transactional: bool) -> _Line:
    """By the usual size of the entry."""
    units = effect.times * effect.writes * _entry_wcu(effect.entry, transactional=transactional)
    if effect.entry.kind == "index":
        return _Line(effect.entry, units * (1.0 - failures))
    return _Line(effect.entry, units, units * failures)


def _entry_wcu(entry: Entry, *, transactional: bool) -> float:
    """One write of the whole entry. What is packed pays for all that is there by then: little at first, and ever more
    until its period is over.
    """
    if entry.packing is None:
        return write_wcu(0, ceil(entry.bytes), transactional=transactional)
    writes = max(1, round(entry.packing.entries))
    empty = max(0.0, entry.bytes - writes * entry.packing.entry_bytes)
    sizes = (ceil(empty + number * entry.packing.entry_bytes) for number in range(1, writes + 1))
    return sum(write_wcu(0, size, transactional=transactional) for size in sizes) / writes


# ---- finding the key ------------------------------------------------------------------------------------------------


def look_ups(layout: Layout, pattern: PatternSpec, volumes: Volumes) -> tuple[LookUp, ...]:
    """What a write reads first."""
    return tuple(
        look
        for entity in volumes.located_items.get(pattern.id, ())
        for look in _look_ups(layout, pattern, entity, volumes)
    )


def _look_ups(layout: Layout, pattern: PatternSpec, entity: str, volumes: Volumes) -> Iterator[LookUp]:
    """The item, unless the pointer that says where it is tells all that is needed."""
    pointer = _pointer(layout, pattern, entity)
    if pointer is not None:
        size = entry_at(volumes, TABLE, pointer.name).bytes
        yield LookUp(TABLE, pointer.name, 1.0, size, read_rcu(ceil(size), consistent=True))
        if looked_up(layout, pattern, entity) <= set(pointer.attributes):
            return
    yield _look_up(layout, pattern, entity, volumes)


def _pointer(layout: Layout, pattern: PatternSpec, entity: str) -> EntitySpec | None:
    """Where an id alone does not tell the table's key, the small item that keeps it unique says where the item is."""
    facts, ids = layout.facts, set(layout.spec.entities[entity].id)
    is_known = set(layout.base(entity).attributes) <= set(effect_on(facts, pattern, entity).by)
    if is_known or (pattern.id, entity) in layout.located or operation_on(facts, pattern, entity) == "put":
        return None
    sentinels = (each for each in layout.spec.entities.values() if each.kind == "sentinel" and each.of == entity)
    return next((each for each in sentinels if set(each.id) == ids), None)


def _look_up(layout: Layout, pattern: PatternSpec, entity: str, volumes: Volumes) -> LookUp:
    located = layout.located.get((pattern.id, entity))
    if located is None or _is_known(pattern, located.view):
        is_new = operation_on(layout.facts, pattern, entity) == "put"  # a put is taken to add an item
        size = 0.0 if is_new else entry_at(volumes, TABLE, entity).bytes
        return LookUp(TABLE, entity, 1.0, size, read_rcu(ceil(size), consistent=True))
    view = located.view
    place = place_of_view(view)
    entry = entry_at(volumes, place, entity, is_copy=view.is_copy)
    asked = 1 if located.serving.is_get else layout.shards[view]
    size = volumes.located_items[pattern.id][entity] * entry.bytes
    rcu = asked * read_rcu(ceil(size / asked), consistent=pattern.consistency == "strong")
    return LookUp(place, entity, asked, size, rcu)


def _is_known(pattern: PatternSpec, view: View) -> bool:
    """Whether the caller has the whole table key, so that the item is got by it, as it is at this moment."""
    key = {*view.shape.partition, *view.shape.lead, *view.shape.rest}
    return place_of_view(view) == TABLE and not view.is_copy and key <= set(pattern.by_of(view.entity))
