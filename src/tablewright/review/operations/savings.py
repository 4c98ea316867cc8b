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
from tablewright.design.cost.units.entries import Entry, entries_of, value_bytes
from tablewright.design.wording import joined, number
from tablewright.review.operations.bill import Bill, bill_of, is_worth
from tablewright.review.operations.projections import narrowed, needed_attributes, readers_of
from tablewright.review.upkeep.holding import sides_of
from tablewright.review.upkeep.relationships import inherited
from tablewright.spec.volumes import attribute_bytes, presence
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES, KB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tablewright.architect.solution import Solution
    from tablewright.design.cost.report import CostReport
    from tablewright.spec.model import AttributeSpec

SHORT_NAME = 2
COMPRESSIBLE_BYTES = 1 * KB
COMPRESSED = 0.4
"""What is left of prose, JSON and HTML; keep the measured share of your own data."""
LARGE_BYTES = 16 * KB
POINTER_BYTES = 80
KEPT_MONTHS = 12
THREE_YEARS = 36


def savings(solution: Solution, cost: CostReport) -> tuple[Saving, ...]:
    """The largest first."""
    bill = bill_of(solution, cost)
    found = (
        *short_names(bill),
        *large_values(bill),
        *repeated_references(bill),
        *narrow_projections(bill),
        *expiry(bill),
    )
    return tuple(
        sorted((each for each in found if is_worth(each.usd_per_month, cost)), key=lambda each: -each.usd_per_month)
    )


def smaller(entity: str, size: float, kinds: Iterable[str] = ("item", "index", "copy")) -> Callable[[Entry], Entry]:
    """Entries of an entity with so many bytes less, as far as they hold everything."""

    def change(entry: Entry) -> Entry:
        whole = entry.kind == "item" or entry.projected is None
        if entry.entity != entity or entry.kind not in kinds or not whole:
            return entry
        return msgspec.structs.replace(entry, bytes=max(1.0, entry.bytes - size))

    return change


# ---- names and values -----------------------------------------------------------------------------------------------


def short_names(bill: Bill) -> Iterator[Saving]:
    facts = bill.solution.facts
    for name, entity in facts.spec.entities.items():
        spare = {
            each: max(0, len(each.encode()) - SHORT_NAME) * presence(facts, name, each) for each in entity.attributes
        }
        size = sum(spare.values())
        longest = sorted(spare, key=lambda each: (-spare[each], each))[:3]
        yield Saving(
            subject=name,
            advice=f"Store attributes under names of {SHORT_NAME} characters ({joined(longest)} are the longest), and"
            " keep the long ones in code.",
            usd_per_month=bill.saved_by(smaller(name, size)),
            bytes_per_item=size,
        )


def large_values(bill: Bill) -> Iterator[Saving]:
    facts = bill.solution.facts
    for name, entity in facts.spec.entities.items():
        for each in entity.attributes.values():
            size = value_bytes(facts, name, each.name)
            if in_a_key(bill.solution, name, each.name):
                continue
            if size >= LARGE_BYTES or (each.max_bytes or 0) >= LARGE_BYTES * 4:
                yield in_object_storage(bill, name, each.name, size)
            elif size >= COMPRESSIBLE_BYTES and each.type in ("string", "map", "list"):
                yield compressed(bill, name, each, size)


def in_a_key(solution: Solution, entity: str, name: str) -> bool:
    return any(view.entity == entity and name in view.shape.attributes for view in solution.names.keys)


def in_object_storage(bill: Bill, entity: str, name: str, size: int) -> Saving:
    less = max(0.0, (size - POINTER_BYTES) * presence(bill.solution.facts, entity, name))
    return Saving(
        subject=f"{entity}.{name}",
        advice=f"Keep it in S3 and its key in the item: {number(size)} bytes become {POINTER_BYTES}. S3 bills its own"
        " storage and requests; write the object first, then the item.",
        usd_per_month=bill.saved_by(smaller(entity, less)),
        bytes_per_item=less,
    )


