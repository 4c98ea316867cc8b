"""What goes with a deleted item: how each design finds it, and how it is deleted with all that is written along.

The children are deleted as their own deletes would do it, but for the reads: what has to be known of them was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.writes.companions import with_companions
from tablewright.architect.assembly.writes.steps import find_steps, subject_of, write_steps
from tablewright.design.model import Cascade, ReadStep, WriteStep
from tablewright.design.serving.cascades import Step, cascade_steps, is_job, resumes
from tablewright.design.values.templates import KeyTemplate
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import Predicate, compare
from tablewright.spec.model import PatternSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tablewright.design.model import ItemType, PatternDesign
    from tablewright.spec.facts import Facts


def going_on(
    facts: Facts,
    one: PatternDesign,
    pattern: PatternSpec,
    items: Sequence[ItemType],
    reads_of: Callable[[str], tuple[ReadStep, ...]],
) -> PatternDesign:
    """A delete with all that goes with its item.

    A caller who names more than the id may mean another item: nothing goes on before the item was found.
    """
    steps, again = cascade_steps(facts, pattern), resumes(facts, pattern)
    reads = one.reads
    if pattern.op == "delete" and not (again or reads or one.writes[0].condition):
        reads = tuple(find_steps(subject_of(facts, pattern, pattern.entity, items, None), set()))
    cascade = tuple(_cascades_of(facts, steps, items, reads_of))
    return msgspec.structs.replace(
        one,
        reads=reads,
        cascade=cascade,
        resumes=again and bool(cascade),  # children inside of their parent are never left behind
        as_job=is_job(steps),
    )


def _cascades_of(
    facts: Facts, steps: Sequence[Step], items: Sequence[ItemType], reads_of: Callable[[str], tuple[ReadStep, ...]]
) -> Iterator[Cascade]:
    """`reads_of` has the steps that find children; what lies inside of its parent goes with it."""
    apart = {each.entity for each in items if each.kind == "entity"}
    for step in steps:
        if step.link.child in apart:
            yield _cascade(facts, step, items, reads_of(step.read_id))


def _cascade(facts: Facts, step: Step, items: Sequence[ItemType], reads: tuple[ReadStep, ...]) -> Cascade:
    link, given = step.link, dict(step.link.by)
    entity = facts.spec.entities[link.child]
    delete = PatternSpec(id=step.delete_id, kind="write", op="delete", entities=(link.child,), by=entity.id)
    written = with_companions(facts, delete, items, {}, write_steps(facts, delete, items, {}))
    kept = tuple(name for name in link.names if name not in entity.id and not entity.attributes[name].immutable)
    return Cascade(
        of=link.parent,
        entity=link.child,
        by=given,
        reads=(renamed(reads[0], given), *reads[1:]),
        writes=tuple(_guarded(each, kept) if each.item == link.child else each for each in written.writes),
        transaction=written.transaction,
    )


def _guarded(step: WriteStep, kept: tuple[str, ...]) -> WriteStep:
    """A child that was given to another parent meanwhile stays."""
    return msgspec.structs.replace(step, unchanged=tuple(dict.fromkeys((*step.unchanged, *kept))))


def renamed(step: ReadStep, given: Mapping[str, str]) -> ReadStep:
    """With the names that the parent's id has for what is asked."""
    return msgspec.structs.replace(
        step,
        pk=tuple(KeyTemplate(each.field, each.template.rename(given)) for each in step.pk),
        sk=tuple(
            msgspec.structs.replace(
                each, low=each.low.rename(given), high=None if each.high is None else each.high.rename(given)
            )
            for each in step.sk
        ),
        filters=tuple(_renamed_filter(each, given) for each in step.filters),
    )


def _renamed_filter(predicate: Predicate, given: Mapping[str, str]) -> Predicate:
    if not predicate.slots:
        return predicate
    found = predicate.comparison
    values = [Slot(given.get(each.name, each.name)) if isinstance(each, Slot) else each for each in found.values]
    return compare(found.attribute, found.operator, *values)
