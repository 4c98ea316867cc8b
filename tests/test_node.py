"""The Node side of comparisons is what package.json pins, and its lock file works behind any mirror."""

from __future__ import annotations

import json

from tests.conftest import NODE_FOLDER, Node

PINNED: dict[str, str] = json.loads((NODE_FOLDER / "package.json").read_text())["dependencies"]


def test_installed_packages_are_the_pinned_ones(node: Node) -> None:
    assert node.run("versions.cjs", list(PINNED)) == PINNED


def test_lock_file_names_no_registry() -> None:
    lock = json.loads((NODE_FOLDER / "package-lock.json").read_text())
    assert not [path for path, package in lock["packages"].items() if "resolved" in package]
