"""Brute force: what an access pattern means, said over plain items without any key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.design.serving.filters import constants, operator_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

Item = dict[str, Any]
TESTS: dict[str, Callable[[Any, Any, Any], bool]] = {
    "between": lambda value, low, high: low <= value <= high,
    "gte": lambda value, low, _: value >= low,
    "gt": lambda value, low, _: value > low,
    "lte": lambda value, low, _: value <= low,
    "lt": lambda value, low, _: value < low,
    "begins_with": lambda value, low, _: str(value).startswith(low),
    "=": lambda value, low, _: value == low,
}


def answer(
    facts: Facts, pattern: PatternSpec, items: Mapping[str, list[Item]], inputs: Mapping[str, Any]
) -> list[tuple[str, Item]]:
    """The items that answer a pattern, each with its entity; in order where the pattern asks for one."""
    found = [
        (name, item)
        for name in pattern.entities
        for item in items[name]
        if fits(pattern, {**inherited(facts, pattern, name, item, items), **item}, inputs)
    ]
    for at, each in reversed(list(enumerate(pattern.sort))):
        having = [pair for pair in found if each.attr in pair[1]]
        lacking = [pair for pair in found if each.attr not in pair[1]]
        having.sort(key=lambda pair: pair[1][each.attr], reverse=each.order == "desc")
        if at == 0:  # an item without what is sorted by is no part of a list, unless it is of another kind
            found = having + (lacking if len(pattern.entities) > 1 else [])
        else:
            found = having + lacking if each.order == "desc" else lacking + having
    return found


def inherited(facts: Facts, pattern: PatternSpec, entity: str, item: Item, items: Mapping[str, list[Item]]) -> Item:
    """What a pattern asks of an item that only its parent has."""
    known = facts.spec.entities[entity].attributes
    found: Item = {}
    for name in pattern.by:
        for attr, parent in facts.references[entity].items() if name not in known else ():
            if name in facts.spec.entities[parent].attributes:
                ids = facts.spec.entities[parent].id
                named = attr if attr in ids else ids[0]
                parents = [each for each in items[parent] if each[named] == item.get(attr) and name in each]
                found.update({name: parents[0][name]} if parents else {})
    return found


def number(aggregate: Mapping[str, str], items: list[Item]) -> Any:
    """What items come to: of nothing 0, or None for the greatest and the least."""
    ((kind, attr),) = aggregate.items()
    values = [item[attr] for item in items if item.get(attr) is not None]
    match kind:
        case "count":
            return len(items)
        case "sum":
            return sum(values)
        case "total":
            return values[0] if values else 0
        case _:
            return (max(values) if kind == "max" else min(values)) if values else None


def fits(pattern: PatternSpec, item: Item, inputs: Mapping[str, Any]) -> bool:
    if any(item.get(name) != inputs[name] for name in pattern.by):
        return False
    if pattern.range is not None:
        low, high = inputs.get("from", inputs.get("value")), inputs.get("to")
        if pattern.range.attr not in item or not TESTS[pattern.range.op](item[pattern.range.attr], low, high):
            return False
    fixed = constants(pattern)
    for name, value in pattern.filter.items():
        wanted = fixed[name] if name in fixed else inputs[name]
        if name not in item or not TESTS[operator_of(value)](item[name], wanted, None):
            return False
    return True
