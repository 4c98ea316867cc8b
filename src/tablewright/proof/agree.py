"""Whether an answer is what brute force says: the same items, in the order asked for, as many as the limit lets in."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.spec.model import PatternSpec

Item = dict[str, Any]
Named = tuple[str, Item]  # an entity and an item without its keys


def disagreement(pattern: PatternSpec, expected: list[Named], found: list[Named]) -> str:
    """What is wrong with an answer, in words; nothing where it is right."""
    wanted = [(name, returned(pattern, item)) for name, item in expected]
    shown = [(name, returned(pattern, item)) for name, item in found]
    most = 1 if pattern.kind == "get" else pattern.limit
    right = len(wanted) if most is None else min(most, len(wanted))
    surplus = Counter(map(frozen, shown)) - Counter(map(frozen, wanted))
    if surplus:
        return f"returned what does not belong to the answer: {next(iter(surplus))}"
    if len(shown) != right:
        missing = Counter(map(frozen, wanted)) - Counter(map(frozen, shown))
        return f"returned {len(shown)} of {right} items; missing is {next(iter(missing), 'nothing')}"
    return "" if in_order(pattern, expected, found) else f"not in the order of {', '.join(sort_names(pattern))}"


def returned(pattern: PatternSpec, item: Item) -> Item:
    return {name: value for name, value in item.items() if name in pattern.returns} if pattern.returns else item


def sort_names(pattern: PatternSpec) -> list[str]:
    return [each.attr for each in pattern.sort]


def in_order(pattern: PatternSpec, expected: list[Named], found: list[Named]) -> bool:
    """Values that are sorted by come as brute force has them; which of two equal ones is first is left open."""
    names = sort_names(pattern)
    shown = sequence(names, found)
    return shown == sequence(names, expected)[: len(shown)]


def sequence(names: list[str], items: Iterable[Named]) -> list[tuple[Any, ...]]:
    return [tuple(item.get(name) for name in names) for _, item in items if names and names[0] in item]


def frozen(named: Named) -> str:
    name, item = named
    return f"{name} {{{', '.join(f'{key}: {plain(item[key])}' for key in sorted(item))}}}"


def plain(value: Any) -> str:
    return repr(sorted(cast("set[Any]", value))) if isinstance(value, set | frozenset) else repr(value)


def difference(expected: Mapping[str, Any] | None, found: Mapping[str, Any] | None) -> str:
    """How a stored item differs from what it must be."""
    if expected is None or found is None:
        return "is stored but must not be" if expected is None else "is not stored but must be"
    wrong = [
        f"{name} is {plain(found.get(name))}, must be {plain(expected.get(name))}"
        for name in sorted({*expected, *found})
        if expected.get(name) != found.get(name)
    ]
    return "; ".join(wrong)
