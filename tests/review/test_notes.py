from __future__ import annotations

import msgspec
import pytest

from tablewright.review.notes import notes
from tablewright.review.sources import all_sources
from tests.architect.explain.designs import CASES, made


@pytest.fixture(scope="module", params=CASES, ids=lambda path: path.stem)
def case(request):
    return made(request.param)


def test_every_part_is_there(case):
    found = notes(*case.all)
    assert len(found.relationships) == len(case.solution.origin.relationships)
    assert {each.pattern for each in found.writes} == {each.id for each in case.solution.facts.writes}
    assert found.monitoring.alarms
    assert found.testing.stages
    assert found.tables is not None
    assert found.critique
    assert found.naming


def test_it_is_data_and_always_the_same(case):
    first, second = (msgspec.json.encode(notes(*case.all)) for _ in range(2))
    assert first == second


def test_only_known_pages_are_cited(case):
    found = notes(*case.all)
    known = set(all_sources())
    assert set(found.sources) <= known
    cited = [*found.relationships, *found.writes, found.monitoring, *found.critique]
    assert {page for each in cited for page in each.sources} <= known


def test_alarms_have_names_of_their_own(case):
    names = [each.name for each in notes(*case.all).monitoring.alarms]
    assert len(names) == len(set(names))


def test_no_sentence_is_left_unfinished(case):
    found = notes(*case.all)
    texts = [getattr(each, name) for each in found.writes for name in ("uniqueness", "conditions", "transaction")]
    texts += [each.held for each in found.relationships] + [each.remains for each in found.critique]
    assert all(text == "" or text.endswith((".", ")")) for text in texts)
    assert not any("  " in text or ".." in text for text in texts)
