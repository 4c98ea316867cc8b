"""One function for every access pattern: typed, documented, its requests in plain sight."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from tablewright.codegen.typescript.literals import INDENT, WIDTH, block, comment, kept, key, literal, text
from tablewright.codegen.typescript.names import function_names, interface_names, module_of
from tablewright.codegen.typescript.types import entity_attributes, parameter_type
from tablewright.design.wording import units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.model import Design, Parameter, PatternDesign, ReadStep, WriteStep

READERS = ("readExtreme", "readItem", "readItems", "readNumber", "readTyped")
EXTREMES = ("max", "min")


def groups(design: Design) -> dict[str, list[PatternDesign]]:
    """By module: the patterns about one entity lie together."""
    found: dict[str, list[PatternDesign]] = {}
    for pattern in design.patterns:
        found.setdefault(module_of(pattern.entities[0]), []).append(pattern)
    return found


def pattern_file(design: Design, patterns: list[PatternDesign]) -> str:
    names = function_names(design)
    bodies = [function(design, each, names[each.id]) for each in patterns]
    return "\n\n".join(["\n".join(imports(design, bodies)), *bodies]) + "\n"


def imports(design: Design, bodies: list[str]) -> Iterable[str]:
    whole = "\n".join(bodies)
    yield 'import type { Database } from "../database.js";'
    used = [name for name in sorted(interface_names(design).values()) if mentions(whole, name)]
    if used:
        yield import_line([f"type {name}" for name in used], "../items.js")
    if mentions(whole, "Value"):
        yield 'import type { Value } from "../model.js";'
    types = [f"type {name}" for name in ("Page", "PageOptions") if mentions(whole, name)]
    readers = [name for name in READERS if mentions(whole, name)]
    if types or readers:
        yield import_line([*types, *readers], "../reads.js")
    if mentions(whole, "write"):
        yield 'import { write } from "../writes.js";'


def import_line(names: list[str], module: str) -> str:
    if all(each.startswith("type ") for each in names):
        return f"import type {block('{', [each[5:] for each in names], '}', 0, 30)} from {text(module)};"
    return f"import {block('{', names, '}', 0, 30)} from {text(module)};"


def mentions(code: str, name: str) -> bool:
    """Whether a name is used in code, outside of its texts and comments, and not as the name of a property."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/', "", code, flags=re.DOTALL)
    return re.search(rf"(?:(?<![\w$.])|(?<=\.\.\.)){re.escape(name)}(?![\w$]|\??:)", bare) is not None


def is_paged(pattern: PatternDesign) -> bool:
    return pattern.kind == "query" and not pattern.aggregate


# ---- what is said about them ----------------------------------------------------------------------------------------


def about(pattern: PatternDesign) -> list[str]:
    words = pattern.description or ", ".join(pattern.entities)
    sent = [reading_words(each) for each in pattern.reads]
    if pattern.writes:
        sent.append(writing_words(pattern))
    return [f"{pattern.id}: {words}.", "", f"Sends {', then '.join(sent)}{spent(pattern)}."]


def reading_words(step: ReadStep) -> str:
    place = f"index {step.index}" if step.index else f"table {step.table}"
    several = [
        f"{step.shards} shards" if step.shards > 1 and step.operation == "Query" else "",
        "each period" if "_bucket" in step.for_each else "",
        *(f"each {name}" for name in step.for_each if name != "_bucket"),
        "each item found" if step.keys_from is not None and step.operation == "Query" else "",
    ]
    asked = " and ".join(each for each in several if each)
    how = "strongly" if step.consistent else "eventually"
    return f"{step.operation} to {place}{f' for {asked}' if asked else ''}, {how} consistent"


def writing_words(pattern: PatternDesign) -> str:
    counted = Counter(each.operation for each in pattern.writes)
    named = [name if number == 1 else f"{number} {name}" for name, number in counted.items()]
    return f"{' and '.join(named)}{' in one transaction' if pattern.transaction else ''}"


def spent(pattern: PatternDesign) -> str:
    predicted = pattern.predicted
    taken = [
        f"{units(predicted.rcu)} RCU" if predicted.rcu else "",
        f"{units(predicted.wcu)} WCU" if predicted.wcu else "",
    ]
    said = " and ".join(each for each in taken if each)
    return f": about {said} a run" if said else ""


# ---- functions ------------------------------------------------------------------------------------------------------


def function(design: Design, pattern: PatternDesign, name: str) -> str:
    body = write_body(design, pattern, name) if pattern.writes else read_body(design, pattern, name)
    return "\n".join([comment(about(pattern)), *body])


