"""The pages about example specs: one for each, run like all pages; the figures in their prose are the design's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.markdown import blocks, included, prose
from tests.docs.page import run_page

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path for path in (ROOT / "docs" / "examples").glob("*.md") if path.stem != "index")
FIGURE = re.compile(r"\$\d[\d,]*(?:\.\d+)?|\d[\d.]*%")


def own_words(text: str) -> str:
    """The prose without what was taken from the design."""
    lines = text.splitlines()
    for each in included(text):
        lines[each.start : each.end] = [""] * (each.end - each.start)
    return "\n".join(prose("\n".join(lines)))


def test_every_spec_has_its_page() -> None:
    assert [path.stem for path in PAGES] == sorted(path.stem for path in (ROOT / "examples" / "specs").glob("*.yaml"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page_runs_and_its_figures_are_the_designs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(path, tmp_path)
    said = (tmp_path / path.stem / "design.md").read_text()
    unknown = [figure for figure in FIGURE.findall(own_words(path.read_text())) if figure not in said]
    assert not unknown, f"{path.name} speaks of {', '.join(unknown)}, of which the design knows nothing"
    assert any("--prove" in block.source for block in blocks(path.read_text()))
