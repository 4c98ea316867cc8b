"""What an entity does beyond storing its attributes: patterns of single-table design, as declared facts.

Every feature is one field of `Features`, empty by default, and names attributes as the schema does. Whoever adds one
adds its row in `form/features.py` (how it is written) and in `TOLD` here (how `describe` says it).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec

Period: TypeAlias = Literal["year", "month", "week", "day", "hour"]
ShardedBy: TypeAlias = Literal["hash", "modulo", "random"] | Callable[..., Any]


class Shards(msgspec.Struct, frozen=True):
    """An access pattern whose items are spread over `count` partitions: `Shards(32, earlier=(16,))`.

    The shard stands in `attribute`. It follows from the attributes in `of` (the table key unless named) by a hash,
    "modulo" their number, or a function; or it is "random". `earlier` counts are still read, for items that were
    written with them.
    """

    count: int
    earlier: tuple[int, ...] = ()
    by: ShardedBy = "hash"
    of: tuple[str, ...] = ()
    attribute: str = "shard"

    @property
    def read(self) -> int:
        """How many shards a reader asks."""
        return max((self.count, *self.earlier))


class Bucket(msgspec.Struct, frozen=True):
    """An access pattern with a partition for every period of a time attribute: `Bucket("month", since="2024-01-01")`.

    The period stands in `attribute` (called like the period unless named); `of` is the time, by default the sort
    composite that is one. A question with an open beginning starts at `since`, one with an open end stops `ahead_days`
    from now.
    """

    every: Period
    since: Any = None  # ISO text in a schema; a declaration takes a date or datetime, too
    of: str = ""
    attribute: str = ""
    ahead_days: int = 1


class TimeToLive(msgspec.Struct, frozen=True):
    """The attribute that says from which second on DynamoDB may delete the item.

    `lifetime_seconds` is what an item is given that says nothing. `hidden`: readers leave out what has expired and is
    yet to be deleted.
    """

    attribute: str
    lifetime_seconds: int | None = None
    hidden: bool = False


class Features(msgspec.Struct, frozen=True, kw_only=True):
    """The features of one entity."""

    version: str | None = None  # the attribute that counts writes, for optimistic locking
    unique: tuple[tuple[str, ...], ...] = ()  # attributes (or several together) that no two items share
    ttl: TimeToLive | None = None  # when items expire


NO_FEATURES = Features()


def told_features(features: Features) -> list[str]:
    """One short phrase for each thing declared."""
    declared = ((getattr(features, name), getattr(NO_FEATURES, name), phrase) for name, phrase in TOLD.items())
    return [phrase(value) for value, default, phrase in declared if value != default]


def _unique(groups: tuple[tuple[str, ...], ...]) -> str:
    return "unique " + ", ".join(" + ".join(group) for group in groups)


def _ttl(ttl: TimeToLive) -> str:
    lifetime = "" if ttl.lifetime_seconds is None else f", {ttl.lifetime_seconds} seconds unless said otherwise"
    return f"expires by {ttl.attribute}{lifetime}{', expired items hidden' if ttl.hidden else ''}"


TOLD: dict[str, Callable[[Any], str]] = {
    "version": lambda name: f"version in {name}",
    "unique": _unique,
    "ttl": _ttl,
}


def told_spread(shards: Shards | None, bucket: Bucket | None) -> str:
    """How an access pattern is spread over partitions, in a few words; nothing when it is not."""
    told = [f"{shards.read} shards"] if shards is not None else []
    told += [f"by {bucket.every}"] if bucket is not None else []
    return f"({', '.join(told)})" if told else ""
