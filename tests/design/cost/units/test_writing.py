from __future__ import annotations

import pytest

from tablewright.design.cost.predict import predict
from tests.design.cost.shop import ANNOTATE, DROP, GET, OF_CUSTOMER, OF_STATUS, PAY, PUT, shop

ALL = (GET, OF_CUSTOMER, OF_STATUS, PUT, PAY, ANNOTATE, DROP)


def test_a_put_writes_the_item_and_every_index_it_is_in():
    # 1,500 bytes are two units, in the table and in two indexes
    found = predict(shop(*ALL), "put")
    assert (found.item_wcu, found.index_wcu, found.wcu) == (2, 4, 6)
    assert found.wcu_by_place == {"table": 2, "gsi1": 2, "gsi2": 2}
    assert found.wcu_by_entity == {"Order": 6}


def test_a_change_of_an_index_key_counts_twice_there():
    layout = shop(*ALL)
    by_status = layout.reads["of-status"].index
    found = predict(layout, "pay")
    assert found.wcu == 2 + 2 + 4
    assert found.wcu_by_place[by_status] == 4


def test_another_change_rewrites_an_index_of_everything():
    assert predict(shop(*ALL), "annotate").wcu == 6


def test_a_delete_removes_its_entries():
    assert predict(shop(*ALL), "drop").wcu == 6


def test_a_transaction_doubles_everything():
    found = predict(shop(GET, OF_CUSTOMER, {**PUT, "transactional": True}), "put")
    assert (found.wcu, found.transactional) == (8, True)


def test_refused_conditions_cost_the_table_and_spare_the_indexes():
    # a tenth refused: table 2 units always, index 2 units for nine of ten
    found = predict(shop(GET, OF_CUSTOMER, {**PUT, "condition": "not exists", "failures": 0.1}), "put")
    assert found.wcu == pytest.approx(2 + 1.8)
    assert found.failed_wcu == pytest.approx(0.2)


def test_a_condition_alone_is_taken_to_fail_in_one_of_a_hundred():
    found = predict(shop(GET, {**PUT, "condition": "not exists"}), "put")
    assert found.failed_wcu == pytest.approx(0.02)


def test_a_sparse_index_takes_only_what_has_its_key():
    attributes = {
        "orderId": "string",
        "coupon": {"type": "string", "presence": 0.25, "required": False, "cardinality": 1000},
    }
    by_coupon = {"id": "of-coupon", "kind": "query", "entity": "Order", "by": ["coupon"], "rate": 5}
    found = predict(shop(GET, by_coupon, PUT, order={"attributes": attributes}), "put")
    assert found.wcu_by_place == {"table": 2, "gsi1": 0.5}


def test_unique_attributes_take_a_sentinel_and_a_transaction():
    # the order twice two units, the sentinel twice one
    found = predict(shop(GET, PUT, PAY, DROP, order={"unique": ["note"]}), "put")
    assert (found.item_wcu, found.copy_wcu, found.transactional) == (4, 2, True)


def test_a_change_of_a_unique_attribute_moves_its_sentinel():
    layout = shop(GET, PUT, PAY, ANNOTATE, order={"unique": ["note"]})
    assert predict(layout, "annotate").copy_wcu == 4  # a delete and a put, in a transaction
    found = predict(layout, "pay")
    assert (found.wcu, found.transactional) == (2, False)


def test_copies_are_written_in_the_same_transaction():
    follow = {"id": ["followerId", "followedId"], "attributes": {}, "count": 1000, "size_bytes": 100}
    patterns = [
        {"id": "followers", "kind": "query", "entity": "Follow", "by": ["followedId"], "consistency": "strong"},
        {"id": "follows", "kind": "query", "entity": "Follow", "by": ["followerId"], "consistency": "strong"},
        {"id": "follow", "kind": "write", "op": "put", "entity": "Follow", "by": ["followerId", "followedId"]},
    ]
    found = predict(shop(GET, PUT, *patterns, entities={"Follow": follow}), "follow")
    assert (found.item_wcu, found.copy_wcu, found.wcu) == (2, 2, 4)


