"""One resolver for every access pattern; several requests become a pipeline with one function each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.appsync.steps import read_script, requests_of, write_script
from tablewright.codegen.functions import about_in_short, returns
from tablewright.codegen.typescript.literals import comment, literal
from tablewright.design.steps.lists import answering_steps

if TYPE_CHECKING:
    from tablewright.design.model import Design, PatternDesign
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import Read

_NUMBERS = {
    "count": "items.length",
    "sum": "items.reduce((total, item) => total + (item[{0}] ?? 0), 0)",
    "max": "items.reduce((most, item) => (most === null || item[{0}] > most ? item[{0}] : most), null)",
    "min": "items.reduce((least, item) => (least === null || item[{0}] < least ? item[{0}] : least), null)",
    "total": "items[0]?.[{0}] ?? 0",
}


class _Resolver(msgspec.Struct, frozen=True):
    """The code of a field, and of its pipeline's functions where it has one."""

    code: str
    functions: tuple[str, ...] = ()


def resolver_of(design: Design, compiled: Compiled, pattern: PatternDesign) -> _Resolver:
    if pattern.kind == "write":
        return _write_resolver(compiled, pattern)
    steps = compiled.reads[pattern.id]
    if sum(len(requests_of(step)) for step in steps) == 1:
        return _Resolver(_unit_read(design, pattern, steps[0]))
    return _pipeline_read(design, compiled, pattern)


def _head(pattern: PatternDesign, imports: str, depth: str = "../") -> list[str]:
    about = comment([f"{pattern.id}: {about_in_short(pattern)}"])
    return [about, "", f'import {{ {imports} }} from "{depth}support.js";']


def _constant(name: str, value: Any) -> str:
    return f"const {name} = {literal(value, 0, 10 + len(name))};"


def _entities_by_label(design: Design) -> dict[str, str]:
    """By what stored items say they are: the GraphQL type."""
    field = design.encoding.type_field
    return {str(each.fixed.get(field, each.name)): each.entity for each in design.items if each.kind != "total"}


def _answer_lines(design: Design, pattern: PatternDesign, items: str, token: str) -> list[str]:
    """The lines that make what the field gives."""
    known = f"shown(item, {literal(design.encoding.type_field)}, entities)"
    kind = returns(pattern)
    if kind == "number":
        ((how, attribute),) = pattern.aggregate.items()
        said = _NUMBERS[how].format(literal(attribute))
        return [f"  const items = {items};", f"  return {said};"]
    if kind == "item":
        return [f"  const item = {items}[0];", f"  return {known};"]
    return [f"  return {{ items: {items}.map((item) => {known}), nextToken: {token} }};"]


def _unit_read(design: Design, pattern: PatternDesign, step: Read) -> str:
    (also,) = requests_of(step)
    found = "[ctx.result].filter((item) => item)" if step.operation == "GetItem" else _cut(step)
    return "\n".join(
        [
            *_head(pattern, _imports(pattern, "failed", "readRequest")),
            "",
            _constant("step", read_script(step)),
            *_entities_lines(design, pattern),
            "",
            "export function request(ctx) {",
            f"  return readRequest(step, ctx.args, {literal(also)});",
            "}",
            "",
            "export function response(ctx) {",
            "  failed(ctx);",
            *_answer_lines(design, pattern, found, "ctx.result.nextToken ?? null"),
            "}",
            "",
        ]
    )


def _cut(step: Read) -> str:
    """A limit that could not be sent because of a filter."""
    return f"ctx.result.items.slice(0, {step.limit})" if step.filter and step.limit else "ctx.result.items"


def _imports(pattern: PatternDesign, *names: str) -> str:
    more = () if returns(pattern) == "number" else ("shown",)
    return ", ".join(sorted({*names, *more}))


def _entities_lines(design: Design, pattern: PatternDesign) -> list[str]:
    return [] if returns(pattern) == "number" else [_constant("entities", _entities_by_label(design))]


