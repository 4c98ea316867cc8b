"""How many are above a value, a little behind (`stale`) and in steps: a histogram that the stream keeps.

For every step of a group there is an item with the number of those whose value lies in it, under the key of where the
step begins. A read asks for those that begin above the value, and adds up their numbers: it reads one small item for
every step instead of one for every item above, and what is in the step of the value itself is not counted. One more
than that is a rank. It is kept as other numbers are that the stream keeps, see `trailing`.
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.kept_numbers import group_item
from tablewright.architect.plans.plan import FormPlan
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, fresh_name, with_entity, with_patterns
from tablewright.design.serving.trailing import LEAST_STALE_SECONDS, window_seconds
from tablewright.spec.model import Aggregate, AttributeSpec, RangeSpec, Step

if TYPE_CHECKING:
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MOST_VALUE = 10**14
"""Of numbers in keys of both styles, with room for what is added to them."""


def can_count_steps(facts: Facts, pattern: PatternSpec) -> bool:
    entity, said = facts.spec.entities[pattern.entity], pattern.range
    return (
        said is not None
        and said.step is not None
        and pattern.stale is not None
        and pattern.stale >= LEAST_STALE_SECONDS
        and "total" in facts.spec.constraints.rewrites
        and "total" in entity.rewrites
        and not pattern.filter
        and entity.ttl is None
        and (pattern.tenant is None or pattern.tenant in pattern.by)
        and not facts.spec.is_global  # every region's function would add the changes of all of them
        and {*pattern.by, said.attr} <= set(entity.attributes)
        and _steps_of(facts, pattern.entity, Step(said.attr, said.step)) is not None
    )


def _count_steps(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, (id_,) = form.asked, rewrite.attributes
    pattern = facts.spec.pattern(id_)
    assert pattern is not None
    assert pattern.range is not None
    assert pattern.range.step is not None
    assert pattern.stale is not None
    said, group = Step(pattern.range.attr, pattern.range.step), tuple(sorted(pattern.by))
    kept = group_item(form, pattern.entity, group, "trailing", "Steps")
    taken = {name: name for name in facts.spec.entities[pattern.entity].attributes}
    begins = fresh_name(taken, f"{said.attr}From")
    many = _steps_of(facts, pattern.entity, said)
    assert many is not None
    step = AttributeSpec(name=begins, type="number", required=True, cardinality=many, step_of=said)
    total = AttributeSpec(name="total", type="number", required=True)
    count = min(facts.counts[pattern.entity], (kept.count or 1.0) * many)
    kept = msgspec.structs.replace(
        kept,
        id=(*group, begins),
        attributes={**kept.attributes, begins: step, "total": total},
        totals={"total": Aggregate("count")},
        count=count,
        window_seconds=window_seconds(pattern.stale),
    )
    asked = RangeSpec(begins, pattern.range.op)
    read = msgspec.structs.replace(pattern, kind="query", entities=(kept.name,), by=group, range=asked, aggregate=None)
    return msgspec.structs.replace(
        form,
        spec=with_patterns(with_entity(form.spec, kept), id_, read),
        reads={**form.reads, id_: (ReadPart(pattern=id_),)},
        aggregates={**form.aggregates, id_: {"sum": "total"}},
    )


def _steps_of(facts: Facts, entity: str, said: Step) -> int | None:
    """In which there may be somebody, between the bounds of `validate`; None where the spec has none, or no key holds
    them: who is beyond would be missing in the number.
    """
    rule = facts.spec.entities[entity].attributes[said.attr].validate
    if rule is None or rule.min is None or rule.max is None or max(abs(rule.min), abs(rule.max)) >= MOST_VALUE:
        return None
    return floor(rule.max) // said.size - floor(rule.min) // said.size + 1


def _exclude(steps: Rewrite, other: Rewrite) -> bool:
    return other.kind in ("embed", "split") and other.subject == steps.subject


STEPS = FormPlan(
    kind="steps",
    text="{subject} counted in steps for {attributes}, kept by a function that follows the stream",
    reason="the number may be behind and in steps, so that a function counts what lies in each of them: a read adds up"
    " steps instead of items",
    without="{} counted while reading",
    apply=_count_steps,
    excludes=_exclude,
)
