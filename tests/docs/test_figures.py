"""Figures in README are those of the commands it names."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conformance.electrodb.__main__ import VECTORS, replay

README = Path(__file__).resolve().parents[2] / "README.md"


def test_conformance_figures() -> None:
    text = " ".join(README.read_text().split())
    found = re.search(
        r"replays (\d+) declarations .*? (\d+) give the same request or error; (\d+) differ by choice", text
    )
    assert found, "README no longer says how many recorded cases are replayed"
    replays = [replay(folder) for folder in (VECTORS, VECTORS.parent / "more")]
    assert not any(failed for _, failed, _ in replays)
    passed, chosen = sum(each[0] for each in replays), sum(len(each[2]) for each in replays)
    assert tuple(map(int, found.groups())) == (passed + chosen, passed, chosen)
