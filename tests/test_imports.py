"""`import tablewright` stays cheap: the heavy libraries are loaded by whoever needs them, when they do."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "asyncio",
    "attr",
    "attrs",
    "boto3",
    "botocore",
    "pydantic",
    "sqlite3",
    "ssl",
    "tablewright.engine",
    "tablewright.runtime.streams",
    "yaml",
)


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.fixture(scope="module")
def loaded_by_tablewright() -> set[str]:
    return modules_after("import tablewright") - modules_after("")


@pytest.mark.parametrize("heavy", HEAVY)
def test_import_leaves_heavy_modules_alone(heavy: str, loaded_by_tablewright: set[str]) -> None:
    culprits = sorted(name for name in loaded_by_tablewright if name == heavy or name.startswith(heavy + "."))
    assert not culprits, f"importing tablewright loads {', '.join(culprits)}"


def test_the_probe_sees_imports() -> None:
    assert "sqlite3" in modules_after("import sqlite3") - modules_after("")
