"""Copies of what changes, kept by the stream: where reads may be behind (`stale`), a function sets them afterwards.

An update of the parent is as it was. A function that follows the table's stream sees that the attribute has another
value, finds the children and sets it in each. Setting a value twice does no harm, and the records of one item come in
their order. No old value stays: a put demands the parent as it was read, so that a child with the old value is there
before the update is, and the function looks for children where it sees all that was written before: in the table.

The children of one parent may be any number: none of it is one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.copied import changes, exclude, may_copy, store_copies
from tablewright.architect.plans.plan import FormPlan
from tablewright.architect.plans.refreshed import changing_writes, going_on, kept_by, share_parents
from tablewright.design.layout.forms import Rewrite, Rewritten
from tablewright.design.serving.trailing import LEAST_STALE_SECONDS
from tablewright.spec.model import Change
from tablewright.spec.parents import parents_asked
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec
    from tablewright.spec.parents import ParentAttribute


def follows_of(facts: Facts, pattern: PatternSpec) -> tuple[Rewrite, ...]:
    """The way to store what a read asks of parents with its items and let the stream keep it, where that is a way."""
    asked = parents_asked(facts.spec, pattern)
    changing = [each for each in asked if changes(facts, each)]
    if not changing or pattern.stale is None or pattern.stale < LEAST_STALE_SECONDS:
        return ()
    if facts.spec.is_global or pattern.consistency == "strong" or not may_copy(facts, pattern, asked):
        return ()
    if not all(_can_follow(facts, pattern.entity, each) for each in changing):
        return ()
    return (Rewrite("followed", pattern.id, tuple(each.name for each in asked)),)


def _can_follow(facts: Facts, child: str, asked: ParentAttribute) -> bool:
    """An update of a parent must not raise the versions of its children; what a transaction changes is read."""
    return (
        child != asked.parent
        and facts.spec.entities[child].version is None
        and all(_is_told(facts, each, asked) for each in facts.writes if asked.parent in each.entities)
    )


def _is_told(facts: Facts, write: PatternSpec, asked: ParentAttribute) -> bool:
    effect = effect_on(facts, write, asked.parent)
    if effect.op == "put":
        return effect.existence == "new"
    is_changed = effect.op == "update" and asked.attribute in {each.attr for each in effect.changes}
    return not is_changed or write.op == "update"


def _keep_copies(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    pattern = form.asked.spec.pattern(rewrite.subject)
    assert pattern is not None
    form = store_copies(form, rewrite)
    for each in parents_asked(form.asked.spec, pattern):
        if not changes(form.asked, each):
            continue
        form, name = kept_by(form, pattern.entity, each, "stream")
        for write, _ in changing_writes(form.asked, each):
            form = going_on(form, write, pattern.entity, each, Change(name), is_followed=True)
    return form


def _exclude(followed: Rewrite, other: Rewrite) -> bool:
    """What is divided has no record that tells of all of it; and the copies of one parent are kept in one way."""
    return (other.kind == "refreshed" and share_parents(followed, other)) or exclude(followed, other)


FOLLOWED = FormPlan(
    kind="followed",
    text="{subject} with {attributes}, which are stored with its items and kept by a function that follows the stream",
    reason="what the answer has of a parent may be behind, so that it is kept with the item, and a function sets it",
    without="{} with a read of the parents",
    excludes=_exclude,
    apply=_keep_copies,
)
