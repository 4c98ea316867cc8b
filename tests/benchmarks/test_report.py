from __future__ import annotations

import pytest

from benchmarks.report import Goal, table


@pytest.mark.parametrize(
    ("measured", "at_least", "verdict"),
    [(5.0, False, "met"), (5.1, False, "MISSED"), (5.0, True, "met"), (4.9, True, "MISSED")],
)
def test_goals_say_met_or_missed(measured: float, at_least: bool, verdict: str) -> None:
    assert Goal("time", measured, 5.0, "us", at_least=at_least).row()[-1] == verdict


def test_figures_line_up() -> None:
    shown = table("Title", ("name", "us"), [("a", "1.0"), ("longer", "10.0")])
    assert shown.splitlines() == ["Title", "", "name      us", "------  ----", "a        1.0", "longer  10.0"]
