"""The interpreter of steps goes into generated packages as it is: it needs nothing but the standard library."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tablewright.codegen.python.requests import interpreter
from tablewright.design import steps

ROOM = Path(str(steps.__file__)).parent
FILES = sorted(each for each in ROOM.glob("*.py") if each.stem != "compile")


def imports_of(path: Path) -> set[str]:
    """Top-level packages, and `.` for what is beside it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level or str(node.module).partition(".")[0])
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda each: each.stem)
def test_only_the_standard_library_is_imported(path: Path) -> None:
    assert imports_of(path) - {"."} <= set(sys.stdlib_module_names)


def test_all_of_it_is_shipped_but_what_follows_streams() -> None:
    """A function of its own does that, see `codegen/lambdas`."""
    assert set(interpreter()) == {f"steps/{each.name}" for each in FILES if each.stem not in ("following", "tops")}


def test_it_is_imported_where_nothing_else_is(tmp_path: Path) -> None:
    for name, text in interpreter().items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    code = "import sys; sys.path.insert(0, sys.argv[1]); from steps import writes; print(writes.write.__module__)"
    command = [sys.executable, "-I", "-S", "-c", code, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "steps.writes"
