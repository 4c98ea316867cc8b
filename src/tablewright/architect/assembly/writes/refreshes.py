"""Copies that an update sets along: how the children are found and written, and what keeps others from slipping in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.writes.cascade import renamed
from tablewright.architect.assembly.writes.companions import with_companions
from tablewright.architect.assembly.writes.steps import write_steps
from tablewright.architect.plans.writing import key_templates
from tablewright.design.model import Refresh, WriteStep
from tablewright.design.serving.writes import value_names
from tablewright.design.values.templates import FOUND
from tablewright.spec.conditions import Predicate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tablewright.architect.assembly.solution import Solution
    from tablewright.design.layout.forms import Copy, ReadPart, Rewritten
    from tablewright.design.model import ItemType, PatternDesign, ReadStep
    from tablewright.spec.model import PatternSpec


def as_seen(form: Rewritten, items: Sequence[ItemType], step: WriteStep) -> WriteStep:
    """The look at a parent: it must still have what the put has read of it, where that may change."""
    if step.operation != "ConditionCheck" or not step.names_of:
        return step
    parent = next(each.entity for each in items if each.name == step.item)
    named = {path.name: template.only_name for path, template in step.set.items()}
    copies = form.copies.get(step.names_of, {})
    seen = {
        copy.attribute: name
        for name, copy in copies.items()
        if copy.kept and copy.entity == parent and dict(copy.by) == named
    }
    return msgspec.structs.replace(step, seen=seen) if seen else step


def refreshing(
    solution: Solution,
    one: PatternDesign,
    pattern: PatternSpec,
    items: Sequence[ItemType],
    reads_of: Callable[[str], tuple[ReadStep, ...]],
) -> PatternDesign:
    """An update with the copies that it sets in its transaction."""
    own = [each for each in solution.rewritten.parts(pattern.id) if each.refreshes]
    now, later = [each for each in own if not each.is_followed], [each for each in own if each.is_followed]
    return msgspec.structs.replace(
        one,
        refreshes=tuple(_refreshes(solution, pattern, items, now, reads_of)),
        followed=tuple(_refreshes(solution, pattern, items, later, reads_of)),
        transaction=one.transaction or bool(now),
    )


def _refreshes(
    solution: Solution,
    pattern: PatternSpec,
    items: Sequence[ItemType],
    parts: Sequence[ReadPart],
    reads_of: Callable[[str], tuple[ReadStep, ...]],
) -> Iterator[Refresh]:
    """Each is two parts of the update: a read, and the write that comes after it."""
    for reading, writing in zip(parts[::2], parts[1::2], strict=True):
        read, write = solution.spec.pattern(reading.pattern), solution.spec.pattern(writing.pattern)
        assert read is not None
        assert write is not None
        copies = solution.rewritten.copies[reading.refreshes]
        changed = [each for each in write.changes or () if each.attr in copies]
        own = next(copies[each.attr] for each in changed).by
        by, found = {ours: theirs for theirs, ours in own.items()}, reads_of(read.id)
        yield Refresh(
            entity=read.entity,
            by=by,
            given=_given(solution, pattern, reading, {a.attr: copies[a.attr] for a in changed if a.kind == "given"}),
            reads=(renamed(found[0], by), *found[1:]),
            writes=_child_steps(solution, write, items, tuple(by)),
            checks=() if reading.is_followed else (_number_check(items, read),),
        )


def _given(solution: Solution, pattern: PatternSpec, part: ReadPart, copies: dict[str, Copy]) -> dict[str, str]:
    """By copy the parameter that has its new value; where the stream tells it, the attribute."""
    names = {} if part.is_followed else value_names(solution.asked, pattern, pattern.entity)
    return {name: names.get(copy.attribute, copy.attribute) for name, copy in copies.items()}


def _child_steps(
    solution: Solution, write: PatternSpec, items: Sequence[ItemType], own: tuple[str, ...]
) -> tuple[WriteStep, ...]:
    """One that was given to another parent meanwhile makes the update begin anew."""
    facts, entity = solution.facts, solution.spec.entities[write.entity]
    update = msgspec.structs.replace(write, by=entity.id)
    kept = tuple(name for name in own if name not in entity.id and not entity.attributes[name].immutable)
    return tuple(
        msgspec.structs.replace(step, unchanged=tuple(dict.fromkeys((*step.unchanged, *kept))))
        if step.item == entity.name
        else step
        for step in with_companions(facts, update, items, {}, write_steps(facts, update, items, {})).writes
    )


def _number_check(items: Sequence[ItemType], read: PatternSpec) -> WriteStep:
    """There are as many children as were found; of a parent that never had one there is no number."""
    group = tuple(sorted(read.by))
    total = next(each for each in items if each.kind == "total" and each.entity == read.entity and each.id == group)
    name = next(name for name, each in total.totals.items() if not each.attribute)
    return WriteStep(
        operation="ConditionCheck",
        item=total.name,
        table=total.table,
        key=key_templates(total, {}),
        condition=Predicate.parse(f"attribute_not_exists({name}) OR {name} = {{{FOUND}}}"),
        why=f"no {read.entity} has come or gone since they were read",
    )
