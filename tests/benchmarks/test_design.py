from __future__ import annotations

import pytest

from benchmarks.design.generated import PLANNED, generated_spec, planned_forms
from benchmarks.design.run import GROWTH, LARGE, timed_search
from tablewright.spec.read import read_spec


@pytest.mark.parametrize(("entities", "patterns"), GROWTH)
def test_a_generated_application_has_the_size_that_is_told(entities: int, patterns: int) -> None:
    spec = read_spec(generated_spec(entities, patterns))
    assert (len(spec.entities), len(spec.patterns)) == (entities, patterns)


def test_a_generated_application_can_be_served() -> None:
    patterns, _, gap, _ = timed_search(3, 10)
    assert (patterns, gap) == ("10", "0.00%")


def test_a_large_application_asks_for_every_plan() -> None:
    spec = read_spec(generated_spec(*LARGE, plans=True))
    assert (len(spec.entities), len(spec.patterns)) == LARGE
    reads = spec.reads
    assert {each.kind for each in reads} == {"get", "query", "batch"}
    assert all(
        [
            any(each.through for each in reads),
            any(each.overlaps for each in reads),
            any(each.stale and each.range for each in reads),
            any(each.stale and not each.range for each in reads),
            any(each.aggregate and not each.stale for each in reads),
            any(each.kind == "get" and each.sort for each in reads),
            any(each.limits for each in reads),
            any(each.skew for each in reads),
            any("." in name for each in reads for name in each.returns),
        ]
    )
    assert set(planned_forms(1, {0: None, 1: 0})) == set(PLANNED)
