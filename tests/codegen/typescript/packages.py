"""Generated packages, written side by side, compiled in one run of the compiler and run on Node against a server."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tablewright.engine import Engine
from tablewright.engine.server import serve
from tablewright.proof.database import create_tables
from tests.codegen.replay import Typed, stored_items
from tests.conftest import NODE_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tablewright.design.model import Design
    from tablewright.engine.server import Server
    from tests.codegen.replay import Recording
    from tests.conftest import Node

OUTPUT = "js"


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


def replayed(node: Node, module: Path, design: Design, recording: Recording) -> tuple[list[Any], dict[str, Any]]:
    """What every call of a recording gives, and what is stored in the end."""
    with served(design, recording.items) as (server, engine):
        calls = [{"pattern": each.pattern, "inputs": each.inputs} for each in recording.calls]
        payload = {"endpoint": server.url, "module": str(module), "calls": calls}
        return node.run("replay.mjs", payload), stored_items(design, engine)


def paged(node: Node, module: Path, design: Design, recording: Recording, size: int) -> list[Any]:
    """Reads alone, in pages of a size, on the items that a recording starts with."""
    with served(design, recording.items) as (server, _):
        calls = [{"pattern": each.pattern, "inputs": each.inputs} for each in first_reads(recording)]
        payload = {"endpoint": server.url, "module": str(module), "calls": calls, "size": size}
        return node.run("replay.mjs", payload)


def first_reads(recording: Recording) -> list[Any]:
    """The reads before anything was written."""
    calls = recording.calls
    writes = next((at for at, each in enumerate(calls) if each.outcome is not None), len(calls))
    return calls[:writes]
