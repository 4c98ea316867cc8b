"""`tablewright.__all__` is the public face: sorted, complete, and every name is there."""

from __future__ import annotations

from types import FunctionType, ModuleType

import pytest

import tablewright


def test_names_are_sorted_and_unique() -> None:
    assert list(tablewright.__all__) == sorted(set(tablewright.__all__))


@pytest.mark.parametrize("name", tablewright.__all__)
def test_name_can_be_imported(name: str) -> None:
    namespace: dict[str, object] = {}
    exec(f"from tablewright import {name}", namespace)
    assert name in namespace


def test_nothing_public_is_missing() -> None:
    visible = {
        name
        for name, value in vars(tablewright).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    assert not visible - set(tablewright.__all__)


def test_every_public_callable_explains_itself() -> None:
    silent = [name for name in tablewright.__all__ if is_silent(getattr(tablewright, name))]
    assert not silent, f"without docstring: {', '.join(silent)}"


def is_silent(value: object) -> bool:
    return isinstance(value, type | FunctionType) and not value.__doc__
