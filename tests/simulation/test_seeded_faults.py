"""The simulation can fail: every fault that is put into the runtime is brought to light by an invariant it concerns."""

from __future__ import annotations

import pytest

from tests.simulation.faults import FAULTS, Fault, caught


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_it_is_caught(fault: Fault) -> None:
    runs, verdict = caught(fault)
    assert verdict is not None, f"{runs} runs went well"


def test_every_scenario_has_a_fault_that_it_catches() -> None:
    from tests.simulation.scenarios.registry import SCENARIOS

    assert {fault.scenario for fault in FAULTS} == set(SCENARIOS)
