"""The Python in the tables of "Coming from ElectroDB" runs, cell by cell.

A cell is an expression or statements, run in a copy of the page's namespace; operations must give their request. A cell
that is an attribute (`x: Attr[str]`) or a decorator (`tw.index(...)`) becomes part of an entity, which must compile.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.markdown import blocks, prose
from tests.docs.page import is_run, page_module, run_block, write_file

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "coming-from-electrodb.md"
PYTHON_COLUMNS = ("typed", "loaded")
CELL = re.compile(r"(?<!\\)\|")
CODE = re.compile(r"`([^`]+)`")

ENTITY = """
class Row(tw.Entity, service=tw.Service("row", table="row"), name="row"):
    kind: Attr[str]
    at: Attr[str]
    email: Attr[str]
    {attribute}

    @{primary}
    def key(self, kind: str, *, at: str) -> None: ...

    @{index}
    def pattern(self, kind: str{rest}) -> None: ...

Row.schema()
"""


def cells() -> Iterator[tuple[str, str]]:
    """Every piece of Python in the tables, with the feature it stands for."""
    header: list[str] = []
    for line in prose(PAGE.read_text()):
        if not line.startswith("|"):
            header = []
            continue
        row = [cell.strip().replace(r"\|", "|") for cell in CELL.split(line)[1:-1]]
        if not header:
            header = row
        elif not set(line) <= set("|- "):
            for name, cell in zip(header, row, strict=True):
                if name in PYTHON_COLUMNS:
                    yield from ((row[0], code) for code in CODE.findall(cell))


def entity_source(code: str) -> str | None:
    parts = {"attribute": "", "primary": "tw.primary", "index": 'tw.index("gsi9")', "rest": ", *, at: str = ANY"}
    if re.match(r"\w+: Attr\[", code):
        return ENTITY.format(**{**parts, "attribute": code})
    if code.startswith("tw.primary("):
        return ENTITY.format(**{**parts, "primary": code})
    if code.startswith("tw.index("):
        rest = "" if "sort=False" in code else parts["rest"]
        return ENTITY.format(**{**parts, "index": code, "rest": rest})
    return None


def run(code: str, namespace: dict[str, Any]) -> None:
    source = entity_source(code)
    if source is not None or ";" in code:
        exec(source or code, namespace)
        return
    found = eval(code, namespace)
    if callable(getattr(found, "params", None)):
        assert found.params()


@pytest.fixture(scope="module")
def namespace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with page_module(PAGE) as module:
            for block in blocks(PAGE.read_text()):
                if is_run(block, PAGE.name):
                    run_block(block, PAGE, module)
                elif block.mode == "file":
                    write_file(block, folder)
            yield vars(module)


@pytest.mark.parametrize(("feature", "code"), list(cells()))
def test_cell_runs(feature: str, code: str, namespace: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        run(code, dict(namespace))


def test_every_section_of_electrodb_is_there() -> None:
    """Sections 1 to 17 of what ElectroDB's documentation describes, and enough rows to mean it."""
    numbers = {
        int(found) for line in prose(PAGE.read_text()) if line.startswith("## ") for found in re.findall(r"\d+", line)
    }
    assert numbers == set(range(1, 18))
    assert len(list(cells())) > 200
