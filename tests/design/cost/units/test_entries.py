from __future__ import annotations

from tablewright.design.cost.units.entries import entries_of
from tests.design.cost.shop import GET, OF_CUSTOMER, PUT, shop


def test_an_entry_for_every_place():
    layout = shop(GET, OF_CUSTOMER, PUT, order={"unique": ["note"]})
    assert [(each.name, each.kind, each.place) for each in entries_of(layout)] == [
        ("table/Order", "item", "table"),
        ("gsi1/Order", "index", "gsi1"),
        ("table/OrderNote", "unique", "table"),
    ]


def test_a_size_that_is_not_said_is_added_up_with_the_keys():
    order = {"attributes": {"orderId": "string", "total": "number"}, "size_bytes": None, "count": 10}
    (entry,) = entries_of(shop(GET, PUT, order=order))
    attributes = len("orderId") + 20 + len("total") + 6
    keys = len("pk") + len("ORDER#") + 20 + len("sk") + len("ORDER")
    assert entry.bytes == attributes + len("_type") + len("Order") + keys


def test_an_id_within_what_is_unique_needs_no_sentinel():
    layout = shop(GET, PUT, order={"unique": [["orderId", "note"]]})
    assert [each.kind for each in entries_of(layout)] == ["item"]
