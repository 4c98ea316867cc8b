"""Read units: a GetItem by its size, a Query by all it reads under the key, in steps of 4 KB.

Every partition asked (a shard, a value of a fan-out) is a request of its own and pays at least one step; pages end at
1 MB, which is a whole number of steps.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.entries import TABLE
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.cost.units.volumes import Volumes, entry_at, partitions_asked
from tablewright.design.serving.packing import requests_of_list
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS, MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.design.layout.layout import Layout, StoredRead
    from tablewright.spec.model import PatternSpec


class _Bill(msgspec.Struct, frozen=True):
    """A read on average: calls, items, bytes and units."""

    requests: float
    items: float
    bytes: float
    rcu: float


def predict_read(layout: Layout, pattern: PatternSpec, volumes: Volumes) -> Prediction:
    read = layout.reads[pattern.id]
    place = TABLE if read.index is None else read.index
    sizes = _bytes_by_entity(pattern, read, place, volumes)
    bill = _estimated(layout, pattern, sizes, volumes)
    fetch = _fetched(pattern, read, bill, volumes)
    whole = sum(sizes.values()) or 1.0
    return Prediction(
        pattern=pattern.id,
        requests=bill.requests + fetch.requests,
        items=bill.items,
        bytes_read=bill.bytes + fetch.bytes,
        rcu=bill.rcu + fetch.rcu,
        rcu_by_place={place: bill.rcu, **({TABLE: fetch.rcu} if fetch.rcu else {})},
        rcu_by_entity={name: (bill.rcu + fetch.rcu) * size / whole for name, size in sizes.items()},
    )


def _fetched(pattern: PatternSpec, read: StoredRead, found: _Bill, volumes: Volumes) -> _Bill:
    """The items of keys that were found."""
    if not read.fetches:
        return _Bill(0.0, 0.0, 0.0, 0.0)
    items = found.items if read.limit is None else min(found.items, float(read.limit))
    return _fetch_bill(items, entry_at(volumes, TABLE, pattern.entity).bytes, consistent=bool(pattern.cascade_of))


def _fetch_bill(items: float, size: float, *, consistent: bool) -> _Bill:
    """Items by their keys: every one rounded up by itself, a hundred a request."""
    units = items * read_rcu(ceil(size), consistent=consistent)
    return _Bill(max(1.0, ceil(items / MAX_BATCH_GET_ITEMS)), items, items * size, units)


def _bytes_by_entity(pattern: PatternSpec, read: StoredRead, place: str, volumes: Volumes) -> Mapping[str, float]:
    """What a run reads of every type, those that are filtered out again included."""
    copied = {name for name, view in read.views.items() if view.is_copy}
    return {
        name: count * entry_at(volumes, place, name, is_copy=name in copied).bytes
        for name, count in volumes.read_items[pattern.id].items()
    }


def _estimated(layout: Layout, pattern: PatternSpec, sizes: Mapping[str, float], volumes: Volumes) -> _Bill:
    read, asked = layout.reads[pattern.id], partitions_asked(layout, pattern)
    items, total = sum(volumes.read_items[pattern.id].values()), sum(sizes.values())
    if read.operation == "BatchGetItem":
        return _fetch_bill(items, total / items, consistent=read.consistent)
    asked *= _requests_of_packed(layout, pattern)
    parts = [total * share / asked for share in read.servings[pattern.entity].shares]
    return _Bill(
        requests=sum(asked * max(1, ceil(each / MAX_PAGE_BYTES)) for each in parts),
        items=items,
        bytes=total,
        rcu=sum(asked * read_rcu(ceil(each), consistent=read.consistent) for each in parts),
    )


def _requests_of_packed(layout: Layout, pattern: PatternSpec) -> float:
    """Of a list of packed samples: each request asks for the items that usually have as many as are wanted."""
    packed, limit = layout.spec.entities[pattern.entity].packed, layout.reads[pattern.id].limit
    return 1.0 if packed is None or limit is None else requests_of_list(limit, packed)


def partitions_loaded(layout: Layout, pattern: PatternSpec) -> float:
    """Partitions that share the units of one run. Every walk begins in the same bucket, which may have all it wants."""
    asked, serving = partitions_asked(layout, pattern), layout.reads[pattern.id].servings[pattern.entity]
    return asked / serving.buckets * max(1.0, serving.buckets - 1) if serving.walks else asked


def pages_of(sizes: Sequence[int], limit: int | None = None) -> list[int]:
    """Bytes of every page of a partition: it is read to its end or to the limit, and a page ends when 1 MB is full."""
    pages = [0]
    for size in sizes[:limit]:
        if pages[-1] >= MAX_PAGE_BYTES:
            pages.append(0)
        pages[-1] += size
    return pages
