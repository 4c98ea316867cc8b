"""The simulation can fail: every fault that is put into the runtime is brought to light by an invariant it concerns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.simulation.faults import FAULTS, Fault, caught
from tests.simulation.scenarios.registry import SCENARIOS
from tests.simulation.weather import FATES

PAGE = Path(__file__).parents[2] / "docs" / "why" / "simulation.md"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_it_is_caught(fault: Fault) -> None:
    runs, verdict = caught(fault)
    assert verdict is not None, f"{runs} runs went well"


def test_every_scenario_has_a_fault_that_it_catches() -> None:
    assert {fault.scenario for fault in FAULTS} == set(SCENARIOS)


def test_the_page_names_every_scenario_and_every_fate() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in (*SCENARIOS, *FATES) if f"`{name}`" not in page] == []
