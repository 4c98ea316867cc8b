"""The requests of a write: the item with all its key fields, its copies, and what must be read for them first.

put      the whole item and its copies
update   every key field that an attribute it changes stands in is set again; what the caller does not know of such a
         key is read first, and must be unchanged when the update comes. A changed attribute of the table key (or of a
         copy's) moves the item: delete and put
delete   the item and its copies
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.conditions import Predicate, absent, compare, creates, exists, join
from tablewright.design.model import ItemType, ReadStep, SortCondition, WriteStep
from tablewright.design.templates import KeyTemplate, Path, slot
from tablewright.design.writes import (
    Place,
    certain,
    condition_entity,
    is_list,
    needed,
    operation_on,
    refilled,
    value_names,
    with_timestamp,
    written_attributes,
)
from tablewright.expr.nodes import Slot
from tablewright.spec.facts import Facts
from tablewright.spec.model import PatternSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.design.model import ItemKeys


class Written(msgspec.Struct, frozen=True):
    """What a write pattern reads first, then writes, and whether in a transaction."""

    reads: tuple[ReadStep, ...]
    writes: tuple[WriteStep, ...]
    transaction: bool


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """One entity of a write pattern: its item types, what the caller gives and what may change."""

    facts: Facts
    pattern: PatternSpec
    entity: str
    own: ItemType
    copies: tuple[ItemType, ...]
    located: ReadStep | None
    names: Mapping[str, str]  # parameters of new values that are not named like their attribute
    written: tuple[str, ...]  # attributes whose new values may be given
    holds: bool  # things of other entities lie in it, which a second put would wipe out

    @property
    def types(self) -> tuple[ItemType, ...]:
        return (self.own, *self.copies)

    @property
    def known(self) -> set[str]:
        return certain(self.facts, self.pattern, self.entity)

    @property
    def changeable(self) -> tuple[str, ...]:
        return tuple(sorted(self.facts.changing[self.entity]))


def write_steps(
    facts: Facts, pattern: PatternSpec, items: Sequence[ItemType], located: Mapping[str, ReadStep]
) -> Written:
    """`items` are the types of the design; `located` says by entity how an item is found whose key is not known."""
    reads: list[ReadStep] = []
    writes: list[WriteStep] = []
    for entity in pattern.entities:
        subject = subject_of(facts, pattern, entity, items, located.get(entity))
        more_reads, more_writes = STEPS[operation_on(facts, pattern, entity)](subject)
        reads += more_reads
        writes += more_writes
    together = len(writes) > 1 or pattern.transactional or pattern.op == "transact"
    return Written(tuple(reads), tuple(explained(pattern, writes)), together)


def subject_of(
    facts: Facts, pattern: PatternSpec, entity: str, items: Sequence[ItemType], located: ReadStep | None
) -> Subject:
    mine = [each for each in items if each.entity == entity]
    return Subject(
        facts=facts,
        pattern=pattern,
        entity=entity,
        own=next(each for each in mine if each.kind == "entity"),
        copies=tuple(each for each in mine if each.kind in ("copy", "detail")),
        located=located,
        names=value_names(facts, pattern, entity),
        written=written_attributes(facts, pattern, entity),
        holds=any(each.holder == entity for each in items),
    )


def explained(pattern: PatternSpec, writes: list[WriteStep]) -> Iterable[WriteStep]:
    """Words that say when a write may happen are passed on, never run."""
    for at, step in enumerate(writes):
        if at == 0 and pattern.condition and not (pattern.when or creates(pattern.condition, "")):
            said = f'the caller must see to it: "{pattern.condition}" (written as `when:` it is checked by the table)'
            yield msgspec.structs.replace(step, why=said)
        else:
            yield step


# ---- keys -----------------------------------------------------------------------------------------------------------


def table_keys(item: ItemType) -> ItemKeys:
    return next(each for each in item.keys if each.index is None)


def attributes_of(keys: ItemKeys, item: ItemType) -> tuple[str, ...]:
    """The attributes a key follows from; a shard follows from the id."""
    shard = item.id if keys.shards > 1 else ()
    partition = with_timestamp(keys.partition, keys.bucket)
    return tuple(dict.fromkeys((*partition, *keys.lead, *keys.rest, *shard)))


def key_of(item: ItemType, names: Mapping[str, str]) -> tuple[KeyTemplate, ...]:
    keys = table_keys(item)
    return tuple(KeyTemplate(each.field, each.template.rename(names)) for each in (*keys.pk, *keys.sk))


def pk_field(item: ItemType) -> str:
    return table_keys(item).pk[0].field


def get_step(subject: Subject) -> ReadStep:
    """The item itself, by its table key, as it is at this moment."""
    keys, own = table_keys(subject.own), subject.own
    return ReadStep(
        operation="GetItem",
        table=own.table,
        pk=keys.pk,
        sk=tuple(SortCondition(field=each.field, operator="=", low=each.template) for each in keys.sk),
        consistent=True,
        entities=(subject.entity,),
        items=(own.name,),
        shards=keys.shards,
        shard_of=own.id if keys.shards > 1 else (),
        bucket=keys.bucket,
    )


def reads_for(subject: Subject, needed: set[str]) -> list[ReadStep]:
    """Whatever finds the item when its key is not known; a look at it when something else is not."""
    if set(attributes_of(table_keys(subject.own), subject.own)) - subject.known and subject.located is not None:
        return [subject.located]
    return [get_step(subject)] if needed - subject.known else []


# ---- put ------------------------------------------------------------------------------------------------------------


def put_steps(subject: Subject) -> tuple[list[ReadStep], list[WriteStep]]:
    """A copy whose key holds more than the table key may lie elsewhere for the item that is overwritten."""
    pattern = subject.pattern
    fresh = subject.holds or creates(pattern.condition, pattern.description) or pattern.op == "transact"
    fixed = set(attributes_of(table_keys(subject.own), subject.own))
    wandering = [each for each in subject.copies if set(attributes_of(table_keys(each), each)) - fixed]
    reads = [get_step(subject)] if wandering and not fresh else []
    nothing = absent(pk_field(subject.own)) if fresh else None
    held = {name for each in wandering for name in attributes_of(table_keys(each), each)}
    kept = tuple(sorted(held - fixed)) if reads else ()
    writes = [whole(subject, subject.own, join(nothing, when_of(subject)), kept)]
    for copy in subject.copies:
        if copy in wandering and reads:
            writes.append(removed(copy, old_names(table_keys(copy))))
        writes.append(whole(subject, copy))
    return reads, writes


def whole(
    subject: Subject, item: ItemType, condition: Predicate | None = None, unchanged: tuple[str, ...] = ()
) -> WriteStep:
    stored = {each.name for each in item.attributes}
    return WriteStep(
        operation="PutItem",
        item=item.name,
        table=item.table,
        key=key_of(item, subject.names),
        all_attributes=True,
        set={Path(name): slot(source) for name, source in subject.names.items() if name in stored},
        condition=condition,
        unchanged=unchanged,
        each=subject.entity if is_list(subject.facts, subject.pattern, subject.entity) else "",
    )


def when_of(subject: Subject) -> Predicate | None:
    pattern = subject.pattern
    if not pattern.when or condition_entity(subject.facts, pattern) != subject.entity:
        return None
    return Predicate.parse(pattern.when)


def meant_of(subject: Subject) -> Predicate | None:
    """What the caller knows of the item besides its key: it must be so, or another item is meant."""
    key, known = attributes_of(table_keys(subject.own), subject.own), {each.name for each in subject.own.attributes}
    more = [name for name in subject.pattern.by if name in known and name not in key]
    return join(*(compare(name, "=", Slot(name)) for name in more))


def unchanged_of(subject: Subject, copies: Iterable[ItemType]) -> tuple[str, ...]:
    held = {name for each in copies for name in attributes_of(table_keys(each), each)}
    return tuple(name for name in subject.changeable if name in held)


def old_names(keys: ItemKeys) -> dict[str, str]:
    return {name: f"old.{name}" for name in (*keys.partition, *keys.lead, *keys.rest)}


def removed(
    item: ItemType, names: Mapping[str, str], condition: Predicate | None = None, unchanged: tuple[str, ...] = ()
) -> WriteStep:
    return WriteStep(
        operation="DeleteItem",
        item=item.name,
        table=item.table,
        key=key_of(item, names),
        condition=condition,
        unchanged=unchanged,
    )


# ---- update ---------------------------------------------------------------------------------------------------------


def update_steps(subject: Subject) -> tuple[list[ReadStep], list[WriteStep]]:
    changed = set(subject.written)
    moving = [each for each in subject.types if changed & set(attributes_of(table_keys(each), each))]
    unknown = needed_of(subject)
    reads = reads_for(subject, unknown)
    kept = tuple(name for name in subject.changeable if name in unknown) if reads else ()
    writes: list[WriteStep] = []
    for item in subject.types:
        condition = exists(pk_field(item))
        if item is subject.own:
            condition = join(condition, meant_of(subject), when_of(subject))
        if item in moving:
            names = {name: f"old.{name}" for name in changed}
            writes.append(removed(item, names, condition, kept))
            writes.append(whole(subject, item))
        else:
            writes.append(updated(subject, item, condition, kept if item is subject.own else ()))
    return reads, writes


def refilled_fields(subject: Subject, item: ItemType, keys: ItemKeys) -> list[KeyTemplate]:
    """The fields of an index that a change concerns."""
    partition, sort = refilled(subject.facts, subject.entity, place_of(keys, item), set(subject.written))
    return [*(keys.pk if partition else ()), *(keys.sk if sort else ())]


def place_of(keys: ItemKeys, item: ItemType) -> Place:
    return Place(
        index=keys.index,
        partition=with_timestamp(keys.partition, keys.bucket),
        lead=keys.lead,
        sort=(*keys.lead, *keys.rest),
        ids=item.id if keys.shards > 1 else (),
        when=keys.when.attributes if keys.when else (),
    )


def needed_of(subject: Subject) -> set[str]:
    places = [
        place_of(keys, item) for item in subject.types for keys in item.keys if keys.index is None or not keys.native
    ]
    return needed(subject.facts, subject.pattern, subject.entity, places)


def indexed(item: ItemType) -> list[ItemKeys]:
    """Index keys with fields of their own."""
    return [each for each in item.keys if each.index is not None and not each.native]


def updated(subject: Subject, item: ItemType, condition: Predicate | None, unchanged: tuple[str, ...]) -> WriteStep:
    stored = {each.name for each in item.attributes}
    values = {Path(name): slot(subject.names.get(name, name)) for name in subject.written if name in stored}
    located = {each.field for each in (*table_keys(item).pk, *table_keys(item).sk)}
    fields = {
        Path(each.field): each.template.rename(subject.names)
        for keys in indexed(item)
        for each in refilled_fields(subject, item, keys)
        if each.field not in located
    }
    return WriteStep(
        operation="UpdateItem",
        item=item.name,
        table=item.table,
        key=key_of(item, {}),
        set={**values, **fields},
        condition=condition,
        unchanged=unchanged,
    )


# ---- delete ---------------------------------------------------------------------------------------------------------


def delete_steps(subject: Subject) -> tuple[list[ReadStep], list[WriteStep]]:
    reads = reads_for(subject, needed_of(subject))
    kept = unchanged_of(subject, subject.copies) if reads else ()
    writes = [removed(subject.own, {}, join(meant_of(subject), when_of(subject)), kept)]
    return reads, [*writes, *(removed(each, {}) for each in subject.copies)]


STEPS = {"put": put_steps, "update": update_steps, "delete": delete_steps}
