"""Edge: a parent that lies at the edge of its children, so that one query has it and the first of them.

Read backwards the parent lies behind its children, read forwards before them: the query begins at the parent, and what
follows are its newest children (or its oldest). It is asked for one item more than the limit says. Two requests at once
answer the same (see `apart`); both are priced. A parent has one place, so that it lies at the edge of one kind of
children only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan
from tablewright.design.layout.forms import Rewrite, Rewritten, with_patterns
from tablewright.design.layout.names import MODEL_VERSION
from tablewright.design.serving.answers import limit_on, sorted_entities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, Spec


def edges(facts: Facts, pattern: PatternSpec) -> Iterator[Rewrite]:
    """The edge that a pattern could be read from, if there is one."""
    counted = sorted_entities(facts.spec, pattern)
    if len(pattern.entities) == 2 and len(counted) == 1:
        (child,) = counted
        (parent,) = (name for name in pattern.entities if name != child)
        if _is_one_list(facts, pattern, child) and _is_one_item(facts.spec, pattern, parent):
            order = pattern.sort[0].order
            if not _has_neighbours(facts.spec, child):
                yield Rewrite("edge", pattern.id, (parent, child, order))


def _is_one_list(facts: Facts, pattern: PatternSpec, child: str) -> bool:
    """Whether a query of the children alone would be cut by their limit, in one order that all of them have."""
    names = [each.attr for each in pattern.sort]
    return (
        pattern.kind == "query"
        and pattern.range is None
        and not pattern.filter
        and pattern.aggregate is None
        and limit_on(facts.spec, pattern, child) is not None
        and len({each.order for each in pattern.sort}) == 1
        and facts.present[child] >= {*names, *pattern.by}
        and not set(names) & set(pattern.by)
    )


def _is_one_item(spec: Spec, pattern: PatternSpec, parent: str) -> bool:
    """Whether there is one parent at most, which is answered whatever its place; a limit of its own changes nothing."""
    found = spec.entities[parent]
    return set(found.id) <= set(pattern.by) <= found.attributes.keys()


def _has_neighbours(spec: Spec, child: str) -> bool:
    """Whether items of another type might lie between: the name of one goes on where that of the children ends."""
    between = re.compile(re.escape(child) + f"_[0{MODEL_VERSION}]", re.IGNORECASE)
    return any(between.match(name) for name in spec.entities)


def _excludes(one: Rewrite, other: Rewrite) -> bool:
    """Who lies at the edge of some children lies at no other edge, and they have no other parent there."""
    is_edge = one.kind == "edge" and other.kind == "edge"
    return is_edge and one.attributes != other.attributes and bool({*one.attributes[:2]} & {*other.attributes[:2]})


def _read_from_edge(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    pattern = form.spec.pattern(rewrite.subject)
    assert pattern is not None
    if len(pattern.entities) == 1:
        return form  # what lies inside of its parent is read with it
    found = msgspec.structs.replace(pattern, beside=rewrite.attributes[0])
    return msgspec.structs.replace(form, spec=with_patterns(form.spec, pattern.id, found))


EDGE = FormPlan(
    kind="edge",
    text="{subject} as one query that begins at the parent",
    reason="the parent lies at the edge of its children, so that one query has it and the first of them",
    excludes=_excludes,
    apply=_read_from_edge,
)
