"""Runs the tests of generated packages: `python -m tests.codegen.python.own_tests FOLDER...`, each in its own process.

The processes are forks of one that has imported pytest and what packages need: that takes longer than their tests.
Stops at the first package whose tests fail, or that has none.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

# What packages and pytest's plugins import. The modules of a package itself are imported in its process alone.
SHARED = ("boto3.dynamodb.types", "botocore.session", "hypothesis", "tablewright", "tablewright.engine")


def passes(folder: Path) -> bool:
    """Whether `python -m pytest` in a package's folder would find nothing wrong."""
    child = os.fork()
    if child == 0:
        os._exit(_run_tests(folder))
    _, status = os.waitpid(child, 0)
    return status == 0


def _run_tests(folder: Path) -> int:
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    # Plugins are imported before pytest can change their assertions, which are none of ours.
    return pytest.main(["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"])


def main(folders: list[str]) -> str | None:
    for name in SHARED:
        importlib.import_module(name)
    failed = next((each for each in folders if not passes(Path(each))), None)
    return failed and f"the tests of {failed} fail"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
