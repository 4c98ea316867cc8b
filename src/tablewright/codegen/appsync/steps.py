"""Compiled steps as values for `support.js`.

A value is `{ name }`, `{ value }` for a constant, or a list of texts and `{ name }`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tablewright.design.steps.model import Slot, Sum
from tablewright.design.steps.queries import partitions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import (
        Bucket,
        Clause,
        Expression,
        ItemKeys,
        ItemType,
        Read,
        Rule,
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
    found |= {"bucket": _bucket(step.bucket), "unexpired": step.unexpired}
    if step.operation != "Query":
        return {**found, "key": _values(step.key)}
    return {
        **found,
        "index": step.index or "",
        "condition": _expression(step.condition),
        "filter": _expression(step.filter),
        "backwards": step.backwards,
        "limit": step.limit,
        "sendsLimit": step.sends_limit,
        **({} if step.longest is None else {"longest": step.longest}),
    }


def requests_of(step: Read) -> list[Script]:
    """What each request of a step adds to the arguments: one for every shard and every value gone through."""
    return [dict(each) for each in partitions(step, {})] if step.operation == "Query" else [{}]


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_script(compiled: Compiled, writing: Writing, step: Write) -> Script:
    kind = compiled.stored.types[step.item]
    entity = entity_of(compiled, step)
    return {
        "operation": step.operation,
        "table": step.table,
        "key": _values(step.key),
        "bucket": _bucket(kind.table_keys.bucket),
        **_names(compiled, writing, entity),
        "isWhole": step.all_attributes,
        "isCheck": bool(step.names_of),
        "item": _item(kind),
        "places": [_place(each) for each in kind.keys],
        "fixed": dict(kind.fixed),
        "set": _values(step.attributes),
        "changes": [_change(each) for each in step.changes],
        "condition": _expression(step.condition),
        "unchanged": [{"attribute": each.attribute, "name": each.name, "value": each.value} for each in step.unchanged],
        "unlessSame": list(step.unless_same),
        "ifSame": list(step.if_same),
    }


def rule_script(rule: Rule) -> Script:
    is_now = isinstance(rule.default, Slot)
    return {
        "input": rule.input,
        "isNow": is_now,
        "default": None if is_now else rule.default,
        "min": rule.min,
        "max": rule.max,
        "minLength": rule.min_length,
        "maxLength": rule.max_length,
        **({"start": rule.start, "longest": rule.longest, "together": rule.together} if rule.start else {}),
    }


def entity_of(compiled: Compiled, step: Write) -> str:
    """Whose values the names in a step mean."""
    return step.names_of or compiled.stored.types[step.item].entity


def _names(compiled: Compiled, writing: Writing, entity: str) -> Script:
    """What the names of an entity's steps mean."""
    is_put = writing.is_put(entity)
    return {
        "given": [
            {"name": each.name, "attribute": each.attribute} for each in writing.given if each.entity in (None, entity)
        ],
        "foreign": [each.name for each in writing.given if each.entity not in (None, entity)],
        "attributes": sorted(compiled.stored.attributes_of(entity)),
        "becomes": {name: _becoming(value) for name, value in writing.becomes.get(entity, {}).items()},
        "isPut": is_put,
        "isKnown": is_put or entity in writing.seen,
    }


def _becoming(value: Value) -> Script:
    return {"terms": _terms(value)} if isinstance(value, Sum) else {"value": value}


def _item(kind: ItemType) -> Script:
    return {"attributes": list(kind.attributes), "expires": kind.expires, "seconds": kind.lifetime_seconds}


def _place(keys: ItemKeys) -> Script:
    return {
        "needs": list(keys.needs) if keys.index is not None else [],
        "when": dict(keys.when),
        "bucket": _bucket(keys.bucket),
        "fields": _values(keys.fields),
    }


def _change(change: Clause) -> Script:
    found: Script = {"action": change.action, "path": _expression(change.path), "placeholder": change.placeholder}
    found |= {"keyField": change.key_field, "assigned": change.assigned}
    if isinstance(change.value, Sum):
        return {**found, "terms": _terms(change.value)}
    return {**found, "value": _value(change.value)}


def _terms(amount: Sum) -> list[Script]:
    return [{**_value(value), "minus": sign < 0} for sign, value in amount.terms]
