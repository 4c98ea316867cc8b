"""The designs of the shared cases, each made once for a test session."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design

if TYPE_CHECKING:
    from tablewright.design.model import Design

CASE_FILES = {each.stem: each for each in sorted((Path(__file__).parent / "cases").glob("*.yaml"))}
CASES = list(CASE_FILES)


@cache
def case_design(case: str, style: Any = "electrodb") -> Design:
    return design(CASE_FILES[case], aim="gsis", key_style=style)