def compressed(bill: Bill, entity: str, attribute: AttributeSpec, size: int) -> Saving:
    less = size * (1 - COMPRESSED) * presence(bill.solution.facts, entity, attribute.name)
    note = "" if attribute.type == "string" else "; single entries of it can no longer be updated or filtered"
    return Saving(
        subject=f"{entity}.{attribute.name}",
        advice=f"Compress it to binary: {number(size)} bytes become about {number(ceil(size * COMPRESSED))}{note}.",
        usd_per_month=bill.saved_by(smaller(entity, less)),
        bytes_per_item=less,
    )


def repeated_references(bill: Bill) -> Iterator[Saving]:
    """References that follow from the parent, stored with every child, and asked for by nobody."""
    solution = bill.solution
    for relationship in solution.origin.relationships:
        for side in sides_of(solution.asked, relationship):
            for name in inherited(solution, side) if side.child in solution.spec.entities else ():
                if not is_used(solution, side.child, name):
                    size = attribute_bytes(solution.facts, side.child, name)
                    yield Saving(
                        subject=f"{side.child}.{name}",
                        advice=f"Leave it out: its {side.parent} has it, and no pattern asks for it.",
                        usd_per_month=bill.saved_by(smaller(side.child, size)),
                        bytes_per_item=size,
                    )


def is_used(solution: Solution, entity: str, name: str) -> bool:
    """Whether a key holds it, or a pattern gives, filters by or returns it."""
    patterns = [each for each in solution.origin.patterns if entity in each.entities]
    asked = any(name in (*each.by, *each.filter, *each.returns) for each in patterns)
    return asked or in_a_key(solution, entity, name)


# ---- indexes --------------------------------------------------------------------------------------------------------


def narrow_projections(bill: Bill) -> Iterator[Saving]:
    whole = {each.place for each in bill.volumes.entries if each.kind == "index" and each.projected is None}
    for place in sorted(each for each in whole if each.startswith("gsi")):
        needed = needed_attributes(bill.solution, place)
        silent = [each.id for each in readers_of(bill.solution, place) if not each.returns]
        yield Saving(
            subject=place,
            advice=projection_advice(silent, needed),
            usd_per_month=bill.saved_with(entries_of(narrowed(bill.solution, place, needed))),
        )


def projection_advice(silent: list[str], needed: frozenset[str]) -> str:
    if silent:
        return (
            f"Say what {joined(silent)} {'returns' if len(silent) == 1 else 'return'}: if keys are enough, the index"
            " need not hold whole items (this is the most that can be saved)."
        )
    kept = f"INCLUDE {joined(sorted(needed))}" if needed else "KEYS_ONLY"
    return f"Project {kept}: nothing else is read from it, and updates of other attributes no longer touch it."


# ---- time -----------------------------------------------------------------------------------------------------------


def expiry(bill: Bill) -> Iterator[Saving]:
    """Entities that only grow: what keeping one year of them would save once there are three."""
    facts = bill.solution.facts
    for name, entity in facts.spec.entities.items():
        growth = growth_of(facts, name)
        grows = growth.added_per_month and entity.kind == "entity" and entity.ttl is None
        if not grows or not has_time(entity.attributes.values()):
            continue
        spare = count_after(growth, THREE_YEARS) - growth.added_per_month * KEPT_MONTHS
        if spare > 0:
            yield Saving(
                subject=name,
                advice=f"Let it expire after {KEPT_MONTHS} months (TTL deletes for free): in three years"
                f" {number(round(spare))} items less. Counted at that time.",
                usd_per_month=spare * kept_usd(bill, name),
                bytes_per_item=sum(each.share * each.bytes for each in bill.volumes.entries if each.owner == name),
            )


def kept_usd(bill: Bill, entity: str) -> float:
    """A month of one item in all its places; recovery is billed for the table, not for its global indexes."""
    prices, recovered = bill.cost.prices, bill.solution.spec.billing.pitr
    return sum(
        each.share
        * (each.bytes + ITEM_STORAGE_OVERHEAD_BYTES)
        / GB
        * (prices.storage_gb_month + (prices.pitr_gb_month if recovered and not each.place.startswith("gsi") else 0.0))
        for each in bill.volumes.entries
        if each.owner == entity
    )


def has_time(attributes: Iterable[AttributeSpec]) -> bool:
    return any(each.type == "timestamp" for each in attributes)
