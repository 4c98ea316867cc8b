"""Anything in a design can be explained by its name, from the design alone."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from tablewright.architect.pipeline import DesignOptions, write_table
from tablewright.errors import DesignError
from tablewright.report.explanation import explain_subject, explanation_blocks
from tablewright.report.text import plain_text
from tests.architect.explain.grounds import start

if TYPE_CHECKING:
    from tablewright.design.model import Design


@cache
def sessions() -> Design:
    solution = start("session-management").solution
    return write_table(solution, DesignOptions(explain=True))


def test_a_pattern() -> None:
    found = explain_subject(sessions(), "AP6")
    assert (found.kind, found.description) == ("pattern", "last login time of a customer")
    assert {each.id for each in found.decisions} == {"index:Session:gsi1", "plan:AP6"}
    assert found.leaving_out is not None
    assert found.leaving_out.usd_per_month > 0
    assert "It makes the whole design dearer by $0.33 a month." in plain_text(explanation_blocks(found))


def test_an_entity_in_any_case() -> None:
    found = explain_subject(sessions(), "childsession")
    assert (found.kind, found.subject) == ("entity", "ChildSession")
    assert [each.name for each in found.items] == ["ChildSession"]
    assert [each.id for each in found.patterns] == ["AP4", "AP5", "put ChildSession"]
    assert {each.subject for each in found.decisions} == {"ChildSession"}
    assert all("ChildSession" in f"{each.id} {each.place}" for each in found.questions)
    assert {each.entity for each in found.evolution} <= {"ChildSession"}


def test_an_index_and_the_table() -> None:
    index = explain_subject(sessions(), "gsi1")
    assert (index.kind, [each.id for each in index.patterns]) == ("index", ["AP4", "AP6", "AP8"])
    assert {each.id for each in index.decisions} == {"index:ChildSession:gsi1", "index:Session:gsi1"}
    table = explain_subject(sessions(), "table")
    assert {each.kind for each in table.decisions} == {"table-key"}


def test_the_nearest_name_is_suggested() -> None:
    with pytest.raises(DesignError, match=r'no pattern, entity or index "Sesion".* Did you mean "Session"'):
        explain_subject(sessions(), "Sesion")
