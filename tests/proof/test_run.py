"""Designs of published applications and of random specs do what their specs say, and cost what is predicted."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.proof.run import prove
from tests.architect.specs import CASES
from tests.proof.library import LIBRARY, PHONES
from tests.proof.specs import writing_spec

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.design.model import Design, PatternDesign, ProofReport


def check(made: Design, **options: int) -> ProofReport:
    report = prove(made, **options)
    assert report.failure == ""
    assert report.passed
    assert [each.pattern for each in report.patterns if not each.exact] == []
    return report


@pytest.mark.parametrize(
    ("aim", "style"),
    [
        ("cost", "electrodb"),
        ("gsis", "plain"),
        pytest.param("cost", "plain", marks=pytest.mark.slow),
        pytest.param("gsis", "electrodb", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_published_applications(case: Path, aim: str, style: str) -> None:
    check(design(case, aim=aim, key_style=style), rounds=9)


@settings(deadline=None, max_examples=12)
@given(
    seed=st.integers(0, 10_000), style=st.sampled_from(["plain", "electrodb"]), aim=st.sampled_from(["cost", "gsis"])
)
def test_random_specs(seed: int, style: str, aim: str) -> None:
    check(design(writing_spec(seed, style=style), aim=aim), seed=seed, rounds=9)


REWRITES = (
    Rewrite("unique", "Reader", ("email",)),
    Rewrite("split", "Reader", ("portrait",)),
    Rewrite("total", "Loan", ("how-many",)),
    Rewrite("total", "Loan", ("fees",)),
    Rewrite("reading", "highest", ("Loan",)),
    Rewrite("through", "loans-by-email", ("Loan",)),
)


@cache
def library(style: str) -> Design:
    return write_table(solve({**LIBRARY, "constraints": {"key_style": style}}, aim="cost", rewrites=REWRITES))


@pytest.mark.parametrize("style", ["plain", "electrodb"])
class TestRewrites:
    def test_unique_values_totals_details_and_parents(self, style: str) -> None:
        made = library(style)
        assert {each.kind for each in made.items} >= {"entity", "detail", "sentinel", "total"}
        assert any(len(each.reads) > 1 for each in made.patterns)
        check(made)

    def test_children_inside_their_parent(self, style: str) -> None:
        spec = {**PHONES, "constraints": {"key_style": style}}
        made = write_table(solve(spec, rewrites=[Rewrite("embed", "Phone", ("Reader",))]))
        assert {each.kind for each in made.items} == {"entity", "embedded"}
        check(made)
        join = next(each for each in made.patterns if each.id == "join")
        assert join.writes[0].operation == "UpdateItem"
        careless = replace(join, writes=(replace(join.writes[0], operation="PutItem"),))
        patterns = tuple(careless if each is join else each for each in made.patterns)
        assert not prove(replace(made, patterns=patterns)).passed  # the phones would be gone


WRITTEN_ALONG = [
    ("join", "sentinel"),
    ("rename", "sentinel"),
    ("leave", "sentinel"),
    ("join", "detail"),
    ("leave", "detail"),
    ("lend", "total"),
    ("charge", "total"),
    ("return", "total"),
]


@pytest.mark.parametrize(("pattern", "kind"), WRITTEN_ALONG)
def test_what_is_not_written_along_is_missed(pattern: str, kind: str) -> None:
    made = library("plain")
    named = {each.name for each in made.items if each.kind == kind}

    def without(found: PatternDesign) -> PatternDesign:
        return replace(found, writes=tuple(each for each in found.writes if each.item not in named))

    broken = replace(made, patterns=tuple(without(each) if each.id == pattern else each for each in made.patterns))
    assert broken != made
    assert not prove(broken, rounds=9).passed


def test_the_report_says_what_was_done() -> None:
    report = check(library("plain"))
    assert report.items["Loan"] > 30
    assert all(each.runs > 0 for each in report.patterns)
    assert report.invariants["a transaction happens whole or not at all"] > 0
    assert report.invariants["two writers at once: some order of the two, or one is refused"] > 0
    assert report.invariants["what must be refused is refused"] > 0
    assert report.invariants["cursors lead through the whole answer"] > 0
    assert report.invariants["with lag: every item is as it is or was"] > 0
    assert report.invariants["a value that keys cannot hold is stored right, or refused"] > 0


def test_two_runs_are_the_same() -> None:
    made = library("plain")
    assert prove(made, rounds=6) == prove(made, rounds=6)
