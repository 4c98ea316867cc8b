"""What tests of generated packages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.codegen.typescript.packages import replaying

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.codegen.typescript.packages import Replayer
    from tests.conftest import Node


@pytest.fixture(scope="module")
def replayer(node: Node) -> Iterator[Replayer]:
    """Node, which runs generated packages."""
    with replaying(node) as found:
        yield found
