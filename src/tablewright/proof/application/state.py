"""What an application knows, and how it is called.

A state is a value: a write gives another one, so that two orders of two writes can be tried from the same beginning.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.wire.numbers import add

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, Spec

Item: TypeAlias = dict[str, Any]
Id: TypeAlias = tuple[Any, ...]
Named: TypeAlias = tuple[str, Item]  # an entity and an item of it


class RefusedError(Exception):
    """The write does not happen, and nothing has changed."""


class State(msgspec.Struct, frozen=True):
    """By entity and id the items there are, and the tokens of requests that have been done.

    An item that expires so many days after its put has that time in `Spec.written_expiry`, which is no attribute of it.
    """

    items: Mapping[str, Mapping[Id, Item]]
    tokens: frozenset[str] = frozenset()

    def of(self, entity: str) -> Iterable[Item]:
        return self.items[entity].values()

    def get(self, entity: str, wanted: Id) -> Item | None:
        return self.items[entity].get(wanted)


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One use of a pattern: what the caller says, by what it is.

    by        by attribute of `by`
    range     the value, or the two values, that the range goes by
    filter    by attribute, where the filter asks the caller
    given     by entity and attribute: the new values; None takes an optional attribute away
    lists     by entity that is written any number of times: the items
    slots     by name: what conditions and amounts ask for besides
    versions  by entity: the version that the caller has seen, 0 for none
    token     of an idempotent request
    ids       of a batch: the ids asked for
    now       the time, in seconds since 1970
    """

    by: Mapping[str, Any] = {}
    range: tuple[Any, ...] = ()
    filter: Mapping[str, Any] = {}
    given: Mapping[str, Mapping[str, Any]] = {}
    lists: Mapping[str, tuple[Item, ...]] = {}
    slots: Mapping[str, Any] = {}
    versions: Mapping[str, int] = {}
    token: str = ""
    ids: tuple[Mapping[str, Any], ...] = ()
    now: float = 0


class Changed(msgspec.Struct, frozen=True):
    """One item before and after a write; None where there is none."""

    entity: str
    before: Item | None
    after: Item | None


class Applied(msgspec.Struct, frozen=True):
    """The state after a write; what it changed, what went along, and what it demanded besides to be there."""

    state: State
    changed: tuple[Changed, ...] = ()
    along: tuple[Changed, ...] = ()
    checked: tuple[Named, ...] = ()

    @property
    def everything(self) -> tuple[Changed, ...]:
        return (*self.changed, *self.along)


def id_of(entity: EntitySpec, item: Mapping[str, Any]) -> Id:
    return tuple(item[name] for name in entity.id)


def exact_sum(numbers: Iterable[Any]) -> Any:
    """As DynamoDB adds: decimals of 38 digits, not floats."""
    nothing: Any = 0
    return reduce(add, numbers, nothing)


def state_of(spec: Spec, items: Mapping[str, Iterable[Item]]) -> State:
    """The state that has these items."""
    found = {
        name: {id_of(entity, item): item for item in items.get(name, ())} for name, entity in spec.entities.items()
    }
    return State(found)


def with_changes(spec: Spec, state: State, changes: Iterable[Changed]) -> State:
    """The same state after these changes."""
    found = dict(state.items)
    for name in dict.fromkeys(each.entity for each in changes):
        found[name] = dict(state.items[name])
    for each in changes:
        entity, items = spec.entities[each.entity], dict(found[each.entity])
        if each.before is not None:
            items.pop(id_of(entity, each.before), None)
        if each.after is not None:
            items[id_of(entity, each.after)] = each.after
        found[each.entity] = items
    return State(found, state.tokens)


# ---- time -----------------------------------------------------------------------------------------------------------


SECONDS_PER_DAY = 86_400


def expiry_attribute(spec: Spec, entity: str) -> str | None:
    """What says when an item goes: what puts write, or else what callers say."""
    said = spec.entities[entity].said_expiry
    return spec.written_expiry(entity) or (said[0] if said else None)


def is_expired(spec: Spec, entity: str, item: Item, now: float) -> bool:
    name = expiry_attribute(spec, entity)
    time = None if name is None else item.get(name)
    return time is not None and time <= now


def with_expiry(spec: Spec, entity: str, item: Item, now: float) -> Item:
    """An item as it is put: where its time follows from the time of the put, it has that."""
    name, ttl = spec.written_expiry(entity), spec.entities[entity].ttl
    if name is None or ttl is None or ttl.days is None:
        return item
    return {**item, name: int(now) + round(ttl.days * SECONDS_PER_DAY)}


# ---- parents and children -------------------------------------------------------------------------------------------


def parents_of(facts: Facts, state: State, entity: str, item: Item) -> Iterator[Named]:
    """The items that an item names, where they are there."""
    for parent in dict.fromkeys(facts.references[entity].values()):
        named = _naming(facts, entity, parent)
        wanted = tuple(item.get(ours) for ours in named.values())
        found = state.get(parent, wanted) if named and None not in wanted else None
        if found is not None:
            yield parent, found


def _naming(facts: Facts, entity: str, parent: str) -> dict[str, str]:
    """By attribute of the parent's id: the attribute that holds it; nothing where one is missing."""
    ours = [name for name, of in facts.references[entity].items() if of == parent]
    return pair_names(facts.spec.entities[parent].id, ours)


def pair_names(ids: tuple[str, ...], ours: Iterable[str]) -> dict[str, str]:
    """Attributes of an id and those that hold it: by name where they are called the same, else in their order."""
    names = tuple(ours)
    if set(ids) <= set(names):
        return {name: name for name in ids}
    return dict(zip(ids, names, strict=True)) if len(ids) == len(names) else {}
