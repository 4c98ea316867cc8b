"""Asking across tenants, as an explicit act."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tablewright.runtime.requests.chaining import Tunable

O = TypeVar("O", bound="Tunable")  # noqa: E741 - an operation


def across_tenants(operation: O) -> O:
    """The same operation, meant to reach the items of all tenants: `tw.across_tenants(Task.scan())`."""
    return operation.with_options(across_tenants=True)
