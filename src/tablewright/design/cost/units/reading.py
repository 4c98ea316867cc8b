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
from tablewright.design.cost.units.volumes import Volumes, entry_at, read_from
from tablewright.design.serving.serving import partitions
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS, MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.architect.assembly.requests import Request
    from tablewright.architect.solution import Solution
    from tablewright.spec.model import PatternSpec


class Bill(msgspec.Struct, frozen=True):
    """A read on average: calls, items, bytes and units."""

    requests: float
    items: float
    bytes: float
    rcu: float


def predict_read(solution: Solution, pattern: PatternSpec, volumes: Volumes) -> Prediction:
    request = solution.requests[pattern.id]
    place = TABLE if request.index is None else request.index
    sizes = bytes_by_entity(solution, pattern, place, volumes)
    bill = estimated(solution, pattern, request, sizes, volumes)
    fetch = fetched(pattern, request, bill, volumes)
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


def fetched(pattern: PatternSpec, request: Request, found: Bill, volumes: Volumes) -> Bill:
    """The items of keys that were found: every one rounded up by itself, a hundred a request."""
    if request.then is None:
        return Bill(0.0, 0.0, 0.0, 0.0)
    items = found.items if request.limit is None else min(found.items, float(request.limit))
    size = entry_at(volumes, TABLE, pattern.entity).bytes
    units = items * read_rcu(ceil(size), consistent=request.then.consistent)
    return Bill(max(1.0, ceil(items / MAX_BATCH_GET_ITEMS)), items, items * size, units)


def bytes_by_entity(solution: Solution, pattern: PatternSpec, place: str, volumes: Volumes) -> Mapping[str, float]:
    """What a run reads of every type, those that are filtered out again included."""
    view, _, shapes = read_from(solution, pattern)
    copied = {name for name, shape in shapes.items() if view.index is None and shape != solution.choice.base[name]}
    return {
        name: count * entry_at(volumes, place, name, is_copy=name in copied).bytes
        for name, count in volumes.read_items[pattern.id].items()
    }


def estimated(
    solution: Solution, pattern: PatternSpec, request: Request, sizes: Mapping[str, float], volumes: Volumes
) -> Bill:
    asked = partitions_asked(solution, pattern, request)
    total = sum(sizes.values())
    each = total / asked
    return Bill(
        requests=asked * max(1, ceil(each / MAX_PAGE_BYTES)),
        items=sum(volumes.read_items[pattern.id].values()),
        bytes=total,
        rcu=asked * read_rcu(ceil(each), consistent=request.consistent),
    )


def partitions_asked(solution: Solution, pattern: PatternSpec, request: Request) -> float:
    """Shards, times the values of an attribute that is asked for value by value, times buckets of time."""
    if request.operation == "GetItem":
        return 1.0
    _, servings, shapes = read_from(solution, pattern)
    first = pattern.entity
    return float(request.shards * partitions(solution.facts, shapes[first], servings[first]))


def pages_of(sizes: Sequence[int], limit: int | None = None) -> list[int]:
    """Bytes of every page of a partition: it is read to its end or to the limit, and a page ends when 1 MB is full."""
    pages = [0]
    for size in sizes[:limit]:
        if pages[-1] >= MAX_PAGE_BYTES:
            pages.append(0)
        pages[-1] += size
    return pages
