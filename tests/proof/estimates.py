"""`python -m tests.proof.estimates [--items 50000] [--runs 100] [name ...]`: estimates against runs, for all specs.

A line for each pattern: estimated from the volumes, the same for the items that there were, predicted for the items
touched, measured, and by how much the estimate is off; at the end the errors of each case. `name` is that of a spec.
"""

from __future__ import annotations

import argparse
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.architect.designer import design
from tablewright.errors import DesignError
from tablewright.proof.checks.estimates import FEW_ITEMS, FEW_RUNS, check_estimates
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, EstimateReport, PatternEstimate

ROOT = Path(__file__).parents[2]
FOLDERS = ("examples/specs", "tests/architect/cases", "tests/architect/applications", "tests/trust")
REFUSED = ("contradict", "too_large")
"""Specs that must not be designed."""
SPECS = {
    path.stem: path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.yaml"))
    if path.stem not in REFUSED and not path.stem.endswith(".expected")
}


@cache
def design_of(name: str) -> Design:
    return design(SPECS[name], explain=False)


def error_of(line: PatternEstimate) -> float | None:
    """By what share the estimate is above what was measured; None where nothing was."""
    kind = "wcu" if line.recomputed_wcu or line.measured_wcu else "rcu"
    measured: float = getattr(line, f"measured_{kind}")
    return getattr(line, f"recomputed_{kind}") / measured - 1 if measured else None


def lines_of(name: str, report: EstimateReport) -> Iterator[str]:
    for each in report.patterns:
        kind = "wcu" if each.recomputed_wcu or each.measured_wcu else "rcu"
        units = (getattr(each, f"{what}_{kind}") for what in ("estimated", "recomputed", "predicted", "measured"))
        error = error_of(each)
        shown = "" if error is None else f"{error:+.1%}"
        note = each.explanation if each.passed else f"FAILED: {each.explanation}"
        numbers = " ".join(f"{value:>10.2f}" for value in units)
        yield f"{name:<22} {each.pattern:<16} {each.runs:>4} {numbers} {kind.upper()} {shown:>8}  {note}".rstrip()
    for size in report.sizes:
        if not size.passed:
            yield f"{name:<22} {size.item}: {size.measured:.0f} bytes, {size.estimated:.0f} estimated: FAILED"


def summary_of(name: str, report: EstimateReport) -> str:
    errors = [abs(error) for error in map(error_of, report.patterns) if error is not None]
    explained = sum(bool(each.explanation) and each.passed for each in report.patterns)
    failed = sum(not each.passed for each in report.patterns) + sum(not each.passed for each in report.sizes)
    mean = sum(errors) / len(errors) if errors else 0.0
    worst = max(errors, default=0.0)
    return (
        f"{name:<22} {len(report.patterns):>8} {mean:>7.1%} {worst:>7.1%} {explained:>9} {failed:>6}"
        f" {sum(report.items.values()):>8,}"
    )


def main(names: list[str], items: int, runs: int) -> int:
    found: dict[str, EstimateReport] = {}
    print(f"{'case':<22} {'pattern':<16} runs  estimated recomputed  predicted   measured           error")
    for name in names or SPECS:
        try:
            read_spec(SPECS[name])
        except DesignError as fault:
            print(f"{name:<22} refused: {fault}")
            continue
        found[name] = check_estimates(design_of(name), most_items=items, most_runs=runs)
        print("\n".join(lines_of(name, found[name])), flush=True)
    print(f"\n{'case':<22} patterns    mean   worst explained failed    items")
    print("\n".join(summary_of(name, report) for name, report in found.items()))
    return 0 if all(each.passed for each in found.values()) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.proof.estimates")
    parser.add_argument("names", nargs="*", choices=[[], *SPECS])
    parser.add_argument("--items", type=int, default=FEW_ITEMS)
    parser.add_argument("--runs", type=int, default=FEW_RUNS)
    given = parser.parse_args()
    sys.exit(main(list(given.names), given.items, given.runs))
