from __future__ import annotations

from tablewright.architect.designer import design
from tablewright.spec.starter import STARTER


def test_the_starter_is_a_spec_that_designs_without_findings() -> None:
    found = design(STARTER)
    assert len(found.tables) == 1
    assert {each.id for each in found.patterns} >= {f"AP{number}" for number in range(1, 10)}
    assert [each for each in found.heat.findings if each.severity == "error"] == []
    assert max(map(len, STARTER.splitlines())) <= 120
