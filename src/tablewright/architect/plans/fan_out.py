"""Fan-out: a partition key with an attribute that nobody gives, asked for once for each of its values.

The values must be known and every item must have one of them; whether a shape serves a pattern so is said by
`design.serving`, as for every other key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.plan import VariantPlan
from tablewright.architect.plans.values import CollectionPlan, ReadPlan
from tablewright.design.serving.serving import values_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts


def _loops(facts: Facts, plan: ReadPlan) -> dict[str, tuple[str, ...]]:
    name = plan.serving.fan_out
    return {} if name is None else {name: values_of(facts, plan.shape.entity, name)}


def _explain(plan: ReadPlan | CollectionPlan, _: int) -> Iterator[str]:
    if isinstance(plan, ReadPlan) and plan.serving.fan_out:
        yield f"Nobody gives {plan.serving.fan_out}, so each of its values is asked for and the answers are merged"


FAN_OUT = VariantPlan(loops=_loops, explain=_explain)
