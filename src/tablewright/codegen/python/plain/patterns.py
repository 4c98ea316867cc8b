"""One function for every access pattern, on the requests that the design says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.python.entities import strip_texts
from tablewright.codegen.python.literals import INDENT, Code, docstring, invoke, print_code
from tablewright.codegen.python.names import KEEPING, RUNNING
from tablewright.codegen.python.patterns import function_code, import_line, known_types, step_call
from tablewright.codegen.python.signatures import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import PatternDesign


def patterns_file(named: NamedDesign) -> str:
    design = named.design
    head = docstring([f"Access patterns of {design.title or design.name}, one function each."])
    functions = [function_code(named, each, PLAIN, _body(named, each)) for each in design.patterns]
    start = "\n\n".join([head, "from __future__ import annotations", _imports(named, functions)])
    return "\n\n\n".join([start, *functions]) + "\n"


def _body(named: NamedDesign, pattern: PatternDesign) -> list[str]:
    head = "" if pattern.writes else "return "
    found = step_call(named, pattern, 2)
    sent = invoke(found.name, Code("db"), *found.arguments)
    return [f"{INDENT}{head}{print_code(sent, 1, len(head))}"]


def _imports(named: NamedDesign, functions: Iterable[str]) -> str:
    code = strip_texts("\n".join(functions))
    standard = [import_line("collections.abc", ["Sequence"], code), import_line("typing", ["Any"], code)]
    own = [
        import_line(".", ["requests"], code),
        import_line(".database", ["Database", "Page", *RUNNING], code),
        import_line(".entities", {*known_types(named), *named.excerpts.values()}, code),
        import_line(".keeping", KEEPING, code),
        import_line(".stored", ["STORED"], code),
        import_line(".values", ["Number"], code),
    ]
    sections = [[each for each in lines if each] for lines in (standard, own)]
    return "\n\n".join("\n".join(each) for each in sections if each)
