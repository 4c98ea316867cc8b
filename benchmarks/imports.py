"""CPU cost of `import tablewright` over an empty interpreter: user and system time of fresh processes, interleaved."""

from __future__ import annotations

import os
import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage

from benchmarks.report import Goal, table
from benchmarks.rounds import interleaved

ROUNDS = 15
LIMIT_MS = 60.0
STATEMENTS = {
    "empty interpreter": "",
    "import msgspec": "import msgspec",
    "import tablewright": "import tablewright",
    "import botocore.session": "import botocore.session",
}


def measure() -> dict[str, float]:
    """Milliseconds by statement; the first, unmeasured round writes the byte code."""
    measures = {name: lambda code=code: child_cpu_ms(code) for name, code in STATEMENTS.items()}
    interleaved(measures, 1)
    return interleaved(measures, ROUNDS)


def child_cpu_ms(code: str) -> float:
    before = spent_by_children()
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"PYTHONDONTWRITEBYTECODE": ""})
    return (spent_by_children() - before) * 1000


def spent_by_children() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def times_table(times: dict[str, float]) -> str:
    empty = times["empty interpreter"]
    rows = [(name, f"{time:.1f}", f"{time - empty:.1f}") for name, time in times.items()]
    return table(f"Imports: median CPU time over {ROUNDS} interleaved rounds", ("process", "ms", "over empty"), rows)


def goals(times: dict[str, float]) -> list[Goal]:
    cost = times["import tablewright"] - times["empty interpreter"]
    return [Goal("import tablewright, over an empty interpreter", cost, LIMIT_MS, "ms")]
