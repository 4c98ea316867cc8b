"""The tables of a design: their settings with the reasons, what their streams are for, and how DynamoDB makes them."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.cost.traffic import (
    loads,
    metered_place,
    provision,
    read_by_place,
    utilisation_of,
    written_by_place,
)
from tablewright.design.model import Provisioned
from tablewright.design.serving.trailing import LEAST_STALE_SECONDS, window_seconds
from tablewright.spec.facts import reference_attributes
from tablewright.spec.model import EXPIRES_AT
from tablewright.wire.limits import TABLE_QUOTA_RCU, TABLE_QUOTA_WCU

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tablewright.design.cost.report import CostReport
    from tablewright.design.cost.traffic import Load
    from tablewright.design.cost.traffic import Provisioned as ReadyUnits
    from tablewright.design.layout.forms import Copy
    from tablewright.design.layout.layout import Layout
    from tablewright.design.model import Design, Index, ItemType, KeyField, TableDesign
    from tablewright.spec.model import RelationshipSpec, Spec

HEADROOM = 2
"""Peaks within an hour are above its mean, and traffic grows before somebody looks: autoscaling may double."""
STREAM_READERS = {"lambda": "a Lambda function", "application": "an application"}
FOLLOWING = "Lambda reads a stream free, and what the function itself runs and writes is not in the bill"
KEEPING = (
    "Lambda reads a stream free, what the function reads and writes to keep it is in the bill, and what it runs is on"
    " that of Lambda"
)
TABLE_CLASSES: Mapping[str, Any] = {"standard": "STANDARD", "standard-ia": "STANDARD_INFREQUENT_ACCESS"}


def with_settings(table: TableDesign, items: Sequence[ItemType], layout: Layout, cost: CostReport) -> TableDesign:
    spec, billing = layout.spec, layout.spec.billing
    bounds = _capacity_bounds(layout, cost) if cost.recommended.mode != "on-demand" else {}
    followed = list(_stream_reasons(layout.origin, tuple(items)))  # what no request does along
    return msgspec.structs.replace(
        table,
        billing_mode="PROVISIONED" if bounds else "PAY_PER_REQUEST",
        provisioned=bounds,
        table_class=TABLE_CLASSES[cost.recommended.table_class],
        ttl_attribute=layout.spec.expiry_attribute or _mark_expiry(spec),
        stream="NEW_AND_OLD_IMAGES" if billing.streams in STREAM_READERS or followed or spec.is_global else None,
        kinesis=billing.streams == "kinesis",
        pitr=billing.has_recovery,
        why=dict(_reasons(layout, cost, followed)),
    )


def _mark_expiry(spec: Spec) -> str | None:
    """Where nothing else expires, what a function notes of the records that it has seen does."""
    if not _has_marks(spec):
        return None
    taken = {attribute for each in spec.entities.values() for attribute in each.attributes}
    return next(each for each in EXPIRES_AT if each not in taken)


def _has_marks(spec: Spec) -> bool:
    """Numbers that the stream keeps need marks, lists do not."""
    return any(each.kind == "trailing" and each.top is None for each in spec.entities.values())


def _capacity_bounds(layout: Layout, cost: CostReport) -> dict[str, Provisioned]:
    """By place: from the average, or what the quietest hour takes if that is more, to twice the busiest."""
    utilisation = utilisation_of(layout.facts)
    ready = {(each.place, each.kind): each for each in provision(_day_of(layout, cost), utilisation)}
    peaks = _peaks(layout, cost)
    return {
        place: Provisioned(
            min_rcu=min(ready[place, "rcu"].units),
            max_rcu=_most_units(ready[place, "rcu"], peaks, utilisation, TABLE_QUOTA_RCU),
            min_wcu=min(ready[place, "wcu"].units),
            max_wcu=_most_units(ready[place, "wcu"], peaks, utilisation, TABLE_QUOTA_WCU),
            target_utilisation=utilisation,
        )
        for place in dict.fromkeys(place for place, _ in ready)
    }


def _day_of(layout: Layout, cost: CostReport) -> tuple[Load, ...]:
    return loads(layout.facts, [each.prediction for each in cost.patterns])


def _most_units(ready: ReadyUnits, peaks: Mapping[tuple[str, str], float], utilisation: float, quota: int) -> int:
    """Enough for the peak, and twice the busiest hour as far as a table may have that without asking."""
    needed = max(*ready.units, ceil(peaks.get((ready.place, ready.kind), 0.0) / utilisation))
    return max(needed, min(quota, HEADROOM * max(ready.units)))


def _peaks(layout: Layout, cost: CostReport) -> dict[tuple[str, str], float]:
    """Units a second by place and kind with every pattern at its peak."""
    found: dict[tuple[str, str], float] = {}
    for each in cost.patterns:
        rate = layout.facts.rates[each.pattern]
        for kind, units in (("rcu", read_by_place(each.prediction)), ("wcu", written_by_place(each.prediction))):
            for place, taken in units.items():
                key = metered_place(place), kind
                found[key] = found.get(key, 0.0) + taken * (rate.peak or rate.avg)
    return found


# ---- reasons --------------------------------------------------------------------------------------------------------


def _reasons(layout: Layout, cost: CostReport, followed: list[str]) -> Iterator[tuple[str, str]]:
    spec, billing = layout.spec, layout.spec.billing
    yield "billing_mode", cost.recommended.because
    if cost.recommended.mode != "on-demand":
        span = f"from the average, or the quietest hour if that takes more, to {HEADROOM} times the busiest"
        yield "provisioned", f"{span}, {utilisation_of(layout.facts):.0%} of it in use"
    asked = cost.scenarios[0].quotas
    if asked:
        yield "quota", "; ".join(asked)
    yield "table_class", _class_reason(cost)
    expiring = [each.name for each in spec.entities.values() if each.ttl is not None]
    if expiring:
        yield (
            "ttl_attribute",
            f"{', '.join(expiring)}: seconds since 1970 after which DynamoDB deletes the item, at no cost",
        )
    elif _has_marks(spec):
        yield "ttl_attribute", "marks of the stream's records that were added to a total, which go after two days"
    if billing.streams in STREAM_READERS:
        yield "stream", f"{STREAM_READERS[billing.streams]} reads the changes (billing.streams)"
    elif followed:
        keeps = any(each.kind == "trailing" for each in spec.entities.values())
        sets = any(part.is_followed for parts in layout.form.reads.values() for part in parts)
        bill = KEEPING if keeps or sets else FOLLOWING
        yield "stream", f"a function has to follow: {'; '.join(followed)}; {bill}"
    elif spec.is_global:
        yield "stream", "on: DynamoDB replicates by it, and it costs nothing unless somebody reads it"
    elif billing.streams == "none":
        yield "stream", "off: nothing in this design needs it"
    yield (
        "pitr",
        _pitr_reason(cost) if billing.has_recovery else "off, because the spec says so: a mistake cannot be undone",
    )
    yield "deletion_protection", "a table is deleted on purpose or not at all; costs nothing"
    yield "encryption", "keys that AWS owns: always on, at no cost"


def _class_reason(cost: CostReport) -> str:
    """On demand or provisioned, as recommended, in each class."""
    same = {each.table_class: each.usd_per_month for each in cost.modes if each.mode == cost.recommended.mode}
    if "standard-ia" not in same:
        region = cost.prices.region
        return f"Standard ${same['standard']:,.2f} a month; the prices of Standard-IA in {region} are not known"
    return f"Standard ${same['standard']:,.2f}, Standard-IA ${same['standard-ia']:,.2f} a month"


def _pitr_reason(cost: CostReport) -> str:
    return f"any second of the last 35 days can be restored, for ${cost.pitr_usd_per_month:,.2f} a month"


# ---- what a stream is for -------------------------------------------------------------------------------------------
# DynamoDB deletes an expired item alone, and a delete of a parent leaves its children. Whoever reads the table's stream
# can follow: that is what a design asks a stream for. Numbers that may be behind are kept in the same way.


class Cascade(msgspec.Struct, frozen=True):
    """Items of `child` go when the item of `parent` goes that they name: by attribute of the child, the parent's."""

    parent: str
    child: str
    references: Mapping[str, str]


