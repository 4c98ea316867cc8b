"""Recorded requests of ElectroDB, replayed file by file.

`vectors` are those the project began with, `more` a selection of many more that were recorded to learn the rules.
Where the loaded style differs by choice, `chosen.txt` names the case and the section that explains it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conformance.electrodb.__main__ import judge

HERE = Path(__file__).parent
FILES = sorted([*HERE.glob("vectors/*.json"), *HERE.glob("more/*.json")])
EXPLAINED = HERE.parent.parent / "docs" / "why" / "differences-from-electrodb.md"
CHOSEN = [line.split() for line in (HERE / "chosen.txt").read_text(encoding="utf-8").splitlines()]


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_recorded_cases_come_out_the_same(path: Path) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    different = {case["id"]: (case, found) for case in recorded["cases"] if (found := judge(recorded["models"], case))}
    failed = {name: found for name, (case, found) in different.items() if "quirk" not in case}
    assert failed == {}
    assert set(different) == {case for file, case, _ in CHOSEN if file == name_of(path)}


def test_every_chosen_difference_is_explained() -> None:
    sections = set(re.findall(r'^### <a id="([^"]+)">', EXPLAINED.read_text(encoding="utf-8"), re.MULTILINE))
    assert {section for _, _, section in CHOSEN} <= sections


def test_files_stay_small_enough_to_read() -> None:
    assert [path.name for path in FILES if path.stat().st_size > 300_000] == []
