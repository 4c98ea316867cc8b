"""Items that lack what an answer is sorted by, where the key has them at the other end: a second request reads them.

Whether a key needs one is said by `design.serving`; the price of both is that of every other read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.plan import VariantPlan
from tablewright.architect.plans.values import CollectionPlan, ReadPlan

if TYPE_CHECKING:
    from collections.abc import Iterator


def _explain(plan: ReadPlan | CollectionPlan, _: int) -> Iterator[str]:
    if isinstance(plan, ReadPlan) and plan.serving.lacking in ("before", "behind"):
        name = plan.shape.sort[len(plan.serving.equal)]
        place = "last" if plan.serving.lacking == "behind" else "first"
        yield f"Items without {name} come {place}, from a request of their own; `absent: omit` would do without it"


ABSENT = VariantPlan(explain=_explain)
