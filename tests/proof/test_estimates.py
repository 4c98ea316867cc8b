"""Estimates held against runs on data in the spec's proportions: right ones agree, wrong ones are caught."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.design.cost.units import effects, entries, reading, volumes, writing
from tablewright.proof.checks.estimates import check_estimates
from tablewright.proof.population.items import collection_lengths, populate
from tablewright.proof.population.scale import resized, shares_for
from tablewright.report.patterns import proof
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.tasks import prove
from tablewright.wire.sizes import value_size_bytes
from tests.golden.designs import BY_NAME, golden
from tests.proof.estimates import SPECS
from tests.proof.estimates import design_of as solved

if TYPE_CHECKING:
    from tablewright.design.model import Design, EstimateReport
    from tablewright.proof.population.items import Population

QUICK = ("leaderboard", "self_relation", "inventory")
SHOP: Any = {
    "name": "shop",
    "entities": {
        "Customer": {"id": "customerId", "attributes": {"name": {"required": True}}, "count": "1M"},
        "Order": {
            "id": "orderId",
            "attributes": {
                "customerId": {"required": True},
                "placedAt": {"type": "timestamp", "required": True},
                "coupon": {"presence": "30%"},
                "body": {"size_bytes": 1500, "required": True},
            },
            "count": "20M",
        },
    },
    "relationships": [{"from": "Customer", "to": "Order", "kind": "1:n", "avg": 20, "max": 500}],
    "access_patterns": [
        {"id": "get", "kind": "get", "entity": "Order", "by": "orderId", "rate": 100},
        {"id": "list", "kind": "query", "entity": "Order", "by": "customerId", "sort": "placedAt", "rate": 50},
        {"id": "coupon", "kind": "query", "entity": "Order", "by": "coupon", "sort": "placedAt", "rate": 1},
        {"id": "add", "kind": "write", "op": "put", "entity": "Order", "by": "orderId", "rate": 20},
        {
            "id": "redeem",
            "kind": "write",
            "op": "update",
            "entity": "Order",
            "by": "orderId",
            "changes": "coupon",
            "rate": 5,
        },
        {"id": "go", "kind": "write", "op": "delete", "entity": "Order", "by": "orderId", "rate": 1},
    ],
}


def said(report: EstimateReport) -> list[str]:
    lines = [f"{each.pattern}: {each.explanation}" for each in report.patterns if not each.passed]
    return [*lines, *(str(each) for each in report.sizes if not each.passed), *filter(None, [report.failure])]


def design_of(name: str) -> Design:
    """As it is kept, where the same was asked for."""
    kept = BY_NAME.get(name)
    return golden(name) if kept and kept.spec == SPECS[name] and kept.aim is None else solved(name)


@pytest.mark.parametrize("name", QUICK)
def test_estimates_of_an_application_agree_with_runs(name: str) -> None:
    report = check_estimates(design_of(name))
    assert said(report) == []
    assert all(each.runs for each in report.patterns)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in SPECS if each not in QUICK])
def test_estimates_of_every_other_spec_agree_with_runs(name: str) -> None:
    assert said(check_estimates(design_of(name))) == []


@pytest.mark.slow
def test_estimates_agree_on_many_items_too() -> None:
    report = check_estimates(design_of("users-and-posts"), most_items=20_000, most_runs=40)
    assert sum(report.items.values()) > 10_000
    assert said(report) == []


# ---- wrong estimates ------------------------------------------------------------------------------------------------


@pytest.fixture(name="shop", scope="module")
def shop_design() -> Design:
    return design(SHOP, explain=False)


def test_the_right_estimates_pass(shop: Design) -> None:
    assert said(check_estimates(shop)) == []


def test_halved_sizes_are_caught(shop: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    right = entries._view_bytes
    monkeypatch.setattr(entries, "_view_bytes", lambda *given: right(*given) // 2)
    found = said(check_estimates(shop))
    assert any(each.startswith("list:") for each in found)
    assert any(each.startswith("add:") for each in found)
    assert any("item='Order'" in each for each in found)


def test_lists_of_twice_the_length_are_caught(shop: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    right = volumes.read_under
    monkeypatch.setattr(volumes, "read_under", lambda *given: 2 * right(*given))
    assert [each.split(":")[0] for each in said(check_estimates(shop))] == ["list", "coupon"]


def test_moves_billed_once_are_caught(shop: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    right = effects.writes_of_update
    monkeypatch.setattr(effects, "writes_of_update", lambda *given, **_: right(*given, moves=False))
    assert [each.split(":")[0] for each in said(check_estimates(shop))] == ["redeem"]


def test_presence_that_is_forgotten_is_caught(shop: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "membership", lambda *_: 1.0)
    assert "add" in [each.split(":")[0] for each in said(check_estimates(shop))]


def test_reads_at_twice_their_price_are_caught(shop: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    right = reading.read_rcu
    monkeypatch.setattr(reading, "read_rcu", lambda size, **_: 2 * right(size, consistent=False))
    assert "get" in [each.split(":")[0] for each in said(check_estimates(shop))]


def test_forgotten_transactions_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "in_transaction", lambda *_: False)
    assert said(check_estimates(design_of("inventory")))


# ---- the data -------------------------------------------------------------------------------------------------------


@pytest.fixture(name="people", scope="module")
def shop_population() -> Population:
    whole = assume(read_spec(SHOP))
    return populate(assume(resized(whole.spec, whole, shares_for(whole, 2_000))), 1)


def test_collections_are_whole_although_there_are_few(people: Population) -> None:
    orders, customers = people.items["Order"], people.items["Customer"]
    assert len(orders) + len(customers) <= 2_000
    lengths = [sum(each["customerId"] == one["customerId"] for each in orders) for one in customers]
    assert fmean(lengths) == pytest.approx(20, rel=0.02)
    assert min(lengths) < 15
    assert max(lengths) > 25


def test_presence_and_sizes_are_as_said(people: Population) -> None:
    orders = people.items["Order"]
    assert sum("coupon" in each for each in orders) / len(orders) == pytest.approx(0.3, abs=0.001)
    assert {value_size_bytes(each["body"]) for each in orders} == {1500}
    assert len({each["orderId"] for each in orders}) == len(orders)


def test_the_same_seed_makes_the_same_items(people: Population) -> None:
    again = populate(people.facts, 1)
    assert again.items == people.items
    assert populate(people.facts, 2).items != people.items


@pytest.mark.parametrize(
    ("total", "collections", "most"), [(100, 5, None), (100, 20, 6), (7, 5, 2), (3, 3, 1), (10, 4, 2)]
)
def test_lengths_add_up_and_keep_to_the_most(total: int, collections: int, most: float | None) -> None:
    found = collection_lengths(total, collections, most)
    assert sum(found) == total
    assert min(found) >= 1
    assert max(found) <= max(most or total, -(-total // collections))


# ---- the report -----------------------------------------------------------------------------------------------------


def test_the_proof_has_three_columns_for_every_pattern() -> None:
    shown = prove(design_of("self_relation"))
    text = "\n".join(str(each) for each in proof(shown))
    assert shown.proof is not None
    assert shown.proof.estimates is not None
    assert shown.proof.estimates.passed
    for title in ("estimated from the volumes", "predicted for the items touched", "measured"):
        assert title in text


def test_a_failed_estimate_is_shown_as_failed() -> None:
    shown = prove(design_of("self_relation"))
    assert shown.proof is not None
    assert shown.proof.estimates is not None
    estimates = shown.proof.estimates
    line = msgspec.structs.replace(estimates.patterns[0], passed=False, explanation="not explained")
    failed = msgspec.structs.replace(estimates, patterns=(line, *estimates.patterns[1:]), passed=False)
    text = "\n".join(
        str(each)
        for each in proof(msgspec.structs.replace(shown, proof=msgspec.structs.replace(shown.proof, estimates=failed)))
    )
    assert "1 estimate FAILED" in text
    assert f"{line.pattern}: not explained" in text
