"""The right answer to an access pattern, by brute force over plain items without keys, and the comparison with it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from tablewright.design.serving.filters import constants, operator_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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


def find_answer(
    facts: Facts, pattern: PatternSpec, items: Mapping[str, list[Item]], inputs: Mapping[str, Any]
) -> list[tuple[str, Item]]:
    """The items that answer a pattern, each with its entity; in order where the pattern asks for one."""
    found = [
        (name, item)
        for name in pattern.entities
        for item in items[name]
        if _is_match(pattern, {**parent_attributes(facts, pattern, name, item, items), **item}, inputs)
    ]
    for at, each in reversed(list(enumerate(pattern.sort))):
        having = [pair for pair in found if each.attr in pair[1]]
        lacking = [pair for pair in found if each.attr not in pair[1]]
        having.sort(key=lambda pair: pair[1][each.attr], reverse=each.order == "desc")
        if at == 0:  # an item without the sort attribute is not in the list, unless it is of another entity
            found = having + (lacking if len(pattern.entities) > 1 else [])
        else:
            found = having + lacking if each.order == "desc" else lacking + having
    return found


def parent_attributes(
    facts: Facts, pattern: PatternSpec, entity: str, item: Item, items: Mapping[str, list[Item]]
) -> Item:
    """The inputs of a pattern that only the parent of an item has."""
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


def aggregate_items(aggregate: Mapping[str, str], items: list[Item]) -> Any:
    """The aggregate of some items; of none it is 0, or None for max and min."""
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


def _is_match(pattern: PatternSpec, item: Item, inputs: Mapping[str, Any]) -> bool:
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


# ---- comparison -----------------------------------------------------------------------------------------------------


NamedItem = tuple[str, Item]  # an entity and an item without its keys


def compare_answers(pattern: PatternSpec, expected: list[NamedItem], found: list[NamedItem]) -> str:
    """What is wrong with an answer; empty where it is right."""
    wanted = [(name, _select_returned(pattern, item)) for name, item in expected]
    shown = [(name, _select_returned(pattern, item)) for name, item in found]
    most = 1 if pattern.kind == "get" else pattern.limit
    right = len(wanted) if most is None else min(most, len(wanted))
    surplus = Counter(map(_item_text, shown)) - Counter(map(_item_text, wanted))
    if surplus:
        return f"returned what does not belong to the answer: {next(iter(surplus))}"
    if len(shown) != right:
        missing = Counter(map(_item_text, wanted)) - Counter(map(_item_text, shown))
        return f"returned {len(shown)} of {right} items; missing is {next(iter(missing), 'nothing')}"
    return "" if _is_in_order(pattern, expected, found) else f"not in the order of {', '.join(_sort_names(pattern))}"


def _select_returned(pattern: PatternSpec, item: Item) -> Item:
    return {name: value for name, value in item.items() if name in pattern.returns} if pattern.returns else item


def _sort_names(pattern: PatternSpec) -> list[str]:
    return [each.attr for each in pattern.sort]


def _is_in_order(pattern: PatternSpec, expected: list[NamedItem], found: list[NamedItem]) -> bool:
    """The sort attributes have the expected order; items with equal ones may come in any."""
    names = _sort_names(pattern)
    shown = _sort_values(names, found)
    return shown == _sort_values(names, expected)[: len(shown)]


def _sort_values(names: list[str], items: Iterable[NamedItem]) -> list[tuple[Any, ...]]:
    return [tuple(item.get(name) for name in names) for _, item in items if names and names[0] in item]


def _item_text(named: NamedItem) -> str:
    name, item = named
    return f"{name} {{{', '.join(f'{key}: {_value_text(item[key])}' for key in sorted(item))}}}"


def _value_text(value: Any) -> str:
    return repr(sorted(cast("set[Any]", value))) if isinstance(value, set | frozenset) else repr(value)


def compare_items(expected: Mapping[str, Any] | None, found: Mapping[str, Any] | None) -> str:
    """How a stored item differs from the expected one."""
    if expected is None or found is None:
        return "is stored but must not be" if expected is None else "is not stored but must be"
    wrong = [
        f"{name} is {_value_text(found.get(name))}, must be {_value_text(expected.get(name))}"
        for name in sorted({*expected, *found})
        if expected.get(name) != found.get(name)
    ]
    return "; ".join(wrong)
