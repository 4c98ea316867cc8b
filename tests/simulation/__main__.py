"""`python -m tests.simulation [--scenario NAME] [--seed N] [--runs N]`: simulate, and tell of the first run that fails.

With `--seed` alone that one run is shown, step by step. With `--runs` that many seeds are tried, from `--seed` on (or
0); of those that fail, the shortest is shown.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.simulation.scenario import Scenario, Verdict, simulate
from tests.simulation.scenarios.registry import SCENARIOS


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--scenario", choices=sorted(SCENARIOS), help="one of them; all without it")
    parser.add_argument("--seed", type=int, help="the run to show, or the first of several")
    parser.add_argument("--runs", type=int, help="how many seeds of each scenario")
    asked = parser.parse_args(arguments)
    chosen = [SCENARIOS[asked.scenario]] if asked.scenario else list(SCENARIOS.values())
    if asked.seed is not None and asked.runs is None:
        return max(_shown(scenario, asked.seed) for scenario in chosen)
    return max(_searched(scenario, asked.seed or 0, asked.runs or 100) for scenario in chosen)


def _searched(scenario: Scenario, first: int, runs: int) -> int:
    began = time.process_time()
    verdicts = [simulate(scenario, seed) for seed in range(first, first + runs)]
    seconds = time.process_time() - began
    failed = [verdict for verdict in verdicts if verdict.complaints]
    deeds, steps = sum(each.deeds for each in verdicts), sum(each.steps for each in verdicts)
    print(
        f"{scenario.name:<12} {runs:>6} runs {deeds:>8} deeds {steps:>8} steps {seconds:7.1f} s  {len(failed)} failed"
    )
    if not failed:
        return 0
    broken = Counter(name for verdict in failed for name in verdict.broken)
    print("\n".join(f"  {name}: {count}" for name, count in broken.most_common()))
    return _shown(scenario, min(failed, key=lambda verdict: verdict.steps).seed)


def _shown(scenario: Scenario, seed: int) -> int:
    verdict = simulate(scenario, seed, keep_trace=True)
    print(told(verdict))
    return 1 if verdict.complaints else 0


def told(verdict: Verdict) -> str:
    """A run in words: its steps, and what is wrong."""
    head = f"{verdict.scenario}, seed {verdict.seed}: {verdict.deeds} deeds in {verdict.steps} steps"
    wrong = [f"BROKEN {name}: {text}" for name, text in verdict.complaints] or ["everything holds"]
    again = f"again: python -m tests.simulation --scenario {verdict.scenario} --seed {verdict.seed}"
    return "\n".join([head, *verdict.lines, *wrong, again])


if __name__ == "__main__":
    sys.exit(main())
