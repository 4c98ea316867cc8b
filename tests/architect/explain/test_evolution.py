"""New patterns: what fits for free does so without a single new key, and the rest needs what is said."""

from __future__ import annotations

import pytest

from tablewright.architect.explain.evolution import plausible
from tablewright.architect.search.keep import moves
from tablewright.architect.solution import solve
from tests.architect.explain.grounds import content, grown, start

pytestmark = pytest.mark.shares("case")

SMALL = ["battle-royale-game", "chat-system", "session-management", "social-network"]


def test_one_stock_record_fits_for_free() -> None:
    found = {each.description: each for each in grown("online-shop")}
    stock = found["one WarehouseItem by productId and warehouseId"]
    assert stock.fits
    assert (stock.gsis, stock.usd_per_month) == (0, 0.0)
    assert stock.needs.startswith("Nothing: the table has it")
    mail = found["Customer by email"]
    assert not mail.fits
    assert mail.gsis == 0
    assert "which has room for it, by email" in mail.needs


def test_what_fits_comes_first() -> None:
    order = [(not each.fits, each.gsis) for each in grown("online-shop")]
    assert order == sorted(order)


@pytest.mark.parametrize("case", SMALL)
def test_promises_hold_when_the_pattern_comes(case: str) -> None:
    begun, spec = start(case), content(case)
    told = {each.description: each for each in grown(case)}
    for description, pattern in plausible(begun.solution):
        if description not in told:
            continue
        new = {
            "id": pattern.id,
            "kind": pattern.kind,
            "entity": pattern.entity,
            "by": list(pattern.by),
            "sort": [{"attr": each.attr, "order": each.order} for each in pattern.sort],
        }
        larger = {**spec, "access_patterns": [*spec["access_patterns"], new]}
        then = solve(larger, prefer=begun.now.choice.shapes, rewrites=begun.solution.rewrites)
        assert len(then.choice.slots) - begun.now.gsis == told[description].gsis, description
        changes = moves(begun.now.choice.shapes, then.choice)
        assert not changes.moved
        assert bool(changes.added) is not told[description].fits, description
