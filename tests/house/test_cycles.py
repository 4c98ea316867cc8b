"""No modules of the package import each other in a round."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.imports import Graph, cycles, import_graph

PACKAGE = Path(__file__).parents[2] / "src" / "tablewright"
ROOMS = sorted(each.name for each in PACKAGE.iterdir() if (each / "__init__.py").exists())

pytestmark = pytest.mark.xdist_group("cycles")


@pytest.fixture(scope="module")
def found() -> list[list[str]]:
    return cycles(import_graph(PACKAGE))


@pytest.mark.parametrize("room", ROOMS)
def test_no_cycle_in_a_room(found: list[list[str]], room: str) -> None:
    here = [each for each in found if any(_room(name) == room for name in each)]
    assert here == [], "\n".join(" <-> ".join(each) for each in here)


def test_no_cycle_through_several_rooms(found: list[list[str]]) -> None:
    rooms = [{_room(name) for name in each} for each in found]
    assert [each for each in rooms if len(each) > 1] == []


def _room(module: str) -> str:
    return module.partition(".")[0]


# ---- the test's own eyes --------------------------------------------------------------------------------------------


def package(folder: Path, **files: str) -> Graph:
    for name, text in {"__init__": "", **files}.items():
        (folder / "pack" / f"{name}.py").parent.mkdir(exist_ok=True, parents=True)
        (folder / "pack" / f"{name}.py").write_text(text)
    return import_graph(folder / "pack")


@pytest.mark.parametrize(
    "back",
    [
        "import pack.a",
        "from pack.a import A",
        "from pack import a",
        "def f():\n    from pack.a import A",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pack.a import A",
    ],
)
def test_every_kind_of_import_makes_a_cycle(tmp_path: Path, back: str) -> None:
    found = package(tmp_path, a="from pack import b", b="from pack.c import C", c=back, d="import pack.a, os")
    assert cycles(found) == [["a", "b", "c"]]


def test_imports_in_one_direction_are_no_cycle(tmp_path: Path) -> None:
    found = package(tmp_path, a="from pack.b import a", b="import pack.c", c='"""from pack import a"""')
    assert found["a"] == {"b"}
    assert cycles(found) == []
