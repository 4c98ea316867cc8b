"""Brute force: what an access pattern means, said over plain items without any key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.design.requests import operator_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.architect.spec.model import PatternSpec

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


def answer(pattern: PatternSpec, items: Mapping[str, list[Item]], inputs: Mapping[str, Any]) -> list[tuple[str, Item]]:
    """The items that answer a pattern, each with its entity; in order where the pattern asks for one."""
    found = [(name, item) for name in pattern.entities for item in items[name] if fits(pattern, item, inputs)]
    for each in reversed(pattern.sort):
        having = [pair for pair in found if each.attr in pair[1]]
        lacking = [pair for pair in found if each.attr not in pair[1]]
        having.sort(key=lambda pair: pair[1][each.attr], reverse=each.order == "desc")
        found = having + (lacking if len(pattern.entities) > 1 else [])
    return found


def fits(pattern: PatternSpec, item: Item, inputs: Mapping[str, Any]) -> bool:
    if any(item.get(name) != inputs[name] for name in pattern.by):
        return False
    if pattern.range is not None:
        low, high = inputs.get("from", inputs.get("value")), inputs.get("to")
        if pattern.range.attr not in item or not TESTS[pattern.range.op](item[pattern.range.attr], low, high):
            return False
    for name, value in pattern.filter.items():
        operator = operator_in(value) if isinstance(value, str) and " " in value else "="
        if name not in item or not TESTS[operator](item[name], inputs[name], None):
            return False
    return True
