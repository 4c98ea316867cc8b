"""The values of an example: what the design's sample items hold, and what a caller would give.

Whoever changes something gives a new value, so that an example shows all that a change takes; whoever puts something
puts what was not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from tablewright.codegen.functions import Placeholder, parts_of
from tablewright.design.buckets import BUCKET, with_bucket
from tablewright.design.encoding import key_text
from tablewright.design.names import shard_of
from tablewright.design.templates import SHARD
from tablewright.design.when import fits

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemKeys, ItemType, Parameter, PatternDesign

Values = Mapping[str, Any]
KNOWN_IN_FULL = ("entity", "detail", "embedded")
EXAMPLES: dict[str, Any] = {"number": 1, "boolean": True, "timestamp": "2026-01-31T12:00:00.000Z"}


def item_type(design: Design, name: str) -> ItemType:
    return next(each for each in design.items if each.name == name)


def table_keys(item: ItemType) -> ItemKeys:
    return next(each for each in item.keys if each.index is None)


def sample_of(design: Design, entity: str) -> dict[str, Any]:
    """The attributes of the entity's sample, wherever they are stored; without keys and what says its type."""
    found: dict[str, Any] = {}
    for item in reversed(design.items):
        if entity in (item.entity, item.name) and (item.kind in KNOWN_IN_FULL or item.name == entity):
            found |= {each.name: item.sample[each.name] for each in item.attributes if each.name in item.sample}
    return found


def inputs_of(design: Design, pattern: PatternDesign) -> dict[str, Any]:
    """A value for every parameter, from the samples."""
    return {each.name: input_value(design, pattern, each) for each in pattern.parameters}


def input_value(design: Design, pattern: PatternDesign, parameter: Parameter) -> Any:
    if parameter.each:
        return [sample_of(design, parameter.entity or parameter.name)]
    entities = (parameter.entity, *pattern.entities, *(name for step in pattern.reads for name in step.entities))
    for entity in entities:
        sample = sample_of(design, entity) if entity is not None else {}
        if parameter.attribute in sample:
            known = sample[parameter.attribute]
            return another(parameter, known) if is_new_value(pattern, parameter) else known
    return parameter.values[0] if parameter.values else EXAMPLES.get(parameter.type, f"{parameter.name}-1")


def is_new_value(pattern: PatternDesign, parameter: Parameter) -> bool:
    """Whether an update sets it and finds nothing by it."""
    if pattern.op not in ("update", "transact"):
        return False
    asked = [each for step in pattern.reads for each in (*(t.template for t in step.pk), *(t.low for t in step.sk))]
    keys = asked or [each.template for step in pattern.writes for each in step.key]
    finds = any(Placeholder(parameter.name) in parts_of(template) for template in keys)
    return not finds and any(f"{{{parameter.name}}}" in step.set.values() for step in pattern.writes)


def another(parameter: Parameter, known: Any) -> Any:
    """A value of the same kind."""
    if parameter.values:
        return parameter.values[(parameter.values.index(known) + 1) % len(parameter.values)]
    if parameter.type == "timestamp":
        return EXAMPLES["timestamp"]
    match known:
        case bool():
            return not known
        case int() | Decimal():
            return known + 1
        case str():
            return f"new-{known}"
        case _:
            return known


# ---- templates ------------------------------------------------------------------------------------------------------


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


def is_complete(template: str, values: Values) -> bool:
    return all(value_of(part, values) is not None for part in parts_of(template) if isinstance(part, Placeholder))


def derived(design: Design, values: Values, ids: tuple[str, ...], shards: int, bucket: str | None) -> Values:
    """The same values with the shard and the bucket that follow from them, where they can."""
    found = with_bucket(values, bucket)
    if shards == 1 or any(values.get(name) is None for name in ids):
        return found
    return {**found, SHARD: shard_of([key_text(values[name], design.key_style) for name in ids], shards)}


def leading(keys: ItemKeys) -> tuple[str, ...]:
    """The attributes without which an item is not in an index."""
    return (*keys.partition, *keys.lead, *((keys.bucket.partition(":")[0],) if keys.bucket else ()))


def key_fields(design: Design, item: ItemType, keys: ItemKeys, values: Values) -> dict[str, Any]:
    """What the key fields of one place hold; nothing where the item is not there."""
    if keys.native or (keys.index is not None and any(values.get(name) is None for name in leading(keys))):
        return {}
    if not fits(keys.when, values):
        return {}
    known = derived(design, values, item.id, keys.shards, keys.bucket)
    return {each.field: filled(design, each.template, known) for each in (*keys.pk, *keys.sk)}


def stored(design: Design, item: ItemType, values: Values) -> dict[str, Any]:
    """The item as it is stored: attributes, what says its type, keys."""
    own = {each.name: values[each.name] for each in item.attributes if values.get(each.name) is not None}
    fields = [key_fields(design, item, keys, values) for keys in item.keys]
    if item.ttl_attribute is not None and item.ttl_attribute in item.sample:
        own.setdefault(item.ttl_attribute, item.sample[item.ttl_attribute])
    return {**own, **item.fixed, **{name: text for each in fields for name, text in each.items()}}
