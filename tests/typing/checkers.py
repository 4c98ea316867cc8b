"""Runs pyright and mypy, once each, over all files of `pass` and `fail`, and gives the errors by file and line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]

# File -> line -> messages.
Errors = dict[Path, dict[int, list[str]]]


@cache
def errors_of(checker: str) -> Errors:
    return {"mypy": mypy_errors, "pyright": pyright_errors}[checker]()


def pyright_errors() -> Errors:
    command = ["pyright", "--outputjson", "--project", str(FOLDER), "--pythonpath", sys.executable]
    report: dict[str, Any] = json.loads(run(command).stdout)
    assert report["summary"]["filesAnalyzed"], "pyright found no files"
    found: Errors = {}
    for entry in report["generalDiagnostics"]:
        if entry["severity"] == "error":
            note(found, entry["file"], entry["range"]["start"]["line"] + 1, f"{entry['message']} ({entry.get('rule')})")
    return found


def mypy_errors() -> Errors:
    files = sorted(str(path) for folder in ("pass", "fail") for path in (FOLDER / folder).glob("*.py"))
    options = ["--strict", "--python-version=3.11", "--output=json", "--config-file=", "--cache-dir=.mypy_cache/typing"]
    # Bases above `pass` and `fail` keep files of one name apart.
    bases = ["--namespace-packages", "--explicit-package-bases"]
    command = ["mypy", *options, *bases, f"--python-executable={sys.executable}", *files]
    done = run(command, MYPYPATH=f"{FOLDER}:{ROOT / 'src'}")
    assert done.returncode in (0, 1), f"mypy could not run:\n{done.stdout}{done.stderr}"
    found: Errors = {}
    for line in filter(None, done.stdout.splitlines()):  # one blank line when there is nothing to say
        entry = json.loads(line)
        if entry["severity"] == "error":
            note(found, entry["file"], entry["line"], f"{entry['message']} [{entry['code']}]")
    return found


def run(command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    module, *arguments = command
    whole = [sys.executable, "-m", module, *arguments]
    environment = os.environ | variables
    return subprocess.run(whole, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def note(found: Errors, file: str, line: int, message: str) -> None:
    found.setdefault((ROOT / file).resolve(), {}).setdefault(line, []).append(message)
