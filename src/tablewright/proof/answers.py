"""What a design answered, compared with what the application answers: items, how many of them, and their order."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from tablewright.expr.compare import is_equal
from tablewright.proof.application.reads import Match, allowances, is_sorted, shown
from tablewright.wire.numbers import number_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.proof.application.state import Item, Named, State
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def compare_answers(
    facts: Facts, pattern: PatternSpec, state: State, expected: list[Match], found: list[Named], *, whole: bool = False
) -> str:
    """What is wrong with an answer; empty where it is right. `whole`: that of all pages together, without a limit."""
    answered = [(entity, _returned(pattern, item)) for entity, item in found]
    wanted = [(each, item_text((each.entity, shown(facts, pattern, state, each)))) for each in expected]
    surplus = Counter(map(item_text, answered)) - Counter(text for each, text in wanted if not each.is_gone)
    if surplus:
        return f"returned what does not belong to the answer: {next(iter(surplus))}"
    limits = {} if whole else allowances(facts, pattern)
    if pattern.through is not None:
        return _compare_listed(wanted, list(map(item_text, answered)), limits.get(pattern.entities))
    for entities in [*limits, *_unlimited(pattern, limits)]:
        own = [text for each, text in wanted if each.entity in entities]
        got = [item_text(each) for each in answered if each[0] in entities]
        right = min(len(own), limits.get(entities, len(own)))
        if len(got) != right:
            missing = next(iter(Counter(own) - Counter(got)), "nothing")
            return f"returned {len(got)} of {right} items; missing is {missing}"
    return _compare_order(facts, pattern, wanted, answered)


def _unlimited(pattern: PatternSpec, limits: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    counted = {entity for entities in limits for entity in entities}
    return [(entity,) for entity in pattern.entities if entity not in counted]


def _returned(pattern: PatternSpec, item: Item) -> Item:
    return {name: value for name, value in item.items() if name in pattern.returns} if pattern.returns else item


def _compare_order(facts: Facts, pattern: PatternSpec, wanted: list[tuple[Match, str]], answered: list[Named]) -> str:
    """Items of one place in the order may come in any; those of the next place come behind all of them."""
    is_batch = pattern.kind == "batch"
    ordered = [pair for pair in wanted if is_batch or is_sorted(facts, pattern, pair[0].entity)]
    left = [item_text(each) for each in answered if is_batch or is_sorted(facts, pattern, each[0])]
    limits = allowances(facts, pattern)
    if len(limits) > 1 or (limits and len(pattern.entities) > 1):
        ordered = _without_cut(ordered, left)
    for _, group in groupby(ordered, key=lambda pair: pair[0].order):
        texts = [text for _, text in group]
        now, left = left[: len(texts)], left[len(texts) :]
        if Counter(now) - Counter(texts):
            return f"not in the order of {', '.join(each.attr for each in pattern.sort) or 'its ids'}"
    return ""


def _without_cut(ordered: list[tuple[Match, str]], answered: list[str]) -> list[tuple[Match, str]]:
    """What limits of single entities left out stands between what they let through, and is no part of the order."""
    there = set(answered)
    return [pair for pair in ordered if pair[1] in there]


def _compare_listed(wanted: list[tuple[Match, str]], left: list[str], room: int | None) -> str:
    """Items behind a list: the limit counts entries, also those whose items are gone.

    Of entries in one place of the order any may be cut, so that of the last place so many items are right as there can
    be with none or with all of its gone ones among those that count.
    """
    for _, group in groupby(wanted, key=lambda pair: pair[0].order):
        pairs = list(group)
        there = Counter(text for each, text in pairs if not each.is_gone)
        counted = len(pairs) if room is None else min(len(pairs), room)
        room = None if room is None else room - counted
        least, most = max(0, counted - len(pairs) + there.total()), min(counted, there.total())
        now, left = left[:most], left[most:]
        if Counter(now) - there:
            return "not in the order of its list"
        if len(now) < least:
            return f"returned {len(now)} of {least} items; missing is {next(iter(there - Counter(now)))}"
    return f"returned {len(left)} items beyond its limit" if left else ""


# ---- text -----------------------------------------------------------------------------------------------------------


def item_text(named: Named) -> str:
    name, item = named
    return f"{name} {{{', '.join(f'{key}: {_value_text(item[key])}' for key in sorted(item))}}}"


def _value_text(value: Any) -> str:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return number_text(value)
    return repr(sorted(cast("set[Any]", value))) if isinstance(value, set | frozenset) else repr(value)


def compare_items(expected: Mapping[str, Any] | None, found: Mapping[str, Any] | None) -> str:
    """How a stored item differs from the expected one; empty where it does not."""
    if expected is None or found is None:
        if expected is found:
            return ""
        return "is stored but must not be" if expected is None else "is not stored but must be"
    wrong = [
        f"{name} is {_value_text(found.get(name))}, must be {_value_text(expected.get(name))}"
        for name in sorted({*expected, *found})
        if name not in expected or name not in found or not is_equal(expected[name], found[name])
    ]
    return "; ".join(wrong)
