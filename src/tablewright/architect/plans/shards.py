"""Shards: a partition key with a number in it, where one partition would take more writes than it can.

A number follows from the id of an item, so that a GetItem knows it; a query asks all shards and merges the answers.
How many there are follows from what lies in the partition (`design.heat.shards`), so nothing is left to choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.plan import VariantPlan
from tablewright.architect.plans.values import CollectionPlan, ReadPlan
from tablewright.design.wording import some
from tablewright.review.sources import WRITE_SHARDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


SHARD_SOURCES = (WRITE_SHARDING,)


def without_shards(shards: int, patterns: Sequence[str]) -> str:
    return (
        f"One partition is throttled at peak. {some(patterns) or 'No pattern'} pays for the shards:"
        f" {shards} requests instead of one."
    )


def _explain(plan: ReadPlan | CollectionPlan, shards: int) -> Iterator[str]:
    if shards > 1 and not (isinstance(plan, ReadPlan) and plan.serving.is_get):
        yield f"writes need {shards} shards here, so {shards} requests are made and merged"


SHARDS = VariantPlan(explain=_explain)
