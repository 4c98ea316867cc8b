"""Designs whose pages are looked at."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tablewright.architect.designer import design
from tablewright.codegen.examples.page import requests_of
from tablewright.design.model import Design
from tablewright.report.html import page
from tablewright.tasks.designs import add_proof
from tests.codegen.designs import CASES, case, with_everything
from tests.golden.designs import golden
from tests.report.html.specs import large, nasty

EXAMPLES = Path(__file__).parents[3] / "examples" / "specs"
SOME = ("task-management", "large", "nasty", "everything")
MADE_UP = {"large": large, "nasty": nasty}
PROVEN = ("task-management", "life-os")
"""With the report of their proof, which takes its time."""

ALL = (*SOME, *(each.stem for each in CASES), *(each.stem for each in sorted(EXAMPLES.glob("*.yaml"))))


def html_page(found: Design) -> str:
    return page.html_page(found, requests_of)


@cache
def page_design(name: str) -> Design:
    if name == "everything":
        return with_everything()
    if name in MADE_UP:
        return design(MADE_UP[name]())
    if any(each.stem == name for each in CASES):
        return case(name)
    return add_proof(golden(name)) if name in PROVEN else golden(name)
