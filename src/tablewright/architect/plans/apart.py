"""Apart: a pattern over several entities as one request for each, all at once.

A limit counts the entities that have what is sorted by, or each by itself; what one query reads, it counts together. So
a parent that is answered whole beside its newest children is read by itself (or from their `edge`), and so are items
whose order no common key has. Where nothing forbids one query, this is taken only when no collection serves the
pattern. The answers of several entities that have what is sorted by are merged.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.edge import edges
from tablewright.architect.plans.plan import FormPlan, Ways
from tablewright.design.layout.forms import Merge, ReadPart, Rewrite, Rewritten, step_id, with_patterns
from tablewright.design.serving.absent import asked_order, comes_in_place, may_lack
from tablewright.design.serving.answers import limit_on, sorted_entities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, Spec


def _demand(facts: Facts) -> Iterator[Ways]:
    """Patterns that no one query answers as it is said."""
    for pattern in facts.spec.reads:
        if _can_be_apart(facts.spec, pattern) and _must_be_apart(facts, pattern):
            yield (Rewrite("apart", pattern.id, pattern.entities), *edges(facts, pattern))


def _must_be_apart(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether a limit counts only some of what would be read, a filter lets nothing of an entity through, or items
    without what is sorted by have no place.
    """
    if pattern.filter and len(_fitting(facts.spec, pattern)) < len(pattern.entities):
        return True
    counted = sorted_entities(facts.spec, pattern)
    if pattern.limits or (pattern.limit is not None and len(counted) < len(pattern.entities)):
        return True
    is_in_place = pattern.absent == "omit" if len(counted) > 1 else comes_in_place(pattern)
    return not is_in_place and any(may_lack(facts, pattern, each) for each in counted)


def _resort(facts: Facts) -> Iterator[Rewrite]:
    """Patterns that can be read entity by entity as well; of equals those are left alone that would be merged."""
    for pattern in sorted(facts.spec.reads, key=lambda each: not _is_merged(facts.spec, each)):
        if _can_be_apart(facts.spec, pattern) and not _must_be_apart(facts, pattern):
            yield Rewrite("apart", pattern.id, pattern.entities)


def _can_be_apart(spec: Spec, pattern: PatternSpec) -> bool:
    """Limits of single entities are not kept by a list that is merged."""
    is_one = bool(pattern.limits) and _is_merged(spec, pattern)
    return len(pattern.entities) > 1 and bool(_fitting(spec, pattern)) and not is_one


def _is_merged(spec: Spec, pattern: PatternSpec) -> bool:
    return len(sorted_entities(spec, pattern)) > 1 and bool(asked_order(pattern))


def _fitting(spec: Spec, pattern: PatternSpec) -> list[str]:
    """The entities that can answer: an item without what is compared passes no range and no filter."""
    compared = {*pattern.filter, *([pattern.range.attr] if pattern.range else [])}
    return [name for name in pattern.entities if compared <= set(spec.entities[name].attributes)]


# ---- applying -------------------------------------------------------------------------------------------------------


def _read_apart(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    pattern = form.spec.pattern(rewrite.subject)
    assert pattern is not None
    if len(pattern.entities) == 1:
        return form  # what lies inside of its parent is read with it
    counted = sorted_entities(form.spec, pattern)
    fitting = sorted(_fitting(form.spec, pattern), key=lambda name: name in counted)  # what is merged stands together
    steps = [
        msgspec.structs.replace(
            _asked_of(form.spec, pattern, name),
            id=pattern.id if number == 1 else step_id(form.spec, pattern.id, number),
            items=None if pattern.items is None else pattern.items / len(fitting),
            rate=form.asked.rates[pattern.id],
        )
        for number, name in enumerate(fitting, 1)
    ]
    parts = tuple(_parts(pattern, steps))
    return msgspec.structs.replace(
        form,
        spec=with_patterns(form.spec, pattern.id, *steps),
        reads={**form.reads, pattern.id: parts},
    )


def _parts(pattern: PatternSpec, steps: list[PatternSpec]) -> Iterator[ReadPart]:
    """One limit for all of them in any order, or all that are sorted in one order."""
    shared = pattern.limit is not None and not pattern.sort
    merge = Merge(tuple(each.attr for each in asked_order(pattern)), pattern.absent)
    for before, each in pairwise((None, *steps)):
        assert each is not None
        follows = before is not None and bool(before.sort) and bool(each.sort)
        yield ReadPart(pattern=each.id, continues=shared and before is not None, merges=merge if follows else None)


def _asked_of(spec: Spec, pattern: PatternSpec, entity: str) -> PatternSpec:
    """What is asked of one entity: one that lacks what is sorted by has no order, and a limit only of its own."""
    is_one = pattern.range is None and set(spec.entities[entity].id) <= set(pattern.by)
    is_sorted = not is_one and entity in sorted_entities(spec, pattern)
    merged = [each.attr for each in asked_order(pattern) if is_sorted and pattern.returns]
    return msgspec.structs.replace(
        pattern,
        kind="get" if is_one else "query",
        entities=(entity,),
        returns=tuple(dict.fromkeys((*pattern.returns, *merged))),  # answers are merged by it
        sort=pattern.sort if is_sorted else (),
        limit=None if is_one else limit_on(spec, pattern, entity),
        limits={},
    )


APART = FormPlan(
    kind="apart",
    text="{subject} as several requests at once",
    reason="no one query can read all of them as asked, so they are read by several at once",
    demands=_demand,
    resorts=_resort,
    apply=_read_apart,
)
