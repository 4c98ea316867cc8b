"""A solution written out as a design: physical tables, item types, and the requests of every pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.design.model import (
    Encoding,
    Index,
    ItemAttribute,
    ItemKeys,
    ItemType,
    KeyField,
    KeyTemplate,
    Parameter,
    PatternDesign,
    Predicted,
    ReadStep,
    SortCondition,
    TableDesign,
)
from tablewright.architect.design.naming import TYPE_FIELD, View, key_fields
from tablewright.architect.design.requests import Request, index_name
from tablewright.architect.spec.volumes import item_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.cost.report import CostReport
    from tablewright.architect.design.templates import Comparison
    from tablewright.architect.solution import Solution
    from tablewright.architect.spec.model import PatternSpec

PLAIN_ENCODING = Encoding(
    delimiter="#",
    text="every character up to U+0024 ($) is written as $ and the character 64 code points further on",
    numbers="a sign digit (1 for zero and above, 0 below), then 26 digits: the number times 1,000,000; below zero"
    " 10^26 is added to it",
    booleans="true or false",
    absent="the key ends before the delimiter of its first absent attribute",
    shard="CRC-32 of the id's encoded values joined by #, modulo the number of shards",
    type_field=TYPE_FIELD,
)


def tables_of(solution: Solution) -> tuple[TableDesign, ...]:
    fields = [key_fields(slot) for slot in range(len(solution.choice.slots))]
    gsis = (Index(name=f"gsi{at}", pk=(KeyField(pk),), sk=(KeyField(sk),)) for at, (pk, sk) in enumerate(fields, 1))
    return (TableDesign(name=solution.spec.name, pk=KeyField("pk"), sk=KeyField("sk"), gsis=tuple(gsis)),)


# ---- items ----------------------------------------------------------------------------------------------------------


def items_of(solution: Solution) -> Iterator[ItemType]:
    for name in solution.spec.entities:
        own = [view for view in solution.names.keys if view.entity == name and not view.is_copy]
        yield item_type(solution, name, name, "entity", own)
        copies = [view for view in solution.names.keys if view.entity == name and view.is_copy]
        for number, view in enumerate(copies, 1):
            yield item_type(solution, name, f"{name}.copy{number}", "copy", [view])


def item_type(solution: Solution, entity: str, name: str, kind: Any, views: list[View]) -> ItemType:
    facts, spec = solution.facts, solution.spec.entities[entity]
    return ItemType(
        name=name,
        entity=entity,
        kind=kind,
        table=solution.spec.name,
        id=spec.id,
        attributes=tuple(
            ItemAttribute(
                name=each.name,
                type=each.type,
                required=each.name in facts.present[entity],
                changes=each.name in facts.changing[entity],
                values=each.values,
            )
            for each in spec.attributes.values()
        ),
        keys=tuple(item_keys(solution, view) for view in views),
        fixed={TYPE_FIELD: entity},
        ttl_days=spec.ttl.days if spec.ttl else None,
        expected_bytes=item_bytes(facts, entity),
        expected_count=facts.counts[entity],
        notes=spec.notes,
    )


def item_keys(solution: Solution, view: View) -> ItemKeys:
    keys = solution.names.keys[view]
    return ItemKeys(
        index=index_name(view.slot),
        partition=view.shape.partition,
        lead=view.shape.lead,
        rest=view.shape.rest,
        pk=(KeyTemplate(keys.pk.field, keys.pk.text),),
        sk=(KeyTemplate(keys.sk.field, keys.sk.text),),
        shards=solution.names.shards[view],
    )


# ---- patterns -------------------------------------------------------------------------------------------------------


def patterns_of(solution: Solution, cost: CostReport) -> Iterator[PatternDesign]:
    costs = {each.pattern: each for each in cost.patterns}
    for pattern in solution.spec.patterns:
        line = costs[pattern.id]
        yield PatternDesign(
            id=pattern.id,
            description=pattern.description,
            kind=pattern.kind,
            op=pattern.op,
            entities=pattern.entities,
            parameters=tuple(parameters_of(solution, pattern)),
            reads=(read_step(solution, solution.requests[pattern.id]),) if pattern.is_read else (),
            sorted_by=tuple((each.attr, each.order) for each in pattern.sort),
            returns=pattern.returns,
            consistency=pattern.consistency,
            predicted=Predicted(
                requests=line.prediction.requests,
                items=line.prediction.items,
                rcu=line.prediction.rcu,
                wcu=line.prediction.wcu,
                usd_per_month=line.usd_per_month,
            ),
        )


def parameters_of(solution: Solution, pattern: PatternSpec) -> Iterator[Parameter]:
    for name in (*pattern.by, *(each for each in pattern.filter if each not in pattern.by)):
        yield parameter(solution, pattern, name, name)
    if pattern.range is not None:
        for name in ("from", "to") if pattern.range.op == "between" else ("value",):
            yield parameter(solution, pattern, name, pattern.range.attr)


def parameter(solution: Solution, pattern: PatternSpec, name: str, attribute: str) -> Parameter:
    entities = solution.spec.entities
    spec = next(
        (entities[each].attributes[attribute] for each in pattern.entities if attribute in entities[each].attributes),
        None,
    )
    if spec is None:
        return Parameter(name=name)
    return Parameter(name=name, type=spec.type, attribute=attribute, values=spec.values)


def read_step(solution: Solution, request: Request) -> ReadStep:
    return ReadStep(
        operation=request.operation,
        table=solution.spec.name,
        index=request.index,
        pk=(KeyTemplate(request.pk_field, request.pk),),
        sk=(sort_condition(request.sk_field, request.sk),) if request.sk is not None else (),
        filters=request.filters,
        backwards=request.backwards,
        limit=request.limit,
        consistent=request.consistent,
        entities=request.entities,
        shards=request.shards,
        shard_of=request.id,
    )


def sort_condition(field: str, comparison: Comparison) -> SortCondition:
    operator: Any = comparison.operator
    return SortCondition(field=field, operator=operator, low=comparison.low, high=comparison.high or None)


def as_data(design: Any) -> Any:
    """Plain values, as they stand in design.json."""
    return msgspec.to_builtins(design)
