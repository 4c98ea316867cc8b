"""One step of a write as DynamoDB takes it: the names it uses, its key, its update."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .model import (
    EXPIRES,
    Clause,
    Expression,
    Inputs,
    Item,
    ItemKeys,
    ItemType,
    Slot,
    Stored,
    Sum,
    Unchanged,
    Value,
    Write,
    Writing,
)
from .values import (
    add_numbers,
    derive,
    is_complete,
    placeholders,
    resolve,
    resolve_all,
    slots_of,
    stored_item,
)


@dataclass(frozen=True, slots=True)
class Action:
    """A write, the key it concerns, and the step that it comes from."""

    operation: str
    params: Mapping[str, Any]
    key: tuple[str, ...]
    step: Write


@dataclass(frozen=True, slots=True)
class Given:
    """The inputs of a step: those of its own entity, and all there are."""

    own: Inputs
    all: Inputs


@dataclass(frozen=True, slots=True)
class _Names:
    """What the names of one step mean."""

    old: Item
    inputs: Inputs  # everything a slot may name
    asked: Inputs  # the same for conditions and amounts: what is given comes first
    becoming: Item  # the attributes of the item after the write
    gone: frozenset[str]  # attributes that the write removes
    unsaid: frozenset[str]  # inputs of new values that were not given
    is_known: bool  # whether all of the item is: it was read, or is written whole


def _names_of(
    stored: Stored, pattern: Writing, entity: str, said: Given, old: Item
) -> _Names:
    given = said.own
    known = stored.attributes_of(entity)
    named = {
        each.name: each.attribute
        for each in pattern.given
        if each.entity in (None, entity)
    }
    kept = {} if pattern.is_put(entity) else old  # a put leaves nothing that was there
    becoming = dict(kept)
    own = {name: value for name, value in given.items() if name in known}
    becoming |= {n: v for n, v in own.items() if named.get(n, n) == n}
    for name, value in given.items():
        attribute = named.get(name)
        if attribute not in (None, name):
            becoming[attribute] = value
    is_known = _is_known(pattern, entity)
    for name, value in pattern.becomes.get(entity, {}).items():
        if not isinstance(value, Sum):
            becoming[name] = value
        elif is_known:
            amount = _amount(value, {**kept, **said.all})
            becoming[name] = add_numbers(kept.get(name), amount)
        else:
            becoming.pop(name, None)
    unsaid = {
        name: kept.get(attribute)
        for name, attribute in named.items()
        if attribute is not None and name not in given
    }
    was = {f"old.{name}": value for name, value in old.items()}
    gone = frozenset(name for name, value in becoming.items() if value is None)
    stays = {name: value for name, value in becoming.items() if name not in gone}
    new = {f"new.{name}": value for name, value in stays.items()}
    inputs = {**kept, **unsaid, **given, **was, **new, "*": stays}
    asked = {**inputs, **said.all}
    return _Names(old, inputs, asked, stays, gone, frozenset(unsaid), is_known)


def _is_known(pattern: Writing, entity: str) -> bool:
    """Whether what an amount is added to is known before: it was read, or nothing."""
    return entity in pattern.seen or pattern.is_put(entity)


def action_of(
    stored: Stored,
    pattern: Writing,
    step: Write,
    given: Given,
    old: Item,
    now: int,
) -> Action | None:
    """None where there is nothing to do."""
    kind, style = stored.types[step.item], stored.key_style
    entity = step.names_of or kind.entity
    names = _names_of(stored, pattern, entity, given, old)
    expires = old.get(kind.expires) or now + kind.lifetime_seconds
    called = resolve_all(style, step.attributes, names.inputs) if step.names_of else {}
    if kind.packed_by:  # its item and its name say the rest
        kept = {n: v for n, v in names.becoming.items() if n not in kind.id}
        called = {**called, "*": kept}
    names = replace(names, inputs={**names.inputs, **called, EXPIRES: expires})
    known = _known(stored, kind, kind.table_keys, names)
    if not _is_needed(step, names, known):
        return None
    key = resolve_all(style, step.key, known)
    params: dict[str, Any] = {"TableName": step.table}
    used: list[Expression] = []
    if step.operation == "PutItem":
        params["Item"] = _put_item(stored, step, key, names, now)
    else:
        params["Key"] = key
    if step.operation == "UpdateItem":
        params["UpdateExpression"] = _update_text(stored, step, names, used)
    demands = [] if step.condition is None else [step.condition]
    demands += [_still(each, old, names.inputs) for each in step.unchanged]
    if demands:
        params["ConditionExpression"] = " AND ".join(each.text for each in demands)
    params |= placeholders(style, [*used, *demands], names.asked)
    place = (step.table, *map(str, key.values()))
    return Action(step.operation, params, place, step)


def _is_needed(step: Write, names: _Names, known: Inputs) -> bool:
    """Not where nothing changes that it is about, nor where its key lacks a value."""
    slots = [Slot(name) for value in step.key.values() for name in slots_of(value)]
    if not names.old and any(each.is_old for each in slots):
        return False  # nothing was there that could be in the way
    if step.unless_same and _stay(step.unless_same, names):
        return False
    if step.if_same and not _stay(step.if_same, names):
        return False
    if step.if_newer and not _is_newer(step, names):
        return False
    return all(is_complete(each, known) for each in slots)


def _is_newer(step: Write, names: _Names) -> bool:
    """Texts in the order of their characters have that of their UTF-8 bytes."""
    there = [names.inputs.get(f"{step.item}.{name}") for name in step.if_newer]
    if None in there:
        return True
    return [names.becoming[name] for name in step.if_newer] > there


def _stay(attributes: tuple[str, ...], names: _Names) -> bool:
    return all(names.becoming.get(name) == names.old.get(name) for name in attributes)


def _known(stored: Stored, kind: ItemType, keys: ItemKeys, names: _Names) -> Inputs:
    return derive(stored.key_style, names.inputs, kind.id, keys.shards, keys.bucket)


def _put_item(stored: Stored, step: Write, key: Item, names: _Names, now: int) -> Item:
    kind = stored.types[step.item]
    if step.all_attributes:
        return stored_item(stored, kind, names.becoming, now)
    more = resolve_all(stored.key_style, step.attributes, names.inputs)
    said = {name: value for name, value in more.items() if value is not None}
    return {**key, **kind.fixed, **said}


def _still(unchanged: Unchanged, old: Item, inputs: Inputs) -> Expression:
    names = {unchanged.name: unchanged.attribute}
    taken = unchanged.taken
    was = inputs.get(taken) if taken else old.get(unchanged.attribute)
    if was is None:
        return Expression(f"attribute_not_exists({unchanged.name})", names)
    text = f"{unchanged.name} = {unchanged.value}"
    return Expression(text, names, {unchanged.value: was})


# ---- updates -------------------------------------------------------------------------


def _update_text(
    stored: Stored, step: Write, names: _Names, used: list[Expression]
) -> str:
    clauses: dict[str, list[str]] = {"SET": [], "REMOVE": [], "ADD": []}
    for each in sorted(step.changes, key=lambda each: each.action != "REMOVE"):
        is_left = not (each.key_field or step.all_attributes)
        if is_left and _is_unsaid(each.value, names):
            continue
        value = _new_value(stored, step, each, names)
        action = "REMOVE" if value is None else each.action
        between = {
            "SET": f" = {each.assigned or each.placeholder}",
            "ADD": f" {each.placeholder}",
        }
        text = each.path.text + between.get(action, "")
        values = {} if value is None else {**each.path.values, each.placeholder: value}
        clauses[action].append(text)
        used.append(Expression(text, each.path.names, values))
    said = (f"{word} {', '.join(each)}" for word, each in clauses.items() if each)
    return " ".join(said)


def _is_unsaid(value: Value, names: _Names) -> bool:
    return isinstance(value, Slot) and value.name in names.unsaid


def _new_value(stored: Stored, step: Write, change: Clause, names: _Names) -> Any:
    """None where the attribute goes."""
    kind = stored.types[step.item]
    keys = kind.keys_with(change.key_field) if change.key_field else None
    if isinstance(change.value, Sum):
        return _amount(change.value, names.asked)
    if keys is None:
        return resolve(stored.key_style, change.value, names.inputs)
    if not _stays_keyed(keys, names):
        return None
    known = derive(stored.key_style, names.becoming, kind.id, keys.shards, keys.bucket)
    return resolve(stored.key_style, change.value, {**known, **names.inputs})


def _stays_keyed(keys: ItemKeys, names: _Names) -> bool:
    """Without a read only what becomes None can take an item out of an index, unless
    the item is written whole.
    """
    is_there = all(
        name in names.becoming or not (names.is_known or name in names.gone)
        for name in keys.needs
    )
    return is_there and keys.admits(names.becoming)


def _amount(amount: Sum, inputs: Inputs) -> Any:
    total: Any = 0
    for sign, value in amount.terms:
        term = inputs.get(value.name) if isinstance(value, Slot) else value
        total = add_numbers(total, term, sign)
    return total
