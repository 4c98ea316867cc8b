"""One function for every access pattern, its requests in plain sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.python.entities import without_texts
from tablewright.codegen.python.literals import INDENT, Code, docstring, invoke, printed
from tablewright.codegen.python.names import KEEPING, RUNNING
from tablewright.codegen.python.parts import answer_class
from tablewright.codegen.python.patterns import function, imported, known_types
from tablewright.codegen.python.requests import reads, writing
from tablewright.codegen.python.signatures import PLAIN, inputs_code, is_paged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.codegen.python.model import Named
    from tablewright.design.model import PatternDesign

MODEL = ("Filter", "Given", "Read", "Sort", "Write", "Writing")


def patterns_file(named: Named) -> str:
    design = named.design
    head = docstring([f"Access patterns of {design.title or design.name}, one function each."])
    functions = [function(named, each, PLAIN, body(named, each)) for each in design.patterns]
    start = "\n\n".join([head, "from __future__ import annotations", imports(named, functions)])
    return "\n\n\n".join([start, *functions]) + "\n"


def body(named: Named, pattern: PatternDesign) -> list[str]:
    head = "" if pattern.writes else "return "
    found = asked(named, pattern)
    return [f"{INDENT}{head}{printed(found, 1, len(head))}"]


def asked(named: Named, pattern: PatternDesign) -> Any:
    start = (Code("db"), Code("STORED"))
    given = inputs_code(named, pattern, 2)
    if pattern.writes:
        return invoke("do_writing", *start, named.functions[pattern.id], writing(pattern), given)
    if pattern.aggregate:
        what, attribute = next(iter(pattern.aggregate.items()))
        also = [attribute] if attribute and attribute != "true" else []
        return invoke("find_number", *start, reads(pattern), given, what, *also)
    kinds = {each: Code(f"{answer_class(named, pattern, each)}.parse") for each in pattern.entities}
    if is_paged(pattern):
        return invoke("find_page", *start, reads(pattern), given, kinds, Code("limit"), Code("after"))
    return invoke("find_first", *start, reads(pattern), given, kinds)


def imports(named: Named, functions: Iterable[str]) -> str:
    code = without_texts("\n".join(functions))
    standard = [imported("collections.abc", ["Sequence"], code), imported("typing", ["Any"], code)]
    own = [
        imported(".database", ["Database", "Page", *RUNNING], code),
        imported(".entities", {*known_types(named), *named.excerpts.values()}, code),
        imported(".keeping", KEEPING, code),
        imported(".steps.model", MODEL, code),
        imported(".stored", ["STORED"], code),
        imported(".values", ["Number"], code),
    ]
    sections = [[each for each in lines if each] for lines in (standard, own)]
    return "\n\n".join("\n".join(each) for each in sections if each)
