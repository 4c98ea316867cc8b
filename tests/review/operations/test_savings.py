from __future__ import annotations

import pytest

from tablewright.review.operations.savings import savings
from tests.review.applications import PUT_TASK, TASK, app, board

GB = 2**30
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Page", "by": "pageId", "rate": 1}
GET = {"id": "get", "kind": "get", "entity": "Page", "by": "pageId", "rate": 1}


def page(count=1_000_000, growth=None, **attributes):
    entity = {
        "id": "pageId",
        "attributes": {"pageId": {"type": "string", "size_bytes": 16}, **attributes},
        "count": count,
    }
    return {"Page": {**entity, **({"growth_per_month": growth} if growth else {})}}


def saved(design, subject):
    return next((each for each in savings(design) if each.subject == subject), None)


def test_short_names_are_priced_byte_by_byte():
    name = "a" * 102
    found = saved(app(page(**{name: "string"}), PUT, GET), "Page")
    # pageId is 4 characters too long, the other 100; a million items, storage and recovery
    assert found.bytes_per_item == 104
    assert found.usd_per_month == pytest.approx(104e6 / GB * 0.45)


def test_what_does_not_matter_is_not_said():
    assert savings(app(page(count=1000, text="string"), PUT, GET)) == ()


def test_compression_counts_whole_units():
    text = {"type": "string", "size_bytes": 10_000}
    found = saved(app(page(count=100, text=text), PUT, GET), "Page.text")
    # 10,000 bytes and little else are 10 units to write and 3 steps to read; 4,000 are 4 and 1, at 1 a second each
    assert found.bytes_per_item == 6000
    assert found.usd_per_month == pytest.approx(2.628 * (6 * 0.625 + 2 * 0.5 * 0.125), rel=0.001)
    assert "10,000 bytes become about 4,000." in found.advice


def test_compressed_maps_lose_their_entries():
    found = saved(app(page(count=100, data={"type": "map", "size_bytes": 10_000}), PUT, GET), "Page.data")
    assert "can no longer be updated or filtered" in found.advice


def test_large_values_go_to_object_storage():
    found = saved(app(page(count=100, image={"type": "binary", "size_bytes": 100_000}), PUT, GET), "Page.image")
    assert found.bytes_per_item == 99_920
    assert found.advice.startswith("Keep it in S3 and its key in the item: 100,000 bytes become 80.")


def test_small_values_and_keys_are_left_alone():
    design = app(page(count=100, title={"type": "string", "size_bytes": 900}), PUT, GET)
    assert saved(design, "Page.title") is None


def owned(*patterns):
    owner = {"type": "string", "size_bytes": 100, "required": True}
    more = {"attributes": {**TASK["attributes"], "ownerId": owner}}
    owners = {"Owner": {"id": "ownerId", "attributes": {"ownerId": "string"}, "count": 10}}
    return board(PUT_TASK, *patterns, task=more, entities=owners)


def test_a_reference_that_follows_from_the_parent_and_is_asked_for_by_nobody():
    found = saved(owned(), "Task.ownerId")
    # 7 bytes of name and 100 of value; a board of 500 + 20 x 1,000 bytes is 6 steps of 4 KB, with 20 x 893 it is 5:
    # half a unit less, 10 times a second
    assert found.bytes_per_item == 107
    assert found.usd_per_month == pytest.approx(0.5 * 10 * 2.628 * 0.125, rel=0.001)
    of_owner = {"id": "of-owner", "kind": "query", "entity": "Task", "by": "ownerId", "rate": 1, "items": 10}
    assert saved(owned(of_owner), "Task.ownerId") is None


def index(returns=None):
    list_ = {"id": "of-author", "kind": "query", "entity": "Page", "by": "author", "rate": 20, "items": 10}
    author = {"type": "string", "size_bytes": 16, "cardinality": 1000, "required": True}
    text = {"type": "string", "size_bytes": 900}
    change = {
        "id": "edit",
        "kind": "write",
        "op": "update",
        "entity": "Page",
        "by": "pageId",
        "changes": ["author", "text"],
    }
    entities = page(count=100_000, author=author, text=text)
    return app(entities, PUT, GET, {**list_, **({"returns": returns} if returns else {})}, {**change, "rate": 1})


def test_an_index_whose_readers_are_silent_might_be_narrower():
    found = saved(index(), "gsi1")
    assert found.usd_per_month > 0
    assert found.advice.startswith("Say what of-author returns: if keys are enough")


def test_expiry_is_counted_when_it_has_come_to_matter():
    when = {"type": "timestamp", "size_bytes": 24}
    design = app(page(count=1_000_000, growth=1_000_000, at=when), PUT, GET)
    (found,) = (each for each in savings(design) if "expire" in each.advice)
    # in 36 months 37 million items, of which those of one year, 12 million, are kept
    assert "in three years 25,000,000 items less." in found.advice
    assert found.usd_per_month == pytest.approx(25e6 * (found.bytes_per_item + 100) / GB * 0.45)


def test_nothing_expires_without_a_time_or_with_an_expiry():
    entities = page(count=1_000_000, growth=1_000_000)
    assert not any("expire" in each.advice for each in savings(app(entities, PUT, GET)))
