"""The settings of a table, each with the reason where there is one to give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.cost.traffic import loads, provision
from tablewright.design.model import Provisioned
from tablewright.design.streams import stream_reasons

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tablewright.design.cost.report import CostReport
    from tablewright.design.layout.layout import Layout
    from tablewright.design.model import ItemType, TableDesign

HEADROOM = 2
"""Peaks within an hour are above its mean, and traffic grows before somebody looks: autoscaling may double."""
STREAM_READERS = {"lambda": "a Lambda function", "application": "an application"}
TABLE_CLASSES: Mapping[str, Any] = {"standard": "STANDARD", "standard-ia": "STANDARD_INFREQUENT_ACCESS"}


def with_settings(table: TableDesign, items: Sequence[ItemType], layout: Layout, cost: CostReport) -> TableDesign:
    billing = layout.spec.billing
    bounds = _capacity_bounds(layout, cost) if cost.recommended.mode != "on-demand" else {}
    followed = list(stream_reasons(layout.origin, tuple(items)))  # what no request does along
    return msgspec.structs.replace(
        table,
        billing_mode="PROVISIONED" if bounds else "PAY_PER_REQUEST",
        provisioned=bounds,
        table_class=TABLE_CLASSES[cost.recommended.table_class],
        ttl_attribute=layout.spec.expiry_attribute,
        stream="NEW_AND_OLD_IMAGES" if billing.streams in STREAM_READERS or followed else None,
        kinesis=billing.streams == "kinesis",
        pitr=billing.pitr,
        why=dict(_reasons(layout, cost, followed)),
    )


def _capacity_bounds(layout: Layout, cost: CostReport) -> dict[str, Provisioned]:
    """By place: from what the quietest hour takes to twice the busiest, at the wanted utilisation."""
    utilisation = layout.spec.billing.utilisation
    day = loads(layout.facts, [each.prediction for each in cost.patterns])
    ready = {(each.place, each.kind): each.units for each in provision(day, utilisation)}
    return {
        each.place: Provisioned(
            min_rcu=min(ready[each.place, "rcu"]),
            max_rcu=HEADROOM * max(ready[each.place, "rcu"]),
            min_wcu=min(ready[each.place, "wcu"]),
            max_wcu=HEADROOM * max(ready[each.place, "wcu"]),
            target_utilisation=utilisation,
        )
        for each in day
    }


# ---- reasons --------------------------------------------------------------------------------------------------------


def _reasons(layout: Layout, cost: CostReport, followed: list[str]) -> Iterator[tuple[str, str]]:
    spec, billing = layout.spec, layout.spec.billing
    yield "billing_mode", cost.recommended.because
    if cost.recommended.mode != "on-demand":
        yield (
            "provisioned",
            f"from the quietest hour to {HEADROOM} times the busiest, {billing.utilisation:.0%} of it in use",
        )
    yield "table_class", _class_reason(cost)
    expiring = [each.name for each in spec.entities.values() if each.ttl is not None]
    if expiring:
        yield (
            "ttl_attribute",
            f"{', '.join(expiring)}: seconds since 1970 after which DynamoDB deletes the item, at no cost",
        )
    if billing.streams in STREAM_READERS:
        yield "stream", f"{STREAM_READERS[billing.streams]} reads the changes (billing.streams)"
    elif followed:
        yield "stream", f"a function has to follow: {'; '.join(followed)}"
    elif billing.streams == "none":
        yield "stream", "off: nothing in this design needs it"
    yield "pitr", _pitr_reason(cost) if billing.pitr else "off, because the spec says so: a mistake cannot be undone"
    yield "deletion_protection", "a table is deleted on purpose or not at all; costs nothing"
    yield "encryption", "keys that AWS owns: always on, at no cost"


def _class_reason(cost: CostReport) -> str:
    """The cheapest way of paying in each class."""
    prices = {
        name: min(each.usd_per_month for each in cost.modes if each.table_class == name and not each.upfront_usd)
        for name in TABLE_CLASSES
    }
    return f"Standard ${prices['standard']:,.2f}, Standard-IA ${prices['standard-ia']:,.2f} a month"


def _pitr_reason(cost: CostReport) -> str:
    return f"any second of the last 35 days can be restored, for ${cost.pitr_usd_per_month:,.2f} a month"
