"""Copies of what changes, kept by transaction: the update of a parent writes all its children along.

It finds them first and writes the parent and each of them in one transaction: no copy is ever seen that differs. Nor
does a child come with an old value: its put demands the parent as it was read. And none slips in between reading and
writing, or is missed by an index that lags: how many children a parent has is kept in a total, which their puts and
deletes write in their transactions, and the update demands that it is the number of those it writes.

All children must fit into one transaction, so that their greatest number has to be said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from tablewright.architect.plans.copied import changes, copy_names, exclude, may_copy, store_copies
from tablewright.architect.plans.kept_numbers import add_count
from tablewright.architect.plans.plan import FormPlan
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, with_patterns
from tablewright.design.serving.refreshes import refresh_read, refresh_write, relationship_to
from tablewright.spec.parents import parents_asked
from tablewright.spec.writes import effect_on, is_list
from tablewright.wire.limits import MAX_TRANSACTION_ACTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Change, PatternSpec
    from tablewright.spec.parents import ParentAttribute

BESIDE_CHILDREN = 10
"""What a transaction is left for besides the children: the parent, its second items, what keeps its values unique."""


def refreshes_of(facts: Facts, pattern: PatternSpec) -> tuple[Rewrite, ...]:
    """The way to store what a read asks of parents with its items and to keep it in step, where that is a way."""
    asked = parents_asked(facts.spec, pattern)
    changing = [each for each in asked if changes(facts, each)]
    if not changing or facts.spec.is_global or not may_copy(facts, pattern, asked):
        return ()
    if not all(_can_refresh(facts, pattern.entity, each) for each in changing):
        return ()
    return (Rewrite("refreshed", pattern.id, tuple(each.name for each in asked)),)


def _can_refresh(facts: Facts, child: str, asked: ParentAttribute) -> bool:
    """Not where an item may name one parent twice: a transaction takes one write of an item."""
    return (
        child != asked.parent
        and asked.name.rpartition(".")[0] == asked.parent
        and _fits_into_one(facts, child, asked)
        and _is_countable(facts, child, asked)
        and all(_can_go_on(facts, each, asked) for each in facts.writes if asked.parent in each.entities)
    )


def _fits_into_one(facts: Facts, child: str, asked: ParentAttribute) -> bool:
    """Whether the most children there are, with a second item each where there may be one, are one transaction."""
    said = relationship_to(facts.spec, asked.parent, child, asked.own)
    allowed, ids = facts.spec.constraints.copies, facts.spec.entities[child].id
    has_second = allowed == "any" or (allowed == "ids" and len(ids) > 1)
    most = (MAX_TRANSACTION_ACTIONS - BESIDE_CHILDREN) // (2 if has_second else 1)
    return said is not None and said.max is not None and said.max <= most


def _is_countable(facts: Facts, child: str, asked: ParentAttribute) -> bool:
    """Whether the writes of children can keep their number; an update of a parent must not raise their versions."""
    entity, own = facts.spec.entities[child], [each for each in facts.writes if child in each.entities]
    tenants = {each.tenant for each in facts.writes if child in each.entities or asked.parent in each.entities}
    return (
        entity.ttl is None
        and entity.version is None
        and not any(is_list(facts, each, child) for each in own)
        and tenants - {None} <= set(asked.own)
    )


def _can_go_on(facts: Facts, write: PatternSpec, asked: ParentAttribute) -> bool:
    """Whether a write of the parent leaves the value alone, or is an update that can take the children along.

    What is put must be new: nobody names it yet.
    """
    effect = effect_on(facts, write, asked.parent)
    if effect.op in ("check", "delete"):
        return True
    if effect.op == "put":
        return effect.existence == "new"
    if asked.attribute not in {each.attr for each in effect.changes}:
        return True
    ids = set(facts.spec.entities[asked.parent].id)
    return write.op == "update" and not (effect.upsert or write.idempotent) and ids <= set(effect.by)


# ---- applying -------------------------------------------------------------------------------------------------------


def _keep_copies(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    pattern = form.asked.spec.pattern(rewrite.subject)
    assert pattern is not None
    form = store_copies(form, rewrite)
    for each in parents_asked(form.asked.spec, pattern):
        if changes(form.asked, each):
            form = _kept(form, pattern.entity, each)
    return form


def _kept(form: Rewritten, child: str, asked: ParentAttribute) -> Rewritten:
    form, name = kept_by(form, child, asked, "transaction")
    form, count = add_count(form, child, asked.own)
    for write, change in changing_writes(form.asked, asked):
        form = going_on(form, write, child, asked, msgspec.structs.replace(change, attr=name))
        stored = form.spec.pattern(write.id)
        assert stored is not None
        demands = tuple(dict.fromkeys((*stored.demands, count.name)))
        stored = msgspec.structs.replace(stored, transactional=True, demands=demands)
        form = msgspec.structs.replace(form, spec=with_patterns(form.spec, write.id, stored))
    return form


def kept_by(
    form: Rewritten, child: str, asked: ParentAttribute, who: Literal["transaction", "stream"]
) -> tuple[Rewritten, str]:
    """The form that says who keeps a copy in step, and the attribute that holds it."""
    name, copies = copy_names(form, child)[asked.name], form.copies[child]
    kept = msgspec.structs.replace(copies[name], kept=who)
    return msgspec.structs.replace(form, copies={**form.copies, child: {**copies, name: kept}}), name


def changing_writes(facts: Facts, asked: ParentAttribute) -> Iterator[tuple[PatternSpec, Change]]:
    """The updates that may leave another value, each with what it does to it."""
    for write in facts.writes:
        effect = effect_on(facts, write, asked.parent) if asked.parent in write.entities else None
        for each in effect.changes if effect is not None and effect.op == "update" else ():
            if each.attr == asked.attribute:
                yield write, each


def going_on(
    form: Rewritten,
    write: PatternSpec,
    child: str,
    asked: ParentAttribute,
    change: Change,
    *,
    is_followed: bool = False,
) -> Rewritten:
    """The update with its read and write of children, which set one copy more where there are such already."""
    facts, entity = form.asked, form.spec.entities[child]
    read = refresh_read(facts, write, entity, asked.own, is_followed=is_followed)
    before = form.spec.pattern(refresh_write(facts, write, entity, asked.own, ()).id)
    set_before = () if before is None else before.changes or ()
    sets = tuple(dict.fromkeys((*set_before, change)))
    update = refresh_write(facts, write, entity, asked.own, sets, is_followed=is_followed)
    if before is not None:
        return msgspec.structs.replace(form, spec=with_patterns(form.spec, before.id, update))
    parts = form.reads.get(write.id) or (ReadPart(pattern=write.id),)
    more = tuple(ReadPart(pattern=each.id, refreshes=child, is_followed=is_followed) for each in (read, update))
    spec = msgspec.structs.replace(form.spec, patterns=(*form.spec.patterns, read, update))
    return msgspec.structs.replace(form, spec=spec, reads={**form.reads, write.id: (*parts, *more)})


def _exclude(refreshed: Rewrite, other: Rewrite) -> bool:
    """The copies of one parent are kept in one way."""
    return (other.kind == "followed" and share_parents(refreshed, other)) or exclude(refreshed, other)


def share_parents(one: Rewrite, other: Rewrite) -> bool:
    """Whether both copy something of what is named in the same way."""
    return bool({each.rpartition(".")[0] for each in one.attributes} & {e.rpartition(".")[0] for e in other.attributes})


REFRESHED = FormPlan(
    kind="refreshed",
    text="{subject} with {attributes}, which are stored with its items and kept in step by transactions",
    reason="what the answer has of a parent seldom changes, so that it is kept with the item, and updates write it",
    without="{} with a read of the parents",
    excludes=_exclude,
    apply=_keep_copies,
)
