"""A client for reads that knows a design and nothing else: steps, templates, shards, pages, merging, filters."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.buckets import buckets_between, with_bucket
from tablewright.design.templates import SHARD
from tablewright.proof.client.expressions import Placeholders, filter_text, passes
from tablewright.proof.client.tables import key_names_of, table_of
from tablewright.proof.client.texts import derived, filled, missing
from tablewright.wire.values import marshal_item, unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.model import Design, ReadStep, SortCondition
    from tablewright.design.templates import Template
    from tablewright.proof.client.tables import Database

Item = dict[str, Any]
BATCH = 100
CONDITIONS = {
    "begins_with": "begins_with({name}, {low})",
    "between": "{name} BETWEEN {low} AND {high}",
}


class Answer(msgspec.Struct, frozen=True):
    """Items in order, and the read units they took by place."""

    items: list[Item]
    rcu: Mapping[str, float]
    requests: int = 1


def added(spent: Iterable[Mapping[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for each in spent:
        for place, units in each.items():
            found[place] = found.get(place, 0.0) + units
    return found


def units_by_place(used: Mapping[str, Any]) -> dict[str, float]:
    """ConsumedCapacity with INDEXES, as units of the table and of every index."""
    found = {"table": float(used.get("Table", {}).get("CapacityUnits", 0.0))}
    for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        found.update({name: float(each["CapacityUnits"]) for name, each in used.get(kind, {}).items()})
    return {place: units for place, units in found.items() if units}


def run_reads(engine: Database, design: Design, steps: Iterable[ReadStep], inputs: Mapping[str, Any]) -> Answer:
    """All steps; the answer is what those found that no later one takes its keys from, but to join."""
    taken = list(steps)
    answers: list[Answer] = []
    shown: list[list[Item]] = []
    for step in taken:
        earlier = None if step.keys_from is None else answers[step.keys_from].items
        found = run_step(engine, design, step, inputs, earlier)
        answers.append(found)
        shown.append([] if step.joins else found.items)
        if step.joins:
            shown[step.keys_from or 0] = joined(design, step, shown[step.keys_from or 0], found.items)
    used = {each.keys_from for each in taken if not each.joins}
    items = [item for at, found in enumerate(shown) if at not in used for item in found]
    return Answer(items, added(each.rcu for each in answers), sum(each.requests for each in answers))


def joined(design: Design, step: ReadStep, shown: list[Item], found: list[Item]) -> list[Item]:
    """Items completed by those with the same id."""
    ids = next(each.id for each in design.items if each.entity == step.entities[0])
    more = {tuple(item.get(name) for name in ids): item for item in found}
    return [{**more.get(tuple(item.get(name) for name in ids), {}), **item} for item in shown]


def run_step(
    engine: Database, design: Design, step: ReadStep, inputs: Mapping[str, Any], earlier: list[Item] | None
) -> Answer:
    sources: list[Mapping[str, Any]] = [inputs] if earlier is None else [{**inputs, **item} for item in earlier]
    if step.operation == "BatchGetItem":
        return batch(engine, design, step, sources)
    answers = [once(engine, design, step, values) for values in sources]
    items = [item for each in answers for item in each.items]
    if step.unfold is not None:
        items = unfolded(design, step, items, inputs)
    return Answer(items, added(each.rcu for each in answers), sum(each.requests for each in answers))


def unfolded(design: Design, step: ReadStep, holders: list[Item], inputs: Mapping[str, Any]) -> list[Item]:
    """The entries of a map as items that say what they are, behind those that hold them if these are asked for too."""
    kind = next(each for each in design.items if each.inside == step.unfold and each.entity in step.entities)
    label = design.encoding.type_field
    found: list[Item] = []
    for holder in holders:
        inside: dict[str, Item] = holder.get(kind.inside) or {}
        if kind.holder in step.entities:
            found.append({name: value for name, value in holder.items() if name != kind.inside})
        found += [{**entry, label: kind.name} for entry in inside.values() if passes(step.filters, entry, inputs)]
    return found


def once(engine: Database, design: Design, step: ReadStep, values: Mapping[str, Any]) -> Answer:
    """One question: a get, or a query of every partition it concerns, merged."""
    if step.operation == "GetItem":
        return get(engine, design, step, values)
    answers = [query(engine, design, step, each) for each in partitions(step, values)]
    items = [item for each in answers for item in each.items]
    if len(answers) > 1:
        _, sort = key_names_of(table_of(design, step.table), step.index)
        items.sort(key=lambda item: [item[name] for name in sort], reverse=step.backwards)
    return Answer(items[: step.limit], added(each.rcu for each in answers), sum(each.requests for each in answers))


def partitions(step: ReadStep, values: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The values of every query that a step means: one for each shard and each value that is gone through."""
    spread = {name: found or between(step, values) for name, found in step.for_each.items()}
    for chosen in product(*spread.values()):
        asked = {**with_bucket(values, step.bucket), **dict(zip(spread, chosen, strict=True))}
        if step.shards == 1:
            yield asked
        for number in range(step.shards if step.shards > 1 else 0):
            yield {**asked, SHARD: str(number)}


