"""What is written along with an item: sentinels that keep values unique, totals, and children inside their parent.

sentinel   put on the condition that there is none; deleted with its item; replaced when the value changes
total      1 or the value added for what comes, taken off for what goes
embedded   one entry of a map in the parent, which must be there

An item with sentinels or totals is put only where none is, and deleted only where one is: anything else would leave the
one behind or count the other twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.writes.steps import Subject, Written, get_step, key_of, pk_field, subject_of
from tablewright.design.amounts import add, difference, subtract
from tablewright.design.conditions import absent, exists, join
from tablewright.design.model import WriteStep
from tablewright.design.templates import Path, Template, slot
from tablewright.design.writes import is_list, operation_on
from tablewright.expr.nodes import Slot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tablewright.design.amounts import Amount, Total
    from tablewright.design.model import ItemType, ReadStep
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def with_companions(
    facts: Facts,
    pattern: PatternSpec,
    items: Sequence[ItemType],
    located: Mapping[str, ReadStep],
    written: Written,
) -> Written:
    """The same write, and what has to be written along with its items."""
    for entity in pattern.entities:
        found = companions(items, entity)
        if found:
            subject = subject_of(facts, pattern, entity, items, located.get(entity))
            written = extended(subject, found, written)
    writes = tuple(step for step in map(checked, written.writes) if step is not None)
    together = written.transaction or len(writes) > 1
    return Written(written.reads, writes, together and (len(writes) > 1 or pattern.op == "transact"))


def extended(subject: Subject, found: list[ItemType], written: Written) -> Written:
    needed = {name for each in found for name in needed_along(subject, each)}
    reads = written.reads
    if needed - subject.known and not any(subject.entity in step.entities for step in reads):
        reads = (*reads, get_step(subject))
    more = [step for each in found for step in along_steps(subject, each)]
    if not more:
        return written
    kept = tuple(name for name in subject.changeable if name in needed) if reads else ()
    own = [demanding(subject, step, kept) if step.item == subject.own.name else step for step in written.writes]
    return Written(reads, (*own, *more), transaction=True)


def demanding(subject: Subject, step: WriteStep, kept: tuple[str, ...]) -> WriteStep:
    """A put finds nothing in its place; everything else finds the item, as it was read."""
    is_put = operation_on(subject.facts, subject.pattern, subject.entity) == "put"
    demand = (absent if is_put else exists)(pk_field(subject.own))
    is_made = step.condition is not None and demand in step.condition.parts
    condition = step.condition if is_made else join(demand, step.condition)
    unchanged = tuple(dict.fromkeys((*step.unchanged, *kept)))
    if step.operation == "PutItem" and not is_put:  # the new place of an item that moves
        return step
    return msgspec.structs.replace(step, condition=condition, unchanged=unchanged)


def checked(step: WriteStep) -> WriteStep | None:
    """An update that changes nothing of an item (its details alone change) is a check of its conditions, or nothing."""
    if step.operation != "UpdateItem" or step.set or step.add or step.remove:
        return step
    only_exists = step.condition is not None and step.condition == exists(step.key[0].field)
    return None if only_exists and not step.unchanged else msgspec.structs.replace(step, operation="ConditionCheck")


def companions(items: Sequence[ItemType], entity: str) -> list[ItemType]:
    return [each for each in items if each.entity == entity and each.kind in ("sentinel", "total")]


def key_attributes(item: ItemType) -> tuple[str, ...]:
    keys = next(each for each in item.keys if each.index is None)
    return (*keys.partition, *keys.lead, *keys.rest)


def summed(item: ItemType) -> tuple[str, ...]:
    """The attributes a total adds up."""
    return tuple(each.attribute for each in item.totals.values() if each.attribute)


def carried(item: ItemType) -> set[str]:
    """What a sentinel holds besides its key."""
    return {each.name for each in item.attributes} - set(key_attributes(item)) if item.kind == "sentinel" else set()


def needed_along(subject: Subject, item: ItemType) -> set[str]:
    """What must be known of the item as it is before it is changed or deleted."""
    held = {*key_attributes(item), *summed(item)}
    match operation_on(subject.facts, subject.pattern, subject.entity):
        case "put":
            return set()
        case "delete":
            return held
        case _:
            return held if set(subject.written) & {*held, *carried(item)} else set()


def along_steps(subject: Subject, item: ItemType) -> Iterator[WriteStep]:
    operation = operation_on(subject.facts, subject.pattern, subject.entity)
    changed = set(subject.written)
    if operation == "put":
        yield arrived(subject, item)
    elif operation == "delete":
        yield gone(subject, item, known_or_old(subject))
    elif changed & set(key_attributes(item)):
        yield gone(subject, item, {name: f"old.{name}" for name in changed})
        yield arrived(subject, item)
    elif changed & set(summed(item)):
        yield corrected(subject, item)
    elif changed & carried(item):
        yield following(subject, item)


def known_or_old(subject: Subject) -> dict[str, str]:
    names = subject.facts.spec.entities[subject.entity].attributes
    return {name: f"old.{name}" for name in names if name not in subject.known}


def regrouped(subject: Subject, item: ItemType) -> tuple[str, ...]:
    """For an update: the key attributes that may stay the same after all, when nothing is to be done."""
    changed = set(subject.written)
    if operation_on(subject.facts, subject.pattern, subject.entity) != "update":
        return ()
    return tuple(name for name in key_attributes(item) if name in changed)


def arrived(subject: Subject, item: ItemType) -> WriteStep:
    names = dict(subject.names)
    if item.kind == "total":
        group = {Path(name): slot(names.get(name, name)) for name in item.id}
        fixed = {Path(name): Template(str(value)) for name, value in item.fixed.items()}
        counts = {name: add(value(each, names)) for name, each in item.totals.items()}
        return added(subject, item, names, counts, {**group, **fixed})
    stored = {each.name for each in item.attributes}
    return WriteStep(
        operation="PutItem",
        item=item.name,
        table=item.table,
        key=key_of(item, names),
        all_attributes=True,
        set={Path(name): slot(source) for name, source in names.items() if name in stored},
        condition=absent(pk_field(item)),
        unless_same=regrouped(subject, item),
        each=list_name(subject),
        why=f"no other {item.entity} may have the same {' and '.join(item.id)}",
    )


def gone(subject: Subject, item: ItemType, names: dict[str, str]) -> WriteStep:
    if item.kind == "total":
        counts = {name: subtract(value(each, names)) for name, each in item.totals.items()}
        return added(subject, item, names, counts, {})
    return WriteStep(
        operation="DeleteItem",
        item=item.name,
        table=item.table,
        key=key_of(item, names),
        unless_same=regrouped(subject, item),
        why=f"{' and '.join(item.id)} may be taken again",
    )


def corrected(subject: Subject, item: ItemType) -> WriteStep:
    """The difference between the new value and the old."""
    changed, names = set(subject.written), dict(subject.names)
    differences = {
        name: difference(Slot(names.get(each.attribute, each.attribute)), Slot(f"old.{each.attribute}"))
        for name, each in item.totals.items()
        if each.attribute in changed
    }
    return added(subject, item, known_or_old(subject), differences, {})


def following(subject: Subject, item: ItemType) -> WriteStep:
    """A sentinel goes when its item does."""
    names = carried(item) & set(subject.written)
    return WriteStep(
        operation="UpdateItem",
        item=item.name,
        table=item.table,
        key=key_of(item, known_or_old(subject)),
        set={Path(name): slot(subject.names.get(name, name)) for name in sorted(names)},
        why=f"expires with its {item.entity}",
    )


def value(total: Total, names: dict[str, str]) -> Slot | int:
    """What an item adds to a total: one, or the value of the attribute, whatever that is called here."""
    return Slot(names.get(total.attribute, total.attribute)) if total.attribute else 1


def added(
    subject: Subject, item: ItemType, names: dict[str, str], amounts: dict[str, Amount], also: dict[Path, Template]
) -> WriteStep:
    return WriteStep(
        operation="UpdateItem",
        item=item.name,
        table=item.table,
        key=key_of(item, names),
        set=also,
        add=amounts,
        unless_same=regrouped(subject, item),
        each=list_name(subject),
        why="the total is kept in step",
    )


def list_name(subject: Subject) -> str:
    return subject.entity if is_list(subject.facts, subject.pattern, subject.entity) else ""
