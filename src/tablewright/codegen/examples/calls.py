"""The requests of a pattern for the design's own sample items, as DynamoDB's parameters with plain values.

A step that asks several partitions (shards, values, buckets) is shown for the first of them, and says how many there
are; one that takes its keys from what an earlier step found is shown for that step's sample item.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.design.buckets import BUCKET, with_bucket
from tablewright.architect.design.encoding import key_text
from tablewright.architect.design.keys.views import SHARD
from tablewright.architect.design.naming import shard_of
from tablewright.architect.design.writes.conditions import read_expression
from tablewright.codegen.functions import Placeholder, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.design.model import (
        Design,
        ItemType,
        Parameter,
        PatternDesign,
        ReadStep,
        SortCondition,
        WriteStep,
    )
    from tablewright.architect.design.requests import Filter

Values = Mapping[str, Any]
COMPARISONS = {"=": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
EXAMPLES: dict[str, Any] = {"number": 1, "boolean": True, "timestamp": "2026-01-31T12:00:00.000Z"}


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One request; `note` says what the example leaves out."""

    operation: str
    params: dict[str, Any]
    note: str = ""


def calls_of(design: Design, pattern: PatternDesign) -> list[Call]:
    given = inputs_of(design, pattern)
    reads = [read_call(design, pattern, step, given) for step in pattern.reads]
    return [*reads, *(write_call(design, step, given) for step in pattern.writes)]


# ---- values ---------------------------------------------------------------------------------------------------------


def sample_of(design: Design, entity: str) -> dict[str, Any]:
    """All that is known of the entity's sample, wherever it is stored."""
    found: dict[str, Any] = {}
    for item in reversed(design.items):
        if item.entity == entity and item.kind in ("entity", "detail", "embedded"):
            found |= dict(item.sample)
    return found


def inputs_of(design: Design, pattern: PatternDesign) -> dict[str, Any]:
    """A value for every parameter, from the samples."""
    return {each.name: input_value(design, pattern, each) for each in pattern.parameters}


def input_value(design: Design, pattern: PatternDesign, parameter: Parameter) -> Any:
    if parameter.each:
        return [sample_of(design, parameter.entity or parameter.name)]
    for entity in (parameter.entity, *pattern.entities):
        sample = sample_of(design, entity) if entity is not None else {}
        if parameter.attribute in sample:
            return sample[parameter.attribute]
    return parameter.values[0] if parameter.values else EXAMPLES.get(parameter.type, f"{parameter.name}-1")


def filled(design: Design, template: str, values: Values) -> Any:
    """Text up to the first absent value; a template of nothing but a name is the value as it is."""
    parts = list(parts_of(template))
    if len(parts) == 1 and isinstance(parts[0], Placeholder):
        return value_of(parts[0], values)
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        value = value_of(part, values)
        if value is None:
            return text
        text += str(value) if part.name in (SHARD, BUCKET) else key_text(value, design.key_style)
    return text


def value_of(part: Placeholder, values: Values) -> Any:
    return values.get(f"old.{part.name}" if part.old else part.name)


# ---- expressions ----------------------------------------------------------------------------------------------------


