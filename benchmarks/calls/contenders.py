"""Who takes part: each client in a process of its own that waits for its turn."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from benchmarks.calls.workload import ACCESS_KEY, BULK, CREATED, EXPECTED, PAGE, REGION, SECRET_KEY, TABLE, plain_order

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

CLIENTS = Path(__file__).with_name("clients")
MODULES = Path(__file__).parents[2] / "tests" / "node" / "node_modules"


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in the table, the function that opens the client, and the modules without which there is none."""

    name: str
    opens: str
    needs: tuple[str, ...] = ()


LOWER_BOUND = "lower bound"
FAST = "tablewright"
ASYNCIO = "tablewright, asyncio"
UVLOOP = "tablewright, uvloop"
THROUGH_BOTOCORE = "tablewright, through botocore"
EMBEDDED = "tablewright, embedded"
BOTOCORE = "botocore client"
TABLE_RESOURCE = "boto3 Table"
PYDYNOX = "pydynox"
AIODYNAMO = "aiodynamo + aiohttp"
ELECTRODB = "ElectroDB on Node"

ENTRIES = (
    Entry(LOWER_BOUND, "lower_bound:open_client"),
    Entry(FAST, "ours:open_fast"),
    Entry(ASYNCIO, "ours:open_asyncio"),
    Entry(UVLOOP, "ours:open_uvloop", ("uvloop",)),
    Entry(THROUGH_BOTOCORE, "ours:open_botocore"),
    Entry(EMBEDDED, "ours:open_embedded"),
    Entry(PYDYNOX, "dynox:open_client", ("pydynox",)),
    Entry(AIODYNAMO, "aio:open_client", ("aiodynamo", "aiohttp")),
    Entry(BOTOCORE, "boto:open_client", ("boto3",)),
    Entry(TABLE_RESOURCE, "boto:open_table", ("boto3",)),
    Entry("PynamoDB", "pynamo:open_client", ("pynamodb",)),
    Entry("pydynantic", "dynantic:open_client", ("pydynantic",)),
)


@dataclass(frozen=True, slots=True)
class Contender:
    """Speaks with a client's process, a line of JSON each way."""

    name: str
    commands: IO[str]
    answers: IO[str]

    def cpu_us(self, operation: str, calls: int) -> float:
        return float(self.ask({"operation": operation, "calls": calls}))

    def check(self) -> None:
        """Stop unless the client reads what the server gives."""
        seen = self.ask({"check": True})
        expected = {"get": list(EXPECTED), "query": list(EXPECTED), "count": PAGE}
        if seen != expected:
            sys.exit(f"{self.name} read {seen} instead of {expected}")

    def ask(self, command: dict[str, Any]) -> Any:
        self.commands.write(json.dumps(command) + "\n")
        self.commands.flush()
        return self.answer()

    def answer(self) -> Any:
        line = self.answers.readline()
        if not line:
            sys.exit(f"{self.name} ended without an answer")
        return json.loads(line)


@contextmanager
def process(command: list[str], **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A process that ends when its input does."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=os.environ | environment) as started:
        yield started


@contextmanager
def server() -> Iterator[str]:
    """The address of the server with the canned answers."""
    with process([sys.executable, "-m", "benchmarks.calls.server"]) as started:
        assert started.stdout is not None
        yield f"http://127.0.0.1:{int(started.stdout.readline())}"


def start_all(endpoint: str, stack: ExitStack) -> tuple[list[Contender], list[str]]:
    """The contenders, checked, and the names of those that cannot take part here."""
    commands: dict[str, list[str] | None] = {entry.name: command_of(entry, endpoint) for entry in ENTRIES}
    node = shutil.which("node") if (MODULES / "electrodb").is_dir() else None
    commands[ELECTRODB] = None if node is None else [node, str(CLIENTS / "electrodb.cjs"), endpoint]
    contenders: list[Contender] = []
    for name, command in commands.items():
        if command is not None:
            contenders.append(start(name, command, stack))
    return contenders, [name for name, command in commands.items() if command is None]


def command_of(entry: Entry, endpoint: str) -> list[str] | None:
    if any(find_spec(module) is None for module in entry.needs):
        return None
    return [sys.executable, "-m", "benchmarks.calls.worker", entry.opens, endpoint]


def start(name: str, command: list[str], stack: ExitStack) -> Contender:
    environment = {"NODE_PATH": str(MODULES), "NODE_NO_WARNINGS": "1", "WORKLOAD": workload_for_node()}
    started = stack.enter_context(process(command, **environment))
    assert started.stdin is not None
    assert started.stdout is not None
    contender = Contender(name, started.stdin, started.stdout)
    contender.answer()
    contender.check()
    return contender


def workload_for_node() -> str:
    return json.dumps(
        {
            "table": TABLE,
            "region": REGION,
            "accessKeyId": ACCESS_KEY,
            "secretAccessKey": SECRET_KEY,
            "created": CREATED,
            "orders": [plain_order(number) for number in range(BULK)],
        },
        default=sorted,  # sets
    )
