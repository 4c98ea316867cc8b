"""One function for every access pattern, blocking or awaited: typed, documented, short."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.codegen.functions import is_paged
from tablewright.codegen.python.entities import strip_texts
from tablewright.codegen.python.literals import INDENT, WIDTH, Code, docstring, invoke, print_code
from tablewright.codegen.python.names import CHANGING, KEEPING, RUNNING
from tablewright.codegen.python.parts import answer_class
from tablewright.codegen.python.signatures import (
    AWAITED,
    BLOCKING,
    describe,
    inputs_code,
    parameters,
    result_type,
    statement,
)
from tablewright.codegen.python.typed.reads import read_body
from tablewright.codegen.python.typed.writes import write_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.codegen.python.literals import Invocation
    from tablewright.codegen.python.model import NamedDesign
    from tablewright.codegen.python.signatures import CallMode
    from tablewright.design.model import PatternDesign


# ---- functions ------------------------------------------------------------------------------------------------------


def function_code(named: NamedDesign, pattern: PatternDesign, mode: CallMode, lines: list[str]) -> str:
    """Its head, what it is for, and a body of lines that are indented once."""
    result = result_type(named, pattern, mode)
    given_ = (f"db: {mode.database}", *parameters(named, pattern))
    made = invoke(f"{mode.define} {named.functions[pattern.id]}", *(Code(each) for each in given_))
    head = f"{print_code(made, 0, 0, len(result) + 5)} -> {result}:"
    return "\n".join([head, docstring(describe(pattern), INDENT), *lines])


def _step_lines(named: NamedDesign, pattern: PatternDesign, mode: CallMode) -> list[str]:
    """The body that sends the design's own steps."""
    head = "" if pattern.writes else "return "
    return statement(f"{head}{mode.run}", step_call(named, pattern))


def step_call(named: NamedDesign, pattern: PatternDesign, depth: int = 3) -> Invocation:
    """The call that sends the steps; its inputs are indented so deep."""
    steps = Code(f"requests.{named.constants[pattern.id]}")
    given_ = inputs_code(named, pattern, depth)
    if pattern.writes:
        return invoke("do_writing", Code("STORED"), named.functions[pattern.id], steps, given_)
    if pattern.aggregate:
        what, attribute = next(iter(pattern.aggregate.items()))
        also = [attribute] if attribute and attribute != "true" else []
        return invoke("find_number", Code("STORED"), steps, given_, what, *also)
    kinds = {each: Code(f"{answer_class(named, pattern, each)}.parse") for each in pattern.entities}
    arguments = [Code("STORED"), steps, given_, kinds]
    if is_paged(pattern):
        return invoke("find_page", *arguments, Code("limit"), Code("after"))
    return invoke("find_first", *arguments)


# ---- modules --------------------------------------------------------------------------------------------------------


def _body(named: NamedDesign, pattern: PatternDesign, mode: CallMode) -> list[str]:
    """By typed entities where these say the same, else by the design's own steps."""
    found = write_body(named, pattern, mode) if pattern.writes else read_body(named, pattern, mode)
    return _step_lines(named, pattern, mode) if found is None else found


def runs_steps(named: NamedDesign, pattern: PatternDesign) -> bool:
    return _body(named, pattern, BLOCKING) == _step_lines(named, pattern, BLOCKING)


def patterns_file(named: NamedDesign, mode: CallMode) -> str:
    design = named.design
    how = "awaited" if mode is AWAITED else "blocking"
    head = docstring([f"Access patterns of {design.title or design.name}, one function each, {how}."])
    functions = [function_code(named, each, mode, _body(named, each, mode)) for each in design.patterns]
    start = "\n\n".join([head, "from __future__ import annotations", _imports(named, functions)])
    return "\n\n\n".join([start, *functions]) + "\n"


def _imports(named: NamedDesign, functions: Iterable[str]) -> str:
    code = strip_texts("\n".join(functions))
    sections = [
        [
            line
            for line in (import_line("collections.abc", ["Sequence"], code), import_line("typing", ["Any"], code))
            if line
        ],
        ["import tablewright as tw"],
        [
            line
            for line in (
                import_line(".", ["requests"], code),
                import_line(".changing", CHANGING, code),
                import_line(".entities", sorted({*known_types(named), "Number"}, key=str), code),
                import_line(".errors", ["NotFound"], code),
                import_line(".keeping", KEEPING, code),
                import_line(".running", RUNNING, code),
                import_line(".stored", ["STORED"], code),
            )
            if line
        ],
    ]
    return "\n\n".join("\n".join(each) for each in sections if each)


def known_types(named: NamedDesign) -> set[str]:
    wholes = {f"Whole{each}" for each in named.classes.values()}
    excerpts = {each.name for each in named.excerpts.values()}
    return {*named.classes.values(), *wholes, *excerpts, *named.choices.values(), *named.ids.values()}


def import_line(module: str, names: Iterable[str], code: str) -> str:
    """The names that code uses, in the order that linters like."""
    found = [Code(each) for each in sorted(dict.fromkeys(names), key=_import_order) if mentions(code, each)]
    if not found:
        return ""
    line = f"from {module} import {', '.join(each.text for each in found)}"
    if len(line) <= WIDTH:
        return line
    return f"from {module} import (\n" + "".join(f"{INDENT}{each.text},\n" for each in found) + ")"


def _import_order(name: str) -> tuple[int, list[tuple[int, str]]]:
    """Constants, then classes, then functions; numbers in them count as such."""
    kind = 0 if name.isupper() else 1 if name[:1].isupper() else 2
    return kind, [(int(each or 0), other) for each, other in re.findall(r"(\d*)(\D*)", name)]


def mentions(code: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}\b(?!=)", code) is not None
