"""ElectroDB in a Node process that waits between rounds, so that it takes its turn with the others.

Node counts its own CPU time (`process.cpuUsage`), compiler and garbage collector threads included.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from benchmarks.scenario import ALL_CASES, Case

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = Path(__file__).with_name("electrodb.cjs")
MODULES = Path(__file__).parents[1] / "tests" / "node" / "node_modules"


@dataclass(frozen=True, slots=True)
class OnNode:
    """Speaks with the Node process, a line of JSON each way."""

    version: str
    commands: IO[str]
    answers: IO[str]

    @property
    def name(self) -> str:
        return f"electrodb {self.version} (Node)"

    def cpu_us(self, scenario: str, calls: int) -> float:
        return float(ask(self.commands, self.answers, {"scenario": scenario, "calls": calls}))

    def example(self, scenario: str) -> dict[str, Any]:
        return dict(ask(self.commands, self.answers, {"scenario": scenario, "show": True}))


@contextmanager
def electrodb() -> Iterator[OnNode | None]:
    """The running contender, or None where Node or ElectroDB is missing."""
    node = shutil.which("node")
    if node is None or not (MODULES / "electrodb").is_dir():
        yield None
        return
    environment = os.environ | {"NODE_PATH": str(MODULES)}
    pipe = subprocess.PIPE
    with subprocess.Popen([node, SCRIPT], stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        version = ask(process.stdin, process.stdout, {"cases": [plain(case) for case in ALL_CASES]})
        yield OnNode(version, process.stdin, process.stdout)
        process.stdin.close()


def plain(case: Case) -> dict[str, Any]:
    names = ("project", "task_id", "employee", "title", "points", "created_at")
    return {name: getattr(case, name) for name in names}


def ask(commands: IO[str], answers: IO[str], command: dict[str, Any]) -> Any:
    commands.write(json.dumps(command) + "\n")
    commands.flush()
    line = answers.readline()
    if not line:
        raise RuntimeError(f"the Node process ended; run `node {SCRIPT.name}` by hand to see why")
    return json.loads(line)
