"""The right designs that faults are seeded into, each made once for a session."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.proof.run import prove

if TYPE_CHECKING:
    from tablewright.design.model import Design, ProofReport

FOLDER = Path(__file__).parent / "specs"
NAMES = tuple(sorted(each.stem for each in FOLDER.glob("*.yaml")))
FEWEST_INDEXES = ("shop", "lines", "moves", "regions", "social")
"""Solved for the number of indexes, which makes entities share them."""
REWRITES: dict[str, tuple[Rewrite, ...]] = {
    "phones": (Rewrite("embed", "Phone", ("Reader",)),),
    "portraits": (Rewrite("split", "Reader", ("portrait",)),),
    "readers": (Rewrite("unique", "Reader", ("email",)), Rewrite("lookup", "Reader", ("email",))),
    "samples": (Rewrite("pack", "Sample", ("at:13",)),),
    "drafts": (
        Rewrite("exact", "Draft"),
        Rewrite("exact", "Writer"),
        Rewrite("latest", "Draft", ("writerId", "savedAt")),
        Rewrite("newest", "Draft", ("kind", "writerId", "savedAt")),
    ),
    "shifts": (
        Rewrite("exact", "Trip"),
        Rewrite("unique", "Trip", ("driverId", "open")),
        Rewrite("lookup", "Trip", ("driverId", "open")),
    ),
    "loans": (
        Rewrite("unique", "Reader", ("email",)),
        Rewrite("through", "loans-by-email", ("Loan",)),
        Rewrite("total", "Loan", ("how-many",)),
        Rewrite("total", "Loan", ("fees",)),
        Rewrite("reading", "highest", ("Loan",)),
    ),
}
"""Forms that a design must have for its faults to be about something; elsewhere the search chooses them."""


@cache
def right_design(name: str) -> Design:
    if name in REWRITES:
        return write_table(solve(FOLDER / f"{name}.yaml", rewrites=REWRITES[name]))
    return design(FOLDER / f"{name}.yaml", aim="gsis" if name in FEWEST_INDEXES else None)


@cache
def right_report(name: str) -> ProofReport:
    return prove(right_design(name))
