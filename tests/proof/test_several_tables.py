"""Designs of several tables are proven like any other, writes over tables included."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tablewright.architect.designer import design
from tablewright.proof.run import prove
from tests.architect.assembly.test_merge import CHILDREN, with_patterns
from tests.architect.specs import CASES

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.spec.model import KeyStyle


@pytest.mark.parametrize("style", ["electrodb", pytest.param("plain", marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_in_several_tables(path: Path, style: KeyStyle) -> None:
    report = prove(design(path, tables="several", key_style=style))
    assert report.passed, report.failure


@pytest.mark.parametrize("style", ["electrodb", "plain"])
def test_a_write_over_tables(style: KeyStyle) -> None:
    made = design(with_patterns(CHILDREN), tables="several", key_style=style)
    report = prove(made)
    assert report.passed, report.failure
    (found,) = (each for each in report.patterns if each.pattern == "receive")
    assert found.measured_wcu == pytest.approx(found.predicted_wcu, rel=0.05)
    assert found.measured_wcu > 0
