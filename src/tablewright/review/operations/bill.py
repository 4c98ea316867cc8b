"""A design priced again with other entries: what a change of what is stored would save."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.solution import Solution
from tablewright.design.cost.predict import predict
from tablewright.design.cost.prices import SECONDS_PER_MONTH
from tablewright.design.cost.report import CostReport
from tablewright.design.cost.storage import pitr_usd, storage_usd, stored
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.cost.units.volumes import Volumes, estimate

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.cost.units.entries import Entry

LEAST_SHARE = 0.01
LEAST_USD = 1.0


def is_worth(usd_per_month: float, cost: CostReport) -> bool:
    return usd_per_month > min(LEAST_USD, LEAST_SHARE * cost.usd_per_month)


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """The design with its present volumes, to be priced again with others, on demand."""

    solution: Solution
    cost: CostReport
    volumes: Volumes
    predictions: Mapping[str, Prediction]  # by pattern as stored

    def saved_by(self, change: Callable[[Entry], Entry]) -> float:
        """USD a month less when every entry is as `change` makes it."""
        return self.saved_with(tuple(change(each) for each in self.volumes.entries))

    def saved_with(self, entries: tuple[Entry, ...]) -> float:
        """The same for all entries at once; only patterns that touch what changed are predicted again."""
        then = msgspec.structs.replace(self.volumes, entries=entries)
        pairs = zip(self.volumes.entries, entries, strict=True)
        changed = {now.entity for now, new in pairs if now != new}
        touched = [each for each in self.predictions.values() if changed & {*each.rcu_by_entity, *each.wcu_by_entity}]
        requests = sum(
            self.request_usd(each) - self.request_usd(predict(self.solution.layout, each.pattern, then))
            for each in touched
        )
        return requests + self.kept_usd(self.volumes) - self.kept_usd(then)

    def request_usd(self, found: Prediction) -> float:
        runs, prices = self.solution.facts.rates[found.pattern].avg * SECONDS_PER_MONTH, self.cost.prices
        return runs * (found.rcu * prices.read_per_million + found.wcu * prices.write_per_million) / 1e6

    def kept_usd(self, volumes: Volumes) -> float:
        found, prices = stored(volumes), self.cost.prices
        recovery = pitr_usd(found, prices) if self.solution.spec.billing.pitr else 0.0
        return storage_usd(sum(each.gb for each in found), prices) + recovery


def bill_of(solution: Solution, cost: CostReport) -> Bill:
    volumes = estimate(solution.layout)
    patterns = (*solution.spec.patterns, *solution.facts.implied)
    predictions = {each.id: predict(solution.layout, each.id, volumes) for each in patterns}
    return Bill(solution=solution, cost=cost, volumes=volumes, predictions=predictions)
