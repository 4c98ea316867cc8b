"""All scenarios by name."""

from __future__ import annotations

from tests.simulation.scenarios import (
    adding,
    clearing,
    counting,
    editing,
    following,
    loading,
    moving,
    ordering,
    registering,
    remembering,
    transfers,
    working,
)

ALL = (
    adding,
    clearing,
    counting,
    editing,
    following,
    loading,
    moving,
    ordering,
    registering,
    remembering,
    transfers,
    working,
)
SCENARIOS = {each.SCENARIO.name: each.SCENARIO for each in ALL}
