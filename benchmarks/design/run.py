"""Measures how long designs take; `python -m benchmarks design`."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.design.generated import generated_spec
from benchmarks.report import Goal, table
from tablewright.architect.designer import design
from tablewright.architect.search.search import try_search
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = sorted((Path(__file__).parents[2] / "tests" / "architect" / "cases").glob("*.yaml"))
CASE_LIMIT = 10.0
REWRITTEN = sorted(Path(__file__).parent.glob("*.yaml"))
"""Applications of up to 30 patterns with many ways to store them."""
EXPLAINED_LIMIT = 60.0
USUAL = ((3, 22), (4, 26), (6, 27), (7, 28), (9, 28), (12, 30))
SEEDS = range(4)
LARGE = (40, 150)
LARGE_LIMIT = 30.0
"""Of processor time, with all plans on: designs are made beside other work."""
LARGEST = (40, 260)
GROWTH = ((3, 10), (5, 20), (11, 40), (21, 80), LARGE, LARGEST)
FEW_NODES = 5
"""The limit is lowered, so that it can be seen at work without waiting for a spec that is large enough."""


def run(show: Callable[[str], None]) -> list[Goal]:
    cases = {path.stem: timed_design(path) for path in CASES}
    show(cases_table(cases))
    usual = {
        f"{entities} x {patterns}": [timed_design(generated_spec(entities, patterns, seed))[0] for seed in SEEDS]
        for entities, patterns in USUAL
    }
    show(usual_table(usual))
    rewritten = {path.stem: (timed_design(path), timed_design(path, explain=True)[0]) for path in REWRITTEN}
    show(rewritten_table(rewritten))
    grown = {f"{entities} x {patterns}": timed_search(entities, patterns) for entities, patterns in GROWTH}
    show(growth_table(grown))
    show(limited_table())
    large = {plans: timed_large(plans=plans) for plans in (False, True)}
    show(large_table(large))
    return [
        *(Goal(f"design of {name}", seconds, CASE_LIMIT, "s") for name, (seconds, _) in cases.items()),
        *(Goal(f"design of {name}", quick[0], CASE_LIMIT, "s") for name, (quick, _) in rewritten.items()),
        *(Goal(f"{name}, explained", seconds, EXPLAINED_LIMIT, "s") for name, (_, seconds) in rewritten.items()),
        Goal("the slowest design of up to 30 patterns", max(map(max, usual.values())), CASE_LIMIT, "s"),
        Goal(f"design of {LARGE[0]} entities and {LARGE[1]} patterns", large[False][0], LARGE_LIMIT, "s"),
        Goal("the same with all plans on", large[True][0], LARGE_LIMIT, "s"),
    ]


def timed_design(spec: Any, *, explain: bool = False) -> tuple[float, tuple[str, ...]]:
    """Seconds of the whole design, and what it has."""
    started = time.perf_counter()
    made = design(spec, explain=explain)
    seconds = time.perf_counter() - started
    tables = made.tables
    return seconds, (str(len(made.patterns)), str(sum(len(each.gsis) for each in tables)), f"{seconds:.2f}")


def timed_large(*, plans: bool) -> tuple[float, tuple[str, ...]]:
    """Seconds of processor time of the whole design of a large application, and what it has."""
    started = time.process_time()
    made = design(generated_spec(*LARGE, plans=plans), explain=False)
    seconds = time.process_time() - started
    kinds = len({each.kind for each in made.rewrites})
    figures = (str(len(made.patterns)), str(sum(len(each.gsis) for each in made.tables)), str(kinds), f"{seconds:.2f}")
    return seconds, figures


def timed_search(entities: int, patterns: int, nodes: int | None = None) -> tuple[str, ...]:
    facts = assume(read_spec(generated_spec(entities, patterns)))
    started = time.perf_counter()
    choice = try_search(facts, nodes=nodes)
    seconds = time.perf_counter() - started
    if choice is None:
        message = f"The generated application of {entities} entities and {patterns} patterns has no design."
        raise RuntimeError(message)
    return str(len(facts.spec.patterns)), str(len(choice.slots)), f"{choice.gap:.2%}", f"{seconds:.2f}"


def cases_table(cases: dict[str, tuple[float, tuple[str, ...]]]) -> str:
    rows = [(name, *figures) for name, (_, figures) in cases.items()]
    return table("Published applications, the whole design", ("application", "patterns", "GSIs", "seconds"), rows)


def usual_table(usual: dict[str, list[float]]) -> str:
    rows = [(name, f"{median(seconds):.2f}", f"{max(seconds):.2f}") for name, seconds in usual.items()]
    title = f"Generated applications of up to 30 patterns, the whole design of {len(SEEDS)} of each size"
    return table(title, ("entities x patterns", "median seconds", "slowest"), rows)


def rewritten_table(found: dict[str, tuple[tuple[float, tuple[str, ...]], float]]) -> str:
    rows = [(name, *figures, f"{explained:.2f}") for name, ((_, figures), explained) in found.items()]
    title = "Applications with many ways to store them, the whole design"
    return table(title, ("application", "patterns", "GSIs", "seconds", "seconds with explanations"), rows)


def growth_table(grown: dict[str, tuple[str, ...]]) -> str:
    rows = [(name, *figures) for name, figures in grown.items()]
    title = "Generated applications, the search alone"
    return table(title, ("entities x patterns", "patterns", "GSIs", "gap", "seconds"), rows)


def large_table(found: dict[bool, tuple[float, tuple[str, ...]]]) -> str:
    rows = [("all plans" if plans else "keys and indexes", *figures) for plans, (_, figures) in found.items()]
    title = f"Generated applications of {LARGE[0]} entities and {LARGE[1]} patterns, the whole design"
    return table(title, ("asks for", "patterns", "GSIs", "kinds of rewrites", "CPU seconds"), rows)


def limited_table() -> str:
    """With few nodes there is a design all the same, and it says how far from the best it may be."""
    figures = timed_search(*LARGEST, nodes=FEW_NODES)
    name = f"{LARGEST[0]} x {LARGEST[1]}, {FEW_NODES} nodes"
    return table(
        "At the limit of nodes", ("entities x patterns", "patterns", "GSIs", "gap", "seconds"), [(name, *figures)]
    )


def main() -> list[Goal]:
    return run(partial(print, flush=True))
