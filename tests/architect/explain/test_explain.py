"""All advice that comes from solving again is the same whenever and wherever it is asked for."""

from __future__ import annotations

import os
import subprocess
import sys

import msgspec
import pytest

from tablewright.architect.explain.explain import explain_choices
from tests.architect.designs import CASE_FILES
from tests.architect.explain.grounds import start

SCRIPT = """
import hashlib, sys
import msgspec
from tablewright.architect.explain.explain import explain_choices
from tablewright.architect.solution import solve
print(hashlib.sha256(msgspec.json.encode(explain_choices(solve(sys.argv[1])))).hexdigest())
"""


def digest(seed: str) -> str:
    made = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(CASE_FILES["chat-system"])],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout.strip()


def test_no_hash_seed_shows() -> None:
    assert digest("1") == digest("2")


def test_every_part_is_there() -> None:
    advice = explain_choices(start("chat-system").solution)
    assert advice.decisions
    assert set(advice.pattern_prices) == {"AP6", "AP7", "AP8", "AP9"}
    assert advice.why_not_fewer
    assert [each.chosen for each in advice.alternatives].count(True) == 1
    assert advice.questions
    assert advice.evolution
    assert not advice.capped


def test_a_large_spec_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from tablewright.architect.explain import resolve

    monkeypatch.setattr(resolve, "MOST", 3)
    advice = explain_choices(start("chat-system").solution)
    assert "the first 3 of each were solved for" in advice.capped
    assert len(advice.pattern_prices) == 3
    assert msgspec.json.decode(msgspec.json.encode(advice))["capped"] == advice.capped
