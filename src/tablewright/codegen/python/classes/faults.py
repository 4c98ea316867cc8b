"""What a schema says and a class cannot, gathered, so that all of it is told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import SchemaError

if TYPE_CHECKING:
    from tablewright.schema.places import Place


class Faults:
    """Places and reasons, in order."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, place: Place, reason: str) -> None:
        self._found.append(f"{place}: {reason}")

    def check(self) -> None:
        if self._found:
            remedy = "Change the schema there, or load it as it is with tw.Service.load."
            raise SchemaError(f"Classes cannot say this. {'; '.join(self._found)}. {remedy}", code=1009)
