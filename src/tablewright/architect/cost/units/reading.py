"""Read units: a GetItem by its size, a Query by all it reads under the key, in steps of 4 KB.

Every partition asked (a shard, a value of a fan-out) is a request of its own and pays at least one step; pages end at
1 MB, which is a whole number of steps.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.cost.units.entries import TABLE
from tablewright.architect.cost.units.prediction import Prediction
from tablewright.architect.cost.units.volumes import ReadSample, Volumes, entry_at, read_from
from tablewright.architect.spec.volumes import cardinality
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.design.requests import Request
    from tablewright.architect.solution import Solution
    from tablewright.architect.spec.model import PatternSpec


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
    samples = volumes.read_samples.get(pattern.id, ())
    bill = sampled(samples, request) if samples else estimated(solution, pattern, request, sizes, volumes)
    whole = sum(sizes.values()) or 1.0
    return Prediction(
        pattern=pattern.id,
        requests=bill.requests,
        items=bill.items,
        bytes_read=bill.bytes,
        rcu=bill.rcu,
        rcu_by_place={place: bill.rcu},
        rcu_by_entity={name: bill.rcu * size / whole for name, size in sizes.items()},
        exact=bool(samples),
    )


def bytes_by_entity(solution: Solution, pattern: PatternSpec, place: str, volumes: Volumes) -> Mapping[str, float]:
    """What a run reads of every type, those that are filtered out again included."""
    view, _, _ = read_from(solution, pattern)
    return {
        name: count * entry_at(volumes, place, name, is_copy=view.is_copy).bytes
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
    """Shards, times the values of an enumerated attribute that is asked for value by value."""
    if request.operation == "GetItem":
        return 1.0
    _, servings, _ = read_from(solution, pattern)
    fan_out = servings[pattern.entity].fan_out
    values = 1.0 if fan_out is None else cardinality(solution.facts, pattern.entity, fan_out)
    return request.shards * values


def sampled(samples: tuple[ReadSample, ...], request: Request) -> Bill:
    """The mean over what single runs really read."""
    limit = None if request.filters else request.limit
    pages = [page for sample in samples for page in pages_of(sample, limit)]
    return Bill(
        requests=len(pages) / len(samples),
        items=sum(len(found[:limit]) for sample in samples for found in sample.partitions) / len(samples),
        bytes=sum(pages) / len(samples),
        rcu=sum(read_rcu(page, consistent=request.consistent) for page in pages) / len(samples),
    )


def pages_of(sample: ReadSample, limit: int | None) -> list[int]:
    """Bytes of every page: a partition is read to its end or to the limit, and a page ends when 1 MB is full."""
    pages: list[int] = []
    for sizes in sample.partitions:
        page = 0
        for size in sizes[:limit]:
            if page >= MAX_PAGE_BYTES:
                pages.append(page)
                page = 0
            page += size
        pages.append(page)
    return pages