def test_a_write_that_must_look_for_its_key_reads_first():
    # a strong list keys the table by customer; who pays knows the order alone
    layout = shop(GET, {**OF_CUSTOMER, "consistency": "strong"}, PUT, PAY)
    assert ("pay", "Order") in layout.located
    found = predict(layout, "pay")
    assert found.requests == 2
    assert found.rcu == 0.5  # one order of 1,500 bytes


def test_a_write_looks_first_at_what_else_stands_in_a_key_it_changes():
    # the customer's orders by status: the index key has the customer, whom the caller does not name
    by_status = {**OF_CUSTOMER, "id": "of-status", "by": ["customerId", "status"]}
    layout = shop(GET, by_status, PUT, PAY)
    found = predict(layout, "pay")
    assert found.requests == 2
    assert found.rcu == 1.0  # one order of 1,500 bytes, as it is at this moment
    assert found.rcu_by_place == {"table": 1.0}


def test_a_change_of_details_is_a_write_of_the_detail_alone():
    attributes = {"orderId": "string", "customerId": {"required": True}, "letter": {"size_bytes": 5000}}
    brief = {**OF_CUSTOMER, "sort": [], "returns": ["orderId"]}
    write = {**PAY, "id": "write", "changes": ["letter"]}
    layout = shop(GET, brief, PUT, write, order={"attributes": attributes, "size_bytes": None})
    assert "letter" not in layout.spec.entities["Order"].attributes
    found = predict(layout, "write")
    assert found.wcu_by_place == {"table": 5}
    assert found.wcu_by_entity == {"OrderDetail": 5}


def test_a_transaction_puts_a_parent_with_its_children():
    line = {"id": ["orderId", "number"], "attributes": {}, "count": 10, "size_bytes": 300}
    place = {
        "id": "place",
        "kind": "write",
        "op": "transact",
        "entities": ["Order", "Line"],
        "by": ["customerId"],
        "rate": 1,
    }
    relationship = {"from": "Order", "to": "Line", "kind": "one-to-many", "avg": 4}
    layout = shop(GET, place, entities={"Line": line}, relationships=[relationship])
    found = predict(layout, "place")
    # an order of two units and four lines of one, all twice
    assert (found.items, found.wcu) == (5, 12)
    assert found.wcu_by_entity == {"Order": 4, "Line": 8}


@pytest.mark.parametrize(
    ("more", "writes"),
    [
        ({"changes": "coupon"}, 0.25 * 2 + 0.75),  # a quarter moves, the others enter
        ({"changes": {"coupon": {"remove": True}}}, 0.25),  # a quarter leaves
        ({"changes": "coupon", "when": "attribute_not_exists(coupon)"}, 1.0),  # all enter
        ({"changes": {"coupon": {"remove": True}}, "when": "coupon = {old}"}, 1.0),  # all leave
        ({"changes": "note", "when": "attribute_exists(coupon)"}, 1.0),  # all stay
    ],
)
def test_an_item_that_enters_or_leaves_a_sparse_index_is_written_there_once(more, writes):
    attributes = {
        "orderId": "string",
        "note": "string",
        "coupon": {"type": "string", "presence": 0.25, "required": False, "cardinality": 1000},
    }
    by_coupon = {"id": "of-coupon", "kind": "query", "entity": "Order", "by": ["coupon"], "rate": 5}
    redeem = {"id": "redeem", "kind": "write", "op": "update", "entity": "Order", "by": ["orderId"], "failures": 0.0}
    found = predict(shop(GET, by_coupon, PUT, {**redeem, **more}, order={"attributes": attributes}), "redeem")
    assert found.wcu_by_place == {"table": 2, "gsi1": pytest.approx(2 * writes)}
