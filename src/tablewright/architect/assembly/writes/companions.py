"""What is written along with an item, as the plans say that store it: sentinels that keep values unique, and totals.

A put that may find an item in its place reads that first: what the old item had taken is taken back in the same
transaction, which is refused if the item is no longer as it was read (or no longer absent). An item with companions is
deleted only where one is: anything else would count it twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.writes.steps import chained, find_steps, subject_of
from tablewright.architect.plans.registry import COMPANION_OF
from tablewright.architect.plans.writing import WriteSteps, WriteSubject, key_attributes, pk_field
from tablewright.design.serving.writes import additions, touches_companion
from tablewright.spec.conditions import exists, join

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tablewright.design.model import ItemType, ReadStep, WriteStep
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def with_companions(
    facts: Facts,
    pattern: PatternSpec,
    items: Sequence[ItemType],
    located: Mapping[str, ReadStep],
    written: WriteSteps,
) -> WriteSteps:
    """The same write, and what has to be written along with its items."""
    for entity in pattern.entities:
        found = [each for each in items if each.entity == entity and each.kind in COMPANION_OF]
        if found:
            subject = subject_of(facts, pattern, entity, items, located.get(entity))
            written = _extend(subject, found, written)
    writes = tuple(step for step in map(_check, written.writes) if step is not None)
    together = written.transaction or len(writes) > 1
    is_said = pattern.op == "transact" or pattern.idempotent
    return WriteSteps(written.reads, writes, together and (len(writes) > 1 or is_said))


def _extend(subject: WriteSubject, found: list[ItemType], written: WriteSteps) -> WriteSteps:
    needed = {name for each in found for name in _known_before(subject, each)}
    reads = written.reads
    more = [step for each in found for step in _steps(subject, each)]
    if not more:
        return written
    is_blind = all(COMPANION_OF[each.kind].is_blind for each in found)
    may_be_other = subject.replaces or subject.may_make or subject.may_be_gone
    is_unknown = (may_be_other and not is_blind) or bool(needed - subject.known)
    if is_unknown:
        reads = _with_item(subject, reads, needed)
    kept = _kept(subject, needed | _relied_on(subject, found, more)) if reads else ()
    own = [_demand(subject, step, kept) if step.item == subject.own.name else step for step in written.writes]
    return WriteSteps(reads, (*own, *more), transaction=True)


def _with_item(subject: WriteSubject, reads: tuple[ReadStep, ...], needed: set[str]) -> tuple[ReadStep, ...]:
    """The reads, and the item as it is, where they do not tell all that is needed of it."""
    mine = [step for step in reads if subject.entity in step.entities]
    pointer = subject.pointer
    is_pointed = pointer is not None and [step.items for step in mine] == [(pointer.name,)]
    if mine and not is_pointed:
        return reads
    others = [step for step in reads if step not in mine]
    return chained((*others, *find_steps(subject, needed)))


def _relied_on(subject: WriteSubject, found: list[ItemType], more: list[WriteStep]) -> set[str]:
    """What a step goes by as it was read: it is left out because that stays, or an update copies it as it is."""
    compared = {name for step in more for name in (*step.unless_same, *step.if_same)}
    copying = {step.item for step in more if step.operation == "PutItem" and subject.operation == "update"}
    return compared | {attribute.name for each in found if each.name in copying for attribute in each.attributes}


def _kept(subject: WriteSubject, needed: set[str]) -> tuple[str, ...]:
    """What must be as it was read; where an item is replaced, or was not there, so must this be: the id tells."""
    if subject.replaces or subject.may_make or subject.may_be_gone:
        return (subject.own.id[0], *sorted(needed - subject.fixed))
    return tuple(name for name in subject.changeable if name in needed)


def _demand(subject: WriteSubject, step: WriteStep, kept: tuple[str, ...]) -> WriteStep:
    """What is changed or deleted is there; and it, or what is replaced, is as it was read."""
    is_put = subject.operation == "put"
    demand = None if is_put or subject.may_make or subject.may_be_gone else exists(pk_field(subject.own))
    is_made = step.condition is not None and demand in step.condition.parts
    condition = step.condition if is_made else join(demand, step.condition)
    unchanged = tuple(dict.fromkeys((*step.unchanged, *kept)))
    if step.operation == "PutItem" and (subject.pointer is not None or not is_put):  # the new place of what moves
        return step
    return msgspec.structs.replace(step, condition=condition, unchanged=unchanged)


def _check(step: WriteStep) -> WriteStep | None:
    """An update that changes nothing of an item (its details alone change) is a check of its conditions, or nothing."""
    if step.operation != "UpdateItem" or step.all_attributes:
        return step
    if step.set or step.constants or step.add or step.remove or step.initial:
        return step
    only_exists = step.condition is not None and step.condition == exists(step.key[0].field)
    return None if only_exists and not step.unchanged else msgspec.structs.replace(step, operation="ConditionCheck")


def _known_before(subject: WriteSubject, item: ItemType) -> set[str]:
    """What must be known of the item as it is before it is changed or deleted."""
    companion = COMPANION_OF[item.kind]
    known = companion.known(item)
    match subject.operation:
        case "put":
            return known if subject.replaces else set()
        case "delete":
            return known
        case "update" if subject.may_make:
            return known if _is_touched(subject, item) else set()
        case "update" if set(subject.written) & {*known, *companion.follows(item)}:
            moves = set(subject.written) & set(key_attributes(item))
            return known if moves else known - set(additions(subject.facts, subject.pattern, subject.entity))
        case _:
            return set()


def _steps(subject: WriteSubject, item: ItemType) -> Iterator[WriteStep]:
    companion, operation, changed = COMPANION_OF[item.kind], subject.operation, set(subject.written)
    if operation == "put":
        yield from _put_steps(subject, item)
    elif operation == "delete":
        yield companion.remove(subject, item, subject.old_names)
    elif subject.may_make:
        yield from _making_steps(subject, item) if _is_touched(subject, item) else ()
    elif changed & set(key_attributes(item)):
        yield companion.remove(subject, item, {name: f"old.{name}" for name in changed})
        yield companion.put(subject, item)
        yield from _renewed(subject, item)
    elif changed & companion.follows(item):
        yield companion.update(subject, item)


def _is_touched(subject: WriteSubject, item: ItemType) -> bool:
    follows = COMPANION_OF[item.kind].follows(item)
    return touches_companion(subject.facts, subject.pattern, subject.entity, key_attributes(item), follows)


def _put_steps(subject: WriteSubject, item: ItemType) -> Iterator[WriteStep]:
    """With the new item, and, where one is replaced, against the old: elsewhere, or in the same place."""
    companion = COMPANION_OF[item.kind]
    if subject.replaces and not set(key_attributes(item)) <= subject.fixed:
        old = {name: f"old.{name}" for name in subject.facts.spec.entities[subject.entity].attributes}
        yield companion.remove(subject, item, old)
    yield companion.put(subject, item)
    if subject.replaces:
        yield from _renewed(subject, item)


def _making_steps(subject: WriteSubject, item: ItemType) -> Iterator[WriteStep]:
    """With an item that may be new, or that changes; what is left out in the one case is done in the other."""
    companion, changed, keys = COMPANION_OF[item.kind], set(subject.written), set(key_attributes(item))
    if changed & keys:
        yield companion.remove(subject, item, {name: f"old.{name}" for name in changed})
    yield companion.put(subject, item)
    if changed & (keys | companion.follows(item)):
        yield from _renewed(subject, item)


def _renewed(subject: WriteSubject, item: ItemType) -> Iterator[WriteStep]:
    step = COMPANION_OF[item.kind].renew(subject, item)
    if step is not None:
        yield step
