"""Every use case as one plain function: the command line and other doors call these, and hold no logic themselves.

A function is imported when it is first named, so that serving a table does not load the architect.
"""

import typing

if typing.TYPE_CHECKING:
    from tablewright.engine.lookup import Found, Wanted
    from tablewright.tasks.designs import Given, compare, cost, design, explain, heat, prove, questions, spec_in
    from tablewright.tasks.engine import (
        Format,
        NewTable,
        engine_check,
        engine_export,
        engine_import,
        engine_query,
        engine_server,
        engine_tables,
    )
    from tablewright.tasks.files import write_design
    from tablewright.tasks.generation import (
        design_to_generate,
        export_script,
        generated,
        generation_targets,
        write_generated,
    )
    from tablewright.tasks.specs import answer, published_schema, start_spec

__all__ = [
    "Format",
    "Found",
    "Given",
    "NewTable",
    "Wanted",
    "answer",
    "compare",
    "cost",
    "design",
    "design_to_generate",
    "engine_check",
    "engine_export",
    "engine_import",
    "engine_query",
    "engine_server",
    "engine_tables",
    "explain",
    "export_script",
    "generated",
    "generation_targets",
    "heat",
    "prove",
    "published_schema",
    "questions",
    "spec_in",
    "start_spec",
    "write_design",
    "write_generated",
]

_LATER = {
    "tablewright.engine.lookup": ("Found", "Wanted"),
    "tablewright.tasks.designs": (
        "Given",
        "compare",
        "cost",
        "design",
        "explain",
        "heat",
        "prove",
        "questions",
        "spec_in",
    ),
    "tablewright.tasks.engine": (
        "Format",
        "NewTable",
        "engine_check",
        "engine_export",
        "engine_import",
        "engine_query",
        "engine_server",
        "engine_tables",
    ),
    "tablewright.tasks.files": ("write_design",),
    "tablewright.tasks.generation": (
        "design_to_generate",
        "export_script",
        "generated",
        "generation_targets",
        "write_generated",
    ),
    "tablewright.tasks.specs": ("answer", "published_schema", "start_spec"),
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> typing.Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value
