"""Steps of a design as values for `support.js`: templates in parts, conditions taken apart, nothing left to parse."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any

from tablewright.codegen.examples.marks import filter_value
from tablewright.codegen.examples.values import item_type, leading, table_keys
from tablewright.codegen.examples.writes import TERM
from tablewright.codegen.functions import Placeholder, parts_of
from tablewright.design.buckets import BUCKET
from tablewright.design.conditions import read_expression
from tablewright.design.templates import SHARD
from tablewright.wire.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemKeys, ItemType, PatternDesign, ReadStep, WriteStep

Values = dict[str, Any]
SECONDS_PER_DAY = 86_400


def parts(template: str) -> list[Any]:
    return [part if isinstance(part, str) else {"name": named(part)} for part in parts_of(template)]


def named(part: Placeholder) -> str:
    return f"old.{part.name}" if part.old else part.name


def bucket_of(bucket: str | None) -> Values | None:
    attribute, _, length = (bucket or "").partition(":")
    return {"attribute": attribute, "length": int(length)} if length else None


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_values(step: ReadStep) -> Values:
    pk = {each.field: parts(each.template) for each in step.pk}
    found: Values = {"operation": step.operation, "table": step.table, "consistent": step.consistent}
    found["bucket"] = bucket_of(step.bucket)
    if step.operation != "Query":
        return {**found, "key": pk | {each.field: parts(each.low) for each in step.sk}}
    return {
        **found,
        "index": step.index or "",
        "pk": pk,
        "sk": [
            {"field": each.field, "operator": each.operator, "low": parts(each.low), "high": parts(each.high or "")}
            for each in step.sk
        ],
        "filters": [
            {
                "attribute": each.attribute,
                "operator": each.operator,
                "values": [filter_part(value) for value in each.values],
            }
            for each in step.filters
        ],
        "backwards": step.backwards,
        "limit": step.limit,
    }


def filter_part(value: Any) -> Values:
    found = list(parts_of(value)) if isinstance(value, str) else []
    is_name = len(found) == 1 and isinstance(found[0], Placeholder)
    return (
        {"name": found[0].name} if is_name and isinstance(found[0], Placeholder) else {"value": filter_value(value, {})}
    )


def requests_of(step: ReadStep) -> list[dict[str, str]]:
    """What each request of a step adds to the arguments: one for every shard and every value gone through."""
    if step.operation != "Query":
        return [{}]
    shards: list[dict[str, str]] = [{SHARD: str(number)} for number in range(step.shards)] if step.shards > 1 else [{}]
    chosen = [dict(zip(step.for_each, values, strict=True)) for values in product(*step.for_each.values())]
    return [{**values, **shard} for values in chosen for shard in shards]


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_values(design: Design, pattern: PatternDesign, step: WriteStep) -> Values:
    item = item_type(design, step.item)
    own = table_keys(item)
    places = [place_values(each) for each in item.keys if not each.native]
    return {
        "operation": step.operation,
        "table": step.table,
        "key": {each.field: parts(each.template) for each in step.key},
        "bucket": bucket_of(own.bucket),
        "given": [
            {"name": each.name, "attribute": each.attribute or each.name}
            for each in pattern.parameters
            if each.entity in (None, item.entity)
        ],
        "all": step.all_attributes,
        "attributes": [each.name for each in item.attributes],
        "fixed": dict(item.fixed),
        "expires": expiry_of(item),
        "places": places,
        "set": {name: parts(template) for name, template in step.set.items()},
        "add": {name: list(terms(said)) for name, said in step.add.items()},
        "remove": list(step.remove),
        "condition": list(condition_parts(step.condition)) if step.condition else None,
        "unchanged": list(step.unchanged),
        "unlessSame": list(step.unless_same),
    }


def expiry_of(item: ItemType) -> Values | None:
    if item.ttl_attribute is None or item.ttl_days is None:
        return None
    return {"attribute": item.ttl_attribute, "seconds": round(item.ttl_days * SECONDS_PER_DAY)}


def place_values(keys: ItemKeys) -> Values:
    return {
        "needs": list(leading(keys)) if keys.index is not None else [],
        "bucket": bucket_of(keys.bucket),
        "fields": {each.field: parts(each.template) for each in (*keys.pk, *keys.sk)},
    }


def terms(said: str) -> Iterator[Values]:
    for sign, word in TERM.findall(said):
        value = {"name": word[1:-1]} if word.startswith("{") else {"value": parse_number(word)}
        yield {**value, "minus": bool(sign)}


def condition_parts(text: str) -> Iterator[Any]:
    """Texts, attributes and values, in their order."""
    found = read_expression(text)
    at = 0
    for mark in re.finditer(r"[#:]\w+", found.text):
        if mark.start() > at:
            yield found.text[at : mark.start()]
        word = mark.group()
        if word in found.names:
            yield {"attribute": found.names[word]}
        elif word in found.parameters:
            yield {"name": found.parameters[word]}
        else:
            yield {"value": found.literals[word]}
        at = mark.end()
    if at < len(found.text):
        yield found.text[at:]


# ---- what cannot be said --------------------------------------------------------------------------------------------


def inexpressible(design: Design, pattern: PatternDesign) -> str | None:
    """Why a pattern has no resolver, if it has none."""
    return next(iter((*read_hindrances(pattern), *write_hindrances(design, pattern))), None)


def read_hindrances(pattern: PatternDesign) -> Iterator[str]:
    for step in pattern.reads:
        if BUCKET in step.for_each:
            yield "it asks a number of buckets that only the caller knows"
        if step.operation != "Query" and step.shards > 1:
            yield "its shard is a checksum, which AppSync's runtime cannot make"
        if step.keys_from is not None and step.operation != "BatchGetItem":
            yield "it asks once for every item of an earlier answer"
        if step.unfold is not None:
            yield "its answer lies inside other items"
        if step.filters and step.operation != "Query":
            yield "it sifts items after it got them"
        if step.joins and step.keys_from is not None:
            yield "it completes several items from others"


def write_hindrances(design: Design, pattern: PatternDesign) -> Iterator[str]:
    for step in pattern.writes:
        item = item_type(design, step.item)
        if step.each:
            yield f"it writes one item for every element of {step.each}"
        if any(keys.shards > 1 for keys in item.keys):
            yield "its shard is a checksum, which AppSync's runtime cannot make"
        if any("." in name for name in (*step.set, *step.remove)) or "{*}" in step.set.values():
            yield "it writes an entry of a map inside another item"
    if len(pattern.writes) > 1 and not pattern.transaction:
        yield "it sends several writes that are no transaction"
