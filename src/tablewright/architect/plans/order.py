"""Order of ids: an id that sorts as a time (ULID, KSUID, UUIDv7) gives the order of that time.

A list sorted by the time may then be read in the order of the id, which a key often has anyway: both are priced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan, Ways
from tablewright.design.layout.forms import Rewrite, Rewritten, with_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def _demand(facts: Facts) -> Iterator[Ways]:
    for pattern in facts.spec.reads:
        names = list(_sorting_alike(facts, pattern))
        if names:
            time = pattern.sort[-1].attr
            yield tuple(Rewrite("order", pattern.id, (name,)) for name in (time, *names))


def _sorting_alike(facts: Facts, pattern: PatternSpec) -> Iterator[str]:
    """Attributes whose order is that of the last one that an answer is sorted by, where every item has both."""
    if len(pattern.entities) != 1 or not pattern.sort or pattern.cascade_of:
        return
    last, known = pattern.sort[-1].attr, facts.spec.entities[pattern.entity].attributes
    if pattern.range is not None and pattern.range.attr == last:
        return
    for name, attribute in known.items():
        if attribute.sorts_as == last and {name, last} <= facts.present[pattern.entity] and name not in pattern.by:
            yield name


def _sort_by_id(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    pattern = form.spec.pattern(rewrite.subject)
    assert pattern is not None
    last = msgspec.structs.replace(pattern.sort[-1], attr=rewrite.attributes[0])
    found = msgspec.structs.replace(pattern, sort=(*pattern.sort[:-1], last))
    return msgspec.structs.replace(form, spec=with_patterns(form.spec, pattern.id, found))


ORDER = FormPlan(
    kind="order",
    text="{subject} in the order of {attributes}",
    reason="the id sorts as the time, so that the order of either answers; this is the cheaper one",
    demands=_demand,
    apply=_sort_by_id,
)
