"""One table against several: groups by reads, parts that stand by themselves, and the better answer in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.tables import solve_tables
from tablewright.design.multi_table.parts import groups_of, part_of
from tablewright.errors import DesignError
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.specs import CASES

if TYPE_CHECKING:
    from pathlib import Path

SHOP: dict[str, Any] = {
    "name": "shop",
    "entities": {
        "Customer": {"id": ["customerId"], "attributes": {"customerId": "string", "name": "string"}, "count": 1000},
        "Order": {
            "id": ["orderId"],
            "attributes": {"orderId": "string", "customerId": {"immutable": True}, "total": "number"},
            "count": 20_000,
        },
        "Receipt": {
            "id": ["receiptId"],
            "attributes": {"receiptId": "string", "orderId": {"immutable": True}, "scan": "binary"},
        },
    },
    "relationships": [
        {"from": "Customer", "to": "Order", "kind": "one-to-many"},
        {"from": "Order", "to": "Receipt", "kind": "one-to-many", "avg": 2},
    ],
    "access_patterns": [
        {"id": "both", "kind": "query", "entities": ["Customer", "Order"], "by": ["customerId"], "rate": 1000},
        {"id": "receipts", "kind": "query", "entity": "Receipt", "by": ["orderId"], "rate": 0.01},
        {
            "id": "buy",
            "kind": "write",
            "op": "transact",
            "entities": ["Order", "Receipt"],
            "by": ["orderId", "receiptId", "customerId", "scan"],
            "rate": 0.2,
        },
    ],
}


def shop_with(*, count: int, **receipt: Any) -> dict[str, Any]:
    """Another number of receipts, and as many more of each order."""
    entities = {**SHOP["entities"], "Receipt": {**SHOP["entities"]["Receipt"], "count": count, **receipt}}
    orders, receipts = SHOP["relationships"]
    return {
        **SHOP,
        "entities": entities,
        "relationships": [orders, {**receipts, "avg": count / entities["Order"]["count"]}],
    }


def test_reads_join_and_transactions_do_not() -> None:
    assert groups_of(assume(read_spec(SHOP))) == (("Customer", "Order"), ("Receipt",))


def test_a_parent_that_is_read_first_is_in_the_same_table() -> None:
    through = {"id": "of-customer", "kind": "query", "entity": "Receipt", "by": ["customerId"]}
    spec = {**SHOP, "access_patterns": [*SHOP["access_patterns"], through]}
    assert groups_of(assume(read_spec(spec))) == (("Customer", "Order", "Receipt"),)


def test_a_part_stands_by_itself() -> None:
    """40,000 receipts follow from 20,000 orders with two each, although no order is in the part."""
    facts = assume(read_spec(SHOP))
    part = assume(part_of(facts, ("Receipt",)))
    assert part.counts == {"Receipt": 40_000.0}
    assert part.spec.entities["Receipt"].attributes["orderId"].cardinality == 20_000
    (buy,) = part.spec.writes
    assert (buy.id, buy.entities, buy.by) == ("buy", ("Receipt",), ("orderId", "receiptId", "scan"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_same_keys_cost_the_same_in_several_tables(path: Path) -> None:
    """On demand, in one class, requests and storage do not care which table they are in."""
    found = solve_tables(path, tables="any", aim="cost")
    if len(found.groups) == 1:
        assert found.several == ()
        return
    assert found.single_usd_per_month is not None
    assert found.several_usd_per_month == pytest.approx(found.single_usd_per_month, rel=0.03)
    assert found.recommended == "single"
    assert found.solutions == (found.single,)


def test_a_large_archive_wants_a_table_and_a_class_of_its_own() -> None:
    """300 GB that nobody reads beside busy orders: in one table, one of the two is in the wrong class."""
    found = solve_tables(shop_with(count=60_000_000, size_bytes=5_000), tables="any")
    assert found.recommended == "several"
    assert [(each.table, each.table_class) for each in found.several_costs] == [
        ("shop-Customer", "standard"),
        ("shop-Receipt", "standard-ia"),
    ]
    assert found.single_usd_per_month is not None
    assert found.several_usd_per_month is not None
    assert found.single_usd_per_month - found.several_usd_per_month > 0.1 * found.single_usd_per_month
    assert [each.spec.name for each in found.solutions] == ["shop-Customer", "shop-Receipt"]


def test_keys_keep_the_name_of_the_application() -> None:
    found = solve_tables(SHOP, tables="several")
    assert found.recommended == "single"
    assert found.solutions == found.several
    templates = [repr(keys) for each in found.several for keys in each.names.keys.values()]
    assert all("shop-" not in text for text in templates)


def test_each_table_has_its_own_limit_of_indexes() -> None:
    by_name = [
        {"id": f"{entity}-{name}", "kind": "query", "entity": entity, "by": [name]}
        for entity, names in {"Customer": ["customerId", "name"], "Receipt": ["receiptId", "orderId"]}.items()
        for name in names
    ]
    apart = {**SHOP, "access_patterns": [*SHOP["access_patterns"][1:], *by_name]}
    limited = {**apart, "constraints": {"max_gsis": 1}}
    assert all(len(each.choice.slots) <= 1 for each in solve_tables(limited, tables="several").several)
    with pytest.raises(DesignError):
        solve_tables({**limited, "constraints": {"max_gsis": 0}}, tables="any")
