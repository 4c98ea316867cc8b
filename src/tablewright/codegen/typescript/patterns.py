"""One function for every access pattern: typed, documented, its requests in plain sight."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.architect.document.words import places_of, units
from tablewright.codegen.functions import camel_names
from tablewright.codegen.infrastructure.names import words_of
from tablewright.codegen.typescript.literals import INDENT, comment, kept, key, literal, text
from tablewright.codegen.typescript.types import entity_attributes, interface_name, parameter_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.architect.design.model import Design, Parameter, PatternDesign, ReadStep, WriteStep


def groups(design: Design) -> dict[str, list[PatternDesign]]:
    """By module: the patterns about one entity lie together."""
    found: dict[str, list[PatternDesign]] = {}
    for pattern in design.patterns:
        found.setdefault(module_of(pattern.entities[0]), []).append(pattern)
    return found


def module_of(entity: str) -> str:
    return "-".join(word.lower() for word in words_of(entity)) or "items"


def pattern_file(design: Design, patterns: list[PatternDesign]) -> str:
    names = camel_names(design)
    bodies = [function(design, each, names[each.id]) for each in patterns]
    return "\n\n".join(["\n".join(imports(patterns, bodies)), *bodies]) + "\n"


def imports(patterns: list[PatternDesign], bodies: list[str]) -> Iterable[str]:
    whole = "\n".join(bodies)
    yield 'import type { Database } from "../database.js";'
    entities = sorted({interface_name(entity) for each in patterns for entity in each.entities})
    used = [name for name in entities if mentions(whole, name)]
    if used:
        yield f'import type {{ {", ".join(used)} }} from "../items.js";'
    if mentions(whole, "Value"):
        yield 'import type { Value } from "../model.js";'
    types = [f"type {name}" for name in ("Page", "PageOptions") if mentions(whole, name)]
    readers = [name for name in ("readItem", "readItems", "readNumber", "readTyped") if mentions(whole, name)]
    if types or readers:
        yield f'import {{ {", ".join([*types, *readers])} }} from "../reads.js";'
    if mentions(whole, "write"):
        yield 'import { write } from "../writes.js";'


def mentions(code: str, name: str) -> bool:
    """Whether a name is used in code, outside of its texts and comments."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/', "", code, flags=re.DOTALL)
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", bare) is not None


def is_paged(pattern: PatternDesign) -> bool:
    return pattern.kind == "query" and not pattern.aggregate


# ---- functions ------------------------------------------------------------------------------------------------------


def function(design: Design, pattern: PatternDesign, name: str) -> str:
    return "\n".join(
        [
            comment(about(pattern)),
            *(write_body(design, pattern, name) if pattern.writes else read_body(pattern, name)),
        ]
    )


def about(pattern: PatternDesign) -> list[str]:
    words = pattern.description or ", ".join(pattern.entities)
    predicted = pattern.predicted
    taken = [
        f"{units(predicted.rcu)} RCU" if predicted.rcu else "",
        f"{units(predicted.wcu)} WCU" if predicted.wcu else "",
    ]
    spent = " and ".join(each for each in taken if each)
    place = f"{places_of(pattern)}, " if places_of(pattern) else ""
    said = f"{place}about {spent} a run" if spent else place.rstrip(", ")
    consistency = (
        ""
        if pattern.kind == "write"
        else f", {'strongly' if pattern.consistency == 'strong' else 'eventually'} consistent"
    )
    return [f"{pattern.id}: {words}.", "", f"{said}{consistency}."]


def input_type(parameters: Iterable[Parameter], *, may_go: bool) -> str:
    fields = [
        f"readonly {key(each.name)}{'' if each.required else '?'}: {parameter_type(each, may_go=may_go)}"
        for each in parameters
    ]
    if not fields:
        return "Record<string, never>"
    line = f"{{ {'; '.join(fields)} }}"
    return line if len(line) <= 70 else "{\n" + "".join(f"    {each};\n" for each in fields) + "  }"


def header(name: str, parameters: list[str], result: str) -> str:
    line = f"export function {name}({', '.join(parameters)}): {result} {{"
    if len(line) <= 110 and "\n" not in line:
        return line
    return f"export function {name}(\n" + "".join(f"  {each},\n" for each in parameters) + f"): {result} {{"


def read_body(pattern: PatternDesign, name: str) -> list[str]:
    reader, result = reading(pattern)
    parameters = [
        "db: Database",
        f"input: {input_type(pattern.parameters, may_go=False)}" + ("" if pattern.parameters else " = {}"),
    ]
    arguments = ["db", literal([read_step(each) for each in pattern.reads], 1, len(reader) + 14), "input"]
    if is_paged(pattern):
        parameters.append("page?: PageOptions")
        arguments.append("page")
    if pattern.aggregate:
        what, attribute = next(iter(pattern.aggregate.items()))
        arguments += [text(what), *([text(attribute)] if attribute and attribute != "true" else [])]
    return [header(name, parameters, result), f"{INDENT}return {reader}({', '.join(arguments)});", "}"]


def reading(pattern: PatternDesign) -> tuple[str, str]:
    """The function that reads it, and what is promised."""
    if pattern.aggregate:
        return "readNumber", "Promise<number | undefined>"
    if len(pattern.entities) > 1:
        union = " | ".join(f"{{ type: {text(each)}; item: {interface_name(each)} }}" for each in pattern.entities)
        return f"readTyped<{union}>", f"Promise<Page<{union}>>"
    only = next(iter(pattern.entities))
    entity = interface_name(only)
    item = f"Pick<{entity}, {' | '.join(text(each) for each in pattern.returns)}>" if pattern.returns else entity
    if pattern.kind == "get":
        return f"readItem<{item}>", f"Promise<{item} | undefined>"
    return f"readItems<{item}>", f"Promise<Page<{item}>>"


def write_body(design: Design, pattern: PatternDesign, name: str) -> list[str]:
    whole = whole_entity(design, pattern)
    given = interface_name(whole) if whole else input_type(pattern.parameters, may_go=pattern.op != "put")
    parameters = ["db: Database", f"input: {given}"]
    shown = literal(write_pattern(pattern), 1, len(text(name)) + 20)
    return [header(name, parameters, "Promise<void>"), f"{INDENT}return write(db, {text(name)}, {shown}, input);", "}"]


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
