"""How patterns that are spread over partitions are written, and when items expire."""

from __future__ import annotations

from typing import Any

from tablewright.schema.features import Bucket, Shards, TimeToLive
from tablewright.schema.form.kinds import (
    FLAG,
    NAME,
    NAMES,
    Field,
    Kind,
    Reading,
    Record,
    Writing,
    choice,
    listed,
    optional,
    scalar,
)
from tablewright.schema.form.values import FUNCTION

WHOLE = scalar(
    "a whole number of at least 1",
    {"type": "integer", "minimum": 1},
    lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 1,
)
WAYS = choice("hash", "modulo", "random")


def _read_way(value: Any, at: Reading) -> Any:
    return WAYS.read(value, at) if isinstance(value, str) else FUNCTION.read(value, at)


def _write_way(value: Any, to: Writing) -> Any:
    return value if isinstance(value, str) else FUNCTION.write(value, to)


SHARDS = Record(
    Shards,
    (
        Field("count", WHOLE, "How many shards items are written to."),
        Field("earlier", listed(WHOLE), "Earlier counts, whose shards are still read.", ()),
        Field(
            "by",
            Kind(_read_way, {"anyOf": [WAYS.schema, FUNCTION.schema]}, _write_way),
            "How an item's shard is found: a hash, its number modulo the count, at random, or a function.",
            "hash",
        ),
        Field("of", NAMES, "The attributes it follows from.", ()),
        Field("attribute", NAME, "The attribute that holds the shard.", "shard"),
    ),
    "Items spread over several partitions, and gathered from them.",
)
BUCKET = Record(
    Bucket,
    (
        Field("every", choice("year", "month", "week", "day", "hour"), "The period that has a partition of its own."),
        Field("of", NAME, "The attribute with the time."),
        Field("attribute", NAME, "The attribute that holds the period."),
        Field("since", optional(NAME), "The time from which on there are items, for open questions.", None),
        Field("ahead_days", WHOLE, "How many days past now an open question reaches.", 1),
    ),
    "A partition for every period of a time.",
)
TTL = Record(
    TimeToLive,
    (
        Field("attribute", NAME, "The attribute with the second from which on the item may go."),
        Field("lifetime_seconds", optional(WHOLE), "The lifetime of an item that says nothing.", None),
        Field("hidden", FLAG, "Whether readers leave out what has expired.", False),
    ),
    "When items expire.",
)
