"""What a read answers: filtering, sorting and cutting plain items."""

from __future__ import annotations

from decimal import ROUND_FLOOR
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.expr.compare import is_equal, is_less
from tablewright.proof.application.state import Call, Item, Named, State, exact_sum, is_expired, parents_of
from tablewright.spec.intervals import without_intervals
from tablewright.spec.listing import list_pattern, listing_of
from tablewright.spec.parents import ParentAttribute, find_parent_attribute, is_of_parent
from tablewright.wire.numbers import to_decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tablewright.spec.facts import Facts
    from tablewright.spec.listing import Listing
    from tablewright.spec.model import Overlaps, PatternSpec

_ASKED = "param"
_PHRASES = {"at most": "lte", "at least": "gte", "more than": "gt", "less than": "lt", "fewer than": "lt"}


class Match(NamedTuple):
    """An item that answers, the places of its sort attributes (None where it lacks one), and when it was asked for.

    Behind a list these are the places of the entry, and an item that `is_gone` counts without being answered.
    """

    entity: str
    item: Item
    order: tuple[Any, ...]
    now: float
    is_gone: bool = False


def answer(facts: Facts, pattern: PatternSpec, state: State, call: Call) -> Any:
    """Items with their entities, or the number of an aggregate."""
    found = matching(facts, pattern, state, call)
    if pattern.aggregate is not None:
        return _aggregate(pattern.aggregate.kind, pattern.aggregate.attr, [each.item for each in found])
    kept = (each for each in cut(facts, pattern, found) if not each.is_gone)
    return [(each.entity, shown(facts, pattern, state, each)) for each in kept]


def least_number(facts: Facts, pattern: PatternSpec, state: State, call: Call) -> int:
    """Of a count in steps: the least that it may be, without what lies in the step of the value that is asked for."""
    said = pattern.range
    assert said is not None
    assert said.step is not None
    found = (each.item for each in matching(facts, pattern, state, call))
    return sum(_test(said.op, step_below(each.get(said.attr), said.step), call.range) for each in found)


def step_below(value: Any, size: int) -> int | None:
    """The multiple of a size that a number is not below."""
    return None if value is None else int(to_decimal(value).to_integral_value(ROUND_FLOOR)) // size * size


def matching(facts: Facts, pattern: PatternSpec, state: State, call: Call) -> list[Match]:
    """Everything that answers, in order, before any limit."""
    if pattern.kind == "batch":
        return _of_ids(facts, pattern, state, call)
    listing = listing_of(facts.spec, pattern)
    if listing is not None:
        entries = matching(facts, list_pattern(pattern, listing), state, call)
        return [_named_by(facts, pattern, listing, state, call, each) for each in entries]
    found = [
        Match(entity, item, _order_of(facts, pattern, entity, item), call.now)
        for entity in pattern.entities
        for item in state.of(entity)
        if not _is_hidden(facts, pattern, entity, item, call) and _is_match(facts, pattern, state, (entity, item), call)
    ]
    return _in_order(facts, pattern, found)


def _of_ids(facts: Facts, pattern: PatternSpec, state: State, call: Call) -> list[Match]:
    """The items of the ids, in the order in which they are asked for; those that are not there are left out."""
    ids = facts.spec.entities[pattern.entity].id
    found = [state.get(pattern.entity, tuple(each[name] for name in ids)) for each in call.ids]
    return [
        Match(pattern.entity, item, (at,), call.now)
        for at, item in enumerate(found)
        if item is not None and not _is_hidden(facts, pattern, pattern.entity, item, call)
    ]


def _named_by(facts: Facts, pattern: PatternSpec, listing: Listing, state: State, call: Call, entry: Match) -> Match:
    """The item that an entry names; gone where there is none, or where its time has passed."""
    wanted = tuple(entry.item.get(listing.names[name]) for name in facts.spec.entities[pattern.entity].id)
    item = state.get(pattern.entity, wanted)
    if item is None or _is_hidden(facts, pattern, pattern.entity, item, call):
        return Match(pattern.entity, {}, entry.order, entry.now, is_gone=True)
    return Match(pattern.entity, item, entry.order, entry.now)


def shown(facts: Facts, pattern: PatternSpec, state: State, match: Match) -> Item:
    """What is answered of an item: all of its attributes, or those that the pattern returns."""
    known = facts.spec.entities[match.entity].attributes
    if not pattern.returns:
        return {name: value for name, value in match.item.items() if name in known}
    now = None if pattern.expired == "shown" else match.now
    values = {name: returned(facts, state, (match.entity, match.item), name, now) for name in pattern.returns}
    return {name: value for name, value in values.items() if value is not None}


# ---- which items answer ---------------------------------------------------------------------------------------------


def _is_hidden(facts: Facts, pattern: PatternSpec, entity: str, item: Item, call: Call) -> bool:
    return pattern.expired == "hidden" and is_expired(facts.spec, entity, item, call.now)


def _is_match(facts: Facts, pattern: PatternSpec, state: State, named: Named, call: Call) -> bool:
    for name in pattern.by:
        value = value_of(facts, state, named, name, None if pattern.expired == "shown" else call.now)
        if value is None or not is_equal(value, call.by[name]):
            return False
    item = named[1]
    if pattern.overlaps is not None and not _overlaps(pattern.overlaps, item, call):
        return False
    said = without_intervals(pattern)
    if said.range is not None and not _test(said.range.op, item.get(said.range.attr), call.range):
        return False
    return all(_test(*_meant(call, name, each, item)) for name, each in said.filter.items())


def _overlaps(said: Overlaps, item: Item, call: Call) -> bool:
    """Both ends count; what lacks one of its own never overlaps."""
    first, last = call.range
    return _test("lte", item.get(said.start), (last,)) and _test("gte", item.get(said.end), (first,))


