from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.design.advice import Advice
from tablewright.design.read import design_data, read_design, round_design
from tablewright.review.advice import advise, advise_table
from tablewright.review.sources import all_sources
from tests.review.applications import CASES, made

if TYPE_CHECKING:
    from tablewright.design.model import Design


@pytest.fixture(scope="module", params=CASES, ids=lambda path: path.stem)
def case(request):
    return made(request.param)


def test_every_part_is_there(case):
    found = advise_table(case)
    assert len(found.relationships) == len(case.origin.relationships)
    assert {each.pattern for each in found.writes} == {each.id for each in case.facts.writes}
    assert found.monitoring.alarms
    assert found.testing.stages
    assert found.tables is not None
    assert found.critique
    assert found.naming


def test_it_is_data_and_always_the_same(case):
    first, second = (msgspec.json.encode(advise_table(case)) for _ in range(2))
    assert first == second


def test_only_known_pages_are_cited(case):
    found = advise_table(case)
    known = set(all_sources())
    assert set(found.sources) <= known
    cited = [*found.relationships, *found.writes, found.monitoring, *found.critique]
    assert {page for each in cited for page in each.sources} <= known


def test_alarms_have_names_of_their_own(case):
    names = [each.name for each in advise_table(case).monitoring.alarms]
    assert len(names) == len(set(names))


def test_no_sentence_is_left_unfinished(case):
    found = advise_table(case)
    texts = [getattr(each, name) for each in found.writes for name in ("uniqueness", "conditions", "transaction")]
    texts += [each.held for each in found.relationships] + [each.remains for each in found.critique]
    assert all(text == "" or text.endswith((".", ")")) for text in texts)
    assert not any("  " in text or ".." in text for text in texts)


# ---- from the design alone ------------------------------------------------------------------------------------------

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "specs").glob("*.yaml"))
PARTS = ("relationships", "writes", "monitoring", "savings", "testing", "critique", "naming", "sources")


def without_review(given: Design) -> Design:
    patterns = tuple(msgspec.structs.replace(each, paging="", retries="") for each in given.patterns)
    return msgspec.structs.replace(given, advice=Advice(), patterns=patterns)


@pytest.mark.parametrize("tables", ["single", "several"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_design_that_was_read_is_reviewed_as_when_it_was_made(path, tables):
    first = design(path, tables=tables)
    again = round_design(advise(without_review(read_design(design_data(first)))))
    assert again.patterns == first.patterns
    for name in PARTS:
        assert getattr(again.advice, name) == getattr(first.advice, name)


def test_what_a_design_says_already_stays():
    first = design(EXAMPLES[0])
    said = msgspec.structs.replace(first.advice, why_not_fewer="Because.")
    assert advise(msgspec.structs.replace(first, advice=said)).advice.why_not_fewer == "Because."
