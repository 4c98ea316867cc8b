"""Designs of version 2, made when changes of updates and transactions were names alone: they are read and priced."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.design.read import design_data, read_design
from tablewright.design.reports import cost_report

FILES = sorted((Path(__file__).parent / "earlier").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_earlier_design_is_read_priced_and_written(path: Path) -> None:
    made = read_design(path)
    assert any(isinstance(each.get("changes", [None])[0], str) for each in made.spec["access_patterns"])
    assert cost_report(made).usd_per_month == pytest.approx(
        made.cost.usd_per_month, rel=0.001
    )  # sizes of values are known better now
    assert read_design(design_data(made)) == made
