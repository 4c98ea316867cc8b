"""Anything in a design can be explained by its name, from the design alone."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec
import pytest

from tablewright.architect.designer import written_out
from tablewright.architect.explain.choices.explained import explain_choices
from tablewright.architect.explain.subjects import explain_subject
from tablewright.errors import DesignError
from tests.architect.explain.grounds import start

if TYPE_CHECKING:
    from tablewright.architect.design.model import Design


@cache
def sessions() -> Design:
    solution = start("session-management").solution
    return msgspec.structs.replace(written_out(solution), advice=explain_choices(solution))


def test_a_pattern() -> None:
    found = explain_subject(sessions(), "AP6")
    assert found.kind == "pattern"
    assert found.summary == "last login time of a customer: Query on gsi1."
    assert {each.id for each in found.decisions} == {"index:Session:gsi1", "plan:AP6"}
    assert found.price is not None
    assert found.price.usd_per_month > 0
    assert found.usd_per_month > 0


def test_an_entity_in_any_case() -> None:
    found = explain_subject(sessions(), "childsession")
    assert (found.kind, found.subject) == ("entity", "ChildSession")
    assert set(found.keys) == {"ChildSession in table", "ChildSession in gsi1"}
    assert [each.pattern for each in found.patterns] == ["AP4", "AP5", "put ChildSession"]
    assert {each.subject for each in found.decisions} == {"ChildSession"}


def test_an_index_and_the_table() -> None:
    index = explain_subject(sessions(), "gsi1")
    assert (index.kind, index.summary) == (
        "index",
        "gsi1 holds ChildSession, Session and is read by AP4, AP6, AP8.",
    )
    assert {each.id for each in index.decisions} == {"index:ChildSession:gsi1", "index:Session:gsi1"}
    table = explain_subject(sessions(), "table")
    assert {each.kind for each in table.decisions} == {"table-key"}


def test_the_nearest_name_is_suggested() -> None:
    with pytest.raises(DesignError, match=r'no pattern, entity or index "Sesion".* Did you mean "Session"'):
        explain_subject(sessions(), "Sesion")
