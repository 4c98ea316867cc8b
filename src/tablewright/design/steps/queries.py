"""Requests for items: keys, pages of queries, and many items at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import random
from typing import Any

from .model import BUCKET, PAUSE, SHARD, Flow, Inputs, Item, Read, Request, Stored, ask
from .values import (
    answers,
    buckets_between,
    demand_values,
    derive,
    placeholders,
    resolve_all,
    with_bucket,
)

BATCH = 100
SHORTEST_WAIT = 0.05
LONGEST_WAIT = 5.0
"""Seconds, before keys are asked for again that DynamoDB had no capacity for."""


# ---- single items --------------------------------------------------------------------


def _whole_key(stored: Stored, step: Read, inputs: Inputs) -> Item:
    style = stored.key_style
    known = derive(style, inputs, step.shard_of, step.shards, step.bucket)
    demand_values(step.key.values(), known)
    return resolve_all(style, step.key, known)


def has_key(stored: Stored, step: Read, inputs: Inputs) -> bool:
    """Whether there can be an item: no key lacks a value, or has one it cannot hold."""
    try:
        _whole_key(stored, step, inputs)
    except ValueError:
        return False
    return True


def get_many(
    stored: Stored, step: Read, sources: Sequence[Inputs]
) -> Flow[list[Item | None]]:
    """The items of some keys, in their order; None for what is not there."""
    keys = [_whole_key(stored, step, inputs) for inputs in sources]
    if step.operation == "GetItem":
        found = yield from _get_each(stored, step, keys)
    else:
        found = yield from _get_batches(stored, step, keys)
    return [
        item
        if item is None or step.unfold is not None or answers(step, item, inputs)
        else None
        for item, inputs in zip(found, sources, strict=True)
    ]


def _get_each(
    stored: Stored, step: Read, keys: Sequence[Item]
) -> Flow[list[Item | None]]:
    replies = yield tuple(
        Request("GetItem", {"TableName": step.table, "Key": key, **_how(stored, step)})
        for key in keys
    )
    return [reply.get("Item") for reply in replies]


def _how(stored: Stored, step: Read) -> dict[str, Any]:
    params: dict[str, Any] = {"ConsistentRead": True} if step.consistent else {}
    if step.projection is not None:
        params["ProjectionExpression"] = step.projection.text
    return params | placeholders(stored.key_style, [step.projection], {})


def _get_batches(
    stored: Stored, step: Read, keys: Sequence[Item]
) -> Flow[list[Item | None]]:
    found: dict[tuple[Any, ...], Item] = {}
    pending = list({tuple(key.values()): key for key in keys}.values())
    how = _how(stored, step)
    waits = 0.0
    while pending:
        asked = {step.table: {"Keys": pending[:BATCH], **how}}
        reply = yield from ask("BatchGetItem", {"RequestItems": asked})
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


# ---- queries -------------------------------------------------------------------------


def partitions(step: Read, inputs: Inputs) -> Iterator[Inputs]:
    """The values of every query that a step means."""
    spread = {
        name: _buckets(step, inputs) if name == BUCKET else found
        for name, found in step.for_each.items()
    }
    for chosen in product(*spread.values()):
        picked = dict(zip(spread, chosen, strict=True))
        asked = {**with_bucket(inputs, step.bucket), **picked}
        if step.shards == 1:
            yield asked
        else:
            shards = (str(number) for number in range(step.shards))
            yield from ({**asked, SHARD: shard} for shard in shards)


def _buckets(step: Read, inputs: Inputs) -> Sequence[str]:
    """All between the range's ends."""
    length = 0 if step.bucket is None else step.bucket.length
    return buckets_between(str(inputs["from"]), str(inputs["to"]), length)


def query(
    stored: Stored, step: Read, inputs: Inputs, limit: int | None, start: Item | None
) -> Request:
    demand_values(step.condition.values.values(), inputs)
    params: dict[str, Any] = {"TableName": step.table}
    if step.index is not None:
        params["IndexName"] = step.index
    params["KeyConditionExpression"] = step.condition.text
    if step.filter is not None:
        params["FilterExpression"] = step.filter.text
    if step.projection is not None:
        params["ProjectionExpression"] = step.projection.text
    if step.backwards:
        params["ScanIndexForward"] = False
    if limit is not None and step.sends_limit:
        params["Limit"] = limit
    if step.consistent:
        params["ConsistentRead"] = True
    if start is not None:
        params["ExclusiveStartKey"] = start
    used = (step.condition, step.filter, step.projection)
    return Request("Query", params | placeholders(stored.key_style, used, inputs))
