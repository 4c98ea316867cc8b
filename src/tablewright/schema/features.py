"""What an entity does beyond storing its attributes: patterns of single-table design, as declared facts.

Every feature is one field of `Features`, empty by default, and names attributes as the schema does. Whoever adds one
adds its row in `form/features.py` (how it is written) and in `TOLD` here (how `describe` says it).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec

Period: TypeAlias = Literal["year", "month", "week", "day", "hour"]
Compression: TypeAlias = Literal["zlib", "zstd"]
AggregateKind: TypeAlias = Literal["count", "sum", "min", "max", "latest"]
Keeping: TypeAlias = Literal["together", "stream"]
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


class Lease(msgspec.Struct, frozen=True):
    """An access pattern that is a queue, whose items workers claim for a while: `Lease(seconds=60, attempts=5)`.

    An item is in the index while the attribute `due` (the first of the sort key) has a time, and can be claimed from
    then on. A claim lasts for `seconds` unless it says otherwise. An item that was claimed `attempts` times is not
    claimed again, but leaves the queue as dead. The other names are of the attributes that hold the current claim, who
    made it, how often that happened, and since when the item is dead.
    """

    seconds: int = 60
    attempts: int | None = None
    due: str = ""
    token: str = "lease"
    worker: str = "worker"
    counter: str = "attempts"
    dead: str = "dead_at"


class TimeToLive(msgspec.Struct, frozen=True):
    """The attribute that says from which second on DynamoDB may delete the item.

    `lifetime_seconds` is what an item is given that says nothing. `hidden`: readers leave out what has expired and is
    yet to be deleted.
    """

    attribute: str
    lifetime_seconds: int | None = None
    hidden: bool = False


class Large(msgspec.Struct, frozen=True):
    """An attribute whose values may be large: `Large("content", offload_bytes=100_000, compress="zlib")`.

    Values are compressed where that pays. What would then take more than `offload_bytes` in the item goes to object
    storage, and the item holds a reference.
    """

    attribute: str
    offload_bytes: int | None = None
    compress: Compression | None = None


class Reference(msgspec.Struct, frozen=True):
    """An attribute that points at items of other entities: their name and key values in one text."""

    attribute: str
    to: tuple[str, ...]


class Belonging(msgspec.Struct, frozen=True):
    """What an access pattern finds belongs to one item of these entities, and goes with it in a cascade."""

    pattern: str
    to: tuple[str, ...]


class Counter(msgspec.Struct, frozen=True):
    """A number beside every item, kept in `shards` items of its own, so that many can count at once."""

    name: str
    shards: int = 1
    earlier: int = 0  # how many shards there once were, where that was more; they are still read

    @property
    def read(self) -> int:
        """How many shards a reader adds up."""
        return max(self.shards, self.earlier)


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """What this entity's items add to an attribute of another: `Aggregate(kind="count", into="project", ...)`.

    `by` tells the key of the other item: pairs of its key attributes ("" for the only one) and those here that hold
    their values. `of` is what is added up or compared, `at` the time by which the latest is found. An item counts when
    the attributes in `where` have one of the values given. `kept` is "together", in the transaction of the write, or
    "stream".
    """

    kind: AggregateKind
    into: str
    attribute: str
    by: tuple[tuple[str, str], ...]
    of: str | None = None
    at: str | None = None
    where: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    kept: Keeping = "together"


class Mirror(msgspec.Struct, frozen=True, kw_only=True):
    """A second item for every item, with the same attributes under another key of the same table.

    `name` is what its identifier says it is; `pattern` the access pattern that finds it, with composites and
    (optional) templates of its partition and sort key.
    """

    name: str
    pattern: str
    pk: tuple[str, ...]
    sk: tuple[str, ...] = ()
    pk_template: str | None = None
    sk_template: str | None = None
    doc: str = ""


class History(msgspec.Struct, frozen=True):
    """Every version of an item is kept, as an item of its own: `History(keep=100, by="editor")`.

    `keep` is how many versions stay, or (a timedelta in a declaration) `keep_seconds` how long one does after the next
    was written; without either all stay. `by` is the attribute that says who wrote a version.
    """

    keep: Any = None
    by: str | None = None
    keep_seconds: int | None = None


class SoftDelete(msgspec.Struct, frozen=True):
    """Deleting marks an item with the time, and readers leave it out: `SoftDelete(keep=timedelta(days=30))`.

    With `keep` DynamoDB deletes it for good so long after.
    """

    attribute: str = "deleted_at"
    keep: Any = None  # seconds in a schema; a declaration takes a timedelta


class Features(msgspec.Struct, frozen=True, kw_only=True):
    """The features of one entity."""

    version: str | None = None  # the attribute that counts writes, for optimistic locking
    unique: tuple[tuple[str, ...], ...] = ()  # attributes (or several together) that no two items share
    ttl: TimeToLive | None = None  # when items expire
    large: tuple[Large, ...] = ()  # attributes that are compressed, or kept in object storage when they are large
    tenant: str | None = None  # the attribute that says whose item it is; first in every partition key
    references: tuple[Reference, ...] = ()  # attributes that point at items of other entities
    paths: tuple[str, ...] = ()  # attributes that hold the way from the root of a tree
    belongs_to: tuple[Belonging, ...] = ()  # whose children its items are
    counters: tuple[Counter, ...] = ()  # numbers beside its items, spread over items of their own
    aggregates: tuple[Aggregate, ...] = ()  # what its items add to attributes of other entities
    aggregated: tuple[str, ...] = ()  # attributes that other entities add to, and nobody else writes
    mirrors: tuple[Mirror, ...] = ()  # second items with other keys, written along
    symmetric: tuple[str, str] | None = None  # two attributes that change places in the second item
    history: History | None = None  # every version is kept
    soft_delete: SoftDelete | None = None  # deleting marks


NO_FEATURES = Features()


def told_features(features: Features) -> list[str]:
    """One short phrase for each thing declared."""
    declared = ((getattr(features, name), getattr(NO_FEATURES, name), phrase) for name, phrase in TOLD.items())
    return [phrase(value) for value, default, phrase in declared if value != default]


def _unique(groups: tuple[tuple[str, ...], ...]) -> str:
    return "unique " + ", ".join(" + ".join(group) for group in groups)


def _duration(seconds: int) -> str:
    """In the largest unit that makes it a whole number."""
    units = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
    name, size = next((name, size) for name, size in units if seconds % size == 0)
    count = seconds // size
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def _ttl(ttl: TimeToLive) -> str:
    lifetime = (
        "" if ttl.lifetime_seconds is None else f", after {_duration(ttl.lifetime_seconds)} unless said otherwise"
    )
    return f"expires by {ttl.attribute}{lifetime}{', expired items hidden' if ttl.hidden else ''}"


def _large(attributes: tuple[Large, ...]) -> str:
    return "; ".join(f"{each.attribute} {' and '.join(_kept(each))}" for each in attributes)


def _kept(large: Large) -> list[str]:
    told = [f"compressed ({large.compress})"] if large.compress is not None else []
    return [*told, f"offloaded above {large.offload_bytes} bytes"] if large.offload_bytes is not None else told


def _counters(counters: tuple[Counter, ...]) -> str:
    return ", ".join(f"counter {each.name} in {each.shards} shards" for each in counters)


def _aggregates(aggregates: tuple[Aggregate, ...]) -> str:
    return "; ".join(
        f"{each.kind}{f' of {each.of}' if each.of else ''} in {each.into}.{each.attribute}"
        f"{' by stream' if each.kept == 'stream' else ''}"
        for each in aggregates
    )


def _mirrors(mirrors: tuple[Mirror, ...]) -> str:
    return "; ".join(f"mirrored as {each.name}, found by {each.pattern}" for each in mirrors)


def _history(history: History) -> str:
    kept = f" for {history.keep_seconds} seconds" if history.keep_seconds else ""
    return f"keeps {history.keep or 'all'} versions{kept}"


def _soft_delete(soft: SoftDelete) -> str:
    gone = f", gone after {soft.keep} seconds" if soft.keep else ""
    return f"deleted by {soft.attribute}{gone}"


def _or(names: tuple[str, ...]) -> str:
    return " or ".join(names)


TOLD: dict[str, Callable[[Any], str]] = {
    "version": lambda name: f"version in {name}",
    "unique": _unique,
    "ttl": _ttl,
    "large": _large,
    "tenant": lambda name: f"tenant in {name}",
    "references": lambda references: "; ".join(f"{each.attribute} points at {_or(each.to)}" for each in references),
    "counters": _counters,
    "aggregates": _aggregates,
    "aggregated": lambda names: f"adds up {', '.join(names)}",
    "mirrors": _mirrors,
    "symmetric": lambda pair: f"written both ways between {pair[0]} and {pair[1]}",
    "history": _history,
    "soft_delete": _soft_delete,
    "paths": lambda names: f"tree path in {', '.join(names)}",
    "belongs_to": lambda belongings: "; ".join(f"belongs to {_or(each.to)} by {each.pattern}" for each in belongings),
}


def told_queue(lease: Lease | None) -> str:
    """What a queue promises, in a few words; nothing when it is none."""
    if lease is None:
        return ""
    dead = f", dead after {lease.attempts} attempts" if lease.attempts else ""
    return f"(queue by {lease.due}, leased for {lease.seconds} seconds{dead})"


def told_spread(shards: Shards | None, bucket: Bucket | None) -> str:
    """How an access pattern is spread over partitions, in a few words; nothing when it is not."""
    told = [f"{shards.read} shards"] if shards is not None else []
    told += [f"by {bucket.every}"] if bucket is not None else []
    return f"({', '.join(told)})" if told else ""
