"""What a write pattern does to every entry of the items it writes: adds, rewrites, moves or removes it.

A put is taken to add an item that was not there. A transaction updates the entities whose whole id it is given and that
another write has made; it adds items of the others, children as many as their parent has. A change of a key attribute
moves an entry; what an update may change is in the facts. An item that is only checked is billed as if it were written.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.cost.units.entering import share_there, writes_of_update
from tablewright.design.cost.units.entries import Entry
from tablewright.design.serving.answers import different
from tablewright.design.serving.writes import (
    changed_by,
    failure_share,
    operation_on,
    touches_companion,
    written_together,
)
from tablewright.spec import writes as spec_writes
from tablewright.spec.quantities import Assumption
from tablewright.spec.volumes import presence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

Deed: TypeAlias = Literal["add", "rewrite", "move", "remove", "check"]


class Effect(msgspec.Struct, frozen=True):
    """One entry, and what a run of the pattern does to it."""

    entry: Entry
    deed: Deed
    times: float = 1.0  # a transaction writes a parent with all its children
    writes: float = 1.0  # of the entry, on average over the items that a run meets


def effects_of(facts: Facts, entries: Iterable[Entry], pattern: PatternSpec) -> tuple[Effect, ...]:
    """What the write itself does; what follows the stream does the rest afterwards."""
    there = tuple(each for each in entries if each.kind != "trailing")
    return (*_written(facts, there, pattern), *_checks(facts, there, pattern))


def trailing_effects(facts: Facts, entries: Iterable[Entry], pattern: PatternSpec) -> list[Effect]:
    """What a function that follows the stream does after a run: to a trailing total the same as a write to a total."""
    trailing = [msgspec.structs.replace(each, kind="total") for each in entries if each.kind == "trailing"]
    return _written(facts, trailing, pattern)


def _written(facts: Facts, entries: Sequence[Entry], pattern: PatternSpec) -> list[Effect]:
    return [
        Effect(entry, deed, written_together(facts, pattern, entry.owner), _writes(facts, entry, deed, pattern))
        for entry in entries
        if entry.owner in pattern.entities
        for deed in _deeds(facts, entry, pattern, _table_key(entries, entry))
    ]


def _checks(facts: Facts, entries: tuple[Entry, ...], pattern: PatternSpec) -> Iterator[Effect]:
    """A look at every parent that must be there. One is enough for all children that name the same parent: they are
    taken to name any of them, so that of few parents some are named twice.
    """
    named: dict[str, float] = {}
    for effect in spec_writes.effects_of(facts, pattern):
        for parent in effect.parents:
            named[parent.entity] = named.get(parent.entity, 0.0) + _times_named(facts, pattern, effect, parent)
    for entity, times in named.items():
        looks = min(times, different(facts.counts[entity], times))
        yield from (Effect(entry, "check", looks) for entry in _found_by_id(facts, entries, entity))


def _times_named(facts: Facts, pattern: PatternSpec, effect: spec_writes.Effect, parent: spec_writes.Parent) -> float:
    """How often a run names a parent by these attributes: once for all of a list where its elements share them."""
    own = [ours for _, ours in parent.named]
    given = {each.attr for each in effect.changes if each.kind != "remove"} if not effect.gives_any else set[str]()
    there = prod(presence(facts, effect.entity, name) for name in own if name not in given)
    return there * (1.0 if set(own) <= set(effect.by) else written_together(facts, pattern, effect.entity))


def _found_by_id(facts: Facts, entries: Iterable[Entry], entity: str) -> list[Entry]:
    """The item by which an id is known to exist: itself, or what keeps the id unique."""
    ids = set(facts.spec.entities[entity].id)
    own = [each for each in entries if each.owner == entity and each.kind in ("item", "unique")]
    return [each for each in own if set(each.key_attributes) <= ids][:1]


def _table_key(entries: Iterable[Entry], entry: Entry) -> set[str]:
    """The attributes of the table's key that an index entry holds besides its own."""
    if entry.kind != "index":
        return set()
    items = (each for each in entries if each.kind == "item" and each.entity == entry.entity)
    return {name for each in items for name in each.key_attributes}


def _deeds(facts: Facts, entry: Entry, pattern: PatternSpec, table_key: set[str]) -> Iterator[Deed]:
    """None where nothing changes; two for a total that an item leaves for another."""
    match operation_on(facts, pattern, entry.owner):
        case "put":
            yield "rewrite" if entry.kind in ("total", "latest") else "add"
        case "delete":
            yield "rewrite" if entry.kind == "total" else "remove"
        case "check":
            if entry.kind == "item":
                yield "check"
        case _:
            found = list(_updated(entry, changed_by(facts, pattern, entry.owner), table_key))
            yield from found or (["add"] if _may_add(facts, entry, pattern) else [])


def _may_add(facts: Facts, entry: Entry, pattern: PatternSpec) -> bool:
    """Whether an update that makes its item would make this as well: so it is a transaction, whatever is there."""
    followed = entry.projected or ()
    return (
        entry.kind in ("unique", "total")
        and spec_writes.effect_on(facts, pattern, entry.owner).upsert
        and touches_companion(facts, pattern, entry.owner, entry.key_attributes, followed)
    )


def _writes(facts: Facts, entry: Entry, deed: Deed, pattern: PatternSpec) -> float:
    match operation_on(facts, pattern, entry.owner):
        case "update" if deed == "add":
            return 0.0  # it is taken to find its item
        case "update" if entry.kind != "total":
            return writes_of_update(facts, pattern, entry, moves=deed == "move")
        case "delete":
            return share_there(facts, pattern, entry)
        case _:
            return entry.share


def _updated(entry: Entry, changed: set[str], table_key: set[str]) -> Iterator[Deed]:
    """A change of its key moves an entry, also a second item, and an item that a pointer follows with its entries; a
    sentinel has little but its key; a total is changed by what it adds up, and twice by a change of the group.
    """
    if entry.kind in ("index", "unique", "item", "copy") and changed & {*entry.key_attributes, *table_key}:
        yield "move"
    elif entry.kind == "total" and changed & set(entry.key_attributes):
        yield "rewrite"
        yield "rewrite"
    elif entry.projected is None or changed & set(entry.projected):
        yield "rewrite"


def in_transaction(pattern: PatternSpec, effects: Iterable[Effect]) -> bool:
    """Whether several items are written together: said, or because of copies and what else is written along."""
    items = [each for each in effects if each.entry.kind != "index"]
    return pattern.transactional or pattern.idempotent or pattern.op == "transact" or len(items) > 1


def failure_assumptions(facts: Facts, patterns: Iterable[PatternSpec]) -> Iterator[Assumption]:
    for pattern in patterns:
        share = failure_share(facts, pattern)
        if pattern.failures is None and share:
            yield Assumption(
                f"access_patterns.{pattern.id}.failures", f"{share:.0%} of these writes are refused", share
            )
