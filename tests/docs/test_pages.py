"""Every Python block in README and docs runs and prints what the page says; every relative link leads somewhere."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.markdown import anchors, blocks, links
from tests.docs.page import run_page

ROOT = Path(__file__).resolve().parents[2]
DOCS = [path for path in ROOT.glob("docs/**/*.md") if path.parent.name != "examples"]  # test_examples runs those
EXECUTED = sorted([ROOT / "README.md", *DOCS])
LINKED = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

# Blocks that are shown and not executed, by page. Each says its reason; a new one must be counted here.
SKIPPED: dict[str, int] = {}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", EXECUTED, ids=name)
def test_page_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(path, tmp_path)


def test_skipped_blocks_are_counted() -> None:
    skipped = {
        name(path): count
        for path in EXECUTED
        if (count := sum(block.mode == "skip" for block in blocks(path.read_text())))
    }
    assert skipped == SKIPPED


@pytest.mark.parametrize("path", LINKED, ids=name)
def test_relative_links_lead_somewhere(path: Path) -> None:
    broken = [target for target in links(path.read_text()) if not leads_somewhere(path, target)]
    assert not broken, f"{name(path)} links to {', '.join(broken)}"


def leads_somewhere(page: Path, target: str) -> bool:
    if "://" in target or target.startswith("mailto:"):
        return True
    file_part, _, anchor = unquote(target).partition("#")
    goal = page.parent / file_part if file_part else page
    if not goal.exists():
        return False
    return not anchor or goal.suffix != ".md" or anchor in anchors(goal.read_text())
