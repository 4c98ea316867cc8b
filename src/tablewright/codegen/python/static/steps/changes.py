"""One step of a write as DynamoDB takes it: the names it uses, its key, its update."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .expressions import Placeholders, condition_text, unchanged_texts
from .model import Inputs, Item, ItemKeys, ItemType, Stored, Write, Writing
from .templates import (
    derived,
    filled,
    is_complete,
    key_value,
    only_name,
    stored_item,
)

TERM = re.compile(r"(-?)\s*(\{[^{}]+\}|\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Action:
    """A write, and the key it concerns."""

    operation: str
    params: Mapping[str, Any]
    key: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Values:
    """What the names of one step mean."""

    old: Item
    by_name: Inputs  # everything a template may name
    becoming: Item  # the attributes of the item after the write
    gone: frozenset[str]  # attributes that the write removes
    unsaid: frozenset[str]  # inputs of new values that were not given


def values_of(pattern: Writing, kind: ItemType, given: Inputs, old: Item) -> Values:
    named = {
        each.name: each.attribute
        for each in pattern.given
        if each.entity in (None, kind.entity)
    }
    kept = {} if pattern.op == "put" else old  # a put leaves nothing of what was there
    becoming = dict(kept)
    for name, value in given.items():
        attribute = named.get(name)
        if name in kind.attributes:
            becoming[name] = value
        if attribute not in (None, name):
            becoming[attribute] = value
    unsaid = {
        name: kept.get(attribute)
        for name, attribute in named.items()
        if attribute is not None and name not in given
    }
    was = {f"old.{name}": value for name, value in old.items()}
    gone = frozenset(name for name, value in becoming.items() if value is None)
    stays = {name: value for name, value in becoming.items() if name not in gone}
    by_name = {**kept, **unsaid, **given, **was}
    return Values(old, by_name, stays, gone, frozenset(unsaid))


def action_of(
    stored: Stored,
    pattern: Writing,
    step: Write,
    kind: ItemType,
    given: Inputs,
    old: Item,
    now: int,
) -> Action | None:
    """None where there is nothing to do."""
    values = values_of(pattern, kind, given, old)
    templates = step.key.values()
    if not old and any("{old." in each for each in templates):
        return None  # nothing was there that could be in the way
    if step.unless_same and all(
        values.becoming.get(name) == old.get(name) for name in step.unless_same
    ):
        return None
    known = named_values(stored, kind, kind.table_keys, values)
    if not all(is_complete(each, known) for each in templates):
        return None
    key = {
        field: key_value(stored, template, known)
        for field, template in step.key.items()
    }
    used = Placeholders()
    params: dict[str, Any] = {"TableName": step.table}
    if step.operation == "PutItem":
        params["Item"] = put_item(stored, step, kind, key, values, now)
    else:
        params["Key"] = key
    if step.operation == "UpdateItem":
        params["UpdateExpression"] = update_text(stored, step, kind, values, used)
    demands = [condition_text(step.condition, values.by_name, used)]
    demands += unchanged_texts(step.unchanged, old, used)
    if any(demands):
        params["ConditionExpression"] = " AND ".join(filter(None, demands))
    params.update(used.params())
    return Action(step.operation, params, (step.table, *map(str, key.values())))


def named_values(
    stored: Stored, kind: ItemType, keys: ItemKeys, values: Values
) -> Inputs:
    return derived(stored, values.by_name, kind.id, keys.shards, keys.bucket)


def put_item(
    stored: Stored, step: Write, kind: ItemType, key: Item, values: Values, now: int
) -> Item:
    if step.all_attributes:
        return stored_item(stored, kind, values.becoming, now)
    item = {**key, **kind.fixed}
    for name, template in step.set.items():
        value = set_value(stored, template, values)
        if value is not None:
            item[name] = value
    return item


def set_value(stored: Stored, template: str, values: Values) -> Any:
    if template == "{*}":
        return values.becoming
    name = only_name(template)
    if name is not None:
        return values.by_name.get(name)
    return filled(stored, template, values.by_name)


# ---- updates -------------------------------------------------------------------------


def update_text(
    stored: Stored, step: Write, kind: ItemType, values: Values, used: Placeholders
) -> str:
    sets: list[str] = []
    removes = [path(name, values, used) for name in step.remove]
    for name, template in step.set.items():
        keys = keyed_by(kind, name)
        if keys is None and only_name(template) in values.unsaid:
            continue
        if keys is None:
            value = set_value(stored, template, values)
        elif stays_keyed(keys, values):
            known = named_values(stored, kind, keys, values)
            value = filled(stored, template, known)
        else:
            value = None
        if value is None:
            removes.append(path(name, values, used))
        else:
            sets.append(f"{path(name, values, used)} = {used.value(value)}")
    adds = [
        f"{path(name, values, used)} {used.value(amount(said, values))}"
        for name, said in step.add.items()
    ]
    clauses = {"SET": sets, "REMOVE": removes, "ADD": adds}
    said = (f"{word} {', '.join(each)}" for word, each in clauses.items() if each)
    return " ".join(said)


def keyed_by(kind: ItemType, field: str) -> ItemKeys | None:
    """The place whose composed key a field belongs to."""
    return next((each for each in kind.keys if field in each.fields), None)


def stays_keyed(keys: ItemKeys, values: Values) -> bool:
    """Without a read only what becomes None can take an item out of an index."""
    is_there = all(
        name in values.becoming or (not values.old and name not in values.gone)
        for name in keys.needs
    )
    return is_there and keys.admits(values.becoming)


def path(name: str, values: Values, used: Placeholders) -> str:
    """A path to an attribute, or to an entry of a map whose name may be a value."""
    marks: list[str] = []
    for part in name.split("."):
        only = only_name(part)
        marks.append(used.name(part if only is None else str(values.by_name[only])))
    return ".".join(marks)


def amount(said: str, values: Values) -> Any:
    """A number, a value, either with a sign, or a difference; what is absent is 0."""
    total: Any = 0
    for sign, word in TERM.findall(said):
        name = only_name(word)
        value = number(word) if name is None else values.by_name.get(name) or 0
        total = total - value if sign else total + value
    return total


def number(word: str) -> Any:
    return Decimal(word) if "." in word else int(word)
