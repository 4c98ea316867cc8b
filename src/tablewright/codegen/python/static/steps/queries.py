"""Requests for items: keys, pages of queries, and many items at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import random
from typing import Any

from .expressions import Placeholders, filter_text, passes
from .model import PAUSE, Flow, Inputs, Item, Read, Request, Sort, Stored, ask
from .templates import (
    BUCKET,
    SHARD,
    buckets_between,
    derived,
    key_value,
    with_bucket,
)

BATCH = 100
SHORTEST_WAIT = 0.05
LONGEST_WAIT = 5.0
"""Seconds, before keys are asked for again that DynamoDB had no capacity for."""
CONDITIONS = {
    "begins_with": "begins_with({name}, {low})",
    "between": "{name} BETWEEN {low} AND {high}",
}


# ---- single items --------------------------------------------------------------------


def whole_key(stored: Stored, step: Read, values: Inputs) -> Item:
    known = derived(stored, values, step.shard_of, step.shards, step.bucket)
    templates = {**step.pk, **{each.field: each.low for each in step.sk}}
    return {
        field: key_value(stored, template, known)
        for field, template in templates.items()
    }


def get_many(
    stored: Stored, step: Read, sources: Sequence[Inputs]
) -> Flow[list[Item | None]]:
    """The items of some keys, in their order; None for what is not there."""
    keys = [whole_key(stored, step, values) for values in sources]
    if step.operation == "GetItem":
        found = yield from get_each(stored, step, keys)
    else:
        found = yield from get_batches(step, keys)
    return [
        item
        if item is None or step.unfold is not None or passes(step.filters, item, values)
        else None
        for item, values in zip(found, sources, strict=True)
    ]


def get_each(
    stored: Stored, step: Read, keys: Sequence[Item]
) -> Flow[list[Item | None]]:
    used = Placeholders()
    params = {
        "TableName": step.table,
        "ConsistentRead": step.consistent,
        **projection(stored, step, used),
        **used.params(),
    }
    replies = yield tuple(Request("GetItem", {**params, "Key": key}) for key in keys)
    return [reply.get("Item") for reply in replies]


def get_batches(step: Read, keys: Sequence[Item]) -> Flow[list[Item | None]]:
    found: dict[tuple[Any, ...], Item] = {}
    pending = list({tuple(key.values()): key for key in keys}.values())
    waits = 0.0
    while pending:
        asked = {"Keys": pending[:BATCH], "ConsistentRead": step.consistent}
        reply = yield from ask("BatchGetItem", {"RequestItems": {step.table: asked}})
        for item in reply.get("Responses", {}).get(step.table, []):
            found[tuple(item[name] for name in keys[0])] = item
        left = reply.get("UnprocessedKeys", {}).get(step.table, {}).get("Keys", [])
        pending = [*left, *pending[BATCH:]]
        if left:
            waits = min(LONGEST_WAIT, waits * 2 or SHORTEST_WAIT)
            yield (Request(PAUSE, {"seconds": waits * random()}),)
        else:
            waits = 0.0
    return [found.get(tuple(key.values())) for key in keys]


def projection(stored: Stored, step: Read, used: Placeholders) -> dict[str, str]:
    """What is asked for, and the keys that a page has to begin behind."""
    if not step.projection:
        return {}
    place = stored.place(step.table, step.index)
    names = dict.fromkeys((*step.projection, *place.all))
    return {"ProjectionExpression": ", ".join(used.name(name) for name in names)}


# ---- queries -------------------------------------------------------------------------


def partitions(step: Read, values: Inputs) -> Iterator[Inputs]:
    """The values of every query that a step means."""
    spread = {
        name: buckets_between(str(values["from"]), str(values["to"]), step.bucket or "")
        if name == BUCKET
        else found
        for name, found in step.for_each.items()
    }
    for chosen in product(*spread.values()):
        picked = dict(zip(spread, chosen, strict=True))
        asked = {**with_bucket(values, step.bucket), **picked}
        if step.shards == 1:
            yield asked
        else:
            shards = (str(number) for number in range(step.shards))
            yield from ({**asked, SHARD: shard} for shard in shards)


def query(
    stored: Stored, step: Read, values: Inputs, limit: int | None, start: Item | None
) -> Request:
    used = Placeholders()
    pieces = [
        f"{used.name(field)} = {used.value(key_value(stored, template, values))}"
        for field, template in step.pk.items()
    ]
    pieces += [sort_text(stored, each, values, used) for each in step.sk]
    params: dict[str, Any] = {
        "TableName": step.table,
        "KeyConditionExpression": " AND ".join(pieces),
        "ScanIndexForward": not step.backwards,
        "ConsistentRead": step.consistent,
        **projection(stored, step, used),
    }
    if step.index is not None:
        params["IndexName"] = step.index
    if step.filters:
        params["FilterExpression"] = filter_text(step.filters, values, used)
    elif limit is not None:
        params["Limit"] = limit
    if start is not None:
        params["ExclusiveStartKey"] = start
    return Request("Query", {**params, **used.params()})


def sort_text(
    stored: Stored, condition: Sort, values: Inputs, used: Placeholders
) -> str:
    name = used.name(condition.field)
    low = used.value(key_value(stored, condition.low, values))
    high = ""
    if condition.operator == "between":
        high = used.value(key_value(stored, condition.high, values))
    plain = f"{{name}} {condition.operator} {{low}}"
    written = CONDITIONS.get(condition.operator, plain)
    return written.format(name=name, low=low, high=high)
