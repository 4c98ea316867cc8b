"""Attributes of a parent in an answer: first the items, then the parents that they name, by BatchGetItem.

Each parent is read once, however many items of a page name it, and the client joins the two. So the table key of a
parent must follow from its id. A parent that is not there gives no value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.copied import copies_of
from tablewright.architect.plans.followed import follows_of
from tablewright.architect.plans.plan import FormPlan, Ways
from tablewright.architect.plans.refreshed import refreshes_of
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, step_id, with_patterns
from tablewright.design.serving.answers import parents_named
from tablewright.spec.listing import as_batch
from tablewright.spec.parents import parents_asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec
    from tablewright.spec.parents import ParentAttribute


def _demand(facts: Facts) -> Iterator[Ways]:
    for pattern in facts.spec.reads:
        asked = parents_asked(facts.spec, pattern)
        if asked:
            plain = Rewrite("parents", pattern.id, tuple(each.name for each in asked))
            yield (plain, *copies_of(facts, pattern), *refreshes_of(facts, pattern), *follows_of(facts, pattern))


def _exclude(parents: Rewrite, other: Rewrite) -> bool:
    """A parent is read by its own key, and in one piece: what lies in other items has none."""
    asked = [name.rpartition(".") for name in parents.attributes]
    if other.kind == "embed":
        return any(prefix == other.subject for prefix, _, _ in asked)
    return other.kind == "split" and any(attribute in other.attributes for _, _, attribute in asked)


# ---- applying -------------------------------------------------------------------------------------------------------


def _read_parents(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts = form.asked
    pattern = facts.spec.pattern(rewrite.subject)
    assert pattern is not None
    parts = form.parts(pattern.id)
    answering = max(at for at, part in enumerate(parts) if not part.joins)
    asked = parents_asked(facts.spec, pattern)
    first = _with_references(form, parts[answering].pattern, asked)
    form = msgspec.structs.replace(form, spec=with_patterns(form.spec, first.id, first))
    found = first if first.entities == pattern.entities else msgspec.structs.replace(pattern, rate=first.rate)
    for by in dict.fromkeys((each.parent, each.by) for each in asked):
        taken = tuple(each for each in asked if (each.parent, each.by) == by)
        second = _parents_of(form, pattern.id, found, taken)
        part = ReadPart(
            pattern=second.id,
            keys_from=answering,
            joins=True,
            given={theirs: ours for theirs, ours in taken[0].by if theirs != ours},
            takes={each.name: each.attribute for each in taken},
        )
        parts = (*parts, part)
        form = msgspec.structs.replace(form, spec=with_patterns(form.spec, first.id, first, second))
    return msgspec.structs.replace(form, reads={**form.reads, pattern.id: parts})


def _with_references(form: Rewritten, stored: str, asked: tuple[ParentAttribute, ...]) -> PatternSpec:
    """The read of the items, which returns what names their parents instead of what these have."""
    first = form.spec.pattern(stored)
    assert first is not None
    named, own = {each.name for each in asked}, [name for each in asked for name in each.own]
    returns = tuple(dict.fromkeys((*(name for name in first.returns if name not in named), *own)))
    rate = form.asked.rates.get(stored, first.rate)
    return msgspec.structs.replace(first, returns=returns if first.returns else (), rate=rate)


def _parents_of(form: Rewritten, id_: str, found: PatternSpec, asked: tuple[ParentAttribute, ...]) -> PatternSpec:
    """The parents of all items that a read finds, as a batch of their ids."""
    facts, parent, own = form.asked, asked[0].parent, asked[0].own
    return msgspec.structs.replace(
        as_batch(found, facts.spec.entities[parent].id),
        id=step_id(form.spec, id_),
        entities=(parent,),
        items=parents_named(facts, found, own),
        returns=tuple(dict.fromkeys(each.attribute for each in asked)),
        tenant=None,
        fetched_for="",
        skew=found.skew if set(own) <= set(found.by) else None,
        skews={},
    )


PARENTS = FormPlan(
    kind="parents",
    text="{subject} with {attributes}, read from the items that its answer names",
    reason="what the answer has of a parent is read from the parent, once for all items that name it",
    demands=_demand,
    excludes=_exclude,
    apply=_read_parents,
)
