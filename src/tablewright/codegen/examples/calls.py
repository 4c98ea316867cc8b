"""The requests of a pattern for the design's own sample items, as DynamoDB's parameters with plain values.

A step that asks several partitions (shards, values, buckets) is shown for the first of them, and says how many there
are; one that takes its keys from what an earlier step found is shown for that step's sample item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.examples.marks import Marks, filter_texts
from tablewright.codegen.examples.values import derived, filled, inputs_of, sample_of
from tablewright.codegen.examples.writes import Call, write_calls
from tablewright.design.buckets import BUCKET
from tablewright.design.templates import SHARD

if TYPE_CHECKING:
    from tablewright.codegen.examples.values import Values
    from tablewright.design.model import Design, PatternDesign, ReadStep, SortCondition


def read_calls(design: Design, pattern: PatternDesign) -> list[Call]:
    given = inputs_of(design, pattern)
    return [read_call(design, pattern, step, given) for step in pattern.reads]


def calls_to_write(design: Design, pattern: PatternDesign) -> list[Call]:
    return write_calls(design, pattern, inputs_of(design, pattern))


def read_call(design: Design, pattern: PatternDesign, step: ReadStep, given: Values) -> Call:
    values, note = first_partition(design, step, {**given, **source_of(design, pattern, step)})
    key = {each.field: filled(design, each.template, values) for each in step.pk}
    if step.operation == "Query":
        return Call(operation="Query", params=query_params(design, step, key, values), note=note)
    whole = key | {each.field: filled(design, each.low, values) for each in step.sk}
    consistent: dict[str, Any] = {"ConsistentRead": True} if step.consistent else {}
    if step.operation == "BatchGetItem":
        asked = {"RequestItems": {step.table: {"Keys": [whole], **consistent}}}
        return Call(operation="BatchGetItem", params=asked, note="up to 100 keys at once")
    marks = Marks()
    shown = {"ProjectionExpression": ", ".join(marks.name(name) for name in step.projection)} if step.projection else {}
    params = {"TableName": step.table, "Key": whole, **consistent, **shown, **marks.params()}
    return Call(operation="GetItem", params=params, note=note)


def source_of(design: Design, pattern: PatternDesign, step: ReadStep) -> dict[str, Any]:
    """What an earlier step is taken to have found, keys and all."""
    if step.keys_from is None:
        return {}
    entity = pattern.reads[step.keys_from].entities[0]
    stored = next(each.sample for each in design.items if entity in (each.name, each.entity))
    return {**stored, **sample_of(design, entity)}


def first_partition(design: Design, step: ReadStep, values: Values) -> tuple[Values, str]:
    ids = step.shard_of if step.operation != "Query" else ()
    found = dict(derived(design, values, ids, step.shards if ids else 1, step.bucket))
    asked: list[str] = []
    for name, listed in step.for_each.items():
        if name == BUCKET:
            timestamp, _, length = (step.bucket or "").partition(":")
            found[BUCKET] = str(values.get("from") or values.get(timestamp))[: int(length)]
            asked.append("every bucket between the ends of the range")
        else:
            found[name] = listed[0]
            asked.append(f"every {name} of {', '.join(listed)}")
    if step.shards > 1 and SHARD not in found:
        found[SHARD] = "0"
        asked.append(f"every shard from 0 to {step.shards - 1}")
    return found, f"asked for {' and '.join(asked)}, and merged" if asked else ""


def query_params(design: Design, step: ReadStep, key: Values, values: Values) -> dict[str, Any]:
    marks = Marks()
    pieces = [f"{marks.name(name)} = {marks.value(value)}" for name, value in key.items()]
    pieces += [sort_text(design, each, values, marks) for each in step.sk]
    params: dict[str, Any] = {"TableName": step.table}
    if step.index is not None:
        params["IndexName"] = step.index
    params["KeyConditionExpression"] = " AND ".join(pieces)
    if step.filters:
        params["FilterExpression"] = " AND ".join(filter_texts(step.filters, values, marks))
    if step.projection:
        params["ProjectionExpression"] = ", ".join(marks.name(name) for name in step.projection)
    if step.backwards:
        params["ScanIndexForward"] = False
    if step.limit is not None and not step.filters:
        params["Limit"] = step.limit
    if step.consistent:
        params["ConsistentRead"] = True
    return params | marks.params()


def sort_text(design: Design, condition: SortCondition, values: Values, marks: Marks) -> str:
    name, low = marks.name(condition.field), marks.value(filled(design, condition.low, values))
    match condition.operator:
        case "begins_with":
            return f"begins_with({name}, {low})"
        case "between":
            return f"{name} BETWEEN {low} AND {marks.value(filled(design, condition.high or '', values))}"
        case _:
            return f"{name} {condition.operator} {low}"
