from __future__ import annotations

import pytest

from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.cost.storage import StoredEntry, one_off, pitr_usd, storage_usd, stored
from tablewright.design.cost.units.volumes import estimate
from tests.design.cost.shop import GET, OF_CUSTOMER, PUT, shop

GB = 2**30


def entry(place: str, gb: float) -> StoredEntry:
    return StoredEntry(entry=place, place=place, entity="E", kind="item", count=1, entry_bytes=1, bytes=gb * GB)


def test_every_entry_counts_with_a_hundred_bytes():
    # a million orders of 1,500 + 100 bytes, in the table and in the index
    found = stored(estimate(shop(GET, OF_CUSTOMER, PUT)))
    assert [(each.place, each.bytes) for each in found] == [("table", 1.6e9), ("gsi1", 1.6e9)]
    assert sum(each.gb for each in found) == pytest.approx(2.980232)


def test_a_month_of_storage():
    assert storage_usd(100, US_EAST_1) == 25
    assert storage_usd(100, US_EAST_1, infrequent=True) == 10
    assert storage_usd(100, US_EAST_1, free_gb=25) == 18.75
    assert storage_usd(10, US_EAST_1, free_gb=25) == 0


def test_recovery_is_billed_without_global_indexes():
    assert pitr_usd((entry("table", 10), entry("gsi1", 10), entry("lsi1", 5)), US_EAST_1) == pytest.approx(3)


def test_backups_and_moves_are_paid_for_the_table():
    found = one_off((entry("table", 100), entry("gsi1", 50)), US_EAST_1)
    assert (found.backup_usd_per_month, found.restore_usd) == (10, 15)
    assert (found.export_usd, found.import_usd) == (10, 15)
