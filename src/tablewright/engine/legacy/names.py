"""Attribute names as the parameters from before expressions give them: as keys of maps, or in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.faults import validation
from tablewright.engine.store.values import EMPTY_NAME, check_name

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_names(names: Iterable[str]) -> None:
    """No name is empty, none has 64 KB or more; what expressions are told of theirs is told of these too."""
    for name in names:
        if not name:
            raise validation(EMPTY_NAME)
        check_name(name)
