"""`patterns.ts`: one function for every access pattern, in ElectroDB's words where it has them.

Where it has none (copies kept in step, unique values, totals, maps of children, shards, periods, keys that end early),
the function sends the design's own requests through the document client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.electrodb.names import aliases
from tablewright.codegen.electrodb.reads import read_call
from tablewright.codegen.electrodb.writes import write_call
from tablewright.codegen.typescript.literals import INDENT, WIDTH, Code, comment, key, literal
from tablewright.codegen.typescript.names import function_names, interface_names
from tablewright.codegen.typescript.patterns import (
    READS,
    answer_name,
    describe,
    function_code,
    header,
    import_lines,
    item_type,
    mentions,
    read_parameters,
    write_header,
)
from tablewright.design.steps.compiling.reads import compile_reads

if TYPE_CHECKING:
    from tablewright.codegen.electrodb.reads import Chain
    from tablewright.design.model import Design, PatternDesign

_BREAK = f"\n{INDENT * 2}"
ELECTRO = (
    *("type Collected", "changed", "collected", "collectionPaging", "pageOf", "paging"),
    *("removed", "written", "writtenTogether"),
)
"""What the module of that name has for functions of patterns."""


def patterns_file(design: Design) -> str:
    names = function_names(design)
    functions = [_function_code(design, each, names[each.id]) for each in design.patterns]
    imports = import_lines(
        "\n".join(functions),
        {
            "./documents/items.js": [f"type {name}" for name in sorted(interface_names(design).values())],
            "./documents/model.js": ["type ReadStep", "type Value"],
            "./documents/reads.js": READS,
            "./documents/writes.js": ["write"],
            "./electro.js": ELECTRO,
            "./keys.js": ["bound"],
        },
    )
    head = "\n".join([*imports, 'import type { Database } from "./service.js";'])
    return "\n\n".join([head, *functions]) + "\n"


def is_electro(design: Design, pattern: PatternDesign) -> bool:
    """Whether ElectroDB does it."""
    name = function_names(design)[pattern.id]
    return (write_call(design, pattern, name) if pattern.writes else read_call(design, pattern)) is not None


def _function_code(design: Design, pattern: PatternDesign, name: str) -> str:
    if pattern.writes:
        lines = _write_lines(design, pattern, name)
    elif len(pattern.entities) > 1:
        lines = _entities_lines(design, pattern, name)
    else:
        lines = _read_lines(design, pattern, name)
    return function_code(design, pattern, name) if lines is None else "\n".join([describe(pattern), *lines])


def _chain_calls(before: str, calls: Chain) -> str:
    """Calls on one line, or each on its own where that is too long."""
    line = f"{INDENT}{before}{''.join(calls)};"
    return line if len(line) <= WIDTH and "\n" not in line else f"{INDENT}{before}{_BREAK.join(calls)};"


def _write_lines(design: Design, pattern: PatternDesign, name: str) -> list[str] | None:
    calls = write_call(design, pattern, name)
    return None if calls is None else [write_header(design, pattern, name), *calls, "}"]


def _read_header(design: Design, pattern: PatternDesign, name: str, result: str, code: str) -> str:
    given = "input" if mentions(code, "input") else "_input"
    return header(name, read_parameters(design, pattern, given), f"Promise<{result}>", "async function")


def _read_lines(design: Design, pattern: PatternDesign, name: str) -> list[str] | None:
    calls = read_call(design, pattern)
    if calls is None:
        return None
    item = item_type(design, pattern)
    asked = _chain_calls("const answer = await ", calls)
    if pattern.kind == "query":
        result, answer = f"Page<{item}>", f"pageOf<{item}>(answer)"
    else:
        answer = "answer.data ?? undefined" if calls[1].startswith(".get(") else "answer.data[0]"
        result = f"{item} | undefined"
    return [_read_header(design, pattern, name, result, asked), asked, f"{INDENT}return {answer};", "}"]


def _entities_lines(design: Design, pattern: PatternDesign, name: str) -> list[str]:
    """Items by entity."""
    interfaces = interface_names(design)
    alias = answer_name(name)
    calls = read_call(design, pattern)
    lines = _document_lines(design, pattern) if calls is None else _collection_lines(design, pattern, calls)
    return [
        _read_header(design, pattern, name, f"Collected<{alias}>", "\n".join(lines)),
        *lines,
        "}",
        "",
        comment([f"What {name} finds, by entity."]),
        f"export interface {alias} {{",
        *(f"{INDENT}{key(each)}: {interfaces[each]};" for each in pattern.entities),
        "}",
    ]


def _collection_lines(design: Design, pattern: PatternDesign, calls: Chain) -> list[str]:
    names = {item.entity: aliases(design)[item.name] for item in design.items if item.kind == "entity"}
    items = {each: Code(f"data.{names[each]}") for each in pattern.entities}
    return [
        _chain_calls("const { data, cursor } = await ", calls),
        f"{INDENT}const items = {literal(items, 1, 14)};",
        f"{INDENT}return cursor === null ? {{ items }} : {{ items, cursor }};",
    ]


def _document_lines(design: Design, pattern: PatternDesign) -> list[str]:
    steps = literal(compile_reads(design, pattern), 1, 60)
    return [
        f"{INDENT}const steps: ReadStep[] = {steps};",
        f"{INDENT}const found = await readTyped<{{ type: string; item: unknown }}>(db, steps, input, page);",
        f"{INDENT}return collected(found, {literal(list(pattern.entities), 1, 30)});",
    ]
