"""Generated packages, written side by side, compiled in one run of the compiler and run on Node against a server."""

from __future__ import annotations

import json
import subprocess
import tempfile
from contextlib import contextmanager
from threading import Timer
from typing import IO, TYPE_CHECKING, Any

from tablewright.engine import Engine
from tablewright.engine.server import serve
from tablewright.proof.database import create_tables
from tests.codegen.replay import Typed, stored_items
from tests.conftest import NODE_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tablewright.design.model import Design
    from tablewright.engine.server import Server
    from tests.codegen.replay import Call, Recording
    from tests.conftest import Node

OUTPUT = "js"
LONGEST_JOB = 120
"""Seconds."""


def compiled(folder: Path, packages: Mapping[str, Mapping[str, str]]) -> Path:
    """Packages by name, each under the settings of its own tsconfig; returns where the JavaScript lies."""
    for name, files in packages.items():
        for path, text in files.items():
            target = folder / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
    modules = folder / "node_modules"
    if not modules.exists():
        modules.symlink_to(NODE_FOLDER / "node_modules")
    (folder / "tsconfig.json").write_text(json.dumps(settings_of(packages)))
    compiler = str(NODE_FOLDER / "node_modules" / ".bin" / "tsc")
    done = subprocess.run([compiler, "-p", "."], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    (folder / OUTPUT / "package.json").write_text('{"type": "module"}')
    return folder / OUTPUT


def settings_of(packages: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    said = [json.loads(text) for files in packages.values() for path, text in files.items() if is_settings(path)]
    options = said[0]["compilerOptions"]
    assert all(each["compilerOptions"] == options for each in said)
    assert options["strict"]
    return {"compilerOptions": {**options, "outDir": OUTPUT, "declaration": False}, "include": list(packages)}


def is_settings(path: str) -> bool:
    return path.endswith("/tsconfig.json")


# ---- running --------------------------------------------------------------------------------------------------------


class Replayer:
    """`replay.mjs` on Node: one process for all packages, and a job at a time."""

    def __init__(self, process: subprocess.Popen[str], errors: IO[str]) -> None:
        self._process, self._errors = process, errors

    def run(self, url: str, module: Path, calls: Sequence[Call], size: int | None = None) -> Any:
        """What each call gives; in pages of a size, where there is one."""
        asked = [{name: getattr(each, name) for name in ("pattern", "inputs")} for each in calls]
        job = {"endpoint": url, "module": str(module), "calls": asked, "size": size}
        assert self._process.stdin
        assert self._process.stdout
        limit = Timer(LONGEST_JOB, self._process.kill)
        limit.start()
        try:
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        finally:
            limit.cancel()
        assert line, f"{module} failed on Node:\n{self._said()}"
        return json.loads(line)

    def _said(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read() or f"nothing, for {LONGEST_JOB} seconds"


@contextmanager
def replaying(node: Node) -> Iterator[Replayer]:
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            [node.executable, "replay.mjs"],
            cwd=NODE_FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
        )
        with process:  # which closes its input, and it ends
            yield Replayer(process, errors)


@contextmanager
def served(design: Design, items: Mapping[str, list[Typed]]) -> Iterator[tuple[Server, Engine]]:
    """The tables of a design with these items, on a port."""
    engine = Engine()
    create_tables(engine, design)
    for table, found in items.items():
        for item in found:
            engine.call("PutItem", {"TableName": table, "Item": item})
    with serve(engine) as server:
        yield server, engine


def replayed(
    replayer: Replayer, module: Path, design: Design, recording: Recording
) -> tuple[list[Any], dict[str, Any]]:
    """What every call of a recording gives, and what is stored in the end."""
    with served(design, recording.items) as (server, engine):
        return replayer.run(server.url, module, recording.calls), stored_items(design, engine)


def paged(
    replayer: Replayer, module: Path, design: Design, recording: Recording, sizes: Sequence[int]
) -> Iterator[tuple[int, list[Any]]]:
    """Reads alone, in pages of each size, on the items that a recording starts with."""
    with served(design, recording.items) as (server, _):
        for size in sizes:
            yield size, replayer.run(server.url, module, first_reads(recording), size)


def first_reads(recording: Recording) -> list[Call]:
    """The reads before anything was written, each question once: nothing changes in between."""
    calls = recording.calls
    writes = next((at for at, each in enumerate(calls) if each.outcome is not None), len(calls))
    asked = {json.dumps([each.pattern, each.inputs], sort_keys=True): each for each in reversed(calls[:writes])}
    return list(reversed(asked.values()))
