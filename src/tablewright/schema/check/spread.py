"""Patterns that are spread over partitions: what their attributes must be like, so that a reader finds every item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.schema.check.faults import meant, quoted, refuse
from tablewright.schema.types import BINARY, NUMBER, STRING, Enum, Scalar

if TYPE_CHECKING:
    from tablewright.schema.features import Bucket, Shards
    from tablewright.schema.model import AccessPattern, Entity
    from tablewright.schema.types import Attribute, Type

MOST_SHARDS = 1000
PERIODS = ("year", "month", "week", "day", "hour")


def check_spread(entity: Entity) -> None:
    seen: dict[str, Shards | Bucket] = {}
    for pattern in entity.patterns:
        if pattern.shards is not None:
            _check_shards(entity, pattern, pattern.shards)
        if pattern.bucket is not None:
            _check_bucket(entity, pattern, pattern.bucket)
        for each in (pattern.shards, pattern.bucket):
            if each is not None:
                _check_sharing(entity, pattern, each, seen)
                _check_company(entity, pattern)


def _check_shards(entity: Entity, pattern: AccessPattern, shards: Shards) -> None:
    counts: tuple[Any, ...] = (shards.count, *shards.earlier)
    if not all(isinstance(count, int) and 1 <= count <= MOST_SHARDS for count in counts):
        problem = f"its shard counts are {quoted(map(str, counts))}"
        refuse(entity, 1009, problem, f"Give whole numbers from 1 to {MOST_SHARDS}", part=pattern)
    _check_derived(entity, pattern, shards.attribute, NUMBER)
    if pattern.index is None and (shards.by == "random" or shards.earlier):
        what = "random shards" if shards.by == "random" else "shards that change"
        problem = f"it is the table's own key, which {what} would make unknown"
        refuse(entity, 1009, problem, "Spread a secondary index, or let the shard follow from the key", part=pattern)
    if shards.by != "random":
        _check_sources(entity, pattern, shards.of)
    if shards.by == "modulo" and len(shards.of) != 1:
        problem = f"modulo of {quoted(shards.of)} has no meaning"
        refuse(entity, 1009, problem, "Name the one attribute that is a number, Shards(..., of=(...,))", part=pattern)


def _check_bucket(entity: Entity, pattern: AccessPattern, bucket: Bucket) -> None:
    if bucket.every not in PERIODS:
        remedy = f"Use {quoted(PERIODS)}{meant(bucket.every, PERIODS)}"
        refuse(entity, 1009, f"its buckets are {bucket.every!r}", remedy, part=pattern)
    _check_derived(entity, pattern, bucket.attribute, STRING)
    (source,) = _check_sources(entity, pattern, (bucket.of,))
    if source.type != STRING:
        problem = f'its buckets are of "{bucket.of}", which is not stored as ISO text'
        refuse(entity, 1009, problem, "Use a datetime or date", part=pattern)


def _check_derived(entity: Entity, pattern: AccessPattern, name: str, kind: Type) -> None:
    """The attribute that holds the shard or period stands in the partition key and is what writes make it."""
    attribute = entity.attribute(name)
    if attribute is None or name not in pattern.pk.composite:
        problem = f'"{name}", which says the partition, is not in its partition key'
        refuse(entity, 1009, problem, "Make it one of the partition composites", part=pattern)
    if attribute.type != kind:
        wanted = "a number" if kind == NUMBER else "text"
        refuse(entity, 1009, f'"{name}" is not {wanted}', "Writes fill it in; declare it so", part=attribute)
    if attribute.required or attribute.set is not None or attribute.default is not None:
        problem = "it follows from other attributes, but is required, has a setter or a default"
        refuse(entity, 1009, problem, "Leave them out; writes fill it in", part=attribute)


def _check_sources(entity: Entity, pattern: AccessPattern, names: tuple[str, ...]) -> list[Attribute]:
    found = [entity.attribute(name) for name in names]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        missing = quoted(name for name, each in zip(names, found, strict=True) if each is None)
        refuse(entity, 1009, f"its partition follows from {missing}", "Name attributes of the entity", part=pattern)
    for each in known:
        if each.set is not None or (each.type == BINARY or not isinstance(each.type, Scalar | Enum)):
            problem = f'its partition follows from "{each.name}", which has a setter or cannot be part of a key'
            refuse(entity, 1009, problem, "Use an attribute that is stored as it is given", part=pattern)
    return known


def _check_sharing(
    entity: Entity, pattern: AccessPattern, each: Shards | Bucket, seen: dict[str, Shards | Bucket]
) -> None:
    """Two patterns may share the attribute if they mean the same by it."""
    one = msgspec.structs.replace(each, since=None, ahead_days=1) if hasattr(each, "since") else each
    if seen.setdefault(each.attribute, one) != one:
        problem = f'another access pattern means something else by "{each.attribute}"'
        refuse(entity, 1009, problem, "Name another attribute, with attribute=...", part=pattern)


def _check_company(entity: Entity, pattern: AccessPattern) -> None:
    if pattern.collection:
        problem = f"it is in the collection {quoted(pattern.collection)}, whose members lie in one partition"
        refuse(entity, 1009, problem, "Declare the collection on another index", part=pattern)
