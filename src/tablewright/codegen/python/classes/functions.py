"""The functions that a schema names and does not hold: a protocol in the module, which its user hands in.

The module can be loaded and checked without them. What needs one before `supply` was called raises, and says which
are missing; nothing stands in for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.names import snake
from tablewright.codegen.python.literals import INDENT, Code, docstring, invoke, printed
from tablewright.codegen.python.names import distinct
from tablewright.schema.functions import Made

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.schema.functions import NamedFunction


class Role(msgspec.Struct, frozen=True):
    """How a function is called: its parameters, with types, and what it answers."""

    parameters: tuple[str, ...]
    result: str

    @property
    def names(self) -> str:
        return ", ".join(each.partition(":")[0] for each in self.parameters)


class _Use(msgspec.Struct, frozen=True):
    """One function of the module, which asks the one that was handed in."""

    wrapper: str
    method: str
    args: tuple[Any, ...]
    role: Role
    where: str


_ANYTHING = Role(("*given: Any",), "Any")


class SuppliedFunctions:
    """The functions that a module in the making needs, by the order in which it turns out."""

    def __init__(self, named: Iterable[NamedFunction]) -> None:
        found = list(named)
        self.methods: Mapping[str, str] = distinct({each.name: snake(each.name) for each in found}, ())
        self.sources = {each.name: each.source for each in found if each.source}
        self.uses: list[_Use] = []

    def wrapper(self, function: Any, role: Role, where: str) -> Code:
        """The name of the module's function that does it."""
        name, args = (function.name, function.args) if isinstance(function, Made) else (function.name, ())
        method = self.methods[name]
        known = next((each for each in self.uses if (each.method, each.args, each.role) == (method, args, role)), None)
        if known is None:
            wrapper = self._unused(f"_{method}")
            known = _Use(wrapper, method, args, role, where)
            self.uses.append(known)
        return Code(known.wrapper)

    def _unused(self, name: str) -> str:
        used = {each.wrapper for each in self.uses} | {"_functions", "_given"}
        candidates = (name, *(f"{name}_{number}" for number in range(2, 10_000)))
        return next(each for each in candidates if each not in used)

    def sections(self) -> list[str]:
        """The protocol, `supply`, and the functions; nothing where nothing is needed."""
        if not self.uses:
            return []
        needed = list(dict.fromkeys(each.method for each in self.uses))
        wrappers = (_wrapper_code(each, self._asked(each.method)) for each in self.uses)
        return [self._protocol(needed), *_supply_code(needed), *wrappers]

    def _asked(self, method: str) -> Role:
        return _signature_of([each for each in self.uses if each.method == method])

    def _protocol(self, needed: list[str]) -> str:
        about = "What the schema leaves to code; a module that has these functions will do as well."
        parts = [f"class Functions(Protocol):\n{docstring([about], INDENT)}"]
        return "\n\n".join([*parts, *(self._method(each) for each in needed)])

    def _method(self, method: str) -> str:
        uses = [each for each in self.uses if each.method == method]
        role = _signature_of(uses)
        parameters = [Code(each) for each in ("self", *role.parameters)]
        head = printed(invoke(f"def {method}", *parameters), 1, 0, len(role.result) + 5)
        name = next(name for name, each in self.methods.items() if each == method)
        said = [f"For {', '.join(each.where for each in uses)}."]
        source = " ".join(self.sources.get(name, "").split())
        said += [f"In JavaScript: `{source}`."] if source else []
        return f"{INDENT}{head} -> {role.result}:\n{docstring(said, INDENT * 2)}\n{INDENT * 2}..."


def _signature_of(uses: list[_Use]) -> Role:
    """How the function is called: as its only use does, else in whatever way."""
    if any(each.args for each in uses):
        return Role(("*args: Any",), "Callable[..., Any]")
    roles = {each.role for each in uses}
    return roles.pop() if len(roles) == 1 else _ANYTHING


_SUPPLY = """\
def supply(functions: Functions) -> None:
    \"\"\"Hand in the functions, before anything is read or written.\"\"\"
    missing = [each for each in _NEEDED if not hasattr(functions, each)]
    if missing:
        raise tw.SchemaError(f"supply() lacks {', '.join(missing)}")
    _given[:] = [functions]"""
_ASK = """\
def _functions() -> Functions:
    if not _given:
        needed = ", ".join(_NEEDED)
        raise tw.SchemaError(f"call supply(...) first, with functions {needed}")
    return _given[0]"""


def _supply_code(needed: list[str]) -> list[str]:
    names = printed(tuple(needed), 0, len("_NEEDED = "))
    return [f"_NEEDED = {names}\n_given: list[Functions] = []", _SUPPLY, _ASK]


def _wrapper_code(use: _Use, asked: Role) -> str:
    """The module's function; where the one handed in answers anything, its answer is given the type that is wanted."""
    result = use.role.result
    head = printed(invoke(f"def {use.wrapper}", *map(Code, use.role.parameters)), 0, 0, len(result) + 5)
    made = printed(invoke(f"_functions().{use.method}", *use.args)) if use.args else f"_functions().{use.method}"
    call = f"{made}({use.role.names})"
    lines = [f"return {call}"]
    if asked.result != result:
        maker = printed(invoke(f"_functions().{use.method}", *use.args), 1, len("make = "))
        lines = [f"make = {maker}"] if use.args else []
        lines += [f"found: {result} = {f'make({use.role.names})' if use.args else call}", "return found"]
    return "\n".join([f"{head} -> {result}:", *(f"{INDENT}{line}" for line in lines)])
