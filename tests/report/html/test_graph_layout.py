"""Boxes never overlap, and no line crosses a box."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.report.html.entity_diagram import clip, entity_diagram
from tablewright.report.html.graph_layout import GraphLayout, lay_out
from tests.report.html.pages import page_design

TINY = 1e-6
NAMES = [f"E{at}" for at in range(9)]
PAIRS = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda pair: pair[0] != pair[1])


def height(name: str) -> float:
    return 40.0 + 13 * int(name[1:])


@given(st.lists(PAIRS, max_size=16))
@settings(max_examples=60)
def test_every_cell_has_room(arrows: list[tuple[str, str]]) -> None:
    found = lay_out(NAMES, arrows, height)
    assert sorted(cell[0] for column in found.columns for cell in column if cell[1] == 0) == NAMES
    for column in found.columns:
        for one, two in combinations(column, 2):
            room = sum(height(cell[0]) if cell[1] == 0 else 0 for cell in (one, two)) / 2
            assert abs(found.centre[one] - found.centre[two]) >= room - TINY
    assert min(found.centre[cell] - (height(cell[0]) / 2 if cell[1] == 0 else 0) for cell in found.centre) >= -TINY


@given(st.lists(PAIRS, max_size=16))
@settings(max_examples=60)
def test_lines_go_from_column_to_column(arrows: list[tuple[str, str]]) -> None:
    """A line has a cell of its own in every column between its ends, so it passes through no box."""
    found = lay_out(NAMES, arrows, height)
    for arrow, way in zip(arrows, found.ways, strict=True):
        assert {way[0][0], way[-1][0]} == set(arrow)
        assert all(found.column_of[after] == found.column_of[before] + 1 for before, after in pairwise(way))
        assert all(cell[1] > 0 for cell in way[1:-1])


def test_parents_are_left_of_their_children() -> None:
    found = lay_out(NAMES, [("E1", "E2"), ("E2", "E3"), ("E1", "E3"), ("E3", "E1")], height)
    assert columns(found, "E1", "E2", "E3") == [0, 1, 2]


def test_a_hub_does_not_make_a_tower() -> None:
    found = lay_out(NAMES, [("E0", each) for each in NAMES[1:]], height)
    assert max(len([cell for cell in column if cell[1] == 0]) for column in found.columns) <= 7


def columns(layout: GraphLayout, *names: str) -> list[int]:
    return [layout.column_of[name, 0] for name in names]


def test_a_large_diagram_has_every_entity_and_relationship() -> None:
    found = entity_diagram(page_design("large"))
    spec = page_design("large").spec
    assert all(f">{name}</text>" in found for name in spec["entities"])
    lines = sum(2 if "via" in each else 1 for each in spec["relationships"])
    assert found.count('<g class="edge">') == lines
    assert "Employee 1 to N Employee" in found


def test_what_is_too_long_for_its_box_is_cut() -> None:
    assert clip("short") == "short"
    assert clip("x" * 60) == "x" * 23 + "…"
    assert clip("漢" * 60) == "漢" * 11 + "…"
