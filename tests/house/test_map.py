"""ARCHITECTURE.md is a true map: it names every room, and what it names is there."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "tablewright"
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`\n]+)`")
STEP = re.compile(r"^\d+\. `([^`]+)`")
ROOMS = "Rooms"
FLOWS = {"How a query flows": "runtime", "How a design flows": "architect"}


def section(heading: str) -> str:
    """The text under a heading of the second level."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", MAP, re.MULTILINE | re.DOTALL)
    assert found, f"ARCHITECTURE.md has no section {heading!r}"
    return found[1]


def spelled_out(name: str) -> list[str]:
    """`a/{b,c}` is a/b and a/c."""
    parts = [each[1:-1].split(",") if each.startswith("{") else [each] for each in re.split(r"(\{[^}]*\})", name)]
    return ["".join(each) for each in product(*parts)]


def mapped() -> list[str]:
    """The rooms of the package in the first column of the table, and the modules beside them."""
    table = section(ROOMS).partition("Beside the package:")[0]
    columns = (line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))
    return [each for column in columns for name in CODE.findall(column) for each in spelled_out(name)]


def beside() -> list[str]:
    table = section(ROOMS).partition("Beside the package:")[2]
    return [name for line in table.splitlines() if line.startswith("| `") for name in CODE.findall(line.split("|")[1])]


def rooms_of(package: Path) -> list[str]:
    """Every folder with modules; what is only copied into generated projects is no room."""
    folders = {path.parent for path in package.rglob("*.py") if "static" not in path.parts} - {package}
    return sorted(f"{each.relative_to(package).as_posix()}/" for each in folders)


def test_every_room_is_on_the_map() -> None:
    assert sorted(each for each in mapped() if each.endswith("/")) == rooms_of(PACKAGE)


def test_modules_beside_the_rooms_are_on_the_map() -> None:
    assert sorted(each for each in mapped() if not each.endswith("/")) == sorted(
        path.name for path in PACKAGE.glob("*.py")
    )


@pytest.mark.parametrize("name", beside())
def test_what_lies_beside_the_package_is_there(name: str) -> None:
    assert (ROOT / name).is_dir()


@pytest.mark.parametrize("flow", FLOWS)
def test_a_flow_names_files_in_order(flow: str) -> None:
    steps = [found[1] for line in section(flow).splitlines() if (found := STEP.match(line))]
    assert len(steps) > 5
    assert [each for each in steps if not (PACKAGE / each).is_file()] == []
    assert any(each.startswith(f"{FLOWS[flow]}/") for each in steps)


def test_every_path_that_is_named_exists() -> None:
    """In code that begins with a room: `runtime/operations`, `design/model.py`."""
    rooms = {each.split("/")[0] for each in rooms_of(PACKAGE)}
    named = {each for code in CODE.findall(MAP) for each in spelled_out(code) if "/" in each and " " not in each}
    ours = {each for each in named if each.split("/")[0] in rooms}
    assert len(ours) > 50
    assert sorted(each for each in ours if not (PACKAGE / each).exists()) == []


def test_folders_in_braces_are_spelled_out() -> None:
    assert spelled_out("a/{b,c}/") == ["a/b/", "a/c/"]
    assert spelled_out("a/b/") == ["a/b/"]
