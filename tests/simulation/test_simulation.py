"""Every scenario in many kinds of weather: what must hold does, and a seed tells the same story each time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.__main__ import main, told
from tests.simulation.faults import everything_is_repeated
from tests.simulation.scenario import simulate
from tests.simulation.scenarios.registry import SCENARIOS

ROOT = Path(__file__).parents[2]
RUNS, MANY_RUNS = 25, 300


def check(scenario: str, first: int, runs: int) -> None:
    for seed in range(first, first + runs):
        if simulate(SCENARIOS[scenario], seed).complaints:
            pytest.fail(told(simulate(SCENARIOS[scenario], seed, keep_trace=True)), pytrace=False)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_must_hold_holds(scenario: str) -> None:
    check(scenario, 0, RUNS)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_must_hold_holds_in_thousands_of_runs(scenario: str) -> None:
    check(scenario, RUNS, MANY_RUNS)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_seed_is_one_run_whether_it_is_traced_or_not(scenario: str) -> None:
    first, second = (simulate(SCENARIOS[scenario], 7, keep_trace=True) for _ in range(2))
    assert first.lines == second.lines
    untraced = simulate(SCENARIOS[scenario], 7)
    assert (untraced.steps, untraced.deeds, untraced.lines) == (first.steps, first.deeds, [])
    assert simulate(SCENARIOS[scenario], 8, keep_trace=True).lines != first.lines


def test_another_process_tells_the_same_story() -> None:
    """Neither the order of sets nor anything else of a process has a part in it."""
    told_there = [
        subprocess.run(
            [sys.executable, "-m", "tests.simulation", "--scenario", "registering", "--seed", "11"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert told_there[0] == told_there[1]
    assert told_there[0] == told(simulate(SCENARIOS["registering"], 11, keep_trace=True)) + "\n"


def test_the_command_shows_the_shortest_run_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    with everything_is_repeated():
        assert main(["--scenario", "counting", "--runs", "40"]) == 1
    shown = capsys.readouterr().out
    assert "nothing_twice" in shown
    assert "BROKEN nothing_twice: " in shown
    assert "  -> unheard" in shown or "  -> failed after" in shown or "  -> late" in shown
    seed = shown.rpartition("--seed ")[2].strip()
    assert main(["--scenario", "counting", "--seed", seed]) == 0  # without the fault the same seed goes well


def test_fates_of_every_kind_occur() -> None:
    """A simulation in which nothing goes wrong proves nothing."""
    lines = [line for seed in range(60) for line in simulate(SCENARIOS["transfers"], seed, keep_trace=True).lines]
    for fate in ("unsent", "vanished", "unheard", "late", "failed before", "failed after", "throttled"):
        assert any(line.endswith(f"-> {fate}") for line in lines), fate
    for sign in ("hangs", "s off", "is gone", "network ", "TransactionConflict"):
        assert any(sign in line for line in lines), sign


@pytest.mark.parametrize("scenario", ["counting", "transfers", "ordering"])
def test_a_request_that_is_overtaken_by_its_repetition_is_not_done_twice(scenario: str) -> None:
    """For such a network no more is promised; see the page on simulation."""
    for seed in range(RUNS):
        broken = simulate(SCENARIOS[scenario], seed, is_overtaken=True).broken
        assert not broken & {"nothing_twice", "receipts_add_up", "nobody_owes", "transactions_are_whole"}