class Marks:
    """Names and values of one request."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def name(self, attribute: str) -> str:
        mark = "#" + "".join(each if each.isalnum() else "_" for each in attribute)
        self.names[mark] = attribute
        return mark

    def value(self, value: Any) -> str:
        mark = f":v{len(self.values)}"
        self.values[mark] = value
        return mark

    def params(self) -> dict[str, Any]:
        found = {"ExpressionAttributeNames": self.names, "ExpressionAttributeValues": self.values}
        return {name: each for name, each in found.items() if each}


def filter_texts(filters: tuple[Filter, ...], values: Values, marks: Marks) -> Iterator[str]:
    for each in filters:
        name = marks.name(each.attribute)
        used = [marks.value(filter_value(value, values)) for value in each.values]
        match each.operator:
            case "in":
                yield f"{name} IN ({', '.join(used)})"
            case "between":
                yield f"{name} BETWEEN {used[0]} AND {used[1]}"
            case "begins_with":
                yield f"begins_with({name}, {used[0]})"
            case _:
                yield f"{name} {COMPARISONS[each.operator]} {used[0]}"


def filter_value(value: Any, values: Values) -> Any:
    parts = list(parts_of(value)) if isinstance(value, str) else []
    return values.get(parts[0].name) if len(parts) == 1 and isinstance(parts[0], Placeholder) else value


def condition_text(text: str, values: Values, marks: Marks) -> str:
    found = read_expression(text)
    shown = {mark: marks.value(values.get(name)) for mark, name in found.parameters.items()}
    shown |= {mark: marks.value(value) for mark, value in found.literals.items()}
    shown |= {mark: marks.name(name) for mark, name in found.names.items()}
    written = found.text
    for mark in sorted(shown, key=len, reverse=True):
        written = written.replace(mark, f"\0{shown[mark]}\0")
    return written.replace("\0", "")


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_call(design: Design, pattern: PatternDesign, step: ReadStep, given: Values) -> Call:
    values, note = first_partition(design, step, {**source_of(design, pattern, step), **given})
    key = {each.field: filled(design, each.template, values) for each in step.pk}
    if step.operation == "Query":
        return Call(operation="Query", params=query_params(design, step, key, values), note=note)
    whole = key | {each.field: filled(design, each.low, values) for each in step.sk}
    if step.operation == "BatchGetItem":
        asked = {"Keys": [whole], **({"ConsistentRead": True} if step.consistent else {})}
        return Call(
            operation="BatchGetItem", params={"RequestItems": {step.table: asked}}, note="up to 100 keys at once"
        )
    params: dict[str, Any] = {"TableName": step.table, "Key": whole}
    return Call(operation="GetItem", params=params | ({"ConsistentRead": True} if step.consistent else {}), note=note)


def source_of(design: Design, pattern: PatternDesign, step: ReadStep) -> dict[str, Any]:
    """What an earlier step is taken to have found."""
    if step.keys_from is None:
        return {}
    return sample_of(design, pattern.reads[step.keys_from].entities[0])


def first_partition(design: Design, step: ReadStep, values: Values) -> tuple[Values, str]:
    found = dict(with_bucket(values, step.bucket))
    asked: list[str] = []
    for name, listed in step.for_each.items():
        if name == BUCKET:
            found |= with_bucket({(step.bucket or "").partition(":")[0]: values.get("from")}, step.bucket)
            asked.append("every bucket between the ends of the range")
        else:
            found[name] = listed[0]
            asked.append(f"every {name} of {', '.join(listed)}")
    if step.shards > 1:
        known = step.operation == "GetItem" and all(values.get(name) is not None for name in step.shard_of)
        texts = [key_text(values[name], design.key_style) for name in step.shard_of] if known else []
        found[SHARD] = shard_of(texts, step.shards) if known else "0"
        if not known:
            asked.append(f"every shard from 0 to {step.shards - 1}")
    return found, f"asked for {' and '.join(asked)}, and merged" if asked else ""


def query_params(design: Design, step: ReadStep, key: Mapping[str, Any], values: Values) -> dict[str, Any]:
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


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_call(design: Design, step: WriteStep, given: Values) -> Call:
    item = next(each for each in design.items if each.name == step.item)
    sample = sample_of(design, item.entity)
    element: Values = given[step.each][0] if step.each else {}
    values = with_keys(
        design, item, {**sample, **{f"old.{name}": value for name, value in sample.items()}, **given, **element}
    )
    marks = Marks()
    key = {each.field: filled(design, each.template, values) for each in step.key}
    params: dict[str, Any] = {"TableName": step.table}
    if step.operation == "PutItem":
        params["Item"] = put_item(design, item, step, key, values)
    else:
        params["Key"] = key
    if step.operation == "UpdateItem":
        params["UpdateExpression"] = update_text(design, step, values, marks)
    conditions = [condition_text(step.condition, values, marks)] if step.condition else []
    conditions += [f"{marks.name(name)} = {marks.value(sample[name])}" for name in step.unchanged if name in sample]
    if conditions:
        params["ConditionExpression"] = " AND ".join(conditions)
    return Call(operation=step.operation, params=params | marks.params(), note=step.why)


def with_keys(design: Design, item: ItemType, values: Values) -> Values:
    own = next(each for each in item.keys if each.index is None)
    found = with_bucket(values, own.bucket)
    if own.shards > 1 and all(values.get(name) is not None for name in item.id):
        texts = [key_text(values[name], design.key_style) for name in item.id]
        return {**found, SHARD: shard_of(texts, own.shards)}
    return found


def put_item(design: Design, item: ItemType, step: WriteStep, key: Mapping[str, Any], values: Values) -> dict[str, Any]:
    if step.all_attributes:
        return dict(item.sample) or {**key, **item.fixed}
    more = {name: set_value(design, template, values) for name, template in step.set.items()}
    return {**key, **item.fixed, **{name: value for name, value in more.items() if value is not None}}


def set_value(design: Design, template: str, values: Values) -> Any:
    if template == "{*}":
        return {name: value for name, value in values.items() if "." not in name and not name.startswith("_")}
    return filled(design, template, values)


def update_text(design: Design, step: WriteStep, values: Values, marks: Marks) -> str:
    sets = [
        f"{path(design, name, values, marks)} = {marks.value(value)}"
        for name, template in step.set.items()
        if (value := set_value(design, template, values)) is not None
    ]
    removes = [path(design, name, values, marks) for name in step.remove]
    adds = [
        f"{path(design, name, values, marks)} {marks.value(amount(said, values))}" for name, said in step.add.items()
    ]
    pieces = [("SET", sets), ("REMOVE", removes), ("ADD", adds)]
    return " ".join(f"{word} {', '.join(found)}" for word, found in pieces if found)


def path(design: Design, name: str, values: Values, marks: Marks) -> str:
    return ".".join(marks.name(str(filled(design, part, values))) for part in name.split("."))


def amount(said: str, values: Values) -> Any:
    """The number that is added: what it says, or the value it names, with its sign; a difference is shown as 1."""
    sign, name = (-1, said[1:].strip()) if said.startswith("-") else (1, said.strip())
    parts = list(parts_of(name))
    if len(parts) == 1 and isinstance(parts[0], Placeholder):
        return sign * (value_of(parts[0], values) or 0)
    return sign * int(name) if name.isdigit() else 1
