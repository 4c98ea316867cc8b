"""Which partitions a question is asked in: periods one after the other, in each of them all shards side by side.

A stage is a period (or everything, where there are no periods), a lane one partition of it. Each lane is the same query
with the shard and the period given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.features.sharding.derive import Derivation
from tablewright.runtime.features.sharding.periods import horizon, period_of, periods

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.runtime.operations.query import Query
    from tablewright.runtime.requests.ranges import Sort
    from tablewright.schema.features import Bucket, Shards

MOST_PERIODS = 10_000
"""A question that would look into more is probably a mistake."""


class _Lane(msgspec.Struct, frozen=True):
    """One partition: the period and the shard, as far as the pattern has them."""

    period: str | None = None
    shard: int | None = None

    @property
    def name(self) -> str:
        return "/".join(str(part) for part in (self.period, self.shard) if part is not None)

    def query(self, query: Query[Any]) -> Query[Any]:
        """The question to this partition alone."""
        pattern = query.keys.pattern
        given = dict(query.given)
        for rule, value in ((pattern.bucket, self.period), (pattern.shards, self.shard)):
            if rule is not None:
                given[rule.attribute] = value
        return msgspec.structs.replace(query, given=given)


Stage: TypeAlias = tuple[_Lane, ...]


def stages_of(query: Query[Any]) -> tuple[Stage, ...]:
    """The lanes to read, those of one stage side by side and the stages in order."""
    pattern = query.keys.pattern
    found: list[str | None] = [None]
    if pattern.bucket is not None:
        found = list(_periods_asked(query, pattern.bucket))
    shards = _shards_asked(query, pattern.shards) if pattern.shards is not None else (None,)
    if pattern.bucket is not None and not _comes_by_time(query, pattern.bucket):
        return (tuple(_Lane(period, shard) for period in found for shard in shards),)
    if is_descending(query):
        found.reverse()
    return tuple(tuple(_Lane(period, shard) for shard in shards) for period in found)


def lanes_of(query: Query[Any]) -> list[Query[Any]]:
    """The question to every partition."""
    return [lane.query(query) for stage in stages_of(query) for lane in stage]


def is_descending(query: Query[Any]) -> bool:
    return str(query.options.order).lower() == "desc"


def _comes_by_time(query: Query[Any], bucket: Bucket) -> bool:
    """Whether the order of sort keys is that of periods: the time is what the open part of the key begins with."""
    sk = query.keys.pattern.sk
    is_open = [name for name in (sk.composite if sk is not None else ()) if name not in query.given]
    return not is_open or is_open[0] == bucket.of


def _shards_asked(query: Query[Any], shards: Shards) -> tuple[int | None, ...]:
    """All shards; the one that was given, or that follows from everything it is made of."""
    if shards.attribute in query.given:
        return (query.given[shards.attribute],)
    if shards.by != "random" and not shards.earlier and all(name in query.given for name in shards.of):
        return (Derivation(shards.attribute, shards.of, shards, (), is_constant=False).value(query.given),)
    return tuple(range(shards.read))


# ---- periods -------------------------------------------------------------------------------------------------------


def _periods_asked(query: Query[Any], bucket: Bucket) -> Sequence[str]:
    """The periods that can hold an answer."""
    given = query.given
    if bucket.attribute in given:
        return [given[bucket.attribute]]
    if bucket.of in given:
        return [period_of(bucket, given[bucket.of])]
    low, high = _bounds(query.sort, bucket)
    first = period_of(bucket, low) if low is not None else _beginning(query, bucket)
    last = period_of(bucket, high if high is not None else horizon(bucket))
    if high is None and low is not None:
        last = max(last, first)  # the question itself speaks of the future
    found = list(zip(periods(bucket.every, first, last), range(MOST_PERIODS + 1), strict=False))
    if len(found) > MOST_PERIODS:
        remedy = "ask for a shorter time, or declare longer periods"
        raise RequestError(f"{where(query)} would look into more than {MOST_PERIODS} periods; {remedy}", code=2002)
    return [period for period, _ in found]


def _bounds(sort: Sort | None, bucket: Bucket) -> tuple[str | None, str | None]:
    """The earliest and latest time a comparison allows, as far as it speaks of the time at all."""
    if sort is None or bucket.of not in sort.low or sort.operator == "begins":
        return None, None
    low, high = sort.low[bucket.of], sort.high.get(bucket.of)
    table: Mapping[str, tuple[str | None, str | None]] = {
        "between": (low, high),
        "gt": (low, None),
        "gte": (low, None),
        "lt": (None, low),
        "lte": (None, low),
    }
    return table[sort.operator]


def _beginning(query: Query[Any], bucket: Bucket) -> str:
    if bucket.since is None:
        said = query.layout.called(bucket.of)
        remedy = f'ask with a beginning ({said}=tw.gte(...)), or declare one: tw.Bucket("{bucket.every}", since=...)'
        raise RequestError(
            f"{where(query)} has no beginning, and nobody says which was the first {bucket.every}; {remedy}", code=2002
        )
    return period_of(bucket, bucket.since)


def where(query: Query[Any]) -> str:
    return f"{query.layout.name}.{query.asked_as or query.pattern}"
