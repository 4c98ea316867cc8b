"""A seeded fault as data: what kind it is, which right design it is seeded into, and how."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.proof.mutations.editing import Edit


class Fault(NamedTuple):
    """One thing that is wrong; `spec` names a right design, `id` says in words what was done to it.

    `meanwhile`: what is wrong while the design runs, where the fault is not in the design but in whoever runs it.
    """

    kind: str
    spec: str
    id: str
    edit: Edit
    meanwhile: Callable[[], AbstractContextManager[object]] = nullcontext

    def __str__(self) -> str:
        return f"{self.spec}: {self.id}"
