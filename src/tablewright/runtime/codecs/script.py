"""Source text in the making: functions that are written once for an entity, and the values they refer to.

What goes into the text are names this module makes up, reprs of names from the schema, and Python identifiers; values
are never printed, they are handed over in the scope.
"""

from __future__ import annotations

from typing import Any


class Script:
    """Functions to be, in the order in which they were defined."""

    __slots__ = ("_known", "_lines", "_scope")

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._scope: dict[str, Any] = {"__builtins__": {}}  # only what was referred to can be reached
        self._known: dict[int, str] = {}

    def refer(self, value: Any, kind: str = "value") -> str:
        """The name under which a value is known to the functions."""
        name = self._known.get(id(value))
        if name is None:
            name = self._known[id(value)] = f"{kind}_{len(self._scope)}"
            self._scope[name] = value
        return name

    def define(self, kind: str, parameter: str, body: list[str]) -> str:
        """Add a function of one parameter; the answer is its name."""
        name = f"{kind}_{len(self._scope)}"
        self._scope[name] = None  # the name is taken
        self._lines += [f"def {name}({parameter}):", *(f"    {line}" for line in body)]
        return name

    def run(self) -> dict[str, Any]:
        """All functions by name."""
        exec("\n".join(self._lines), self._scope)  # noqa: S102 - see the module's rule
        return self._scope
