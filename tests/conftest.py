"""What every test may use: hypothesis profiles, and Node with ElectroDB where it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A run repeats: the same code gets the same generated cases, so that a failure is about the change. New cases are
# looked for by `make explore`, whose failures hypothesis remembers and prints with what repeats them.
settings.register_profile("repeat", deadline=None, derandomize=True)
settings.register_profile(
    "full", deadline=None, derandomize=True, max_examples=500, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", deadline=None, max_examples=2000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "repeat")
settings.load_profile(PROFILE)

FEWEST_CASES = 10
USED_SETTINGS = "_hypothesis_internal_use_settings"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if PROFILE == "repeat":
        for test in {_function(item) for item in items} - {None}:
            take_a_quarter(test)
    if getattr(config.option, "loadgroup", False):
        for item in items:
            _keep_together(item)


def take_a_quarter(test: Any) -> None:
    """A property test of `make test` tries a quarter of its cases; `make test-full` tries as many as it says."""
    used: settings | None = getattr(test, USED_SETTINGS, None)
    if used is not None and used.max_examples > FEWEST_CASES:
        setattr(test, USED_SETTINGS, settings(used, max_examples=max(FEWEST_CASES, used.max_examples // 4)))


def _function(item: pytest.Item) -> Any:
    found = getattr(item, "obj", None)
    return getattr(found, "__func__", found)


def _keep_together(item: pytest.Item) -> None:
    """Tests that share something costly run in one process: xdist 3.8 writes their group where pytest 9.2 no longer
    looks (https://github.com/pytest-dev/pytest-xdist/issues/1386).
    """
    group = "_".join(sorted(_groups(item)))
    if group and not item.nodeid.endswith(f"@{group}"):
        item._id = type(item._id).parse(f"{item.nodeid}@{group}")


def _groups(item: pytest.Item) -> set[str]:
    """Named by a mark, or by the values of the parameters that `shares` names."""
    given: dict[str, Any] = getattr(getattr(item, "callspec", None), "params", {})
    names = [str(name) for mark in item.iter_markers("shares") for name in mark.args]
    shared = {f"{name}-{_said(given[name])}" for name in names if name in given}
    return {str(mark.args[0]) for mark in item.iter_markers("xdist_group")} | shared


def _said(value: Any) -> str:
    return str(getattr(value, "stem", None) or getattr(value, "name", value))


NODE_FOLDER = Path(__file__).parent / "node"


@dataclass(frozen=True, slots=True)
class Node:
    """Runs scripts that lie in `tests/node`, where `require("electrodb")` works."""

    executable: str

    def run(self, script: str, payload: object = None) -> Any:
        """Gives the script `payload` as JSON on its standard input and reads JSON from its output."""
        command = [self.executable, script]
        done = subprocess.run(
            command,
            cwd=NODE_FOLDER,
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, f"{script} failed on Node:\n{done.stderr}"
        return json.loads(done.stdout)


def missing_from_node() -> str | None:
    """The reason why nothing can be compared with ElectroDB on Node here, if there is one."""
    if shutil.which("node") is None:
        return "Node.js is not installed"
    if not (NODE_FOLDER / "node_modules" / "electrodb").is_dir():
        return "ElectroDB is not installed for Node; `make node` does it"
    return None


@pytest.fixture(scope="session")
def node() -> Node:
    """Node with ElectroDB; skips with the reason where it is missing, except in CI, where that is a failure."""
    reason = missing_from_node()
    if reason is not None and os.environ.get("CI") == "true":
        pytest.fail(f"{reason}, and CI=true asks for it", pytrace=False)
    if reason is not None:
        pytest.skip(reason)
    return Node(str(shutil.which("node")))
