"""The writes of a pattern for the sample items: what its steps come to when they are done once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.examples.marks import Marks, all_of, condition_text
from tablewright.codegen.examples.values import (
    Values,
    derived,
    filled,
    is_complete,
    item_type,
    leading,
    sample_of,
    stored,
    table_keys,
)
from tablewright.codegen.functions import Placeholder, parts_of
from tablewright.design.when import fits
from tablewright.wire.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemKeys, ItemType, PatternDesign, WriteStep

TERM = re.compile(r"(-?)\s*(\{[^{}]+\}|\d+(?:\.\d+)?)")


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One request with plain values; `note` says what an example alone does not tell."""

    operation: str
    params: dict[str, Any]
    note: str = ""
    place: tuple[Any, ...] = ()  # of a write: table and key


class Known(msgspec.Struct, frozen=True):
    """What the names of one step mean."""

    old: Values
    by_name: Values
    becoming: Values


def write_calls(design: Design, pattern: PatternDesign, given: Values) -> list[Call]:
    calls = [call for step in pattern.writes for call in step_calls(design, pattern, step, given)]
    return without_replaced(calls)


def step_calls(design: Design, pattern: PatternDesign, step: WriteStep, given: Values) -> Iterator[Call]:
    """None where the step would be left out."""
    item = item_type(design, step.item)
    known = known_of(design, pattern, step, item, given)
    if step.unless_same and all(known.becoming.get(name) == known.old.get(name) for name in step.unless_same):
        return
    own = table_keys(item)
    values = derived(design, known.by_name, item.id, own.shards, own.bucket)
    if not all(is_complete(each.template, values) for each in step.key):
        return
    marks = Marks()
    key = {each.field: filled(design, each.template, values) for each in step.key}
    params: dict[str, Any] = {"TableName": step.table}
    if step.operation == "PutItem":
        params["Item"] = put_item(design, item, step, key, known)
    else:
        params["Key"] = key
    if step.operation == "UpdateItem":
        params["UpdateExpression"] = update_text(design, item, step, known, marks)
    condition = demands(step, known, marks)
    if condition:
        params["ConditionExpression"] = condition
    place = (step.table, *key.values())
    yield Call(operation=step.operation, params=params | marks.params(), note=note_of(step), place=place)


def note_of(step: WriteStep) -> str:
    """Why it is written, and what it depends on besides that the item is there or not."""
    plain = re.fullmatch(r"(attribute_(not_)?exists\(\w+\))?", step.condition)
    return "; ".join(each for each in (step.why, "" if plain else f"only if {step.condition}") if each)


def known_of(design: Design, pattern: PatternDesign, step: WriteStep, item: ItemType, given: Values) -> Known:
    """A put finds nothing in its way; any other write that reads finds the sample."""
    found = pattern.op != "put" and any(item.entity in each.entities for each in pattern.reads)
    old = sample_of(design, item.entity) if found else {}
    foreign = {each.name for each in pattern.parameters if each.entity not in (None, item.entity) and not each.each}
    element: dict[str, Any] = given[step.each][0] if step.each else {}
    own = {name: value for name, value in given.items() if name not in foreign} | element
    attributes = {each.name: each.attribute or each.name for each in pattern.parameters if each.name in own}
    becoming = {**old, **{attributes.get(name, name): value for name, value in own.items()}}
    return Known(old, {**old, **own, **{f"old.{name}": value for name, value in old.items()}}, becoming)


def put_item(design: Design, item: ItemType, step: WriteStep, key: Values, known: Known) -> dict[str, Any]:
    if step.all_attributes:
        return stored(design, item, known.becoming)
    more = {name: set_value(design, item, template, known) for name, template in step.set.items()}
    return {**key, **item.fixed, **{name: value for name, value in more.items() if value is not None}}


def set_value(design: Design, item: ItemType, template: str, known: Known) -> Any:
    if template == "{*}":
        names = [each.name for each in item.attributes]
        return {name: known.becoming[name] for name in names if known.becoming.get(name) is not None}
    return filled(design, template, known.by_name)


def demands(step: WriteStep, known: Known, marks: Marks) -> str:
    said = [condition_text(step.condition, known.by_name, marks)] if step.condition else []
    for name in step.unchanged:
        mark = marks.name(name)
        old = known.old.get(name)
        said.append(f"attribute_not_exists({mark})" if old is None else f"{mark} = {marks.value(old)}")
    return all_of(said)


# ---- updates --------------------------------------------------------------------------------------------------------


def update_text(design: Design, item: ItemType, step: WriteStep, known: Known, marks: Marks) -> str:
    sets: list[str] = []
    removes = list(step.remove)
    for name, template in step.set.items():
        value = changed(design, item, name, template, known)
        if value is None:
            removes.append(name)
        else:
            sets.append(f"{path(name, known, marks)} = {marks.value(value)}")
    removed = [path(name, known, marks) for name in removes]
    adds = [f"{path(name, known, marks)} {marks.value(amount(said, known))}" for name, said in step.add.items()]
    pieces = [("SET", sets), ("REMOVE", removed), ("ADD", adds)]
    return " ".join(f"{word} {', '.join(found)}" for word, found in pieces if found)


def changed(design: Design, item: ItemType, name: str, template: str, known: Known) -> Any:
    """The new value of an attribute or a key field; None where it goes."""
    keys = keyed_by(item, name)
    if keys is None:
        return set_value(design, item, template, known)
    gone = known.old and any(known.becoming.get(each) is None for each in leading(keys))
    if gone or not fits(keys.when, known.becoming):
        return None
    return filled(design, template, derived(design, known.by_name, item.id, keys.shards, keys.bucket))


def keyed_by(item: ItemType, field: str) -> ItemKeys | None:
    """The place whose composed key a field belongs to."""
    for keys in item.keys:
        if not keys.native and field in {each.field for each in (*keys.pk, *keys.sk)}:
            return keys
    return None


def path(name: str, known: Known, marks: Marks) -> str:
    return ".".join(marks.name(entry(part, known)) for part in name.split("."))


def entry(part: str, known: Known) -> str:
    """A step of a path: a name as it is, or the value that names an entry of a map."""
    parts = list(parts_of(part))
    if len(parts) == 1 and isinstance(parts[0], Placeholder):
        return str(known.by_name[parts[0].name])
    return part


def amount(said: str, known: Known) -> Any:
    """A number, a value, either with a sign, or a difference of two values; what is absent counts 0."""
    total: Any = 0
    for sign, word in TERM.findall(said):
        value = (known.by_name.get(word[1:-1]) or 0) if word.startswith("{") else parse_number(word)
        total = total - value if sign else total + value
    return total


def without_replaced(calls: list[Call]) -> list[Call]:
    """A delete of what is put at the same time would contradict it: the put alone, with both demands."""
    deletes = {each.place: each for each in calls if each.operation == "DeleteItem"}
    puts = {each.place for each in calls if each.operation == "PutItem"}
    found: list[Call] = []
    for each in calls:
        if each.operation == "PutItem" and each.place in deletes:
            asked = {name: value for name, value in deletes[each.place].params.items() if name != "Key"}
            found.append(msgspec.structs.replace(each, params={**each.params, **asked}))
        elif each.operation != "DeleteItem" or each.place not in puts:
            found.append(each)
    return found
