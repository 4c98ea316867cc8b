"""Commands run in this process, and designs are no matter of theirs: those that are kept are not searched again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.golden.replay import remembered_designs

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session", autouse=True)
def _designs() -> Iterator[None]:
    with remembered_designs():
        yield
