"""Answers of a design against what the application over dictionaries must answer: items, order, limits, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.trust.oracle import Application, Item, order_of

if TYPE_CHECKING:
    from tablewright.spec.model import PatternSpec


class Differs(AssertionError):
    """The design does not do what the spec says."""


def compare_number(application: Application, asked: PatternSpec, inputs: Item, found: Any) -> None:
    assert asked.aggregate is not None
    kind, attribute = asked.aggregate.kind, asked.aggregate.attr
    items = application.matching(asked.id, asked.entity, inputs)
    values = [item[attribute] for item in items if attribute in item]
    least_most = {"min": min, "max": max}
    number = len(items) if kind == "count" else sum(values)
    wanted = least_most[kind](values, default=None) if kind in least_most else number
    if found != wanted:
        raise Differs(f"{inputs}: {found}, and must be {wanted}")


def compare_batch(application: Application, asked: PatternSpec, inputs: Item, found: list[Item]) -> None:
    """In the order of the ids; what is not there, or hidden, is left out."""
    ids, stored = application.spec.entities[asked.entity].id, application.state[asked.entity]
    keys = [tuple(each[name] for name in ids) for each in inputs["ids"]]
    answering = application.answering(asked.id, asked.entity)
    wanted = [stored[key] for key in keys if key in stored and answering(stored[key])]
    if found != wanted:
        raise Differs(f"{inputs}: {found}, and must be {wanted}")


def compare_listed(application: Application, asked: PatternSpec, inputs: Item, found: list[Item]) -> None:
    """What the entries of a list name, in its order; one that names nothing gives nothing, but counts."""
    assert asked.through is not None
    entity, _, attribute = asked.through.partition(".")
    ids, stored = application.spec.entities[asked.entity].id, application.state[asked.entity]
    answering = application.answering(asked.id, asked.entity)
    entries = sorted(application.matching(asked.id, entity, inputs), key=lambda each: _place(asked, each))
    keys = [tuple(each[attribute or name] for name in ids) for each in entries]
    items = [stored[key] if key in stored and answering(stored[key]) else None for key in keys]
    named = [None if each is None else _answered(application, asked, asked.entity, each) for each in items]
    most = len(entries) if asked.limit is None else min(asked.limit, len(entries))
    at, left = 0, list(found)
    while at < most:  # entries in one place of the order come in any, and any of them are cut
        alike = [item for each, item in zip(entries, named, strict=True) if _is_alike(asked, each, entries[at])]
        taken = min(len(alike), most - at)
        there = [item for item in alike if item is not None]
        least, greatest = max(0, taken - (len(alike) - len(there))), min(taken, len(there))
        now, left = left[:greatest], left[greatest:]
        for item in (_shown(asked, each) for each in now):
            if item not in there:
                raise Differs(f"{inputs}: {found}, and the entries are {entries}, of which {most} count")
            there.remove(item)
        if len(now) < least:
            raise Differs(f"{inputs}: {found} lacks some of what {most} of {entries} name")
        at += len(alike)
    if left:
        raise Differs(f"{inputs}: {left} is more than what {most} of {entries} name")


def _is_alike(asked: PatternSpec, one: Item, other: Item) -> bool:
    return _place(asked, one) == _place(asked, other)


def compare_items(application: Application, asked: PatternSpec, inputs: Item, found: list[tuple[str, Item]]) -> None:
    for group, limit in _groups(application, asked):
        wanted = [(each, item) for each in group for item in application.matching(asked.id, each, inputs)]
        got = [(entity, item) for entity, item in found if entity in group]
        most = 1 if asked.kind == "get" else len(wanted) if limit is None else limit
        shown = [(each, _answered(application, asked, each, item)) for each, item in wanted]
        _compare_contents(asked, inputs, got, shown)
        if len(got) != min(most, len(wanted)):
            raise Differs(f"{inputs}: {len(got)} answered, {min(most, len(wanted))} of {shown} must be")
        order = [_place(asked, item) for _, item in got]
        if _shows_order(asked) and order != sorted(_place(asked, item) for _, item in wanted)[: len(order)]:
            raise Differs(f"{inputs}: not in order, or not the first: {got}, of {shown}")
    if {entity for entity, _ in found} - set(asked.entities):
        raise Differs(f"{inputs}: answered with {found}")


def _compare_contents(
    asked: PatternSpec, inputs: Item, got: list[tuple[str, Item]], shown: list[tuple[str, Item]]
) -> None:
    """Each item once, as the application has it."""
    left = list(shown)
    for each in [(entity, _shown(asked, item)) for entity, item in got]:
        if each not in left:
            raise Differs(f"{inputs}: {each} is answered, of {shown}")
        left.remove(each)


def _groups(application: Application, asked: PatternSpec) -> list[tuple[list[str], int | None]]:
    """Entities that are counted together, with the limit of all of them."""
    if asked.limits:
        return [([each], asked.limits.get(each)) for each in asked.entities]
    entities = application.spec.entities
    counted = [each for each in asked.entities if all(one.attr in entities[each].attributes for one in asked.sort)]
    others: list[tuple[list[str], int | None]] = [([each], None) for each in asked.entities if each not in counted]
    return [(counted, asked.limit), *others]


def _answered(application: Application, asked: PatternSpec, entity: str, item: Item) -> Item:
    """What is to be seen of an item, and of those that it names."""
    found, attributes = dict(item), application.spec.entities[entity].attributes
    for name in asked.returns:
        prefix, _, attribute = name.rpartition(".")
        parent = attributes[prefix].references if prefix in attributes else prefix
        if parent:
            said = [each for each, one in attributes.items() if prefix in (each, one.references)]
            key = tuple(item.get(each) for each in said or application.spec.entities[parent].id)
            there = application.state[parent].get(key, {})
            found |= {name: there[attribute]} if attribute in there else {}
    return _shown(asked, found)


def _shown(asked: PatternSpec, item: Item) -> Item:
    return {name: item[name] for name in item if not asked.returns or name in asked.returns}


def _shows_order(asked: PatternSpec) -> bool:
    return bool(asked.sort) and (not asked.returns or all(each.attr in asked.returns for each in asked.sort))


class _Backwards:
    """Sorts the other way round."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Any) -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Backwards) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


def _place(asked: PatternSpec, item: Item) -> tuple[Any, ...]:
    """Where an item stands in the order that was asked for; those without the attribute first or last."""
    found: list[Any] = []
    for each in asked.sort:
        if each.attr not in item:
            found.append((asked.absent != "first",))
        else:
            value = order_of(item[each.attr])
            found.append((asked.absent == "first", _Backwards(value) if each.order == "desc" else value))
    return tuple(found)
