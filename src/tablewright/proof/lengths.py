"""Where things end that reads of what overlaps ask for: behind where they begin, as long as a spec lets them last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.spec.intervals import USUAL_LENGTH, shifted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from tablewright.proof.application.state import Call
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Ending
    from tablewright.spec.writes import Effect

Item: TypeAlias = dict[str, Any]
PARTS = (0, 0.01, 0.3, 0.5, 1, 1, 1)
"""Of the longest time, which is the one that designs get wrong."""
ALONE_SHARE = 0.1
"""The share of new beginnings or ends that come without the other, which is refused."""


def endings_of(facts: Facts, entity: str) -> dict[str, Ending]:
    """By attribute that is an end."""
    attributes = facts.spec.entities[entity].attributes
    return {name: each.ends for name, each in attributes.items() if each.ends is not None}


def with_ends(facts: Facts, chance: Random, entity: str, item: Item, kept: Sequence[str] = ()) -> Item:
    """The same with ends that its beginnings allow; `kept` are not for anybody to change."""
    found = dict(item)
    for end, rule in endings_of(facts, entity).items():
        if end not in kept and found.get(end) is not None and found.get(rule.start) is not None:
            found[end] = _end_behind(rule, found[rule.start], chance.choice(PARTS))
    return found


def _end_behind(rule: Ending, start: Any, part: float) -> Any:
    """Whole seconds, and whole numbers, where the longest is one."""
    length = rule.longest * part
    return shifted(start, int(length) if rule.longest == int(rule.longest) else length)


def lasting(facts: Facts, chance: Random, entity: str, item: Item, given: frozenset[str]) -> Item:
    """Beginnings and ends in the proportions of usual items: nobody said more than how long the longest last."""
    found: Item = {}
    for end, rule in endings_of(facts, entity).items():
        start = item.get(rule.start)
        if end in given or end not in item or start is None:
            continue
        if shifted(start, 0) is None:  # a text of a size that no time has
            found[rule.start] = start = start[:19] if len(start) > len("2026-01-31T09:00:00") else start[:10]
        found[end] = _end_behind(rule, start, 2 * USUAL_LENGTH * chance.random())
    return found


def with_both(facts: Facts, chance: Random, effect: Effect, given: Sequence[str]) -> list[str]:
    """The attributes that an update has to give besides these, mostly."""
    found: list[str] = []
    listed = {each.attr for each in effect.changes if each.kind == "given"}
    for end, rule in endings_of(facts, effect.entity).items():
        pair = {end, rule.start}
        if pair <= listed and len(pair & set(given)) == 1 and chance.random() >= ALONE_SHARE:
            found += pair - set(given)
    return found


# ---- what lasts too long --------------------------------------------------------------------------------------------


def too_long_calls(facts: Facts, effect: Effect, call: Call, attribute: str) -> Iterator[Call]:
    """The same call with ends that lie too far behind, that tell no time, or that come without a beginning."""
    rule = facts.attribute(effect.entity, attribute).ends
    if rule is None:
        return
    if effect.is_list:
        items = call.lists.get(effect.entity, ())
        for wrong in _wrong_ends(rule, {**call.by, **items[-1]}) if items else ():
            spoilt = (*items[:-1], {**items[-1], attribute: wrong})
            yield msgspec.structs.replace(call, lists={**call.lists, effect.entity: spoilt})
        return
    own = call.given.get(effect.entity, {})
    for wrong in _wrong_ends(rule, {**call.by, **own}) if attribute in own else ():
        yield _giving(effect, call, {**own, attribute: wrong})
    if effect.op == "update" and {attribute, rule.start} <= own.keys():
        for name in (attribute, rule.start):
            yield _giving(effect, call, {each: value for each, value in own.items() if each != name})


def _giving(effect: Effect, call: Call, given: Item) -> Call:
    return msgspec.structs.replace(call, given={**call.given, effect.entity: given})


def _wrong_ends(rule: Ending, item: Item) -> list[Any]:
    start = item.get(rule.start)
    if start is None:
        return []
    if not isinstance(start, str):
        return [shifted(start, rule.longest + more) for more in (1, 1000)]
    barely = shifted(start, rule.longest + (1 if len(start) > len("2026-01-31") else 86_400))
    return [barely, shifted(start, 3 * rule.longest + 86_400), "soon", f"{start[:10]}T25:00:00Z"]
