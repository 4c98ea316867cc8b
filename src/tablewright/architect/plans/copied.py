"""Attributes of a parent that are stored with the child: a read of the child then has them, without a second request.

The put of a child reads its parent first. Nothing has to be kept in step, for a copy is offered only where nobody could
tell it from the parent's own: the attribute never changes, the parent is never gone, and a child is put only where its
parent is, which the same transaction makes sure of. Of attributes that change see `refreshed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan
from tablewright.design.layout.forms import (
    Copy,
    ReadPart,
    Rewrite,
    Rewritten,
    capital,
    fresh_name,
    step_id,
    with_entity,
    with_patterns,
)
from tablewright.spec.links import deleted_by, reached_links
from tablewright.spec.model import PatternSpec
from tablewright.spec.parents import parents_asked
from tablewright.spec.volumes import attribute_bytes
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.spec.facts import Facts
    from tablewright.spec.parents import ParentAttribute


def copies_of(facts: Facts, pattern: PatternSpec) -> tuple[Rewrite, ...]:
    """The way to store what a read asks of parents with its items, where that is a way at all."""
    asked = parents_asked(facts.spec, pattern)
    if not may_copy(facts, pattern, asked) or any(changes(facts, each) for each in asked):
        return ()
    return (Rewrite("copied", pattern.id, tuple(each.name for each in asked)),)


def may_copy(facts: Facts, pattern: PatternSpec, asked: Iterable[ParentAttribute]) -> bool:
    """Whether the spec allows copies, and every child always has a parent to copy from."""
    allowed = "copied" in facts.spec.entities[pattern.entity].rewrites
    return allowed and all(_lasts(facts, each) and _is_known(facts, pattern.entity, each) for each in asked)


def changes(facts: Facts, asked: ParentAttribute) -> bool:
    """Whether some write may leave it with another value."""
    return asked.attribute in facts.changing[asked.parent]


def _lasts(facts: Facts, asked: ParentAttribute) -> bool:
    """Whether the item that has the value never goes."""
    spec, parent = facts.spec, facts.spec.entities[asked.parent]
    deleted = tuple(name for each in facts.writes for name in deleted_by(facts, each))
    gone = {*deleted, *(link.child for link in reached_links(spec, deleted))}
    return parent.ttl is None and parent.name not in gone


def _is_known(facts: Facts, child: str, asked: ParentAttribute) -> bool:
    """Whether every write that says who the parent is demands that it is there."""
    named = set(asked.own)
    if not named <= facts.present[child]:
        return False
    for write in facts.writes:
        effect = effect_on(facts, write, child) if child in write.entities else None
        if effect is None or effect.op in ("delete", "check"):
            continue
        if effect.op == "put":
            demanded = any(each.entity == asked.parent and set(each.named) == set(asked.by) for each in effect.parents)
            if write.op != "put" or not demanded:
                return False
        elif effect.upsert or named & {each.attr for each in effect.changes}:
            return False
    return True


# ---- applying -------------------------------------------------------------------------------------------------------


def store_copies(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    pattern = form.asked.spec.pattern(rewrite.subject)
    assert pattern is not None
    asked = parents_asked(form.asked.spec, pattern)
    for each in asked:
        if each.name not in copy_names(form, pattern.entity):
            form = _with_copy(form, pattern.entity, each)
    return _answered_from_copies(form, pattern, asked)


def copy_names(form: Rewritten, entity: str) -> dict[str, str]:
    """By name in answers: the attribute that an entity keeps it in."""
    return {copy.name: attribute for attribute, copy in form.copies.get(entity, {}).items()}


def _with_copy(form: Rewritten, child: str, asked: ParentAttribute) -> Rewritten:
    """The child with one more attribute, and puts of it that read the parent first."""
    facts, entity = form.asked, form.spec.entities[child]
    prefix = asked.name.rpartition(".")[0]
    taken = {name: each for other in form.spec.entities.values() for name, each in other.attributes.items()}
    name = fresh_name(taken, prefix[:1].lower() + prefix[1:] + capital(asked.attribute))
    source = facts.attribute(asked.parent, asked.attribute)
    attribute = msgspec.structs.replace(
        source,
        name=name,
        references=None,
        required=asked.attribute in facts.present[asked.parent] or None,
        immutable=None,
    )
    more = attribute_bytes(facts, asked.parent, asked.attribute)
    grown = msgspec.structs.replace(
        entity,
        attributes={**entity.attributes, name: attribute},
        size_bytes=None if entity.size_bytes is None else entity.size_bytes + more,
    )
    copies = {**form.copies.get(child, {}), name: Copy(asked.name, asked.parent, asked.attribute, dict(asked.by))}
    form = msgspec.structs.replace(form, spec=with_entity(form.spec, grown), copies={**form.copies, child: copies})
    for write in facts.writes:
        if child in write.entities and effect_on(facts, write, child).op == "put":
            form = _put_with(form, write, name, asked)
    return form


def _put_with(form: Rewritten, write: PatternSpec, name: str, asked: ParentAttribute) -> Rewritten:
    """The put, with one read for all that it takes of one parent."""
    parts = form.reads.get(write.id) or (ReadPart(pattern=write.id),)
    given = {theirs: ours for theirs, ours in asked.by if theirs != ours}
    same = next((at for at, part in enumerate(parts) if _reads(form, part, asked.parent, given)), None)
    if same is not None:
        grown = msgspec.structs.replace(parts[same], takes={**parts[same].takes, name: asked.attribute})
        parts = (*parts[:same], grown, *parts[same + 1 :])
        return msgspec.structs.replace(form, reads={**form.reads, write.id: parts})
    facts = form.asked
    read = PatternSpec(
        id=step_id(form.spec, write.id),
        kind="batch",
        entities=(asked.parent,),
        by=facts.spec.entities[asked.parent].id,
        items=1.0,
        rate=facts.rates[write.id],
        consistency="strong",
        expired="shown",
    )
    spec = msgspec.structs.replace(form.spec, patterns=(*form.spec.patterns, read))
    parts = (*parts, ReadPart(pattern=read.id, given=given, takes={name: asked.attribute}))
    return msgspec.structs.replace(form, spec=spec, reads={**form.reads, write.id: parts})


def _reads(form: Rewritten, part: ReadPart, parent: str, given: dict[str, str]) -> bool:
    read = form.spec.pattern(part.pattern)
    return bool(part.takes) and read is not None and read.entities == (parent,) and dict(part.given) == given


def _answered_from_copies(form: Rewritten, pattern: PatternSpec, asked: Iterable[ParentAttribute]) -> Rewritten:
    parts = form.parts(pattern.id)
    at = max(number for number, part in enumerate(parts) if not part.joins)
    known = copy_names(form, pattern.entity)
    takes = {each.name: known[each.name] for each in asked}
    first = form.spec.pattern(parts[at].pattern)
    assert first is not None
    returns = tuple(dict.fromkeys(takes.get(name, name) for name in first.returns))
    first = msgspec.structs.replace(first, returns=returns, rate=form.asked.rates.get(first.id, first.rate))
    parts = (*parts[:at], msgspec.structs.replace(parts[at], takes=takes), *parts[at + 1 :])
    return msgspec.structs.replace(
        form, spec=with_patterns(form.spec, first.id, first), reads={**form.reads, pattern.id: parts}
    )


def exclude(copied: Rewrite, other: Rewrite) -> bool:
    """A parent is read by its own key and in one piece; what lies in another item holds no copies."""
    attributes = {name.rpartition(".")[2] for name in copied.attributes}
    return other.kind == "embed" or (other.kind == "split" and bool(attributes & set(other.attributes)))


COPIED = FormPlan(
    kind="copied",
    text="{subject} with {attributes}, which are stored with its items",
    reason="what the answer has of a parent never changes, so that it is kept with the item and costs no second read",
    without="{} with a read of the parents",
    excludes=exclude,
    apply=store_copies,
)
