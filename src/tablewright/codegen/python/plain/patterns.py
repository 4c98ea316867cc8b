"""One function for every access pattern, on the requests that the design says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.python.entities import without_texts
from tablewright.codegen.python.literals import INDENT, Code, docstring, invoke, printed
from tablewright.codegen.python.names import KEEPING, RUNNING
from tablewright.codegen.python.patterns import function, imported, known_types, operation
from tablewright.codegen.python.signatures import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.codegen.python.model import Named
    from tablewright.design.model import PatternDesign


def patterns_file(named: Named) -> str:
    design = named.design
    head = docstring([f"Access patterns of {design.title or design.name}, one function each."])
    functions = [function(named, each, PLAIN, _body(named, each)) for each in design.patterns]
    start = "\n\n".join([head, "from __future__ import annotations", _imports(named, functions)])
    return "\n\n\n".join([start, *functions]) + "\n"


def _body(named: Named, pattern: PatternDesign) -> list[str]:
    head = "" if pattern.writes else "return "
    found = operation(named, pattern, 2)
    sent = invoke(found.name, Code("db"), *found.arguments)
    return [f"{INDENT}{head}{printed(sent, 1, len(head))}"]


def _imports(named: Named, functions: Iterable[str]) -> str:
    code = without_texts("\n".join(functions))
    standard = [imported("collections.abc", ["Sequence"], code), imported("typing", ["Any"], code)]
    own = [
        imported(".", ["requests"], code),
        imported(".database", ["Database", "Page", *RUNNING], code),
        imported(".entities", {*known_types(named), *named.excerpts.values()}, code),
        imported(".keeping", KEEPING, code),
        imported(".stored", ["STORED"], code),
        imported(".values", ["Number"], code),
    ]
    sections = [[each for each in lines if each] for lines in (standard, own)]
    return "\n\n".join("\n".join(each) for each in sections if each)
