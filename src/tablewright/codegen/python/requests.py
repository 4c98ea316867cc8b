"""Compiled steps as code of the generated package's own classes."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from importlib import resources
from typing import TYPE_CHECKING, Any, cast

from tablewright.codegen.python.entities import strip_texts
from tablewright.codegen.python.literals import Code, Invocation, docstring, invoke, print_code
from tablewright.codegen.python.patterns import import_line
from tablewright.design.steps.compile import compile_writing
from tablewright.design.steps.compiling.items import compile_stored
from tablewright.design.steps.compiling.reads import compile_reads

if TYPE_CHECKING:
    from collections.abc import Iterable
    from dataclasses import Field

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import Design, PatternDesign

_INTERPRETER = (
    "__init__",
    "model",
    "errors",
    "encoding",
    "values",
    "queries",
    "sources",
    "reads",
    "actions",
    "cascade",
    "refresh",
    "lists",
    "rules",
    "writes",
)
_MODEL = (
    *(
        "Bucket",
        "Cascade",
        "Clause",
        "Demand",
        "Expression",
        "Input",
        "ItemKeys",
        "ItemType",
        "KeyFields",
        "Merge",
        "Packed",
        "Read",
        "Refresh",
        "Rule",
        "Slot",
        "Stored",
    ),
    *("Sum", "Unchanged", "Unfold", "Write", "Writing"),
)


def interpreter() -> dict[str, str]:
    """What runs the steps: the same files that run them here."""
    return {f"steps/{name}.py": interpreter_file(name) for name in _INTERPRETER}


def interpreter_file(name: str) -> str:
    return (resources.files("tablewright.design.steps") / f"{name}.py").read_text("utf-8")


def requests_file(found: NamedDesign, patterns: Iterable[PatternDesign]) -> str:
    made = "\n".join(_steps_code(found.design, each, found.constants[each.id]) for each in patterns)
    return _module("Requests of access patterns, as the design says them.", made)


def stored_file(found: NamedDesign) -> str:
    made = f"STORED = {print_code(_code(compile_stored(found.design)), 0, 9)}"
    return _module("Every kind of item, as it is stored.", made)


def _steps_code(design: Design, pattern: PatternDesign, name: str) -> str:
    value = compile_writing(design, pattern) if pattern.writes else compile_reads(design, pattern)
    return f"{name} = {print_code(_code(value), 0, len(name) + 3)}"


def _module(about: str, code: str) -> str:
    used = strip_texts(code)
    imports = [import_line("decimal", ["Decimal"], used), import_line(".steps.model", _MODEL, used)]
    parts = [docstring([about]), "from __future__ import annotations", *(each for each in imports if each), code]
    return "\n\n".join(parts) + "\n"


# ---- values ---------------------------------------------------------------------------------------------------------


def _code(value: Any) -> Any:
    """The same with instances as calls of their classes."""
    if is_dataclass(value):
        return _instance(value)
    match value:
        case dict():
            pairs = cast("dict[str, Any]", value).items()
            return {name: _code(each) for name, each in pairs}
        case tuple():
            return tuple(_code(each) for each in cast("tuple[object, ...]", value))
        case frozenset():
            return invoke("frozenset", tuple(sorted(cast("frozenset[str]", value))))
        case Decimal():
            return Code(f'Decimal("{value}")')
        case _:
            return value


def _instance(value: Any) -> Invocation:
    """Without what is as its class has it anyway."""
    found = [(each, getattr(value, each.name)) for each in fields(value)]
    positional = [pair for pair in found if not pair[0].kw_only]
    while positional and _is_default(*positional[-1]):
        positional.pop()
    named = {each.name: _code(own) for each, own in found if each.kw_only and not _is_default(each, own)}
    return invoke(type(value).__name__, *(_code(own) for _, own in positional), **named)


def _is_default(field: Field[Any], value: Any) -> bool:
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return default is not MISSING and type(value) is type(default) and value == default
