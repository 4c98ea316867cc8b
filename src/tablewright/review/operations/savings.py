"""What about the attributes would make the bill smaller, each worked out by pricing the design again without it.

Only what matters is said: more than one percent of the bill, or more than a dollar a month.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.advice import Saving
from tablewright.design.cost.growth import count_after, growth_of
from tablewright.design.cost.prices import GB
from tablewright.design.cost.units.entries import value_bytes
from tablewright.design.wording import concat, number
from tablewright.review.operations.repricing import (
    indexes_of_whole_items,
    is_worth,
    needed_attributes,
    readers_of,
    saved_by,
    saved_by_projection,
)
from tablewright.review.upkeep.children import repeated_references, sides_of
from tablewright.spec.listing import asked_reads
from tablewright.spec.volumes import attribute_bytes, presence
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES, KB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tablewright.design.cost.units.entries import Entry
    from tablewright.review.case import Case
    from tablewright.spec.model import AttributeSpec

SHORT_NAME = 2
COMPRESSIBLE_BYTES = 1 * KB
COMPRESSED = 0.4
"""What is left of prose, JSON and HTML; keep the measured share of your own data."""
LARGE_BYTES = 16 * KB
POINTER_BYTES = 80
KEPT_MONTHS = 12
THREE_YEARS = 36


def savings(case: Case) -> tuple[Saving, ...]:
    """The largest first."""
    found = (
        *_short_names(case),
        *_large_values(case),
        *_unused_references(case),
        *_narrow_projections(case),
        *_expiry(case),
    )
    worth = [each for each in found if is_worth(each.usd_per_month, case.cost)]
    return tuple(sorted(worth, key=lambda each: -each.usd_per_month))


def _shrink(entity: str, size: float, kinds: Iterable[str] = ("item", "index", "copy")) -> Callable[[Entry], Entry]:
    """Entries of an entity with so many bytes less, as far as they hold everything."""

    def change(entry: Entry) -> Entry:
        complete = entry.kind == "item" or entry.projected is None
        if entry.entity != entity or entry.kind not in kinds or not complete:
            return entry
        return msgspec.structs.replace(entry, bytes=max(1.0, entry.bytes - size))

    return change


# ---- names and values -----------------------------------------------------------------------------------------------


def _short_names(case: Case) -> Iterator[Saving]:
    facts = case.facts
    for name, entity in facts.spec.entities.items():
        spare = {
            each: max(0, len(each.encode()) - SHORT_NAME) * presence(facts, name, each) for each in entity.attributes
        }
        size = sum(spare.values())
        longest = sorted(spare, key=lambda each: (-spare[each], each))[:3]
        yield Saving(
            subject=name,
            advice=f"Store attributes under names of {SHORT_NAME} characters ({concat(longest)} are the longest), and"
            " keep the long ones in code.",
            usd_per_month=saved_by(case, _shrink(name, size)),
            bytes_per_item=size,
        )


def _large_values(case: Case) -> Iterator[Saving]:
    facts = case.facts
    for name, entity in facts.spec.entities.items():
        for each in entity.attributes.values():
            size = value_bytes(facts, name, each.name)
            if _in_a_key(case, name, each.name):
                continue
            if size >= LARGE_BYTES or (each.max_bytes or 0) >= LARGE_BYTES * 4:
                yield _in_object_storage(case, name, each.name, size)
            elif size >= COMPRESSIBLE_BYTES and each.type in ("string", "map", "list"):
                yield _in_compressed_form(case, name, each, size)


def _in_a_key(case: Case, entity: str, name: str) -> bool:
    return any(view.entity == entity and name in view.shape.attributes for view in case.layout.keys)


def _in_object_storage(case: Case, entity: str, name: str, size: int) -> Saving:
    less = max(0.0, (size - POINTER_BYTES) * presence(case.facts, entity, name))
    return Saving(
        subject=f"{entity}.{name}",
        advice=f"Keep it in S3 and its key in the item: {number(size)} bytes become {POINTER_BYTES}. S3 bills its own"
        " storage and requests; write the object first, then the item.",
        usd_per_month=saved_by(case, _shrink(entity, less)),
        bytes_per_item=less,
    )


def _in_compressed_form(case: Case, entity: str, attribute: AttributeSpec, size: int) -> Saving:
    less = size * (1 - COMPRESSED) * presence(case.facts, entity, attribute.name)
    note = "" if attribute.type == "string" else "; single entries of it can no longer be updated or filtered"
    return Saving(
        subject=f"{entity}.{attribute.name}",
        advice=f"Compress it to binary: {number(size)} bytes become about {number(ceil(size * COMPRESSED))}{note}.",
        usd_per_month=saved_by(case, _shrink(entity, less)),
        bytes_per_item=less,
    )


def _unused_references(case: Case) -> Iterator[Saving]:
    """References that follow from the parent, stored with every child, and asked for by nobody."""
    for relationship in case.origin.relationships:
        for side in sides_of(case.asked, relationship):
            for name in repeated_references(case.layout, side) if side.child in case.spec.entities else ():
                if not _is_used(case, side.child, name):
                    size = attribute_bytes(case.facts, side.child, name)
                    yield Saving(
                        subject=f"{side.child}.{name}",
                        advice=f"Leave it out: its {side.parent} has it, and no pattern asks for it.",
                        usd_per_month=saved_by(case, _shrink(side.child, size)),
                        bytes_per_item=size,
                    )


def _is_used(case: Case, entity: str, name: str) -> bool:
    """Whether a key holds it, or a pattern gives, filters by or returns it."""
    patterns = [each for each in (*asked_reads(case.origin), *case.origin.writes) if entity in each.entities]
    asked = any(name in (*each.by, *each.filter, *each.returns) for each in patterns)
    return asked or _in_a_key(case, entity, name)


# ---- indexes --------------------------------------------------------------------------------------------------------


def _narrow_projections(case: Case) -> Iterator[Saving]:
    for place in indexes_of_whole_items(case):
        needed = needed_attributes(case.layout, place)
        silent = [each.id for each in readers_of(case.layout, place) if not each.returns]
        yield Saving(
            subject=place,
            advice=_projection_advice(silent, needed),
            usd_per_month=saved_by_projection(case, place, needed),
        )


def _projection_advice(silent: list[str], needed: frozenset[str]) -> str:
    if silent:
        return (
            f"Say what {concat(silent)} {'returns' if len(silent) == 1 else 'return'}: if keys are enough, the index"
            " need not hold whole items (this is the most that can be saved)."
        )
    kept = f"INCLUDE {concat(sorted(needed))}" if needed else "KEYS_ONLY"
    return f"Project {kept}: nothing else is read from it, and updates of other attributes no longer touch it."


# ---- time -----------------------------------------------------------------------------------------------------------


def _expiry(case: Case) -> Iterator[Saving]:
    """Entities that only grow: what keeping one year of them would save once there are three."""
    facts = case.facts
    for name, entity in facts.spec.entities.items():
        growth = growth_of(facts, name)
        grows = growth.added_next_month and entity.kind == "entity" and entity.ttl is None
        if not grows or not _has_time(entity.attributes.values()):
            continue
        spare = count_after(growth, THREE_YEARS - KEPT_MONTHS)  # of what is there then, all that is older
        if spare > 0:
            yield Saving(
                subject=name,
                advice=f"Let it expire after {KEPT_MONTHS} months (TTL deletes for free): in three years"
                f" {number(round(spare))} items less. Counted at that time.",
                usd_per_month=spare * _kept_usd(case, name),
                bytes_per_item=sum(each.share * each.bytes for each in case.entries if each.owner == name),
            )


def _kept_usd(case: Case, entity: str) -> float:
    """A month of one item in all its places; recovery is billed for the table, not for its global indexes."""
    prices, recovered = case.cost.prices, case.spec.billing.has_recovery
    return sum(
        each.share
        * (each.bytes + ITEM_STORAGE_OVERHEAD_BYTES)
        / GB
        * (prices.storage_gb_month + (prices.pitr_gb_month if recovered and not each.place.startswith("gsi") else 0.0))
        for each in case.entries
        if each.owner == entity
    )


def _has_time(attributes: Iterable[AttributeSpec]) -> bool:
    return any(each.type == "timestamp" for each in attributes)
