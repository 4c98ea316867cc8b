"""Apart: a pattern over several entities as one query for each, all at once.

There is no common order, so the pattern must not ask for one. Taken only where no collection serves the pattern.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, step_id, with_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts


def _resort(facts: Facts) -> Iterator[Rewrite]:
    """Patterns that can be read entity by entity."""
    for pattern in facts.spec.reads:
        compared = {*pattern.filter, *([pattern.range.attr] if pattern.range else [])}
        fits = any(compared <= set(facts.spec.entities[name].attributes) for name in pattern.entities)
        if len(pattern.entities) > 1 and pattern.limit is None and not pattern.sort and fits:
            yield Rewrite("apart", pattern.id, pattern.entities)


def _read_apart(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    pattern = form.spec.pattern(rewrite.subject)
    assert pattern is not None
    compared = {*pattern.filter, *([pattern.range.attr] if pattern.range else [])}
    fitting = [name for name in pattern.entities if compared <= set(form.spec.entities[name].attributes)]
    steps = [
        msgspec.structs.replace(
            pattern,
            id=pattern.id if number == 1 else step_id(form.spec, pattern.id, number),
            kind="query",
            entities=(name,),
            items=None if pattern.items is None else pattern.items / len(fitting),
            rate=form.asked.rates[pattern.id],
        )
        for number, name in enumerate(fitting, 1)
    ]
    return msgspec.structs.replace(
        form,
        spec=with_patterns(form.spec, pattern.id, *steps),
        reads={**form.reads, pattern.id: tuple(ReadPart(pattern=each.id) for each in steps)},
    )


APART = FormPlan(
    kind="apart",
    text="{subject} as several requests at once",
    reason="no one query can read all of them, so they are read by several at once",
    resorts=_resort,
    apply=_read_apart,
)