def companions(items: Iterable[ItemType], entity: str) -> list[ItemType]:
    """What is written along with an entity, in items of its own."""
    return [each for each in items if each.entity == entity and each.is_written_along]


def cascades(spec: Spec, items: Iterable[ItemType]) -> list[Cascade]:
    """Of relationships that say so; what lies inside its parent goes with it anyway."""
    apart = {each.entity for each in items if each.kind == "entity"}
    found = [each for relationship in spec.relationships for each in _cascades_of(spec, relationship)]
    return [each for each in found if each.child in apart and each.references]


def _cascades_of(spec: Spec, relationship: RelationshipSpec) -> Iterator[Cascade]:
    """What connects two entities goes with either."""
    if not relationship.cascade:
        return
    via = relationship.via
    pairs = [(relationship.source, via or relationship.target), *([(relationship.target, via)] if via else [])]
    for parent, child in pairs:
        owner, owned = spec.entities.get(parent), spec.entities.get(child or "")
        if owner is not None and owned is not None:
            names = reference_attributes(spec, owned, owner, relationship)
            theirs = owner.id if len(names) == len(owner.id) else ()
            yield Cascade(parent, owned.name, dict(zip(names, theirs, strict=False)))


def expiring(items: Iterable[ItemType]) -> list[ItemType]:
    """Entities whose items vanish, but not what was written along with them."""
    every = list(items)
    return [
        each
        for each in every
        if each.kind == "entity"
        and each.ttl_days is not None
        and any(other.ttl_days is None for other in companions(every, each.entity))
    ]


