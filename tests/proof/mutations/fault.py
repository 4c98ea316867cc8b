"""A seeded fault as data: what kind it is, which right design it is seeded into, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.proof.mutations.editing import Edit


class Fault(NamedTuple):
    """One thing that is wrong; `spec` is a file of the folder `specs`, `id` says in words what was done."""

    kind: str
    spec: str
    id: str
    edit: Edit

    def __str__(self) -> str:
        return f"{self.spec}: {self.id}"
