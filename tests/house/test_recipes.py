"""Recipes in CONTRIBUTING.md name places that are there, four at most."""

from __future__ import annotations

import re

import pytest

from tests.house.test_map import CODE, PACKAGE, ROOT, rooms_of

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## How to add ...\n")[2]
RECIPES = {
    found[1]: found[2] for found in re.finditer(r"^\*\*(.+?)\*\*(.*?)(?=^\*\*|\Z)", TEXT, re.MULTILINE | re.DOTALL)
}
ASKED_FOR = (
    "A condition function",
    "An operation of the engine",
    "A generator target",
    "A plan",
    "An attribute option",
    "An operation of the runtime",
)
MOST_PLACES = 4


@pytest.mark.parametrize("recipe", ASKED_FOR)
def test_a_recipe_has_four_places_at_most(recipe: str) -> None:
    places = re.findall(r"^(\d+)\. ", RECIPES[recipe], re.MULTILINE)
    assert [*map(int, places)] == [*range(1, len(places) + 1)]
    assert 1 <= len(places) <= MOST_PLACES
    assert "\nTest: " in RECIPES[recipe]
    assert "Page:" in RECIPES[recipe]


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_place_of_a_recipe_exists(recipe: str) -> None:
    rooms = {each.split("/")[0] for each in rooms_of(PACKAGE)}
    named = [each for each in CODE.findall(RECIPES[recipe]) if "/" in each and " " not in each]
    folders = [(PACKAGE if each.split("/")[0] in rooms else ROOT) / each for each in named]
    assert [each for each, found in zip(named, folders, strict=True) if not found.exists()] == []
