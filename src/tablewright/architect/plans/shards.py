"""Shards: a partition key with a number in it, where one partition would take more writes than it can.

A number follows from the id of an item, so that a GetItem knows it; a query asks all shards and merges the answers.
How many there are follows from the writes alone (`design.heat.partition`), so nothing is left to choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.plan import VariantPlan
from tablewright.architect.plans.values import CollectionPlan, ReadPlan
from tablewright.design.heat.partition import shard_sum, write_heat
from tablewright.design.wording import sentence, some
from tablewright.review.sources import WRITE_SHARDING
from tablewright.wire.limits import PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts

SHARD_SOURCES = (WRITE_SHARDING,)


def shard_reason(facts: Facts, shape: Shape) -> str:
    return sentence(shard_sum(write_heat(facts, shape), PARTITION_WCU))


def without_shards(shards: int, patterns: Sequence[str]) -> str:
    return (
        f"One partition is throttled at peak. {some(patterns) or 'No pattern'} pays for the shards:"
        f" {shards} requests instead of one."
    )


def _explain(plan: ReadPlan | CollectionPlan, shards: int) -> Iterator[str]:
    if shards > 1 and not (isinstance(plan, ReadPlan) and plan.serving.is_get):
        yield f"writes need {shards} shards here, so {shards} requests are made and merged"


SHARDS = VariantPlan(explain=_explain)
