from __future__ import annotations

import pytest

from benchmarks.design.generated import generated_spec
from benchmarks.design.run import GROWTH, timed_search
from tablewright.spec.read import read_spec


@pytest.mark.parametrize(("entities", "patterns"), GROWTH)
def test_a_generated_application_has_the_size_that_is_told(entities: int, patterns: int) -> None:
    spec = read_spec(generated_spec(entities, patterns))
    assert (len(spec.entities), len(spec.patterns)) == (entities, patterns)


def test_a_generated_application_can_be_served() -> None:
    patterns, _, gap, _ = timed_search(3, 10)
    assert (patterns, gap) == ("10", "0.00%")
