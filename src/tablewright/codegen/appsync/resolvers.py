"""One resolver for every access pattern; several requests become a pipeline with one function each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.appsync.steps import read_values, requests_of, write_values
from tablewright.codegen.functions import returns
from tablewright.codegen.typescript.literals import comment, literal

if TYPE_CHECKING:
    from tablewright.design.model import Design, PatternDesign, ReadStep

NUMBERS = {
    "count": "items.length",
    "sum": "items.reduce((total, item) => total + (item[{0}] ?? 0), 0)",
    "max": "items.reduce((most, item) => (most === null || item[{0}] > most ? item[{0}] : most), null)",
    "min": "items.reduce((least, item) => (least === null || item[{0}] < least ? item[{0}] : least), null)",
    "total": "items[0]?.[{0}] ?? 0",
}


class Resolver(msgspec.Struct, frozen=True):
    """The code of a field, and of its pipeline's functions where it has one."""

    code: str
    functions: tuple[str, ...] = ()


def resolver_of(design: Design, pattern: PatternDesign) -> Resolver:
    if pattern.kind == "write":
        return write_resolver(design, pattern)
    requests = [(step, also) for step in pattern.reads for also in requests_of(step)]
    if len(requests) == 1:
        return Resolver(unit_read(design, pattern))
    return pipeline_read(design, pattern)


def head(pattern: PatternDesign, imports: str, depth: str = "../") -> list[str]:
    about = comment([f"{pattern.id}: {pattern.description or ', '.join(pattern.entities)}"])
    return [about, "", f'import {{ {imports} }} from "{depth}support.js";']


def constant(name: str, value: Any) -> str:
    return f"const {name} = {literal(value, 0, 10 + len(name))};"


def typed(design: Design) -> dict[str, str]:
    """By what stored items say they are: the GraphQL type."""
    field = design.encoding.type_field
    return {str(each.fixed.get(field, each.name)): each.entity for each in design.items if each.kind != "total"}


def answer(design: Design, pattern: PatternDesign, items: str, token: str) -> list[str]:
    """The lines that make what the field gives."""
    known = f"shown(item, {literal(design.encoding.type_field)}, entities)"
    kind = returns(pattern)
    if kind == "number":
        ((how, attribute),) = pattern.aggregate.items()
        said = NUMBERS[how].format(literal(attribute))
        return [f"  const items = {items};", f"  return {said};"]
    if kind == "item":
        return [f"  const item = {items}[0];", f"  return {known};"]
    return [f"  return {{ items: {items}.map((item) => {known}), nextToken: {token} }};"]


def unit_read(design: Design, pattern: PatternDesign) -> str:
    (step,) = pattern.reads
    (also,) = requests_of(step)
    found = "[ctx.result].filter((item) => item)" if step.operation == "GetItem" else sliced(step)
    return "\n".join(
        [
            *head(pattern, imported(pattern, "failed", "readRequest")),
            "",
            constant("step", read_values(step)),
            *entities_line(design, pattern),
            "",
            "export function request(ctx) {",
            f"  return readRequest(step, ctx.args, {literal(also)});",
            "}",
            "",
            "export function response(ctx) {",
            "  failed(ctx);",
            *answer(design, pattern, found, "ctx.result.nextToken ?? null"),
            "}",
            "",
        ]
    )


def sliced(step: ReadStep) -> str:
    """A limit that could not be sent because of a filter."""
    return f"ctx.result.items.slice(0, {step.limit})" if step.filters and step.limit else "ctx.result.items"


def imported(pattern: PatternDesign, *names: str) -> str:
    more = () if returns(pattern) == "number" else ("shown",)
    return ", ".join(sorted({*names, *more}))


def entities_line(design: Design, pattern: PatternDesign) -> list[str]:
    return [] if returns(pattern) == "number" else [constant("entities", typed(design))]


def pipeline_read(design: Design, pattern: PatternDesign) -> Resolver:
    functions: list[str] = []
    for at, step in enumerate(pattern.reads):
        functions += [read_function(pattern, step, at, also) for also in requests_of(step)]
    used = {each.keys_from for each in pattern.reads if not each.joins}
    kept = [at for at, each in enumerate(pattern.reads) if at not in used and not each.joins]
    joins = [at for at, each in enumerate(pattern.reads) if each.joins]
    answers = [merged_step(design, pattern, at) for at in kept]
    items = answers[0] if len(answers) == 1 else f"[{', '.join(f'...{each}' for each in answers)}]"
    if joins:
        more = " ".join(f"...ctx.stash.found[{literal(str(at))}]?.[0]?.[0]," for at in joins)
        items = f"{items}.map((item) => ({{ {more} ...item }}))"
    code = [
        *head(pattern, imported(pattern, "merged")),
        *(["", *entities_line(design, pattern)] if returns(pattern) != "number" else []),
        "",
        "export function request(ctx) {",
        "  ctx.stash.found = {};",
        "  return {};",
        "}",
        "",
        "export function response(ctx) {",
        *answer(design, pattern, items, "null"),
        "}",
        "",
    ]
    return Resolver("\n".join(code), tuple(functions))


