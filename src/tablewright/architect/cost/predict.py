"""Units that one run of a pattern consumes: DynamoDB's arithmetic over volumes, place by place.

    GetItem     its size in steps of 4 KB; half for eventual reads
    Query       the bytes read under the key, in steps of 4 KB for every partition asked, at least one step each
    write       the larger image in steps of 1 KB, and every entry of the item: one write to add, change or remove it,
                two where its key changes; doubled in transactions; a refused condition costs the table's part only
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.cost.entries import TABLE, Entry, entries_of
from tablewright.architect.cost.effects import Effect, effects_of, failure_share, in_transaction
from tablewright.architect.cost.volumes import (
    EntryChange,
    ReadSample,
    Volumes,
    WriteSample,
    entry_at,
    estimate,
    read_from,
)
from tablewright.architect.spec.volumes import cardinality
from tablewright.errors import DesignError
from tablewright.schema.places import nearest
from tablewright.wire.capacity import index_write_wcu, read_rcu, write_wcu
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution
    from tablewright.architect.spec.model import PatternSpec


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a pattern on average: units by place and by entity, and what it takes to get them."""

    pattern: str
    requests: float  # calls: pages, shards, and the look-up of a write that has to find its key
    items: float  # read under the key, or written
    bytes_read: float
    rcu: float
    wcu: float
    rcu_by_place: Mapping[str, float]
    wcu_by_place: Mapping[str, float]
    rcu_by_entity: Mapping[str, float]
    wcu_by_entity: Mapping[str, float]
    table_wcu: float  # of wcu: the items themselves
    index_wcu: float  # of wcu: index entries, the write amplification
    copy_wcu: float  # of wcu: copies and unique sentinels
    failed_wcu: float  # of wcu: spent on refused conditions
    transactional: bool
    exact: bool  # from samples, not from means


def predict(solution: Solution, pattern: str, volumes: Volumes | None = None) -> Prediction:
    """What one run of a pattern consumes; `volumes` are the spec's own estimate, or measured."""
    found = next((each for each in (*solution.spec.patterns, *solution.facts.implied) if each.id == pattern), None)
    if found is None:
        known = [each.id for each in solution.spec.patterns]
        raise DesignError(f'there is no access pattern "{pattern}".{nearest(pattern, known)} There are: {known}')
    taken = estimate(solution) if volumes is None else volumes
    return predict_read(solution, found, taken) if found.is_read else predict_write(solution, found, taken)


# ---- reads --------------------------------------------------------------------------------------------------------


def predict_read(solution: Solution, pattern: PatternSpec, volumes: Volumes) -> Prediction:
    view, servings, _ = read_from(solution, pattern)
    request = solution.requests[pattern.id]
    place = TABLE if request.index is None else request.index
    fan_out = servings[pattern.entity].fan_out
    values = 1.0 if fan_out is None else cardinality(solution.facts, pattern.entity, fan_out)
    entries = entries_of(solution)
    sizes = {
        name: count * volumes.entry_bytes[entry_at(entries, place, name, is_copy=view.is_copy).name]
        for name, count in volumes.read_items[pattern.id].items()
    }
    samples = volumes.read_samples.get(pattern.id, ())
    limit = None if request.filters else request.limit
    if samples:
        pages = [page for sample in samples for page in pages_of(sample, limit)]
        requests, total = len(pages) / len(samples), sum(pages) / len(samples)
        rcu = sum(read_rcu(page, consistent=request.consistent) for page in pages) / len(samples)
    else:
        asked = values * (1 if request.operation == "GetItem" else request.shards)
        total = sum(sizes.values())
        requests = asked * max(1, ceil(total / asked / MAX_PAGE_BYTES))
        rcu = asked * read_rcu(ceil(total / asked), consistent=request.consistent)
    return reading(pattern, place, sizes, requests, total, rcu, sum(volumes.read_items[pattern.id].values()), samples)


def reading(
    pattern: PatternSpec,
    place: str,
    sizes: Mapping[str, float],
    requests: float,
    total: float,
    rcu: float,
    items: float,
    samples: tuple[ReadSample, ...],
) -> Prediction:
    whole = sum(sizes.values()) or 1.0
    return Prediction(
        pattern=pattern.id,
        requests=requests,
        items=sum(len(found) for each in samples for found in each.partitions) / len(samples) if samples else items,
        bytes_read=total,
        rcu=rcu,
        wcu=0.0,
        rcu_by_place={place: rcu},
        wcu_by_place={},
        rcu_by_entity={name: rcu * size / whole for name, size in sizes.items()},
        wcu_by_entity={},
        table_wcu=0.0,
        index_wcu=0.0,
        copy_wcu=0.0,
        failed_wcu=0.0,
        transactional=False,
        exact=bool(samples),
    )


def pages_of(sample: ReadSample, limit: int | None) -> list[int]:
    """Bytes of every page: a partition is read to its end or to the limit, and a page ends when 1 MB is full."""
    pages: list[int] = []
    for sizes in sample.partitions:
        page = 0
        for size in sizes if limit is None else sizes[:limit]:
            if page >= MAX_PAGE_BYTES:
                pages.append(page)
                page = 0
            page += size
        pages.append(page)
    return pages
