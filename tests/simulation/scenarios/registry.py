"""All scenarios by name."""

from __future__ import annotations

from tests.simulation.scenarios import (
    adding,
    counting,
    editing,
    following,
    loading,
    ordering,
    registering,
    transfers,
    working,
)

ALL = (adding, counting, editing, following, loading, ordering, registering, transfers, working)
SCENARIOS = {each.SCENARIO.name: each.SCENARIO for each in ALL}
