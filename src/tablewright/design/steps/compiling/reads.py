"""The reads of a pattern, compiled."""

from __future__ import annotations

from typing import Any

from tablewright.design import model as designed
from tablewright.design.layout import forms
from tablewright.design.steps.compiling.expressions import (
    Marks,
    compile_template,
    compile_templates,
    compile_value,
)
from tablewright.design.steps.compiling.items import compile_bucket, places_of
from tablewright.design.steps.model import (
    NOW,
    Demand,
    Expression,
    Merge,
    Packed,
    Read,
    Unfold,
)
from tablewright.design.values.templates import PACKED
from tablewright.expr import nodes
from tablewright.spec.conditions import Comparison, Predicate, absent, compare, join

_SORTS = {
    "begins_with": "begins_with({name}, {low})",
    "between": "{name} BETWEEN {low} AND {high}",
}


def compile_reads(
    design: designed.Design, pattern: designed.PatternDesign
) -> tuple[Read, ...]:
    return tuple(compile_read(design, each) for each in pattern.reads)


def compile_read(design: designed.Design, step: designed.ReadStep) -> Read:
    marks = Marks()
    is_query = step.operation == "Query"
    is_at_hand = not is_query or step.unfold is not None
    key = compile_templates(step.pk)
    key |= {each.field: compile_template(each.low) for each in step.sk}
    return Read(
        operation=step.operation,
        table=step.table,
        index=step.index,
        key={} if is_query else key,
        condition=_compile_condition(step, marks) if is_query else Expression(""),
        filter=None if is_at_hand else _compile_filter(step, marks),
        demands=tuple(map(_compile_comparison, step.filters)) if is_at_hand else (),
        projection=_compile_projection(design, step, marks),
        backwards=step.backwards,
        limit=step.limit,
        beside=step.beside,
        sends_limit=is_at_hand or not step.filters,
        consistent=step.consistent,
        copies=step.copies,
        shards=step.shards,
        shard_of=step.shard_of if step.shards > 1 else (),
        for_each=dict(step.for_each),
        bucket=compile_bucket(step.bucket),
        since=step.since or "",
        longest=step.longest,
        entities=step.entities,
        keys_from=step.keys_from,
        joins=step.joins,
        takes=dict(step.takes),
        unfold=_compile_unfold(design, step),
        optional=step.optional,
        continues=step.continues,
        merges=_compile_merge(step.merges),
        unexpired=step.unexpired or "",
        each=step.each,
        counts_gone=step.counts_gone,
    )


def _compile_merge(merge: forms.Merge | None) -> Merge | None:
    if merge is None:
        return None
    return Merge(merge.attributes, absent_first=merge.absent == "first")


def _compile_filter(step: designed.ReadStep, marks: Marks) -> Expression | None:
    if step.unexpired is None:
        return marks.condition(join(*step.filters))
    later = compare(step.unexpired, ">", nodes.Slot(NOW))
    unexpired = Predicate(nodes.Or((absent(step.unexpired).tree, later.tree)))
    return marks.condition(join(*step.filters, unexpired))


def _compile_condition(step: designed.ReadStep, marks: Marks) -> Expression:
    pieces = [
        f"{marks.name([each.field])} = {marks.value(compile_template(each.template))}"
        for each in step.pk
    ]
    for each in step.sk:
        name, low = marks.name([each.field]), marks.value(compile_template(each.low))
        high = "" if each.high is None else marks.value(compile_template(each.high))
        written = _SORTS.get(each.operator, f"{{name}} {each.operator} {{low}}")
        pieces.append(written.format(name=name, low=low, high=high))
    return marks.expression(" AND ".join(pieces))


def _compile_projection(
    design: designed.Design, step: designed.ReadStep, marks: Marks
) -> Expression | None:
    """What is asked for, and the keys that a page has to begin behind."""
    if not step.projection:
        return None
    table = next(each for each in design.tables if each.name == step.table)
    names = dict.fromkeys((*step.projection, *places_of(table)[step.index].all))
    return marks.expression(", ".join(marks.name([name]) for name in names))


def _compile_comparison(predicate: Predicate) -> Demand:
    found: Comparison = predicate.comparison
    operator: Any = found.operator
    return Demand(found.attribute, operator, tuple(map(compile_value, found.values)))


def _compile_unfold(design: designed.Design, step: designed.ReadStep) -> Unfold | None:
    if step.unfold is None:
        return None
    if step.unfold == PACKED:
        return _compile_packed(design, step)
    kind = next(
        each
        for each in design.items
        if each.inside == step.unfold and each.entity in step.entities
    )
    return Unfold(kind.inside, kind.name, kind.holder in step.entities)


def _compile_packed(design: designed.Design, step: designed.ReadStep) -> Unfold:
    kind = next(
        each
        for each in design.items
        if each.kind == "packed" and each.entity in step.entities
    )
    shared = tuple(name for name in kind.id if name != kind.entry)
    label = kind.fixed.get(design.encoding.type_field, kind.name)
    return Unfold("", label, packed=Packed(kind.entry, shared, max(1, kind.entries)))
