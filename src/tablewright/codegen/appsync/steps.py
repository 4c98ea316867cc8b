"""Compiled steps as values for `support.js`, with what its runtime cannot do.

A value is `{ name }`, `{ value }` for a constant, or a list of texts and `{ name }`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tablewright.design.steps.model import BUCKET, Slot, Sum
from tablewright.design.steps.queries import partitions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import (
        Bucket,
        Clause,
        Expression,
        ItemKeys,
        ItemType,
        Read,
        Value,
        Write,
        Writing,
    )

Script = dict[str, Any]


def _value(value: Value) -> Any:
    if isinstance(value, Slot):
        return {"name": value.name}
    if isinstance(value, tuple):
        return [_value(part) if isinstance(part, Slot) else part for part in cast("tuple[str | Slot, ...]", value)]
    return {"value": value}


def _values(values: Mapping[str, Value]) -> Script:
    return {name: _value(each) for name, each in values.items()}


def _expression(found: Expression | None) -> Script | None:
    if found is None:
        return None
    return {"text": found.text, "names": dict(found.names), "values": _values(found.values)}


def _bucket(bucket: Bucket | None) -> Script | None:
    return None if bucket is None else {"attribute": bucket.attribute, "length": bucket.length}


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_script(step: Read) -> Script:
    found: Script = {"operation": step.operation, "table": step.table, "consistent": step.consistent}
    found["bucket"] = _bucket(step.bucket)
    if step.operation != "Query":
        return {**found, "key": _values(step.key)}
    return {
        **found,
        "index": step.index or "",
        "condition": _expression(step.condition),
        "filter": _expression(step.filter),
        "backwards": step.backwards,
        "limit": step.limit,
    }


def requests_of(step: Read) -> list[Script]:
    """What each request of a step adds to the arguments: one for every shard and every value gone through."""
    return [dict(each) for each in partitions(step, {})] if step.operation == "Query" else [{}]


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_script(writing: Writing, step: Write, kind: ItemType) -> Script:
    return {
        "operation": step.operation,
        "table": step.table,
        "key": _values(step.key),
        "bucket": _bucket(kind.table_keys.bucket),
        "given": [
            {"name": each.name, "attribute": each.attribute or each.name}
            for each in writing.given
            if each.entity in (None, kind.entity)
        ],
        "item": _item(kind) if step.all_attributes else None,
        "places": [_place(each) for each in kind.keys],
        "fixed": dict(kind.fixed),
        "set": _values(step.attributes),
        "changes": [_change(each) for each in step.changes],
        "condition": _expression(step.condition),
        "unchanged": [{"attribute": each.attribute, "name": each.name, "value": each.value} for each in step.unchanged],
        "unlessSame": list(step.unless_same),
    }


def _item(kind: ItemType) -> Script:
    expires = {"attribute": kind.expires, "seconds": kind.lifetime_seconds} if kind.lifetime_seconds else None
    return {"attributes": list(kind.attributes), "expires": expires}


def _place(keys: ItemKeys) -> Script:
    return {
        "needs": list(keys.needs) if keys.index is not None else [],
        "when": dict(keys.when),
        "bucket": _bucket(keys.bucket),
        "fields": _values(keys.fields),
    }


def _change(change: Clause) -> Script:
    found: Script = {"action": change.action, "path": _expression(change.path), "placeholder": change.placeholder}
    if isinstance(change.value, Sum):
        return {**found, "terms": [{**_value(value), "minus": sign < 0} for sign, value in change.value.terms]}
    return {**found, "value": _value(change.value), "keyField": change.key_field}


# ---- what cannot be said --------------------------------------------------------------------------------------------


def hindrance(compiled: Compiled, pattern: str) -> str | None:
    """Why a pattern has no resolver, if it has none."""
    writing = compiled.writings.get(pattern)
    found = [why for step in compiled.reads[pattern] for why in _read_hindrances(step)]
    if writing is not None:
        found += [why for step in writing.writes for why in _write_hindrances(step, compiled.stored.types[step.item])]
        if len(writing.writes) > 1 and not writing.transaction:
            found.append("it sends several writes that are no transaction")
    return next(iter(found), None)


def _read_hindrances(step: Read) -> Iterator[str]:
    if BUCKET in step.for_each:
        yield "it asks a number of buckets that only the caller knows"
    if step.operation != "Query" and step.shards > 1:
        yield "its shard is a checksum, which AppSync's runtime cannot make"
    if step.keys_from is not None and step.operation != "BatchGetItem":
        yield "it asks once for every item of an earlier answer"
    if step.unfold is not None:
        yield "its answer lies inside other items"
    if step.demands:
        yield "it sifts items after it got them"
    if step.joins and step.keys_from is not None:
        yield "it completes several items from others"


def _write_hindrances(step: Write, kind: ItemType) -> Iterator[str]:
    if step.each:
        yield f"it writes one item for every element of {step.each}"
    if any(keys.shards > 1 for keys in kind.keys):
        yield "its shard is a checksum, which AppSync's runtime cannot make"
    values = (*step.attributes.values(), *(each.value for each in step.changes))
    names = (name for each in step.changes for name in each.path.names.values())
    if Slot("*") in values or any(isinstance(each, Slot) for each in names):
        yield "it writes an entry of a map inside another item"
