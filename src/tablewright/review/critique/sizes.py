"""Rules about sizes, indexes and settings: what grows without bounds, what is paid for and unused, what is not set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.cost.storage import pitr_usd, stored
from tablewright.design.heat.sizes import gigabytes, kilobytes
from tablewright.design.serving.buckets import lacks_since
from tablewright.design.wording import concat, money, number
from tablewright.review.case import Remark
from tablewright.review.operations.repricing import (
    indexes_of_whole_items,
    is_worth,
    needed_attributes,
    readers_of,
    saved_by_projection,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.storage import StoredEntry
    from tablewright.design.layout.views import View
    from tablewright.review.case import Case

HALF = 0.5
RARE = 10.0
"""An index that costs so many times what is read from it is kept for something rare."""
LEAST_USD = 1.0
SHORT_DAYS = 7


def growing_collections(case: Case) -> Iterator[Remark]:
    for each in case.heat.collections:
        if each.largest_bytes["36"] > each.limit_bytes:
            bucket = f"; a bucket of one {each.bucket.period} keeps it below" if each.bucket else ""
            size = gigabytes(each.largest_bytes["36"])
            views = case.views_in(each.place, each.partition_key)
            walked = _would_be_walked(case, views) if each.bucket else ""
            text = f"{each.place}: {each.partition_key} grows to {size} in 36 months{bucket}{walked}"
            yield Remark(text=text, views=views)


def _would_be_walked(case: Case, views: tuple[View, ...]) -> str:
    """Lists of the newest that could be read bucket by bucket, if there were a beginning."""
    for pattern in case.spec.reads:
        read = case.layout.reads[pattern.id]
        name = lacks_since(case.facts, pattern) if set(read.views.values()) & set(views) else ""
        if name:
            said = f"say `since` of {pattern.entity}.{name}, its oldest value"
            return f": {said}, and {case.name(pattern.id)} is read bucket after bucket"
    return ""


def local_index_growth(case: Case) -> Iterator[Remark]:
    """With a local index 10 GB are the end of a collection, not a hint."""
    for each in case.heat.collections:
        if each.is_limited and each.largest_bytes["36"] > HALF * each.limit_bytes:
            size = gigabytes(each.largest_bytes["36"])
            text = f"{each.partition_key} reaches {size} in 36 months, and writes stop at 10 GB"
            yield Remark(text=text, local_indexes=True)


def large_items(case: Case) -> Iterator[str]:
    for each in case.heat.items:
        if each.headroom < HALF:
            yield f"{each.entity} has up to {kilobytes(each.largest_bytes)} of 400 KB"
        if each.unbounded:
            yield f"{each.entity}.{concat(each.unbounded)} can grow without end: say `max`, or make its parts items"


# ---- indexes --------------------------------------------------------------------------------------------------------


def rare_indexes(case: Case) -> Iterator[Remark]:
    for each in case.cost.places:
        if not each.place.startswith("gsi"):
            continue
        readers = readers_of(case.layout, each.place)
        kept = each.write_usd_per_month + each.storage_usd_per_month
        views = tuple(view for view in case.layout.keys if view.index == each.place)
        if not readers:
            yield Remark(text=f"{each.place} is read by no pattern and costs {money(kept)} a month", views=views)
        elif len(readers) == 1 and kept > LEAST_USD and kept > RARE * each.read_usd_per_month:
            yield Remark(
                text=f"{each.place} serves {readers[0].id} alone: {money(kept)} a month to keep it,"
                f" {money(each.read_usd_per_month)} to read it",
                views=views,
            )


def unused_projections(case: Case) -> Iterator[str]:
    """Whole items in an index whose readers all say that they want less, where that is worth something."""
    for place in indexes_of_whole_items(case):
        readers = readers_of(case.layout, place)
        if not readers or not all(each.returns for each in readers):
            continue
        needed = needed_attributes(case.layout, place)
        saved = saved_by_projection(case, place, needed)
        if is_worth(saved, case.cost):
            wanted = concat(sorted(needed)) if needed else "keys"
            yield f"{place} holds whole items, its readers want {wanted}: {money(saved)} a month less"


# ---- settings -------------------------------------------------------------------------------------------------------


def no_recovery(case: Case) -> Iterator[str]:
    """Data that is gone within days anyway needs none."""
    if not case.table.pitr and not all(_is_short_lived(case, each.entity) for each in _recovered(case)):
        yield f"off; {number(round(case.cost.gb, 2))} GB could not be brought back"


def recovery_of_short_lived(case: Case) -> Iterator[str]:
    """What is gone within a week is paid for as if it could be wanted back for 35 days."""
    if not case.table.pitr:
        return
    every = _recovered(case)
    short = [each for each in every if _is_short_lived(case, each.entity)]
    names, usd = concat(dict.fromkeys(each.entity for each in short)), pitr_usd(tuple(short), case.cost.prices)
    if short and len(short) == len(every):
        yield (
            f"all that is in the table ({names}) expires within {SHORT_DAYS} days, and recovery costs {money(usd)} a"
            " month: say `billing: {pitr: false}` if it can be made again"
        )
    elif short and is_worth(usd, case.cost):
        whole = pitr_usd(tuple(every), case.cost.prices)
        verb = "expires" if len({each.entity for each in short}) == 1 else "expire"
        yield (
            f"{names} {verb} within {SHORT_DAYS} days and {'is' if verb == 'expires' else 'are'} {money(usd)} of the"
            f" {money(whole)} a month that recovery costs: a table of its own could do without"
        )


def _recovered(case: Case) -> list[StoredEntry]:
    """What recovery is billed for."""
    return [each for each in stored(case.volumes) if not each.place.startswith("gsi")]


def _is_short_lived(case: Case, entity: str) -> bool:
    """Whether its items, or those they are written along with, expire within a week."""
    spec = case.spec.entities[entity]
    own = case.spec.entities.get(spec.of or "", spec)
    return own.ttl is not None and own.ttl.days is not None and own.ttl.days <= SHORT_DAYS


def no_deletion_protection(case: Case) -> Iterator[str]:
    if not case.table.deletion_protection:
        yield "off; one call deletes the table"


def expiry_types(case: Case) -> Iterator[str]:
    for entity in case.origin.entities.values():
        name = entity.ttl.attribute if entity.ttl else None
        attribute = entity.attributes.get(name) if name else None
        if attribute is not None and attribute.type != "number":
            yield f"{entity.name}.{attribute.name} is {attribute.type}: items would never expire"
