"""`patterns.ts`: one function for every access pattern, in ElectroDB's words where it has them.

Where it has none (copies kept in step, unique values, totals, maps of children, shards, periods, keys that end early),
the function sends the design's own requests through the document client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.electrodb.names import aliases
from tablewright.codegen.electrodb.reads import read_call
from tablewright.codegen.electrodb.writes import write_call
from tablewright.codegen.typescript import patterns as typescript
from tablewright.codegen.typescript.literals import INDENT, WIDTH, Code, comment, key, literal, text
from tablewright.codegen.typescript.names import function_names, interface_names
from tablewright.codegen.typescript.patterns import header, import_line, input_type, mentions, whole_entity
from tablewright.design.steps.compile import compile_reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, PatternDesign

BREAK = f"\n{INDENT * 2}"
OWN = ("changed", "collected", "collectionPaging", "pageOf", "paging", "removed", "written", "writtenTogether")


def patterns_file(design: Design) -> str:
    bodies = [function(design, each, name) for each, name in named(design)]
    return "\n\n".join(["\n".join(imports(design, bodies)), *bodies]) + "\n"


def named(design: Design) -> Iterator[tuple[PatternDesign, str]]:
    names = function_names(design)
    return ((each, names[each.id]) for each in design.patterns)


def in_words(design: Design, pattern: PatternDesign) -> bool:
    """Whether ElectroDB does it."""
    name = function_names(design)[pattern.id]
    return (write_call(design, pattern, name) if pattern.writes else read_call(design, pattern)) is not None


def imports(design: Design, bodies: list[str]) -> Iterator[str]:
    whole = "\n".join(bodies)
    used = [f"type {name}" for name in sorted(interface_names(design).values()) if mentions(whole, name)]
    if used:
        yield import_line(used, "./documents/items.js")
    models = [f"type {name}" for name in ("ReadStep", "Value") if mentions(whole, name)]
    if models:
        yield import_line(models, "./documents/model.js")
    types = [f"type {name}" for name in ("Page", "PageOptions") if mentions(whole, name)]
    readers = [name for name in typescript.READERS if mentions(whole, name)]
    if types or readers:
        yield import_line([*types, *readers], "./documents/reads.js")
    if mentions(whole, "write"):
        yield 'import { write } from "./documents/writes.js";'
    collected = ["type Collected"] if mentions(whole, "Collected") else []
    own = [name for name in OWN if mentions(whole, name)]
    if own or collected:
        yield import_line([*collected, *own], "./electro.js")
    yield 'import type { Database } from "./service.js";'


def function(design: Design, pattern: PatternDesign, name: str) -> str:
    if pattern.writes:
        body = writing(design, pattern, name)
    elif len(pattern.entities) > 1:
        body = together(design, pattern, name)
    else:
        body = reading(design, pattern, name)
    if body is None:
        return typescript.function(design, pattern, name)
    return "\n".join([comment(typescript.about(pattern)), *body])


def chained(before: str, calls: tuple[str, ...]) -> str:
    """Calls on one line, or each on its own where that is too long."""
    line = f"{INDENT}{before}{''.join(calls)};"
    return line if len(line) <= WIDTH and "\n" not in line else f"{INDENT}{before}{BREAK.join(calls)};"


def writing(design: Design, pattern: PatternDesign, name: str) -> list[str] | None:
    said = write_call(design, pattern, name)
    if said is None:
        return None
    whole = whole_entity(design, pattern)
    may_go = pattern.op != "put"
    given = interface_names(design)[whole] if whole else input_type(design, pattern.parameters, may_go=may_go)
    return [header(name, ["db: Database", f"input: {given}"], "Promise<void>"), *said, "}"]


def parameters_of(design: Design, pattern: PatternDesign, code: str) -> list[str]:
    given = input_type(design, pattern.parameters, may_go=False) + ("" if pattern.parameters else " = {}")
    name = "input" if mentions(code, "input") else "_input"
    return ["db: Database", f"{name}: {given}", *(["page?: PageOptions"] if typescript.is_paged(pattern) else [])]


def reading(design: Design, pattern: PatternDesign, name: str) -> list[str] | None:
    said = read_call(design, pattern)
    if said is None:
        return None
    entity = interface_names(design)[pattern.entities[0]]
    item = f"Pick<{entity}, {' | '.join(text(each) for each in pattern.returns)}>" if pattern.returns else entity
    asked = chained("const answer = await ", said)
    if pattern.kind == "query":
        result, answer = f"Promise<Page<{item}>>", f"pageOf<{item}>(answer)"
    else:
        answer = "answer.data ?? undefined" if said[1].startswith(".get(") else "answer.data[0]"
        result = f"Promise<{item} | undefined>"
    head = header(name, parameters_of(design, pattern, asked), result, "async function")
    return [head, asked, f"{INDENT}return {answer};", "}"]


def together(design: Design, pattern: PatternDesign, name: str) -> list[str]:
    """Items by entity."""
    interfaces = interface_names(design)
    alias = f"{name[0].upper()}{name[1:]}Answer"
    said = read_call(design, pattern)
    lines = collection_lines(design, pattern, said) if said is not None else document_lines(design, pattern)
    parameters = parameters_of(design, pattern, "\n".join(lines))
    return [
        header(name, parameters, f"Promise<Collected<{alias}>>", "async function"),
        *lines,
        "}",
        "",
        comment([f"What {name} finds, by entity."]),
        f"export interface {alias} {{",
        *(f"{INDENT}{key(each)}: {interfaces[each]};" for each in pattern.entities),
        "}",
    ]


def collection_lines(design: Design, pattern: PatternDesign, said: tuple[str, ...]) -> list[str]:
    called = {item.entity: aliases(design)[item.name] for item in design.items if item.kind == "entity"}
    items = {each: Code(f"data.{called[each]}") for each in pattern.entities}
    return [
        chained("const { data, cursor } = await ", said),
        f"{INDENT}const items = {literal(items, 1, 14)};",
        f"{INDENT}return cursor === null ? {{ items }} : {{ items, cursor }};",
    ]


def document_lines(design: Design, pattern: PatternDesign) -> list[str]:
    steps = literal(compile_reads(design, pattern), 1, 60)
    return [
        f"{INDENT}const steps: ReadStep[] = {steps};",
        f"{INDENT}const found = await readTyped<{{ type: string; item: unknown }}>(db, steps, input, page);",
        f"{INDENT}return collected(found, {literal(list(pattern.entities), 1, 30)});",
    ]
