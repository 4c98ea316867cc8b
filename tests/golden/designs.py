"""Designs kept as files, so that tests of what follows from a design read them instead of searching again.

`python -m tests.golden` writes them anew; `test_designs.py` is the one suite that solves them again and compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tablewright.architect.designer import design
from tablewright.design.model import Design
from tablewright.design.read import read_design

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "designs"
EXAMPLES = ROOT / "examples" / "specs"
CASES = ROOT / "tests" / "architect" / "cases"
APPLICATIONS = ROOT / "tests" / "architect" / "applications"


@dataclass(frozen=True, slots=True)
class Golden:
    """A spec, how it is designed, and the file that holds the design."""

    spec: Path
    aim: Any = None
    explain: bool = False

    @property
    def name(self) -> str:
        return self.spec.stem

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.json"

    @property
    def options(self) -> dict[str, Any]:
        """As the architect is asked."""
        return {"aim": self.aim, "explain": self.explain}

    def solve(self) -> Design:
        return design(self.spec, **self.options)


def _in(folder: Path, **how: Any) -> tuple[Golden, ...]:
    return tuple(Golden(path, **how) for path in sorted(folder.glob("*.yaml")))


EVERY = (*_in(EXAMPLES, explain=True), *_in(CASES), *_in(APPLICATIONS, aim="gsis"))
"""The examples with everything that the documentation shows of them; the others without what takes a second search."""
BY_NAME = {each.name: each for each in EVERY}


@cache
def golden(name: str) -> Design:
    return read_design(BY_NAME[name].path)