def merged_step(design: Design, pattern: PatternDesign, at: int) -> str:
    step = pattern.reads[at]
    table = next(each for each in design.tables if each.name == step.table)
    index = next((each for each in (*table.gsis, *table.lsis) if each.name == step.index), None)
    fields = [each.name for each in index.sk] if index is not None else [table.sk.name]
    limit = "null" if step.limit is None else str(step.limit)
    return f"merged(ctx.stash.found[{literal(str(at))}], {literal(fields)}, {literal(step.backwards)}, {limit})"


def read_function(pattern: PatternDesign, step: ReadStep, at: int, also: dict[str, str]) -> str:
    """Keeps what it finds for the resolver, and for a function that takes its keys from it."""
    place = literal(str(at))
    batch = step.operation == "BatchGetItem"
    source = f"ctx.stash.found[{literal(str(step.keys_from))}].flat()" if batch else ""
    request = f"batchRequest(step, {source}, ctx.args)" if batch else f"readRequest(step, ctx.args, {literal(also)})"
    got = {
        "Query": sliced(step),
        "GetItem": "[ctx.result].filter((item) => item)",
        "BatchGetItem": f"batchItems(step, {source}, ctx.result.data[step.table], ctx.args)",
    }[step.operation]
    names = "batchItems, batchRequest, failed" if batch else "failed, readRequest"
    skip = [f"  if (!{source}.length) runtime.earlyReturn([]);"] if batch else []
    return "\n".join(
        [
            *head(pattern, names),
            *(['import { runtime } from "@aws-appsync/utils";'] if batch else []),
            "",
            constant("step", read_values(step)),
            "",
            "export function request(ctx) {",
            *([f"  ctx.stash.found[{place}] = [];"] if batch else []),
            *skip,
            f"  return {request};",
            "}",
            "",
            "export function response(ctx) {",
            "  failed(ctx);",
            f"  ctx.stash.found[{place}] = [...(ctx.stash.found[{place}] ?? []), {got}];",
            "  return ctx.result;",
            "}",
            "",
        ]
    )


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_resolver(design: Design, pattern: PatternDesign) -> Resolver:
    write = write_code(design, pattern)
    if not pattern.reads:
        return Resolver(write)
    functions = [find_function(pattern, step) for step in pattern.reads]
    after = [
        *head(pattern, "failed"),
        "",
        "export function request(ctx) {",
        "  ctx.stash.old = {};",
        "  return {};",
        "}",
        "",
        "export function response(ctx) {",
        "  failed(ctx);",
        "  return true;",
        "}",
        "",
    ]
    return Resolver("\n".join(after), (*functions, write))


def find_function(pattern: PatternDesign, step: ReadStep) -> str:
    """What has to be known before it is written."""
    found = "ctx.result.items" if step.operation == "Query" else "[ctx.result].filter((item) => item)"
    missing = "" if pattern.op == "put" else '  if (!items.length) util.error("there is no such item", "NotFound");'
    return "\n".join(
        [
            *head(pattern, "failed, readRequest"),
            'import { util } from "@aws-appsync/utils";',
            "",
            constant("step", read_values(step)),
            "",
            "export function request(ctx) {",
            f"  return readRequest(step, ctx.args, {literal(requests_of(step)[0])});",
            "}",
            "",
            "export function response(ctx) {",
            "  failed(ctx);",
            f"  const items = {found};",
            *([missing] if missing else []),
            '  if (items.length > 1) util.error("there are several such items", "Ambiguous");',
            f"  ctx.stash.old[{literal(step.entities[0])}] = items[0];",
            "  return ctx.result;",
            "}",
            "",
        ]
    )


def write_code(design: Design, pattern: PatternDesign) -> str:
    steps = [write_values(design, pattern, step) for step in pattern.writes]
    entities = [design.item(step.item).entity for step in pattern.writes]
    put = literal(pattern.op == "put")
    writes = ", ".join(
        f"writeOf(steps[{at}], ctx.args, ctx.stash.old?.[{literal(entity)}], {put})"
        for at, entity in enumerate(entities)
    )
    return "\n".join(
        [
            *head(pattern, "failed, sent, writeOf"),
            "",
            constant("steps", steps),
            "",
            "export function request(ctx) {",
            f"  return sent([{writes}], {literal(pattern.transaction)});",
            "}",
            "",
            "export function response(ctx) {",
            "  failed(ctx);",
            "  return true;",
            "}",
            "",
        ]
    )
