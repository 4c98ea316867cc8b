"""Stored bytes as they are billed: every item, index entry, copy and sentinel with 100 bytes on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.prices import GB, Prices
from tablewright.design.cost.units.following import MARK_BYTES, MARK_DAYS, marks_per_second, numbers_in
from tablewright.spec.volumes import LINGER_DAYS
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES

if TYPE_CHECKING:
    from tablewright.design.cost.units.volumes import Volumes
    from tablewright.spec.facts import Facts

SECONDS_PER_DAY = 86_400


class StoredEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What one entity takes in one place."""

    entry: str
    place: str
    entity: str
    kind: str
    count: float
    entry_bytes: float  # of one, without the 100 bytes
    bytes: float

    @property
    def gb(self) -> float:
        return self.bytes / GB


class OneOff(msgspec.Struct, frozen=True, kw_only=True):
    """What is paid when it is done, for the table as it is now."""

    backup_usd_per_month: float  # for every month one is kept
    restore_usd: float
    export_usd: float
    import_usd: float


def one_off(found: tuple[StoredEntry, ...], prices: Prices) -> OneOff:
    gb = sum(each.gb for each in found if each.place == "table")
    return OneOff(
        backup_usd_per_month=gb * prices.backup_gb_month,
        restore_usd=gb * prices.restore_gb,
        export_usd=gb * prices.export_gb,
        import_usd=gb * prices.import_gb,
    )


def stored(volumes: Volumes) -> tuple[StoredEntry, ...]:
    return tuple(
        StoredEntry(
            entry=each.name,
            place=each.place,
            entity=each.entity,
            kind=each.kind,
            count=count,
            entry_bytes=each.bytes,
            bytes=count * (each.bytes + ITEM_STORAGE_OVERHEAD_BYTES),
        )
        for each in volumes.entries
        for count in [volumes.counts[each.entity] * each.share]
    )


def stored_marks(facts: Facts, volumes: Volumes, *, traffic: float = 1.0) -> tuple[StoredEntry, ...]:
    """What tells a record that comes again, until DynamoDB has deleted it; of the first number that needs it."""
    kept = next(iter(numbers_in(facts, volumes.entries)), None)
    if kept is None:
        return ()
    count = marks_per_second(facts, volumes.entries) * traffic * (MARK_DAYS + LINGER_DAYS) * SECONDS_PER_DAY
    size = MARK_BYTES + ITEM_STORAGE_OVERHEAD_BYTES
    return (
        StoredEntry(
            entry=f"{kept.place}/marks",
            place=kept.place,
            entity=kept.entity,
            kind="mark",
            count=count,
            entry_bytes=MARK_BYTES,
            bytes=count * size,
        ),
    )


def storage_usd(gb: float, prices: Prices, *, infrequent: bool = False, free_gb: float = 0.0) -> float:
    """A month of storage; the free gigabytes are an account's, of class Standard, and not counted on unless asked."""
    if infrequent:
        return gb * prices.ia_storage_gb_month
    return max(0.0, gb - free_gb) * prices.storage_gb_month


def pitr_usd(found: tuple[StoredEntry, ...], prices: Prices) -> float:
    """Point-in-time recovery is billed for the table and its local indexes; global ones are built anew."""
    return sum(each.gb for each in found if not each.place.startswith("gsi")) * prices.pitr_gb_month