def between(step: ReadStep, values: Mapping[str, Any]) -> list[str]:
    """The buckets between the range's ends."""
    assert step.bucket is not None
    return buckets_between(str(values["from"]), str(values["to"]), step.bucket.length)


def key_of(design: Design, step: ReadStep, values: Mapping[str, Any]) -> Item:
    """The whole key of one item."""
    given = derived(values, step.shard_of, step.shards, step.bucket, design.key_style)
    key = {each.field: key_value(design, each.template, given) for each in step.pk}
    return {**key, **{each.field: key_value(design, each.low, given) for each in step.sk}}


def get(engine: Database, design: Design, step: ReadStep, values: Mapping[str, Any]) -> Answer:
    params = {
        "TableName": step.table,
        "Key": marshal_item(key_of(design, step, values)),
        "ConsistentRead": step.consistent,
        "ReturnConsumedCapacity": "INDEXES",
    }
    reply = engine.call("GetItem", {**params, **projected(step)})
    found = [unmarshal_item(reply["Item"])] if reply.get("Item") else []
    kept = [item for item in found if step.unfold is not None or passes(step.filters, item, values)]
    return Answer(kept, units_by_place(reply["ConsumedCapacity"]))


def projected(step: ReadStep) -> dict[str, Any]:
    if not step.projection:
        return {}
    names = {f"#p{at}": name for at, name in enumerate(step.projection)}
    return {"ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names}


def batch(engine: Database, design: Design, step: ReadStep, sources: list[Mapping[str, Any]]) -> Answer:
    """The items of all keys, in the order of their keys, those that are gone left out."""
    wanted = [key_of(design, step, values) for values in sources]
    different = list({tuple(key.values()): key for key in wanted}.values())
    found: dict[tuple[Any, ...], Item] = {}
    spent: list[Mapping[str, float]] = []
    for at in range(0, len(different), BATCH):
        pending: list[Any] = [marshal_item(key) for key in different[at : at + BATCH]]
        while pending:
            request = {"Keys": pending, "ConsistentRead": step.consistent}
            reply = engine.call(
                "BatchGetItem", {"RequestItems": {step.table: request}, "ReturnConsumedCapacity": "INDEXES"}
            )
            for item in map(unmarshal_item, reply["Responses"].get(step.table, [])):
                found[tuple(item[name] for name in wanted[0])] = item
            spent += [units_by_place(each) for each in reply["ConsumedCapacity"]]
            pending = reply.get("UnprocessedKeys", {}).get(step.table, {}).get("Keys", [])
    pairs = [(found.get(tuple(key.values())), values) for key, values in zip(wanted, sources, strict=True)]
    items = [item for item, values in pairs if item is not None and passes(step.filters, item, values)]
    return Answer(items, added(spent), len(spent))


def query(engine: Database, design: Design, step: ReadStep, values: Mapping[str, Any]) -> Answer:
    """Page after page, to the end or until there are enough."""
    params = query_params(design, step, values)
    items: list[Item] = []
    spent: list[Mapping[str, float]] = []
    while True:
        reply = engine.call("Query", params)
        items += map(unmarshal_item, reply["Items"])
        spent.append(units_by_place(reply["ConsumedCapacity"]))
        if "LastEvaluatedKey" not in reply or (step.limit is not None and len(items) >= step.limit):
            return Answer(items[: step.limit], added(spent), len(spent))
        params = {**params, "ExclusiveStartKey": reply["LastEvaluatedKey"]}


def query_params(design: Design, step: ReadStep, values: Mapping[str, Any]) -> dict[str, Any]:
    used = Placeholders()
    pieces = [f"{used.name(each.field)} = {used.value(key_value(design, each.template, values))}" for each in step.pk]
    pieces += [sort_text(design, each, values, used) for each in step.sk]
    params: dict[str, Any] = {
        "TableName": step.table,
        "KeyConditionExpression": " AND ".join(pieces),
        "ScanIndexForward": not step.backwards,
        "ConsistentRead": step.consistent,
        "ReturnConsumedCapacity": "INDEXES",
    }
    if step.index is not None:
        params["IndexName"] = step.index
    if step.filters:
        params["FilterExpression"] = filter_text(step.filters, values, used)
    elif step.limit is not None:
        params["Limit"] = step.limit
    if step.projection:
        params["ProjectionExpression"] = ", ".join(used.name(name) for name in step.projection)
    return {**params, **used.params()}


def key_value(design: Design, template: Template, values: Mapping[str, Any]) -> Any:
    """Text with values in it; a template of nothing but a name is the value as it is."""
    absent = missing(template, values)
    if absent:
        raise ValueError(f"{template}: no value for {', '.join(absent)}")
    name = template.only_name
    return filled(template, values, design.key_style) if name is None else values[name]


def sort_text(design: Design, condition: SortCondition, values: Mapping[str, Any], used: Placeholders) -> str:
    marks = {"name": used.name(condition.field), "low": used.value(key_value(design, condition.low, values))}
    if condition.high is not None:
        marks["high"] = used.value(key_value(design, condition.high, values))
    return CONDITIONS.get(condition.operator, f"{{name}} {condition.operator} {{low}}").format(**marks)
