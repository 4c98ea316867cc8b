"""Every example runs as its reader would run it, prints something, and warns of nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_demo_fits_into_120_columns(tmp_path: Path) -> None:
    demo = next(path for path in EXAMPLES if path.stem == "demo")
    done = subprocess.run(
        [sys.executable, str(demo)], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert max(map(len, done.stdout.splitlines())) <= 120
