"""`patterns.ts`: one function for every access pattern, in ElectroDB's words where it has them.

Where it has none (copies kept in step, unique values, totals, maps of children, shards, periods, keys that end early),
the function sends the design's own requests through the document client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.electrodb.reads import read_call
from tablewright.codegen.electrodb.writes import write_call
from tablewright.codegen.typescript import patterns as typescript
from tablewright.codegen.typescript.literals import INDENT, comment, literal, text
from tablewright.codegen.typescript.names import function_names, interface_names
from tablewright.codegen.typescript.patterns import header, import_line, input_type, mentions, whole_entity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.design.model import Design, PatternDesign

OWN = ("changed", "collected", "collectionPaging", "pageOf", "paging", "removed", "written", "writtenTogether")


def patterns_file(design: Design) -> str:
    bodies = [function(design, each, name) for each, name in named(design)]
    return "\n\n".join(["\n".join(imports(design, bodies)), *bodies]) + "\n"


def named(design: Design) -> Iterator[tuple[PatternDesign, str]]:
    names = function_names(design)
    return ((each, names[each.id]) for each in design.patterns)


def in_words(design: Design, pattern: PatternDesign) -> str | None:
    """The call of ElectroDB, where there is one."""
    name = function_names(design)[pattern.id]
    return write_call(design, pattern, name) if pattern.writes else read_call(design, pattern)


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
    said = in_words(design, pattern)
    if len(pattern.entities) > 1 and not pattern.writes:
        body = together(design, pattern, name, said)
    elif said is None:
        return typescript.function(design, pattern, name)
    else:
        body = writing(design, pattern, name, said) if pattern.writes else reading(design, pattern, name, said)
    return "\n".join([comment(typescript.about(pattern)), *body])


def writing(design: Design, pattern: PatternDesign, name: str, said: str) -> list[str]:
    whole = whole_entity(design, pattern)
    may_go = pattern.op != "put"
    given = interface_names(design)[whole] if whole else input_type(design, pattern.parameters, may_go=may_go)
    head = header(name, ["db: Database", f"input: {given}"], "Promise<void>")
    return [head, f"{INDENT}return {said};", "}"]


def parameters_of(design: Design, pattern: PatternDesign, said: str | None) -> list[str]:
    given = input_type(design, pattern.parameters, may_go=False) + ("" if pattern.parameters else " = {}")
    name = "_input" if said is not None and "input" not in said else "input"
    return ["db: Database", f"{name}: {given}", *(["page?: PageOptions"] if typescript.is_paged(pattern) else [])]


def reading(design: Design, pattern: PatternDesign, name: str, said: str) -> list[str]:
    entity = interface_names(design)[pattern.entities[0]]
    item = f"Pick<{entity}, {' | '.join(text(each) for each in pattern.returns)}>" if pattern.returns else entity
    asked = f"{INDENT}const answer = await {said};"
    if pattern.kind == "query":
        result, lines = f"Promise<Page<{item}>>", [asked, f"{INDENT}return pageOf<{item}>(answer);"]
    else:
        one = "answer.data ?? undefined" if ".get(" in said else "answer.data[0]"
        result, lines = f"Promise<{item} | undefined>", [asked, f"{INDENT}return {one};"]
    head = header(name, parameters_of(design, pattern, said), result).replace("export ", "export async ", 1)
    return [head, *lines, "}"]


def together(design: Design, pattern: PatternDesign, name: str, said: str | None) -> list[str]:
    """Items by entity."""
    interfaces = interface_names(design)
    alias = f"{name[0].upper()}{name[1:]}Answer"
    members = [f"  {text(each)}: {interfaces[each]};" for each in pattern.entities]
    head = header(name, parameters_of(design, pattern, said), f"Promise<Collected<{alias}>>")
    if said is not None:
        lines = [
            f"{INDENT}const {{ data, cursor }} = await {said};",
            f"{INDENT}return cursor === null ? {{ items: data }} : {{ items: data, cursor }};",
        ]
    else:
        steps = literal([typescript.read_step(each) for each in pattern.reads], 1, 60)
        lines = [
            f"{INDENT}const steps: ReadStep[] = {steps};",
            f"{INDENT}const found = await readTyped<{{ type: string; item: unknown }}>(db, steps, input, page);",
            f"{INDENT}return collected(found, {literal(list(pattern.entities), 1, 30)});",
        ]
    what = comment([f"What {name} finds, by entity."])
    return [
        head.replace("export ", "export async ", 1),
        *lines,
        "}",
        "",
        what,
        f"export interface {alias} {{",
        *members,
        "}",
    ]