def input_type(design: Design, parameters: Iterable[Parameter], *, may_go: bool) -> str:
    fields = [
        f"readonly {key(each.name)}{'' if each.required else '?'}: {parameter_type(design, each, may_go=may_go)}"
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


def call(function: str, arguments: list[Any]) -> str:
    """`return` of a call, one argument a line where they do not fit on one; texts are code already."""
    shown = [each if isinstance(each, str) else literal(each, 2) for each in arguments]
    return f"{INDENT}return {function}{block('(', shown, ')', 1, len(function) + 8)};"


def read_body(design: Design, pattern: PatternDesign, name: str) -> list[str]:
    reader, result, alias = reading(design, pattern, name)
    given = input_type(design, pattern.parameters, may_go=False) + ("" if pattern.parameters else " = {}")
    parameters = ["db: Database", f"input: {given}"]
    arguments: list[Any] = ["db", [read_step(each) for each in pattern.reads], "input"]
    if is_paged(pattern):
        parameters.append("page?: PageOptions")
        arguments.append("page")
    if pattern.aggregate:
        what, attribute = next(iter(pattern.aggregate.items()))
        arguments += [text(what), *([text(attribute)] if attribute and attribute != "true" else [])]
    return [header(name, parameters, result), call(reader, arguments), "}", *alias]


def reading(design: Design, pattern: PatternDesign, name: str) -> tuple[str, str, list[str]]:
    """The function that reads it, what is promised, and what the promise means where that is long."""
    if pattern.aggregate:
        extreme = next(iter(pattern.aggregate)) in EXTREMES
        return ("readExtreme", "Promise<number | undefined>", []) if extreme else ("readNumber", "Promise<number>", [])
    interfaces = interface_names(design)
    if len(pattern.entities) > 1:
        alias = f"{name[0].upper()}{name[1:]}Answer"
        union = [f"  | {{ type: {text(each)}; item: {interfaces[each]} }}" for each in pattern.entities]
        head = comment([f"What {name} finds."])
        said = ["", head, f"export type {alias} =", *union[:-1], f"{union[-1]};"]
        return f"readTyped<{alias}>", f"Promise<Page<{alias}>>", said
    entity = interfaces[next(iter(pattern.entities))]
    item = f"Pick<{entity}, {' | '.join(text(each) for each in pattern.returns)}>" if pattern.returns else entity
    if pattern.kind == "get":
        return f"readItem<{item}>", f"Promise<{item} | undefined>", []
    return f"readItems<{item}>", f"Promise<Page<{item}>>", []


def write_body(design: Design, pattern: PatternDesign, name: str) -> list[str]:
    whole = whole_entity(design, pattern)
    may_go = pattern.op != "put"
    given = interface_names(design)[whole] if whole else input_type(design, pattern.parameters, may_go=may_go)
    head = header(name, ["db: Database", f"input: {given}"], "Promise<void>")
    return [head, call("write", ["db", text(name), write_pattern(pattern), "input"]), "}"]


def whole_entity(design: Design, pattern: PatternDesign) -> str | None:
    """The entity whose attributes are exactly what a put takes."""
    if pattern.op != "put" or len(pattern.entities) != 1:
        return None
    attributes = {(each.name, each.required) for each in entity_attributes(design, pattern.entities[0])}
    taken = {(each.attribute, each.required) for each in pattern.parameters if each.attribute == each.name}
    return pattern.entities[0] if attributes == taken and len(taken) == len(pattern.parameters) else None


# ---- steps ----------------------------------------------------------------------------------------------------------


def read_step(step: ReadStep) -> dict[str, Any]:
    return {
        "operation": step.operation,
        "table": step.table,
        **kept(index=step.index),
        "pk": {each.field: each.template for each in step.pk},
        **kept(
            sk=[
                {"field": each.field, "operator": each.operator, "low": each.low, **kept(high=each.high)}
                for each in step.sk
            ],
            filters=[
                {"attribute": each.attribute, "operator": each.operator, "values": list(each.values)}
                for each in step.filters
            ],
            backwards=step.backwards,
            limit=step.limit,
            consistent=step.consistent,
            projection=step.projection,
        ),
        "entities": step.entities,
        **kept(
            shards=step.shards if step.shards > 1 else None,
            shardOf=step.shard_of if step.shards > 1 else (),
            forEach=for_each(step.for_each),
            bucket=step.bucket,
        ),
        **({} if step.keys_from is None else {"keysFrom": step.keys_from}),
        **kept(joins=step.joins, unfold=step.unfold),
    }


def for_each(given: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {name: list(values) for name, values in given.items()}


def write_pattern(pattern: PatternDesign) -> dict[str, Any]:
    return {
        "op": pattern.op or "put",
        "entities": pattern.entities,
        "parameters": [parameter(each) for each in pattern.parameters],
        **kept(reads=[read_step(each) for each in pattern.reads]),
        "writes": [write_step(each) for each in pattern.writes],
        **kept(transaction=pattern.transaction),
    }


def parameter(given: Parameter) -> str | dict[str, Any]:
    """Just its name, where it is the attribute of that name."""
    if given.attribute == given.name and given.entity is None:
        return given.name
    return {"name": given.name, **kept(attribute=given.attribute, entity=given.entity)}


def write_step(step: WriteStep) -> dict[str, Any]:
    return {
        "operation": step.operation,
        "item": step.item,
        "table": step.table,
        "key": {each.field: each.template for each in step.key},
        **kept(
            allAttributes=step.all_attributes,
            set=dict(step.set),
            add=dict(step.add),
            remove=step.remove,
            condition=step.condition,
            unchanged=step.unchanged,
            unlessSame=step.unless_same,
            each=step.each,
        ),
    }
