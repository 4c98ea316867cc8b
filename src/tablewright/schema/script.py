"""Source text in the making: the one place where Tablewright writes code and runs it.

What goes into the text are names this module makes up, identifiers that `checked_name` let through, and texts from a
schema as `literal`s; all other values are handed over in the scope and never printed. So a name can say whatever it
likes: it is looked up, compared and stored, and never run.
"""

from __future__ import annotations

from keyword import iskeyword
from typing import Any

from tablewright.errors import SchemaError

UNASSIGNABLE = frozenset({"__debug__"})  # an identifier that Python lets nobody set


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

    def define(self, kind: str, parameters: str, body: list[str]) -> str:
        """Add a function; the answer is its name."""
        name = f"{kind}_{len(self._scope)}"
        self._scope[name] = None  # the name is taken
        self._lines += [f"def {name}({parameters}):", *(f"    {line}" for line in body)]
        return name

    def taken(self, value: str, name: str) -> str:
        """The expression for an attribute of a value."""
        return f"{value}.{name}" if is_plain_name(name) else f"{self.refer(getattr, 'take')}({value}, {literal(name)})"

    def put(self, value: str, name: str, content: str) -> str:
        """The statement that sets an attribute of a value."""
        if is_plain_name(name):
            return f"{value}.{name} = {content}"
        return f"{self.refer(setattr, 'put')}({value}, {literal(name)}, {content})"

    def run(self) -> dict[str, Any]:
        """All functions by name."""
        exec("\n".join(self._lines), self._scope)  # noqa: S102 - see the module's rule
        return self._scope


def literal(text: str) -> str:
    """A text as data. A class of its own may print itself as it likes, so it is not asked."""
    return str.__repr__(text)


def is_plain_name(name: str) -> bool:
    """Whether a name means itself in source text: Python reads identifiers in their normal form (NFKC)."""
    if not name.isidentifier() or iskeyword(name) or name in UNASSIGNABLE:
        return False
    if name.isascii():
        return True
    from unicodedata import normalize  # few names need it

    return normalize("NFKC", name) == name


def checked_name(name: str, where: str) -> str:
    """A name that has to be an identifier, such as a parameter's."""
    if not is_plain_name(name):
        raise SchemaError(f"{where}: {name!r} cannot be the name of a parameter; use a Python identifier", code=1009)
    return str.__str__(name)
