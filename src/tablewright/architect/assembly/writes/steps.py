"""The requests of a write: the item with all its key fields, its second items, and what must be read for them first.

put      the whole item and its second items
update   every key field that an attribute it changes stands in is set again; what the caller does not know of such a
         key is read first, and must be unchanged when the update comes. A changed attribute of the table key (or of a
         second item's) moves the item: delete and put. One that may make the item writes all that an item has
delete   the item and its second items
check    a look at the item in the same transaction

Each entity has its own conditions, on its own item, in the request that writes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.writes.changes import changes_in, version_condition
from tablewright.architect.assembly.writes.parents import parent_checks
from tablewright.architect.plans.registry import COMPANION_OF
from tablewright.architect.plans.writing import WriteSteps, WriteSubject, key_attributes, key_templates, pk_field
from tablewright.design.model import ItemType, ReadStep, SortCondition, WriteStep
from tablewright.design.serving.writes import (
    Place,
    needed,
    new_names,
    refilled,
    with_timestamp,
    written_attributes,
)
from tablewright.design.values.templates import EXPIRES, KeyTemplate, Path, slot
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import Predicate, absent, compare, exists, join
from tablewright.spec.writes import effects_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tablewright.design.model import ItemKeys
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MAKING = "written whole where there is none yet"


def write_steps(
    facts: Facts, pattern: PatternSpec, items: Sequence[ItemType], located: Mapping[str, ReadStep]
) -> WriteSteps:
    """`items` are the types of the design; `located` says by entity how an item is found whose key is not known."""
    reads: list[ReadStep] = []
    writes: list[WriteStep] = []
    for entity in pattern.entities:
        subject = subject_of(facts, pattern, entity, items, located.get(entity))
        more_reads, more_writes = STEPS[subject.operation](subject)
        reads += more_reads
        writes += more_writes
        writes += parent_checks(subject, items)
    together = len(writes) > 1 or pattern.transactional or pattern.idempotent or pattern.op == "transact"
    return WriteSteps(chained(reads), tuple(_pass_on(facts, pattern, writes)), together)


def subject_of(
    facts: Facts, pattern: PatternSpec, entity: str, items: Sequence[ItemType], located: ReadStep | None
) -> WriteSubject:
    mine = [each for each in items if each.entity == entity]
    return WriteSubject(
        facts=facts,
        pattern=pattern,
        entity=entity,
        own=next(each for each in mine if each.kind == "entity"),
        others=tuple(each for each in mine if each.is_written_along and each.kind not in COMPANION_OF),
        located=located,
        names=new_names(facts, pattern, entity),
        written=written_attributes(facts, pattern, entity),
        holds=any(each.holder == entity for each in items),
        pointer=_pointer_in(mine),
    )


def _pointer_in(mine: Sequence[ItemType]) -> ItemType | None:
    """The sentinel of the id, where it has the rest of the table key."""
    own = next(each for each in mine if each.kind == "entity")
    more = set(key_attributes(own)) - set(own.id)
    sentinels = (each for each in mine if each.kind == "sentinel" and each.id == own.id)
    return next((each for each in sentinels if more and more <= {name.name for name in each.attributes}), None)


def _pass_on(facts: Facts, pattern: PatternSpec, writes: list[WriteStep]) -> Iterable[WriteStep]:
    """Words that say when a write may happen, and that cannot be read, are passed on, never run."""
    unread = next((each.unread for each in effects_of(facts, pattern) if each.unread), "")
    for at, step in enumerate(writes):
        if at == 0 and unread:
            said = f'the caller must see to it: "{unread}" (written as `when:` it is checked by the table)'
            yield msgspec.structs.replace(step, why=said)
        else:
            yield step


# ---- keys -----------------------------------------------------------------------------------------------------------


def _attributes_of(keys: ItemKeys, item: ItemType) -> tuple[str, ...]:
    """The attributes a key follows from; a shard follows from the id."""
    shard = item.id if keys.shards > 1 else ()
    partition = with_timestamp(keys.partition, keys.bucket)
    return tuple(dict.fromkeys((*partition, *keys.lead, *keys.rest, *shard)))


def _get_step(subject: WriteSubject, item: ItemType, names: Mapping[str, str]) -> ReadStep:
    """An item by its table key, as it is at this moment."""
    keys = item.table_keys
    return ReadStep(
        operation="BatchGetItem" if subject.list_name else "GetItem",
        each=subject.list_name,
        table=item.table,
        pk=tuple(KeyTemplate(each.field, each.template.rename(names)) for each in keys.pk),
        sk=tuple(SortCondition(field=each.field, operator="=", low=each.template.rename(names)) for each in keys.sk),
        consistent=True,
        optional=subject.operation == "put" or subject.may_make or subject.may_be_gone,
        entities=(subject.entity,),
        items=(item.name,),
        shards=keys.shards,
        shard_of=item.id if keys.shards > 1 else (),
        bucket=keys.bucket,
    )


def find_steps(subject: WriteSubject, needed: set[str]) -> list[ReadStep]:
    """The item itself; where only a pointer tells its key this first, which alone may tell what is needed."""
    names: Mapping[str, str] = subject.names if subject.operation == "put" else {}
    if subject.pointer is None or _says_where(subject):
        return [_get_step(subject, subject.own, names)]
    pointer = _get_step(subject, subject.pointer, names)
    if needed <= {each.name for each in subject.pointer.attributes}:
        return [pointer]
    return [pointer, msgspec.structs.replace(_get_step(subject, subject.own, {}), keys_from=0)]


def _says_where(subject: WriteSubject) -> bool:
    """Whether the caller gives the whole table key, also where it is about to change."""
    return subject.operation != "put" and set(key_attributes(subject.own)) <= set(subject.effect.by)


def chained(reads: Iterable[ReadStep]) -> tuple[ReadStep, ...]:
    """All reads of a write: a key that is read comes from the step before."""
    return tuple(
        step if step.keys_from is None else msgspec.structs.replace(step, keys_from=at - 1)
        for at, step in enumerate(reads)
    )


def _reads_for(subject: WriteSubject, needed: set[str]) -> list[ReadStep]:
    """Whatever finds the item when its key is not known; a look at it when something else is not."""
    if set(_attributes_of(subject.own.table_keys, subject.own)) - subject.known and subject.located is not None:
        return [subject.located]
    return find_steps(subject, needed) if needed - subject.known else []


# ---- put ------------------------------------------------------------------------------------------------------------


def _put_steps(subject: WriteSubject) -> tuple[list[ReadStep], list[WriteStep]]:
    """The item that is replaced, and its second items, may lie elsewhere where their keys hold what may change."""
    held_by = {each.name: set(_attributes_of(each.table_keys, each)) for each in subject.others}
    wandering = [each for each in subject.others if subject.replaces and held_by[each.name] - subject.fixed]
    is_moved = subject.replaces and subject.pointer is not None
    held = {name for each in wandering for name in held_by[each.name]}
    reads = find_steps(subject, held) if wandering or is_moved else []
    kept = (subject.own.id[0], *sorted(held - subject.fixed)) if reads else ()
    found = {"new": absent, "there": exists}.get(subject.effect.existence)
    place = None if found is None else found(pk_field(subject.own))
    own = _put_step(subject, subject.own, join(place, _when_of(subject)), kept)
    if subject.holds and subject.replaces:
        own = msgspec.structs.replace(own, operation="UpdateItem", why="what lies in it stays")
    writes = [own]
    if is_moved:
        there = exists(pk_field(subject.own))
        writes = [
            _delete_step(subject.own, _old_names(subject.own.table_keys), there, kept),
            _put_step(subject, subject.own),
        ]
    for other in subject.others:
        if other in wandering and reads:
            writes.append(_delete_step(other, _old_names(other.table_keys)))
        writes.append(_put_step(subject, other))
    return reads, writes


def _put_step(
    subject: WriteSubject, item: ItemType, condition: Predicate | None = None, unchanged: tuple[str, ...] = ()
) -> WriteStep:
    stored = {each.name for each in item.attributes}
    changes = changes_in(subject, item)
    return WriteStep(
        operation="PutItem",
        item=item.name,
        table=item.table,
        key=key_templates(item, subject.names),
        all_attributes=True,
        set={Path(name): slot(source) for name, source in subject.names.items() if name in stored},
        constants=changes.constants,
        add=changes.add,
        remove=changes.remove,
        condition=condition,
        unchanged=unchanged,
        each=subject.list_name,
    )


def _when_of(subject: WriteSubject) -> Predicate | None:
    """What is said of the item that is there, and the version that the caller must have seen of it."""
    return join(subject.effect.when, version_condition(subject))


def _meant_of(subject: WriteSubject) -> Predicate | None:
    """What the caller knows of the item besides its key: it must be so, or another item is meant.

    Of a key that a pointer tells and that changes it is no key: the item is wherever it is.
    """
    key, known = (
        set(_attributes_of(subject.own.table_keys, subject.own)),
        {each.name for each in subject.own.attributes},
    )
    told = set(subject.written) if subject.pointer is not None and not _says_where(subject) else set[str]()
    more = [name for name in subject.effect.by if name in known and name not in key - told]
    return join(*(compare(name, "=", Slot(name)) for name in more))


def _unchanged_of(subject: WriteSubject, others: Iterable[ItemType]) -> tuple[str, ...]:
    held = {name for each in others for name in _attributes_of(each.table_keys, each)}
    return tuple(name for name in subject.changeable if name in held)


def _old_names(keys: ItemKeys) -> dict[str, str]:
    return {name: f"old.{name}" for name in (*keys.partition, *keys.lead, *keys.rest)}


def _delete_step(
    item: ItemType, names: Mapping[str, str], condition: Predicate | None = None, unchanged: tuple[str, ...] = ()
) -> WriteStep:
    return WriteStep(
        operation="DeleteItem",
        item=item.name,
        table=item.table,
        key=key_templates(item, names),
        condition=condition,
        unchanged=unchanged,
    )


# ---- update ---------------------------------------------------------------------------------------------------------


def _update_steps(subject: WriteSubject) -> tuple[list[ReadStep], list[WriteStep]]:
    changed = set(subject.written)
    moving = [each for each in subject.types if changed & set(_attributes_of(each.table_keys, each))]
    unknown = _needed_of(subject)
    reads = _reads_for(subject, unknown)
    kept = _kept(subject, unknown) if reads else ()
    writes: list[WriteStep] = []
    for item in subject.types:
        condition = None if subject.may_make else exists(pk_field(item))
        if item is subject.own:
            condition = join(condition, _meant_of(subject), _when_of(subject))
        if item in moving:
            names = {name: f"old.{name}" for name in changed}
            writes.append(_delete_step(item, names, condition, kept))
            writes.append(_put_step(subject, item))
        else:
            writes.append(_update_step(subject, item, condition, kept if item is subject.own else ()))
    return reads, writes


def _kept(subject: WriteSubject, unknown: set[str]) -> tuple[str, ...]:
    """What must be as it was read: what can change, and where the item may be new whether it is there at all."""
    if subject.may_make:
        return (subject.own.id[0], *sorted(unknown - set(subject.own.id)))
    return tuple(name for name in subject.changeable if name in unknown)


def _refilled_fields(subject: WriteSubject, item: ItemType, keys: ItemKeys) -> list[KeyTemplate]:
    """The fields of an index that a change concerns."""
    partition, sort = refilled(subject.facts, subject.pattern, subject.entity, _place_of(keys, item))
    return [*(keys.pk if partition else ()), *(keys.sk if sort else ())]


def _place_of(keys: ItemKeys, item: ItemType) -> Place:
    return Place(
        index=keys.index,
        partition=with_timestamp(keys.partition, keys.bucket),
        lead=keys.lead,
        sort=(*keys.lead, *keys.rest),
        ids=item.id if keys.shards > 1 else (),
        when=keys.when.attributes if keys.when else (),
    )


def _needed_of(subject: WriteSubject) -> set[str]:
    places = [
        _place_of(keys, item) for item in subject.types for keys in item.keys if keys.index is None or not keys.native
    ]
    return needed(subject.facts, subject.pattern, subject.entity, places)


def _indexed(item: ItemType) -> list[ItemKeys]:
    """Index keys with fields of their own."""
    return [each for each in item.keys if each.index is not None and not each.native]


def _update_step(
    subject: WriteSubject, item: ItemType, condition: Predicate | None, unchanged: tuple[str, ...]
) -> WriteStep:
    located = {each.field for each in (*item.table_keys.pk, *item.table_keys.sk)}
    fields = {
        Path(each.field): each.template.rename(subject.names)
        for keys in _indexed(item)
        for each in _refilled_fields(subject, item, keys)
        if each.field not in located
    }
    changes = changes_in(subject, item)
    step = WriteStep(
        operation="UpdateItem",
        item=item.name,
        table=item.table,
        key=key_templates(item, {}),
        set={**changes.set, **fields},
        constants=changes.constants,
        add=changes.add,
        remove=changes.remove,
        condition=condition,
        unchanged=unchanged,
    )
    return _making(subject, item, step) if subject.may_make else step


def _making(subject: WriteSubject, item: ItemType, step: WriteStep) -> WriteStep:
    """The same update with all that an item has from its beginning: it may find nothing to change."""
    located = {each.field for each in step.key}
    stored = {each.name for each in item.attributes}
    known = {Path(name): slot(name) for name in subject.effect.by if name in stored and name not in subject.names}
    return msgspec.structs.replace(
        step,
        set={path: value for path, value in {**known, **step.set}.items() if path.name not in located},
        constants={**item.fixed, **step.constants},
        initial={Path(item.ttl_attribute): slot(EXPIRES)} if item.ttl_attribute else {},
        why=MAKING,
    )


# ---- delete ---------------------------------------------------------------------------------------------------------


def _delete_steps(subject: WriteSubject) -> tuple[list[ReadStep], list[WriteStep]]:
    reads = _reads_for(subject, _needed_of(subject))
    kept = _unchanged_of(subject, subject.others) if reads else ()
    meant = _meant_of(subject)
    if meant is None and subject.effect.existence == "there":
        meant = exists(pk_field(subject.own))
    writes = [_delete_step(subject.own, {}, join(meant, _when_of(subject)), kept)]
    return reads, [*writes, *(_delete_step(each, {}) for each in subject.others)]


# ---- check ----------------------------------------------------------------------------------------------------------


def _check_steps(subject: WriteSubject) -> tuple[list[ReadStep], list[WriteStep]]:
    """Its conditions are tested where it lies, at the moment of the write."""
    own = subject.own
    condition = join(exists(pk_field(own)), _meant_of(subject), subject.effect.when)
    step = WriteStep(
        operation="ConditionCheck", item=own.name, table=own.table, key=key_templates(own, {}), condition=condition
    )
    return _reads_for(subject, set(key_attributes(own))), [step]


STEPS = {"put": _put_steps, "update": _update_steps, "delete": _delete_steps, "check": _check_steps}
