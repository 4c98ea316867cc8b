"""One resolver for every access pattern; several requests become a pipeline with one function each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.appsync.steps import entity_of, read_script, requests_of, rule_script, write_script
from tablewright.codegen.functions import about_in_short, returns
from tablewright.codegen.typescript.literals import comment, literal
from tablewright.design.steps.lists import blocks_of, limit_of, lists_of

if TYPE_CHECKING:
    from tablewright.design.model import Design, PatternDesign
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import Read

_EXTREME = (
    "items.reduce((found, item) => (item[{{0}}] !== undefined && (found === null || item[{{0}}] {} found)"
    " ? item[{{0}}] : found), null)"
)
_NUMBERS = {
    "count": "items.length",
    "sum": "items.reduce((total, item) => total + (item[{0}] ?? 0), 0)",
    "max": _EXTREME.format(">"),
    "min": _EXTREME.format("<"),
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
    return {
        str(each.fixed.get(field, each.name)): each.entity
        for each in design.items
        if each.kind not in ("total", "trailing")
    }


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
    """One request; a query goes on with a token, but a number has to be made of all items.

    Where an item lies beside the list, the token may lie behind one that is not counted any more: there is none.
    """
    (also,) = requests_of(step)
    is_paged = returns(pattern) == "items" and step.operation == "Query" and not step.beside
    request, found, names = _request_code(step, _keys_code(step), literal(also), is_paged=is_paged)
    page = [f"  const page = {found};"] if is_paged else []
    items, token = ("page.items", "page.nextToken") if is_paged else (found, "null")
    return "\n".join(
        [
            *_head(pattern, _imports(pattern, "failed", *names)),
            *_runtime_import(step),
            "",
            _constant("step", read_script(step) | _beside_script(design, step)),
            *_entities_lines(design, pattern),
            "",
            "export function request(ctx) {",
            *_skip_lines(step, _keys_code(step)),
            f"  return {request};",
            "}",
            "",
            "export function response(ctx) {",
            "  failed(ctx);",
            *page,
            *_answer_lines(design, pattern, items, token),
            "}",
            "",
        ]
    )


def _beside_script(design: Design, step: Read) -> dict[str, Any]:
    """How to tell the item that lies beside a list."""
    if not step.beside:
        return {}
    labels = [label for label, entity in _entities_by_label(design).items() if entity == step.beside]
    return {"beside": {"field": design.encoding.type_field, "labels": labels}}


def _request_code(step: Read, source: str, also: str, *, is_paged: bool) -> tuple[str, str, list[str]]:
    """What sends a request, what its response found, and the functions of the two; `source` gives a batch its keys."""
    if step.operation == "BatchGetItem":
        found = f"batchItems(step, {source}, ctx.result, ctx.args)"
        return f"batchRequest(step, {source}, ctx.args)", found, ["batchItems", "batchRequest"]
    request = f"readRequest(step, ctx.args, {also}, {literal(is_paged)})"
    if step.operation == "GetItem":
        return request, "single(step, ctx.result)", ["readRequest", "single"]
    function = "paged" if is_paged else "whole"
    return request, f"{function}(step, ctx.args, ctx.result)", ["readRequest", function]


def _keys_code(step: Read) -> str:
    """What gives a batch its keys: a list of the caller's, or an earlier request."""
    return f"ctx.args[{literal(step.each)}]" if step.each else f"ctx.stash.found[{literal(str(step.keys_from))}].flat()"


def _found_code(compiled: Compiled, steps: tuple[Read, ...], step: Read) -> str:
    """What gives a step of a pipeline its keys: where the limit is one of entries, these are cut before."""
    if step.keys_from is None:
        return _keys_code(step)
    earlier = steps[step.keys_from]
    several = len(requests_of(earlier)) > 1
    found = _merge_call(compiled, earlier, step.keys_from) if several else _keys_code(step)
    limit = literal(limit_of(steps, [step.keys_from]))
    return f"cut({found}, ctx.args.limit ?? {limit})" if step.counts_gone else found


def _skip_lines(step: Read, source: str) -> list[str]:
    """DynamoDB takes no batch of nothing."""
    if step.operation != "BatchGetItem":
        return []
    nothing = "{ items: [], nextToken: null }" if step.each else "[]"
    return [f"  if (!{source}.length) runtime.earlyReturn({nothing});"]


def _runtime_import(step: Read) -> list[str]:
    return ['import { runtime } from "@aws-appsync/utils";'] if step.operation == "BatchGetItem" else []


