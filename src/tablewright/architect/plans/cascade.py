"""Cascade: a delete goes on to what names the deleted item, so that there must be a key that finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan, Ways
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten
from tablewright.design.serving.cascades import cascade_patterns, cascade_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def _demand(facts: Facts) -> Iterator[Ways]:
    """Of a part of a spec, the whole spec has said already what goes on there."""
    told = {each.cascade_of for each in facts.spec.patterns}
    for pattern in facts.spec.writes:
        if pattern.id not in told and cascade_steps(facts, pattern):
            yield (Rewrite("cascade", pattern.id),)


def _go_on(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    """Children that lie inside of their parent go with it anyway."""
    facts = form.asked
    pattern = facts.spec.pattern(rewrite.subject)
    assert pattern is not None
    steps = [each for each in cascade_steps(facts, pattern) if each.link.child not in form.embedded]
    more = tuple(_as_stored(form, each) for each in cascade_patterns(facts, steps))
    first = form.reads.get(pattern.id) or (ReadPart(pattern=pattern.id),)
    return msgspec.structs.replace(
        form,
        spec=msgspec.structs.replace(form.spec, patterns=(*form.spec.patterns, *more)),
        reads={**form.reads, pattern.id: (*first, *(ReadPart(pattern=each.id) for each in more))},
    )


def _as_stored(form: Rewritten, pattern: PatternSpec) -> PatternSpec:
    """Without the attributes that lie elsewhere."""
    known = form.spec.entities[pattern.entity].attributes
    return msgspec.structs.replace(
        pattern,
        by=tuple(name for name in pattern.by if name in known),
        returns=tuple(name for name in pattern.returns if name in known),
    )


CASCADE = FormPlan(
    kind="cascade",
    text="{subject} with all that names the item",
    reason="what names a deleted item goes with it, and is found by its reference",
    demands=_demand,
    apply=_go_on,
)
