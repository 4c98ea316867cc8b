"""The physical tables of a solution with their settings, each with the reason where there is one to give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.assembly.items import items_of
from tablewright.architect.assembly.native_keys import native_indexes
from tablewright.design.cost.traffic import loads, provision
from tablewright.design.model import Index, KeyField, Projection, Provisioned, TableDesign
from tablewright.design.names import index_fields
from tablewright.design.streams import stream_reasons

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.architect.solution import Solution
    from tablewright.design.cost.report import CostReport

HEADROOM = 2
"""Peaks within an hour are above its mean, and traffic grows before somebody looks: autoscaling may double."""
STREAM_READERS = {"lambda": "a Lambda function", "application": "an application"}
TABLE_CLASSES: Mapping[str, Any] = {"standard": "STANDARD", "standard-ia": "STANDARD_INFREQUENT_ACCESS"}


def tables_of(solution: Solution, cost: CostReport) -> tuple[TableDesign, ...]:
    pk, sk = index_fields(None)
    choice, billing = solution.choice, solution.spec.billing
    bounds = capacity_bounds(solution, cost) if cost.recommended.mode != "on-demand" else {}
    return (
        TableDesign(
            name=solution.spec.name,
            pk=KeyField(pk),
            sk=KeyField(sk),
            gsis=tuple(
                index_of(solution, f"gsi{at + 1}", projection_of(solution, at)) for at in range(len(choice.slots))
            ),
            lsis=tuple(index_of(solution, f"lsi{number}") for number in range(1, len(choice.lsis) + 1)),
            billing_mode="PROVISIONED" if bounds else "PAY_PER_REQUEST",
            provisioned=bounds,
            table_class=TABLE_CLASSES[cost.recommended.table_class],
            ttl_attribute=solution.spec.expiry_attribute,
            stream="NEW_AND_OLD_IMAGES" if billing.streams in STREAM_READERS or followed(solution) else None,
            kinesis=billing.streams == "kinesis",
            pitr=billing.pitr,
            why=dict(reasons(solution, cost)),
        ),
    )


def index_of(solution: Solution, name: str, projection: Projection | None = None) -> Index:
    native = native_indexes(solution).get(name)
    if native is not None:
        return native.index(projection or Projection())
    pk, sk = index_fields(name)
    return Index(name=name, pk=(KeyField(pk),), sk=(KeyField(sk),), projection=projection or Projection())


def projection_of(solution: Solution, slot: int) -> Projection:
    """What is included comes with what says which type an item is."""
    chosen = solution.choice.projection(slot)
    if chosen.kind != "INCLUDE":
        return Projection(chosen.kind)
    fixed = {name for view in solution.names.keys if view.slot == slot for name in solution.names.fixed(view)}
    return Projection("INCLUDE", tuple(sorted({*chosen.attributes, *fixed})))


def capacity_bounds(solution: Solution, cost: CostReport) -> dict[str, Provisioned]:
    """By place: from what the quietest hour takes to twice the busiest, at the wanted utilisation."""
    utilisation = solution.spec.billing.utilisation
    day = loads(solution.facts, [each.prediction for each in cost.patterns])
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


def followed(solution: Solution) -> list[str]:
    """What no request does along, so that somebody has to read the stream."""
    return list(stream_reasons(solution.origin, tuple(items_of(solution))))


# ---- reasons --------------------------------------------------------------------------------------------------------


def reasons(solution: Solution, cost: CostReport) -> Iterator[tuple[str, str]]:
    spec, billing = solution.spec, solution.spec.billing
    yield "billing_mode", cost.recommended.because
    if cost.recommended.mode != "on-demand":
        yield (
            "provisioned",
            f"from the quietest hour to {HEADROOM} times the busiest, {billing.utilisation:.0%} of it in use",
        )
    yield "table_class", class_reason(cost)
    expiring = [each.name for each in spec.entities.values() if each.ttl is not None]
    if expiring:
        yield (
            "ttl_attribute",
            f"{', '.join(expiring)}: seconds since 1970 after which DynamoDB deletes the item, at no cost",
        )
    if billing.streams in STREAM_READERS:
        yield "stream", f"{STREAM_READERS[billing.streams]} reads the changes (billing.streams)"
    elif followed(solution):
        yield "stream", f"a function has to follow: {'; '.join(followed(solution))}"
    elif billing.streams == "none":
        yield "stream", "off: nothing in this design needs it"
    yield "pitr", pitr_reason(cost) if billing.pitr else "off, because the spec says so: a mistake cannot be undone"
    yield "deletion_protection", "a table is deleted on purpose or not at all; costs nothing"
    yield "encryption", "keys that AWS owns: always on, at no cost"


def class_reason(cost: CostReport) -> str:
    """The cheapest way of paying in each class."""
    prices = {
        name: min(each.usd_per_month for each in cost.modes if each.table_class == name and not each.upfront_usd)
        for name in TABLE_CLASSES
    }
    return f"Standard ${prices['standard']:,.2f}, Standard-IA ${prices['standard-ia']:,.2f} a month"


def pitr_reason(cost: CostReport) -> str:
    return f"any second of the last 35 days can be restored, for ${cost.pitr_usd_per_month:,.2f} a month"
