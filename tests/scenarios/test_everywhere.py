"""One suite, run unchanged in process, over a socket in every way we have, and against moto."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tests.scenarios import finding, items, refusals, several
from tests.scenarios.ways import WAYS, Run, ready

Scenario = Callable[[Run], None]

WRONG_ON_MOTO = {
    "a_transaction_with_a_token_happens_once": "ignores ClientRequestToken and carries the transaction out again",
    "a_token_is_for_one_transaction": "ignores ClientRequestToken, so that no mismatch is noticed",
    "counting_at_the_same_time": "is not made for threads and loses counts",
    "only_one_creates": "is not made for threads and may let two create",
}
"""Scenarios that moto cannot play, each with what it does wrong."""


def scenarios_in(module: ModuleType) -> dict[str, Scenario]:
    """The public functions of a module that take a run and nothing else."""
    return {
        name: each
        for name, each in vars(module).items()
        if not name.startswith("_") and getattr(each, "__annotations__", None) == {"run": "Run", "return": "None"}
    }


MODULES = (items, finding, several, refusals)
SCENARIOS = {name: each for module in MODULES for name, each in scenarios_in(module).items()}


ONLY_IN_FULL = ("moto, botocore", "moto, fast async")
"""What moto answers, and what each way makes of answers, is seen by the others too."""
PLAYED = [
    pytest.param(scenario, way, marks=pytest.mark.slow if way in ONLY_IN_FULL else ())
    for scenario in SCENARIOS
    for way in WAYS
    if not (way.startswith("moto") and scenario in WRONG_ON_MOTO)
]


@pytest.mark.parametrize(("scenario", "way"), PLAYED)
def test_scenario(scenario: str, way: str) -> None:
    with ready(way) as run:
        SCENARIOS[scenario](run)


def test_no_two_scenarios_share_a_name() -> None:
    assert len(SCENARIOS) == sum(len(scenarios_in(module)) for module in MODULES)


def test_what_moto_gets_wrong_is_still_there() -> None:
    assert set(SCENARIOS) >= set(WRONG_ON_MOTO)