def _meant(call: Call, name: str, said: Any, item: Item) -> tuple[str, Any, tuple[Any, ...]]:
    """`param` and comparisons in words ask the caller; every other value stands for itself, with blanks as well."""
    words = said.lower().split(" ") if isinstance(said, str) else []
    operator = _PHRASES.get(" ".join(words[:2])) if len(words) > 1 else None
    if said == _ASKED or operator is not None:
        return operator or "=", item.get(name), (call.filter[name],)
    return "=", item.get(name), (said,)


def value_of(facts: Facts, state: State, named: Named, name: str, now: float | None = None) -> Any:
    """An item's own attribute; what it does not have is that of the parent that has it.

    `now`: who has expired by then is no parent any more.
    """
    entity, item = named
    if name in facts.spec.entities[entity].attributes:
        return item.get(name)
    for parent in parents_of(facts, state, entity, item):
        if now is not None and is_expired(facts.spec, *parent, now):
            continue
        if name in facts.spec.entities[parent[0]].attributes:
            return parent[1].get(name)
    return None


def returned(facts: Facts, state: State, named: Named, name: str, now: float | None = None) -> Any:
    """An item's own attribute, or that of a parent: `Customer.name`."""
    entity, item = named
    asked = facts.spec.entities[entity]
    found = find_parent_attribute(facts.spec, asked, name) if is_of_parent(asked, name) else None
    if not isinstance(found, ParentAttribute):
        return item.get(name)
    parent = state.get(found.parent, tuple(item.get(ours) for ours in found.own))
    if parent is None or (now is not None and is_expired(facts.spec, found.parent, parent, now)):
        return None
    return parent.get(found.attribute)


_TESTS: Mapping[str, Callable[[Any, tuple[Any, ...]], bool]] = {
    "=": lambda value, given: is_equal(value, given[0]),
    "gt": lambda value, given: is_less(given[0], value),
    "lt": lambda value, given: is_less(value, given[0]),
    "gte": lambda value, given: is_less(given[0], value) or is_equal(value, given[0]),
    "lte": lambda value, given: is_less(value, given[0]) or is_equal(value, given[0]),
    "between": lambda value, given: not is_less(value, given[0]) and not is_less(given[1], value),
    "begins_with": lambda value, given: str(value).startswith(str(given[0])),
}


def _test(operator: str, value: Any, given: tuple[Any, ...]) -> bool:
    """An item without the attribute passes no test."""
    return value is not None and _TESTS[operator](value, given)


# ---- order and limits -----------------------------------------------------------------------------------------------


def _order_of(facts: Facts, pattern: PatternSpec, entity: str, item: Item) -> tuple[Any, ...]:
    """The values an item is sorted by, up to the first that it lacks: behind that, nothing orders it."""
    if not is_sorted(facts, pattern, entity):
        return ()
    found: list[Any] = []
    for each in pattern.sort:
        found.append(_sortable(item.get(each.attr)))
        if found[-1] is None:
            break
    return tuple(found)


def _sortable(value: Any) -> Any:
    """Text sorts by its UTF-8 bytes."""
    return value.encode() if isinstance(value, str) else value


def is_sorted(facts: Facts, pattern: PatternSpec, entity: str) -> bool:
    """Whether the order is about this entity; a parent without the attribute stands anywhere."""
    if pattern.through is not None:
        return bool(pattern.sort)
    return bool(pattern.sort) and pattern.sort[0].attr in facts.spec.entities[entity].attributes


def _in_order(facts: Facts, pattern: PatternSpec, found: list[Match]) -> list[Match]:
    ordered = [each for each in found if is_sorted(facts, pattern, each.entity)]
    others = [each for each in found if not is_sorted(facts, pattern, each.entity)]
    if pattern.absent == "omit":
        ordered = [each for each in ordered if None not in each.order]
    for at, each in reversed(list(enumerate(pattern.sort))):
        having = [match for match in ordered if len(match.order) > at and match.order[at] is not None]
        lacking = [match for match in ordered if len(match.order) <= at or match.order[at] is None]
        having.sort(key=lambda match: match.order[at], reverse=each.order == "desc")
        ordered = lacking + having if pattern.absent == "first" else having + lacking
    return others + ordered


def cut(facts: Facts, pattern: PatternSpec, found: Iterable[Match]) -> list[Match]:
    """The first of each entity, or of those together that the limit counts."""
    left = dict(allowances(facts, pattern))
    kept: list[Match] = []
    for each in found:
        counted = next((names for names in left if each.entity in names), None)
        if counted is not None:
            if not left[counted]:
                continue
            left[counted] -= 1
        kept.append(each)
    return kept


def allowances(facts: Facts, pattern: PatternSpec) -> dict[tuple[str, ...], int]:
    """How many items there may be of these entities together. A number counts those that have the sort attribute."""
    if pattern.kind == "get":
        return {pattern.entities: 1}
    if pattern.limit is not None:
        counted = tuple(each for each in pattern.entities if not pattern.sort or is_sorted(facts, pattern, each))
        return {counted: pattern.limit}
    return {(entity,): limit for entity, limit in pattern.limits.items()}


# ---- numbers --------------------------------------------------------------------------------------------------------


def _aggregate(kind: str, attribute: str, items: list[Item]) -> Any:
    """Of nothing the sum is 0, and there is no greatest or least."""
    values = [item[attribute] for item in items if item.get(attribute) is not None]
    match kind:
        case "count":
            return len(items)
        case "sum":
            return exact_sum(values)
        case "max":
            return max(values, key=_sortable) if values else None
        case _:
            return min(values, key=_sortable) if values else None
