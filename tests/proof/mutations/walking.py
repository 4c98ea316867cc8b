"""Faults of walks over buckets: in the design, or in whoever goes from one bucket to the next."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from tablewright.design.steps import queries
from tablewright.design.values.buckets import Bucket
from tests.proof.mutations.editing import flipped, keys, one_less, one_more, read
from tests.proof.mutations.fault import Fault
from tests.proof.mutations.paging import as_it_is, placed

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.steps.model import Flow

WALK = "wrong walk"
LATER = "2024-02-20T00:00:00Z"
"""A month and a half behind the time that the spec calls the oldest."""


# ---- what single faults need ----------------------------------------------------------------------------------------


def from_the_bucket_before_now() -> AbstractContextManager[object]:
    right = queries.bucket_at

    def early(seconds: int, length: int) -> str:
        return queries.bucket_beside(right(seconds, length), True)

    return patch.object(queries, "bucket_at", early)


def every_other_bucket() -> AbstractContextManager[object]:
    right = queries.bucket_beside
    return patch.object(queries, "bucket_beside", lambda bucket, back: right(right(bucket, back), back))


def ends(is_past: Callable[[Any], bool]) -> Callable[[], AbstractContextManager[object]]:
    """A walk that is past its last bucket when this says so."""
    return lambda: patch.object(queries.Walk, "is_past", property(is_past))


def before_the_last(walk: Any) -> bool:
    return bool(walk.bucket <= walk.last if walk.step.backwards else walk.bucket >= walk.last)


def at_the_first_empty_bucket() -> AbstractContextManager[object]:
    """A walk that takes a bucket with nothing in it for the end."""

    def hasty(self: Any) -> Flow[Any]:
        while not self.is_past:
            before = self.inner
            inputs = {**self.inputs, "_bucket": self.bucket}
            asked = before or queries.Queries(self.stored, self.step, inputs, self.left, self.within)
            self.inner = asked
            found = yield from asked.next()
            if found is not None:
                return queries.Located(found.item, [self.bucket, found.place])
            if before is None:
                return None
            self.bucket = queries.bucket_beside(self.bucket, self.step.backwards)
            self.within, self.inner = None, None
        return None

    return patch.object(queries.Walk, "next", hasty)


def one_bucket_is_the_end(walk: Any) -> bool:
    return walk.inner is not None and walk.inner.is_done


def bucket_begun_anew(_: Any, place: list[Any]) -> list[Any]:
    return [place[0], None]


def rest_of_the_bucket_passed(walk: Any, place: list[Any]) -> list[Any]:
    return [queries.bucket_beside(place[0], walk.step.backwards), None]


def ended_with_its_bucket() -> AbstractContextManager[object]:
    return patch.object(queries.Walk, "is_done", property(one_bucket_is_the_end))


# ---- the catalogue --------------------------------------------------------------------------------------------------

WALKING: tuple[Fault, ...] = (
    Fault(WALK, "newest", "it ends too early", read("newest", since=LATER)),
    Fault(WALK, "newest", "it begins too late", read("oldest", since=LATER)),
    Fault(WALK, "newest", "it ends too early, sharded", read("events", 0, since=LATER)),
    Fault(WALK, "newest", "the oldest for the newest", read("newest", backwards=flipped)),
    Fault(WALK, "newest", "the newest for the oldest", read("oldest", backwards=flipped)),
    Fault(WALK, "newest", "no walk at all", read("newest", since=None)),
    Fault(WALK, "newest", "one more", read("newest", limit=one_more)),
    Fault(WALK, "newest", "one less, sharded", read("events", 0, limit=one_less)),
    Fault(WALK, "newest", "months written, days asked", read("newest", bucket=Bucket("takenAt", 10))),
    Fault(WALK, "newest", "days written, months asked", keys("Event", "events", bucket=Bucket("at", 7))),
    Fault(WALK, "newest", "one shard is never asked", read("events", 0, shards=lambda step: step.shards - 1)),
    Fault(WALK, "newest", "now is not looked at", as_it_is, from_the_bucket_before_now),
    Fault(WALK, "newest", "every other bucket is passed over", as_it_is, every_other_bucket),
    Fault(WALK, "newest", "the last bucket is not looked at", as_it_is, ends(before_the_last)),
    Fault(WALK, "newest", "an empty bucket is taken for the end", as_it_is, at_the_first_empty_bucket),
    Fault(WALK, "newest", "the end of a bucket is taken for the end", as_it_is, ended_with_its_bucket),
    Fault(WALK, "newest", "a page begins its bucket anew", as_it_is, placed(queries.Walk, bucket_begun_anew)),
    Fault(
        WALK,
        "newest",
        "a page passes the rest of its bucket",
        as_it_is,
        placed(queries.Walk, rest_of_the_bucket_passed),
    ),
)
