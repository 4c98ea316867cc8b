"""Chromium, driven from Node, where both are installed."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.conftest import NODE_FOLDER

if TYPE_CHECKING:
    from tests.conftest import Node

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def missing_browser() -> str | None:
    """The reason why no page can be looked at here, if there is one."""
    if not any(shutil.which(each) for each in BROWSERS):
        return "Chromium is not installed; `make chromium` says how"
    if not (NODE_FOLDER / "node_modules" / "playwright-core").is_dir():
        return "playwright-core is not installed for Node; `make node` does it"
    return None


@pytest.fixture(scope="session")
def chromium(node: Node) -> str:
    """Its path; skips with the reason where it is missing, except in CI, where that is a failure."""
    assert node.executable
    reason = missing_browser()
    if reason is not None and os.environ.get("CI") == "true":
        pytest.fail(f"{reason}, and CI=true asks for it", pytrace=False)
    if reason is not None:
        pytest.skip(reason)
    return next(found for each in BROWSERS if (found := shutil.which(each)))
