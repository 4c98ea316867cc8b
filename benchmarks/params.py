"""CPU time of building the parameters of the same query and the same update, by library.

What each is charged for stands in its `with_*` module. Tablewright, boto3, PynamoDB and pydynantic end with
DynamoDB's own attribute values; ElectroDB ends one step earlier, with plain values that the AWS SDK converts later.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks import with_boto3, with_pydynantic, with_pynamodb, with_tablewright
from benchmarks.report import Goal, table
from benchmarks.rounds import interleaved
from benchmarks.scenario import SCENARIOS
from benchmarks.with_electrodb import electrodb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.scenario import Contender

ROUNDS = 31
CALLS = 200
WARM_UP_CALLS = 3000

# Scenario -> contender -> microseconds.
Times = dict[str, dict[str, float]]

OURS = "tablewright"
LIMITS_US = {"query": 5.0, "update": 15.0}
# The limits hold on a machine on which ElectroDB takes this long; elsewhere they scale with it.
ELECTRODB_US = {"query": 41.0, "update": 148.0}
TIMES_FASTER = {"boto3": 5.0, "pynamodb": 5.0, "electrodb": 5.0, "pydynantic": 3.0}

IN_PROCESS: tuple[Contender, ...] = (
    with_tablewright.CONTENDER,
    with_boto3.CONTENDER,
    with_pynamodb.CONTENDER,
    with_pydynantic.CONTENDER,
)


def measure() -> Times:
    with electrodb() as on_node:
        if on_node is None:
            print("ElectroDB is left out: Node.js or tests/node/node_modules is missing (see `make node`).\n")
        contenders = IN_PROCESS if on_node is None else (*IN_PROCESS, on_node)
        return {scenario: measure_one(scenario, contenders) for scenario in SCENARIOS}


def measure_one(scenario: str, contenders: Sequence[Contender]) -> dict[str, float]:
    for contender in contenders:
        contender.cpu_us(scenario, WARM_UP_CALLS)
    measures = {one.name: lambda one=one: one.cpu_us(scenario, CALLS) for one in contenders}
    return interleaved(measures, ROUNDS)


def times_table(times: Times) -> str:
    rows = [
        (name, *(cell for scenario in SCENARIOS for cell in cells(times[scenario], name)))
        for name in times[SCENARIOS[0]]
    ]
    header = ("library", *(cell for scenario in SCENARIOS for cell in (f"{scenario} us", "ratio")))
    title = f"Building parameters: median CPU time of a call over {ROUNDS} interleaved rounds of {CALLS} calls"
    return table(title, header, rows)


def cells(times: dict[str, float], name: str) -> tuple[str, str]:
    return f"{times[name]:.1f}", f"{times[name] / time_of(times, OURS):.1f}"


def time_of(times: dict[str, float], library: str) -> float:
    """The library's time; names in the table carry a version."""
    return next(time for name, time in times.items() if name.split()[0] == library)


def goals(times: Times) -> list[Goal]:
    return [goal for scenario in SCENARIOS for goal in scenario_goals(scenario, times[scenario])]


def scenario_goals(scenario: str, times: dict[str, float]) -> list[Goal]:
    ours = time_of(times, OURS)
    measured = {name.split()[0] for name in times}
    found = [Goal(f"{scenario} parameters", ours, LIMITS_US[scenario], "us")]
    if "electrodb" in measured:
        here = time_of(times, "electrodb")
        scaled = LIMITS_US[scenario] * here / ELECTRODB_US[scenario]
        what = (
            f"{scenario} parameters, ElectroDB taking {here:.0f} us here and {ELECTRODB_US[scenario]:.0f} at the goal"
        )
        found.append(Goal(what, ours, scaled, "us"))
    return found + [
        Goal(f"{scenario} against {library}", time_of(times, library) / ours, least, "x", at_least=True)
        for library, least in TIMES_FASTER.items()
        if library in measured
    ]


def show() -> None:
    """Prints what each contender builds for the first case."""
    with electrodb() as on_node:
        for contender in IN_PROCESS if on_node is None else (*IN_PROCESS, on_node):
            for scenario in SCENARIOS:
                print(f"{contender.name}: {scenario}\n{json.dumps(contender.example(scenario), indent=2)}\n")
