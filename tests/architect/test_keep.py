"""A design that is in use: a new pattern leaves the keys that exist as they are, and its price is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tablewright.architect.designer import design
from tests.architect.designs import CASE_FILES, CASES, case_design

if TYPE_CHECKING:
    from tablewright.design.model import Design

STYLES = ["electrodb", "plain"]
NEW_PATTERNS: dict[str, dict[str, Any]] = {
    "online-shop": {"id": "new", "kind": "query", "entity": "Customer", "by": ["email"]},
    "task-manager": {"id": "new", "kind": "query", "entity": "Office", "by": ["city"]},
    "session-management": {"id": "new", "kind": "query", "entities": ["Session", "ChildSession"], "by": ["sessionId"]},
}


def extended(case: str, pattern: dict[str, Any]) -> dict[str, Any]:
    spec = yaml.safe_load(CASE_FILES[case].read_text(encoding="utf-8"))
    return {**spec, "access_patterns": [*spec["access_patterns"], pattern]}


def keys_of(made: Design) -> dict[tuple[str, str | None], tuple[str, str]]:
    return {
        (item.name, keys.index): (keys.pk[0].template, keys.sk[0].template) for item in made.items for keys in item.keys
    }


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("case", CASES)
def test_the_same_spec_keeps_everything(case: str, style: str) -> None:
    earlier = case_design(case, style)
    again = design(CASE_FILES[case], aim="gsis", keep=earlier)
    assert keys_of(again) == keys_of(earlier)
    assert again.tables == earlier.tables
    assert again.change is not None
    assert (again.change.added, again.change.moved, again.change.gone, again.change.steps) == ((), (), (), ())
    assert (again.change.usd_per_month, again.change.once_usd) == (0.0, 0.0)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("case", NEW_PATTERNS)
def test_a_new_pattern_moves_no_key(case: str, style: str) -> None:
    earlier = case_design(case, style)
    later = design(extended(case, NEW_PATTERNS[case]), aim="gsis", keep=earlier)
    assert later.change is not None
    assert later.change.moved == ()
    assert keys_of(earlier).items() <= keys_of(later).items()
    assert later.change.added
    assert later.change.once_usd > 0


def test_what_is_stored_in_another_form_stays_so() -> None:
    user = {
        "id": "userId",
        "attributes": {"userId": "string", "email": {"required": True}, "bio": {"size_bytes": 20_000}},
    }
    patterns = [
        {"id": "get", "kind": "get", "entity": "User", "by": "userId", "returns": ["email"], "rate": 100},
        {"id": "whole", "kind": "get", "entity": "User", "by": "userId", "rate": 0.01},
        {"id": "put", "kind": "write", "op": "put", "entity": "User", "by": "userId", "rate": 1},
    ]
    spec = {"name": "users", "entities": {"User": {**user, "unique": "email"}}, "access_patterns": patterns}
    earlier = design(spec)
    new = {"id": "new", "kind": "query", "entity": "User", "by": "email", "rate": 500}
    later = design({**spec, "access_patterns": [*patterns, new]}, keep=earlier)
    assert earlier.rewrites
    assert {item.name for item in earlier.items} <= {item.name for item in later.items}
    assert later.change is not None
    assert later.change.moved == later.change.gone == ()


def test_a_new_index_is_paid_for_once_by_writing_every_item_again() -> None:
    order = {
        "id": "orderId",
        "attributes": {"orderId": "string", "customer": {"required": True}},
        "count": 1000,
        "size_bytes": 1500,
    }
    get = {"id": "get", "kind": "get", "entity": "Order", "by": "orderId", "rate": 1}
    spec = {"name": "orders", "entities": {"Order": order}, "access_patterns": [get]}
    of_customer = {"id": "of", "kind": "query", "entity": "Order", "by": "customer", "rate": 1}
    earlier = design(spec)
    later = design({**spec, "access_patterns": [get, of_customer]}, keep=earlier)
    assert later.change is not None
    assert later.change.added == ("Order in gsi1",)
    # 1,000 items of 2 write units in the table and 2 in the index, at 0.625 dollars a million
    assert later.change.once_usd == pytest.approx(1000 * (2 + 2) * 0.625 / 1e6)
    assert later.change.usd_per_month == pytest.approx(later.cost.usd_per_month - earlier.cost.usd_per_month)
    assert [step.split()[0] for step in later.change.steps] == ["create", "deploy", "write", "deploy"]


def test_an_index_that_nobody_reads_any_more_stays_and_is_told() -> None:
    earlier = case_design("session-management")
    spec = yaml.safe_load(CASE_FILES["session-management"].read_text(encoding="utf-8"))
    patterns = [each for each in spec["access_patterns"] if "customerId" not in each.get("by", [])]
    later = design({**spec, "access_patterns": patterns}, aim="gsis", keep=earlier)
    assert later.change is not None
    assert keys_of(later) == keys_of(earlier)
    assert "Session in gsi1" in later.change.idle