def _imports(pattern: PatternDesign, *names: str) -> str:
    more = () if returns(pattern) == "number" else ("shown",)
    return ", ".join(sorted({*names, *more}))


def _entities_lines(design: Design, pattern: PatternDesign) -> list[str]:
    return [] if returns(pattern) == "number" else [_constant("entities", _entities_by_label(design))]


def _pipeline_read(design: Design, compiled: Compiled, pattern: PatternDesign) -> _Resolver:
    steps = compiled.reads[pattern.id]
    functions = [
        _read_function(pattern, step, _found_code(compiled, steps, step), at, also)
        for at, step in enumerate(steps)
        for also in requests_of(step)
    ]
    items = _lists_code(compiled, steps)
    names = [each for each in ("cut", "merged", "ordered") if f"{each}(" in items]
    code = [
        *_head(pattern, _imports(pattern, *names)),
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


def _lists_code(compiled: Compiled, steps: tuple[Read, ...]) -> str:
    """All lists, each as long as its limit: the caller's, or its own."""
    found: list[str] = []
    lists = lists_of(steps)
    for answering in lists:
        blocks = [_block_code(compiled, steps, strands) for strands in blocks_of(steps, answering)]
        items = _joined(blocks)
        limit = limit_of(steps, answering)
        is_cut = len(lists) == 1 or limit is not None
        found.append(f"cut({items}, ctx.args.limit ?? {literal(limit)})" if is_cut else items)
    return _joined(found)


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"[{', '.join(f'...{each}' for each in parts)}]"


def _block_code(compiled: Compiled, steps: tuple[Read, ...], strands: list[list[int]]) -> str:
    lists = [_joined([_merge_call(compiled, steps[at], at) for at in strand]) for strand in strands]
    merge = steps[strands[-1][0]].merges
    if merge is None:
        return lists[0]
    said = literal({"attributes": list(merge.attributes), "absentFirst": merge.absent_first})
    return f"ordered([{', '.join(lists)}], {said}, {literal(steps[strands[0][0]].backwards)})"


def _merge_call(compiled: Compiled, step: Read, at: int) -> str:
    fields = compiled.stored.place(step.table, step.index).sort
    return f"merged(ctx.stash.found[{literal(str(at))}], {literal(list(fields))}, {literal(step.backwards)})"


def _read_function(pattern: PatternDesign, step: Read, source: str, at: int, also: dict[str, str]) -> str:
    """Keeps what it finds for the resolver, and for a function that takes its keys from it."""
    place = literal(str(at))
    request, got, names = _request_code(step, source, literal(also), is_paged=False)
    is_batch = step.operation == "BatchGetItem"
    names += [each for each in ("cut", "merged") if is_batch and f"{each}(" in source]
    return "\n".join(
        [
            *_head(pattern, ", ".join(sorted(["failed", *names]))),
            *_runtime_import(step),
            "",
            _constant("step", read_script(step)),
            "",
            "export function request(ctx) {",
            *([f"  ctx.stash.found[{place}] = [];"] if is_batch else []),
            *_skip_lines(step, source),
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
    request, found, names = _request_code(step, _keys_code(step), literal(requests_of(step)[0]), is_paged=False)
    may_miss = pattern.op == "put" or step.optional
    missing = "" if may_miss else '  if (!items.length) util.error("there is no such item", "NotFound");'
    return "\n".join(
        [
            *_head(pattern, ", ".join(sorted(["failed", *names]))),
            'import { util } from "@aws-appsync/utils";',
            "",
            _constant("step", read_script(step)),
            "",
            "export function request(ctx) {",
            f"  return {request};",
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
    steps = [write_script(compiled, writing, step) for step in writing.writes]
    given = "args" if writing.rules else "ctx.args"
    ruled = ["  const args = withRules(rules, ctx.args);"] if writing.rules else []
    writes = ", ".join(
        f"writeOf(steps[{at}], {given}, ctx.stash.old?.[{literal(entity_of(compiled, step))}])"
        for at, step in enumerate(writing.writes)
    )
    return "\n".join(
        [
            *_head(pattern, "failed, sent, withRules, writeOf" if writing.rules else "failed, sent, writeOf"),
            "",
            _constant("steps", steps),
            *([_constant("rules", [rule_script(each) for each in writing.rules])] if writing.rules else []),
            "",
            "export function request(ctx) {",
            *ruled,
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