def _pipeline_read(design: Design, compiled: Compiled, pattern: PatternDesign) -> _Resolver:
    steps = compiled.reads[pattern.id]
    functions = [_read_function(pattern, step, at, also) for at, step in enumerate(steps) for also in requests_of(step)]
    answers = [_merge_call(compiled, steps[at], at) for at in answering_steps(steps)]
    items = answers[0] if len(answers) == 1 else f"[{', '.join(f'...{each}' for each in answers)}]"
    joins = [at for at, each in enumerate(steps) if each.joins]
    if joins:
        more = " ".join(f"...ctx.stash.found[{literal(str(at))}]?.[0]?.[0]," for at in joins)
        items = f"{items}.map((item) => ({{ {more} ...item }}))"
    code = [
        *_head(pattern, _imports(pattern, "merged")),
        *(["", *_entities_lines(design, pattern)] if returns(pattern) != "number" else []),
        "",
        "export function request(ctx) {",
        "  ctx.stash.found = {};",
        "  return {};",
        "}",
        "",
        "export function response(ctx) {",
        *_answer_lines(design, pattern, items, "null"),
        "}",
        "",
    ]
    return _Resolver("\n".join(code), tuple(functions))


def _merge_call(compiled: Compiled, step: Read, at: int) -> str:
    fields = compiled.stored.place(step.table, step.index).sort
    limit = "null" if step.limit is None else str(step.limit)
    return f"merged(ctx.stash.found[{literal(str(at))}], {literal(list(fields))}, {literal(step.backwards)}, {limit})"


def _read_function(pattern: PatternDesign, step: Read, at: int, also: dict[str, str]) -> str:
    """Keeps what it finds for the resolver, and for a function that takes its keys from it."""
    place = literal(str(at))
    batch = step.operation == "BatchGetItem"
    source = f"ctx.stash.found[{literal(str(step.keys_from))}].flat()" if batch else ""
    request = f"batchRequest(step, {source}, ctx.args)" if batch else f"readRequest(step, ctx.args, {literal(also)})"
    got = {
        "Query": _cut(step),
        "GetItem": "[ctx.result].filter((item) => item)",
        "BatchGetItem": f"batchItems(step, {source}, ctx.result.data[step.table], ctx.args)",
    }[step.operation]
    names = "batchItems, batchRequest, failed" if batch else "failed, readRequest"
    skip = [f"  if (!{source}.length) runtime.earlyReturn([]);"] if batch else []
    return "\n".join(
        [
            *_head(pattern, names),
            *(['import { runtime } from "@aws-appsync/utils";'] if batch else []),
            "",
            _constant("step", read_script(step)),
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


def _write_resolver(compiled: Compiled, pattern: PatternDesign) -> _Resolver:
    write = _write_code(compiled, pattern)
    reads = compiled.reads[pattern.id]
    if not reads:
        return _Resolver(write)
    functions = [_find_function(pattern, step) for step in reads]
    after = [
        *_head(pattern, "failed"),
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
    return _Resolver("\n".join(after), (*functions, write))


def _find_function(pattern: PatternDesign, step: Read) -> str:
    """What has to be known before it is written."""
    found = "ctx.result.items" if step.operation == "Query" else "[ctx.result].filter((item) => item)"
    missing = "" if pattern.op == "put" else '  if (!items.length) util.error("there is no such item", "NotFound");'
    return "\n".join(
        [
            *_head(pattern, "failed, readRequest"),
            'import { util } from "@aws-appsync/utils";',
            "",
            _constant("step", read_script(step)),
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


def _write_code(compiled: Compiled, pattern: PatternDesign) -> str:
    writing = compiled.writings[pattern.id]
    kinds = [compiled.stored.types[step.item] for step in writing.writes]
    steps = [write_script(writing, step, kind) for step, kind in zip(writing.writes, kinds, strict=True)]
    put = literal(writing.op == "put")
    writes = ", ".join(
        f"writeOf(steps[{at}], ctx.args, ctx.stash.old?.[{literal(kind.entity)}], {put})"
        for at, kind in enumerate(kinds)
    )
    return "\n".join(
        [
            *_head(pattern, "failed, sent, writeOf"),
            "",
            _constant("steps", steps),
            "",
            "export function request(ctx) {",
            f"  return sent([{writes}], {literal(writing.transaction)});",
            "}",
            "",
            "export function response(ctx) {",
            "  failed(ctx);",
            "  return true;",
            "}",
            "",
        ]
    )
