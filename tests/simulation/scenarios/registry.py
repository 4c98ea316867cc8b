"""All scenarios by name."""

from __future__ import annotations

from tests.simulation.scenarios import counting, editing, ordering, registering, transfers

SCENARIOS = {each.SCENARIO.name: each.SCENARIO for each in (counting, editing, ordering, registering, transfers)}
