"""The search still finds the designs that are kept as files: every table, key, step, price and piece of advice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablewright.design.read import design_json
from tests.golden.designs import EVERY, FOLDER, Golden, golden

pytestmark = pytest.mark.shares("each")

QUICK_TO_EXPLAIN = ("leaderboard",)
"""Explained in every run; the other examples only where time does not matter, and without explanations here."""


def _explained() -> list[Any]:
    kept = [each for each in EVERY if each.explain]
    slow = [each for each in kept if each.name not in QUICK_TO_EXPLAIN]
    return [pytest.param(each, marks=pytest.mark.slow if each in slow else (), id=each.name) for each in kept]


def _data(design: Any) -> dict[str, Any]:
    return msgspec.json.decode(design_json(design))


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.name)
def test_the_search_finds_what_is_kept(each: Golden) -> None:
    """Advice that takes a second search is left out here; what is said without one is compared."""
    solved, kept = _data(Golden(each.spec, aim=each.aim).solve()), _data(golden(each.name))
    advice, kept_advice = solved.pop("advice"), kept.pop("advice")
    assert solved == kept
    assert advice["monitoring"] == kept_advice["monitoring"]
    assert advice["critique"] == kept_advice["critique"]
    if not each.explain:
        assert advice == kept_advice


@pytest.mark.parametrize("each", _explained())
def test_a_second_search_explains_what_is_kept(each: Golden) -> None:
    assert _data(each.solve()) == _data(golden(each.name))


def test_nothing_else_is_kept() -> None:
    assert sorted(each.path for each in EVERY) == sorted(FOLDER.iterdir())
