"""Access patterns that are spread over partitions, as declared: `shards=16`, `bucket="month"`, or the full form.

Names are Python's until here. Attributes for shard and period that the class does not declare are added to its schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import SchemaError
from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.scalars import SCALARS, encode_datetime
from tablewright.schema.features import Bucket, Shards
from tablewright.schema.types import NUMBER, STRING, Attribute

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.runtime.declare.access import Pattern
    from tablewright.runtime.declare.attr import Slot, Slots
    from tablewright.schema.model import AccessPattern

TIMES = (SCALARS[datetime].encode_quickly, SCALARS[date].encode_quickly)


class _Spread(msgspec.Struct, frozen=True):
    """What a pattern says of its partitions, by the schema's names; `added` are its attributes by Python name."""

    shards: Shards | None = None
    bucket: Bucket | None = None
    added: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])


NOT_SPREAD = _Spread()


def spread_of(pattern: Pattern[Any], key: Pattern[Any], slots: Slots, where: str) -> _Spread:
    options = pattern.options
    if options.shards is None and options.bucket is None:
        return NOT_SPREAD
    shards = _read_shards(options.shards, key, slots, where)
    bucket = _read_bucket(options.bucket, pattern, slots, where)
    names = [each.attribute for each in (bucket, shards) if each is not None]
    taken = {name: slots.named(name) for name in names}
    return _Spread(
        None if shards is None else msgspec.structs.replace(shards, attribute=taken[shards.attribute]),
        None if bucket is None else msgspec.structs.replace(bucket, attribute=taken[bucket.attribute]),
        taken,
    )


def _read_shards(given: Any, key: Pattern[Any], slots: Mapping[str, Slot], where: str) -> Shards | None:
    if given is None:
        return None
    shards = Shards(given) if isinstance(given, int) and not isinstance(given, bool) else given
    if not isinstance(shards, Shards):
        raise SchemaError(f"{where}: shards is a number or tw.Shards(...), not {given!r}", code=1009)
    named: Any = shards.of  # a single name is as good as a tuple of one
    of: tuple[str, ...] = (named,) if isinstance(named, str) else tuple(named)
    names = of or ((*key.signature.pk, *key.signature.sk) if shards.by != "random" else ())
    return msgspec.structs.replace(
        shards, of=tuple(_known(name, slots, where).name for name in names), earlier=tuple(shards.earlier)
    )


def _read_bucket(given: Any, pattern: Pattern[Any], slots: Mapping[str, Slot], where: str) -> Bucket | None:
    if given is None:
        return None
    bucket = Bucket(given) if isinstance(given, str) else given  # type: ignore[arg-type]
    if not isinstance(bucket, Bucket):
        raise SchemaError(f'{where}: bucket is a period such as "month" or tw.Bucket(...), not {given!r}', code=1009)
    time = _known(bucket.of, slots, where) if bucket.of else _only_time(pattern, slots, where)
    if time.codec.encode_quickly not in TIMES:
        raise SchemaError(f"{where}: its buckets are of {time.python_name}, which is no datetime or date", code=1009)
    if bucket.every == "hour" and time.codec.encode_quickly is SCALARS[date].encode_quickly:
        raise SchemaError(f"{where}: {time.python_name} is a date and has no hours; use a datetime", code=1009)
    since = None if bucket.since is None else _as_time(bucket.since, where)
    return msgspec.structs.replace(bucket, of=time.name, attribute=bucket.attribute or bucket.every, since=since)


def _only_time(pattern: Pattern[Any], slots: Mapping[str, Slot], where: str) -> Slot:
    """The sort composite that is a time."""
    found = [slots[name] for name in pattern.signature.sk if name in slots]
    times = [slot for slot in found if slot.codec.encode_quickly in TIMES]
    if not times:
        remedy = 'name the attribute: bucket=tw.Bucket("month", of="created_at")'
        raise SchemaError(f"{where}: no sort composite is a datetime or date to make buckets of; {remedy}", code=1009)
    return times[0]


def _as_time(since: Any, where: str) -> str:
    """A declared beginning as stored times are written."""
    try:
        if isinstance(since, datetime):
            return encode_datetime(since)
        day = since if isinstance(since, date) else date.fromisoformat(str(since)[:10])
        return f"{day.isoformat()}T00:00:00.000Z" if len(str(since)) == 10 else str(since)
    except (EncodingError, ValueError) as error:
        remedy = "give a date, a datetime with time zone, or ISO text"
        raise SchemaError(f"{where}: since={since!r} is no time; {remedy}", code=1009) from error


def _known(name: str, slots: Mapping[str, Slot], where: str) -> Slot:
    if name not in slots:
        raise SchemaError(f"{where}: {name} is no attribute; attributes: {', '.join(slots)}", code=1003)
    return slots[name]


def added_attributes(patterns: Iterable[AccessPattern], slots: Mapping[str, Slot]) -> tuple[Attribute, ...]:
    """The attributes for shards and periods that the class does not declare itself."""
    declared = {slot.name for slot in slots.values()}
    added: dict[str, Attribute] = {}
    for pattern in patterns:
        for rule, kind in ((pattern.shards, NUMBER), (pattern.bucket, STRING)):
            if rule is not None and rule.attribute not in declared:
                doc = "The shard the item is in." if kind == NUMBER else "The period the item is in."
                added[rule.attribute] = Attribute(name=rule.attribute, type=kind, field=rule.attribute, doc=doc)
    return tuple(added.values())