def trailing(items: Iterable[ItemType]) -> list[ItemType]:
    """Totals and lists that the stream keeps."""
    return [each for each in items if each.kind == "trailing"]


def _steps_in(item: ItemType) -> set[str]:
    """What no read gives: it asks for those above a value."""
    return {each.name for each in item.attributes if each.step_of is not None}


def window_of(spec: Spec, items: Iterable[ItemType]) -> int:
    """How long changes are collected for such totals of one table: what the most impatient of their reads allows."""
    every = list(items)
    kept = [(each.entity, set(each.id) - _steps_in(each)) for each in trailing(every)]
    said = [each.stale for each in spec.reads if each.stale is not None and (each.entity, set(each.by)) in kept]
    copies = {(item.entity, copy.name) for item, copy in followed_copies(every)}
    said += [
        each.stale
        for each in spec.reads
        if each.stale is not None and any((each.entity, name) in copies for name in each.returns)
    ]
    return window_seconds(min(said, default=LEAST_STALE_SECONDS))


def followed_copies(items: Iterable[ItemType]) -> list[tuple[ItemType, Copy]]:
    """What items keep of others by the stream."""
    return [
        (item, each.copy_of)
        for item in items
        if item.kind == "entity"
        for each in item.attributes
        if each.copy_of is not None and each.copy_of.kept == "stream"
    ]


def _stream_reasons(spec: Spec, items: Iterable[ItemType]) -> Iterator[str]:
    every = list(items)
    for cascade in cascades(spec, every):
        yield f"{cascade.child} items go with their {cascade.parent}"
    for each in expiring(every):
        along = ", ".join(other.name for other in companions(every, each.entity) if other.ttl_days is None)
        yield f"{along} must follow when a {each.name} expires"
    for each in trailing(every):
        yield f"{each.name} is kept by the changes of {each.entity}"
    for item, copy in followed_copies(every):
        yield f"{item.name} items keep {copy.name}"


# ---- as DynamoDB makes them -----------------------------------------------------------------------------------------


def definition(table: TableDesign) -> dict[str, Any]:
    """The parameters of CreateTable, on demand."""
    fields = {
        each.name: each.type
        for each in (table.pk, table.sk, *(f for index in (*table.gsis, *table.lsis) for f in (*index.pk, *index.sk)))
    }
    made: dict[str, Any] = {
        "TableName": table.name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in fields.items()],
        "KeySchema": _key_schema((table.pk,), (table.sk,)),
    }
    if table.gsis:
        made["GlobalSecondaryIndexes"] = [_index_definition(each) for each in table.gsis]
    if table.lsis:
        made["LocalSecondaryIndexes"] = [_index_definition(each) for each in table.lsis]
    return made


def _key_schema(pk: Iterable[KeyField], sk: Iterable[KeyField]) -> list[dict[str, str]]:
    return [
        *({"AttributeName": each.name, "KeyType": "HASH"} for each in pk),
        *({"AttributeName": each.name, "KeyType": "RANGE"} for each in sk),
    ]


def _index_definition(index: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index.projection.type}
    if index.projection.type == "INCLUDE":
        projection["NonKeyAttributes"] = list(index.projection.attributes)
    return {"IndexName": index.name, "KeySchema": _key_schema(index.pk, index.sk), "Projection": projection}


def table_of(design: Design, name: str) -> TableDesign:
    return next(each for each in design.tables if each.name == name)


def index_of(table: TableDesign, name: str | None) -> Index | None:
    return next((each for each in (*table.gsis, *table.lsis) if each.name == name), None)


def key_names_of(table: TableDesign, index: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The partition and sort attributes of the table or one of its indexes."""
    found = index_of(table, index)
    if found is None:
        return (table.pk.name,), (table.sk.name,)
    return tuple(each.name for each in found.pk), tuple(each.name for each in found.sk)
