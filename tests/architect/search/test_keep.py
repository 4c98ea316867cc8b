"""Keys of an earlier design stay where they can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import yaml

from tablewright.architect.plans.values import PlacedKey, PlacedShapes
from tablewright.architect.search.keep import moves
from tablewright.design.serving.shapes import Shape
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.search.searching import search
from tests.architect.search.test_search import ORDERS
from tests.architect.specs import CASES

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.spec.facts import Facts

BY_NOTE = {"id": "by-note", "kind": "query", "entity": "Order", "by": ["note"], "rate": 3}


def facts_of(spec: Any) -> Facts:
    return assume(read_spec(spec))


def orders_with(*more: dict[str, Any]) -> Facts:
    return facts_of({**ORDERS, "access_patterns": [*ORDERS["access_patterns"], *more]})


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_an_unchanged_spec_keeps_everything(path: Path) -> None:
    facts = facts_of(path)
    earlier = search(facts)
    again = search(facts, prefer=earlier.shapes)
    assert again == earlier
    told = moves(earlier.shapes, again)
    assert (told.moved, told.added, told.idle) == ((), (), ())


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_pattern_less_moves_no_key(path: Path) -> None:
    spec = yaml.safe_load(path.read_text())
    earlier = search(facts_of(spec)).shapes
    for left_out in [each for each in spec["access_patterns"] if each["kind"] != "write"][:4]:
        fewer = {**spec, "access_patterns": [each for each in spec["access_patterns"] if each is not left_out]}
        assert moves(earlier, search(facts_of(fewer), prefer=earlier)).moved == ()


def test_a_new_pattern_gets_a_new_index_and_moves_nothing() -> None:
    earlier = search(orders_with()).shapes
    told = moves(earlier, search(orders_with(BY_NOTE), prefer=earlier))
    assert told.moved == ()
    assert told.added == (PlacedKey("index", Shape("Order", ("note",)), 1),)


def test_a_key_that_no_pattern_reads_any_more_is_idle() -> None:
    earlier = search(orders_with(BY_NOTE)).shapes
    told = moves(earlier, search(orders_with(), prefer=earlier))
    assert [key.shape.partition for key in told.idle] == [("note",)]


def test_where_not_all_can_stay_most_do() -> None:
    """One index only, and a strong read by customer that needs the table: two of the three keys have to go."""
    odd = Shape("Order", ("note",))
    by_customer = Shape("Order", ("customerId",), (), ("placedAt",))
    earlier = PlacedShapes(base={"Order": Shape("Order", ("orderId",))}, slots=({"Order": by_customer}, {"Order": odd}))
    facts = orders_with()
    told = moves(earlier, search(facts, prefer=earlier, max_gsis=1))
    assert told.kept == (PlacedKey("table", Shape("Order", ("orderId",))), PlacedKey("index", by_customer, 0))
    assert told.moved == (PlacedKey("index", odd, 1),)


def test_a_key_of_attributes_that_are_gone_is_not_kept() -> None:
    gone = Shape("Order", ("colour",), (), ("orderId",))
    earlier = msgspec.structs.replace(search(orders_with()).shapes, base={"Order": gone})
    assert moves(earlier, search(orders_with(), prefer=earlier)).moved == (PlacedKey("table", gone),)
