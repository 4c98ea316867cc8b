"""One function for every access pattern: typed, documented, its requests in plain sight."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from tablewright.codegen.entities import put_entity, taken_attributes
from tablewright.codegen.functions import about_in_short, is_paged
from tablewright.codegen.typescript.literals import INDENT, WIDTH, block, comment, key, literal, text
from tablewright.codegen.typescript.names import function_names, interface_names, module_of, parameter_type, type_of
from tablewright.design.steps.compile import compile_writing
from tablewright.design.steps.compiling.reads import compile_reads
from tablewright.design.wording import units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.model import Design, Parameter, PatternDesign, ReadStep

READS = ("type Page", "type PageOptions", "readExtreme", "readItem", "readItems", "readNumber", "readTyped")
"""What the module of that name has for functions of patterns."""
_EXTREMES = ("max", "min")


def patterns_by_module(design: Design) -> dict[str, list[PatternDesign]]:
    """The patterns about one entity lie together."""
    found: dict[str, list[PatternDesign]] = {}
    for pattern in design.patterns:
        found.setdefault(module_of(pattern.entities[0]), []).append(pattern)
    return found


def pattern_file(design: Design, patterns: list[PatternDesign]) -> str:
    names = function_names(design)
    functions = [function_code(design, each, names[each.id]) for each in patterns]
    imports = import_lines(
        "\n".join(functions),
        {
            "../items.js": [f"type {name}" for name in sorted(interface_names(design).values())],
            "../model.js": ["type Value"],
            "../reads.js": READS,
            "../writes.js": ["write"],
        },
    )
    head = "\n".join(['import type { Database } from "../database.js";', *imports])
    return "\n\n".join([head, *functions]) + "\n"


def import_lines(code: str, names: Mapping[str, Iterable[str]]) -> list[str]:
    """By module: those of its names (`type` stands before a type's) that code mentions."""
    used = {module: [each for each in found if mentions(code, each.split()[-1])] for module, found in names.items()}
    return [_import_line(module, found) for module, found in used.items() if found]


def _import_line(module: str, names: list[str]) -> str:
    if all(each.startswith("type ") for each in names):
        return f"import type {block('{', [each[5:] for each in names], '}', 0, 30)} from {text(module)};"
    return f"import {block('{', names, '}', 0, 30)} from {text(module)};"


def mentions(code: str, name: str) -> bool:
    """Whether a name is used in code, outside of its texts and comments, and not as the name of a property."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/', "", code, flags=re.DOTALL)
    return re.search(rf"(?:(?<![\w$.])|(?<=\.\.\.)){re.escape(name)}(?![\w$]|\??:)", bare) is not None


# ---- comments -------------------------------------------------------------------------------------------------------


def describe(pattern: PatternDesign) -> str:
    """The comment above its function."""
    sent = [_describe_read(each) for each in pattern.reads]
    if pattern.writes:
        sent.append(_describe_writes(pattern))
    head = f"{pattern.id}: {about_in_short(pattern)}."
    return comment([head, "", f"Sends {', then '.join(sent)}{_describe_units(pattern)}."])


def _describe_read(step: ReadStep) -> str:
    place = f"index {step.index}" if step.index else f"table {step.table}"
    several = [
        f"any of {step.copies} copies" if step.copies > 1 else "",
        f"{step.shards} shards" if step.shards > 1 and step.operation == "Query" else "",
        "each period" if "_bucket" in step.for_each else "",
        "one period after the other" if step.since is not None else "",
        *(f"each {name}" for name in step.for_each if name != "_bucket"),
        "each item found" if step.keys_from is not None and step.operation == "Query" else "",
    ]
    asked = " and ".join(each for each in several if each)
    how = "strongly" if step.consistent else "eventually"
    return f"{step.operation} to {place}{f' for {asked}' if asked else ''}, {how} consistent"


def _describe_writes(pattern: PatternDesign) -> str:
    counted = Counter(each.operation for each in pattern.writes)
    named = [name if number == 1 else f"{number} {name}" for name, number in counted.items()]
    return f"{' and '.join(named)}{' in one transaction' if pattern.transaction else ''}"


def _describe_units(pattern: PatternDesign) -> str:
    predicted = pattern.predicted
    taken = [f"{units(predicted.rcu)} RCU"] if predicted.rcu else []
    taken += [f"{units(predicted.wcu)} WCU"] if predicted.wcu else []
    return f": about {' and '.join(taken)} a run" if taken else ""


# ---- functions ------------------------------------------------------------------------------------------------------


def function_code(design: Design, pattern: PatternDesign, name: str) -> str:
    lines = _write_lines(design, pattern, name) if pattern.writes else _read_lines(design, pattern, name)
    return "\n".join([describe(pattern), *lines])


def read_parameters(design: Design, pattern: PatternDesign, name: str = "input") -> list[str]:
    given = f"{name}: {_input_type(design, pattern.parameters, writes=False)}"
    default = "" if pattern.parameters else " = {}"
    return ["db: Database", f"{given}{default}", *(["page?: PageOptions"] if is_paged(pattern) else [])]


def _input_type(design: Design, parameters: Iterable[Parameter], *, writes: bool, may_go: bool = False) -> str:
    fields = [
        f"readonly {key(each.name)}{'' if each.required else '?'}: "
        + parameter_type(design, each, writes=writes, may_go=may_go and each.attribute is not None)
        for each in parameters
    ]
    if not fields:
        return "Record<string, never>"
    line = f"{{ {'; '.join(fields)} }}"
    return line if len(line) <= 70 else "{\n" + "".join(f"    {each};\n" for each in fields) + "  }"


def header(name: str, parameters: list[str], result: str, kind: str = "function") -> str:
    line = f"export {kind} {name}({', '.join(parameters)}): {result} {{"
    if len(line) <= WIDTH and "\n" not in line:
        return line
    return f"export {kind} {name}(\n" + "".join(f"  {each},\n" for each in parameters) + f"): {result} {{"


def _call(function: str, arguments: list[Any]) -> str:
    """`return` of a call, one argument a line where they do not fit on one; texts are code already."""
    shown = [each if isinstance(each, str) else literal(each, 2) for each in arguments]
    return f"{INDENT}return {function}{block('(', shown, ')', 1, len(function) + 8)};"


def _read_lines(design: Design, pattern: PatternDesign, name: str) -> list[str]:
    reader, result, alias = _reader(design, pattern, name)
    arguments: list[Any] = ["db", compile_reads(design, pattern), "input", *(["page"] if is_paged(pattern) else [])]
    if pattern.aggregate:
        what, attribute = next(iter(pattern.aggregate.items()))
        arguments += [text(what), *([text(attribute)] if attribute and attribute != "true" else [])]
    return [header(name, read_parameters(design, pattern), result), _call(reader, arguments), "}", *alias]


def _reader(design: Design, pattern: PatternDesign, name: str) -> tuple[str, str, list[str]]:
    """The function that reads it, what is promised, and what the promise means where that is long."""
    if pattern.aggregate:
        if next(iter(pattern.aggregate)) in _EXTREMES:
            return "readExtreme", "Promise<number | undefined>", []
        return "readNumber", "Promise<number>", []
    if len(pattern.entities) > 1:
        interfaces = interface_names(design)
        alias = answer_name(name)
        union = [f"  | {{ type: {text(each)}; item: {interfaces[each]} }}" for each in pattern.entities]
        declared = ["", comment([f"What {name} finds."]), f"export type {alias} =", *union[:-1], f"{union[-1]};"]
        return f"readTyped<{alias}>", f"Promise<Page<{alias}>>", declared
    item = item_type(design, pattern)
    if pattern.kind == "get":
        return f"readItem<{item}>", f"Promise<{item} | undefined>", []
    return f"readItems<{item}>", f"Promise<Page<{item}>>", []


def answer_name(function: str) -> str:
    """The type of an answer with several entities."""
    return f"{function[0].upper()}{function[1:]}Answer"


def item_type(design: Design, pattern: PatternDesign) -> str:
    """What an answer has of its entity."""
    entity = interface_names(design)[pattern.entities[0]]
    taken = taken_attributes(design, pattern)
    own = [text(each) for each in pattern.returns if each not in taken]
    picked = [f"Pick<{entity}, {' | '.join(own)}>"] if own else [] if taken else [entity]
    others = [f"{key(each.name)}?: {type_of(each.type, each.values)}" for each in taken.values()]
    return " & ".join([*picked, *([f"{{ {'; '.join(others)} }}"] if others else [])])


def _write_lines(design: Design, pattern: PatternDesign, name: str) -> list[str]:
    arguments: list[Any] = ["db", text(name), compile_writing(design, pattern), "input"]
    return [write_header(design, pattern, name), _call("write", arguments), "}"]


def write_header(design: Design, pattern: PatternDesign, name: str) -> str:
    entity = put_entity(design, pattern)
    if entity is not None:
        given = interface_names(design)[entity]
    else:
        given = _input_type(design, pattern.parameters, writes=True, may_go=pattern.op != "put")
    return header(name, ["db: Database", f"input: {given}"], "Promise<void>")
