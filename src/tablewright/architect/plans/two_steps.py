"""Two steps: the parent by the attribute that only it has, then the children by their reference to what was found.

An order or a limit of the whole answer needs a single parent, so the attribute must then be unique.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan, Ways
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, step_id, with_patterns
from tablewright.errors import DesignError
from tablewright.spec.check import find_parents_with
from tablewright.spec.model import Rate
from tablewright.spec.volumes import matching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def _demand(facts: Facts) -> Iterator[Ways]:
    for pattern in facts.spec.reads:
        if _foreign_inputs(facts, pattern):
            yield (Rewrite("through", pattern.id, pattern.entities),)


def _foreign_inputs(facts: Facts, pattern: PatternSpec) -> tuple[str, ...]:
    """The inputs that only a parent has."""
    if len(pattern.entities) != 1 or pattern.through is not None:
        return ()
    known = facts.spec.entities[pattern.entity].attributes
    return tuple(name for name in pattern.by if name not in known)


# ---- applying -------------------------------------------------------------------------------------------------------


def _go_through(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts = form.asked
    pattern = form.spec.pattern(rewrite.subject)
    assert pattern is not None
    inputs = _foreign_inputs(facts, pattern)
    parent, reference = _way(facts, pattern, inputs)
    found = _parents_found(facts, parent, inputs)
    _check(facts, pattern, parent, inputs)
    rate = facts.rates[pattern.id]
    first = msgspec.structs.replace(
        pattern,
        kind="query",
        entities=(parent,),
        by=inputs,
        range=None,
        sort=(),
        filter={},
        limit=None,
        items=None,
        returns=(),
        aggregate=None,
        rate=rate,
    )
    second = msgspec.structs.replace(
        pattern,
        id=step_id(form.spec, pattern.id),
        kind="query" if pattern.kind == "get" and found > 1 else pattern.kind,
        by=(reference, *(name for name in pattern.by if name not in inputs)),
        rate=Rate(avg=rate.avg * found, peak=(rate.peak or 0.0) * found),
    )
    held = facts.spec.entities[parent].id[0]
    given = {} if held == reference else {reference: held}
    parts = (ReadPart(pattern=first.id), ReadPart(pattern=second.id, keys_from=0, given=given))
    return msgspec.structs.replace(
        form,
        spec=with_patterns(form.spec, pattern.id, first, second),
        reads={**form.reads, pattern.id: parts},
    )


def _way(facts: Facts, pattern: PatternSpec, inputs: tuple[str, ...]) -> tuple[str, str]:
    """The parent that has all these inputs, and the child's attribute that names it."""
    ways = [find_parents_with(facts.spec, pattern.entity, name) for name in inputs]
    parents = [parent for parent in ways[0] if all(parent in each for each in ways)]
    if len(parents) != 1:
        raise DesignError(
            f"access_patterns.{pattern.id}.by: {' and '.join(inputs)} are not attributes of one and the same parent of"
            f" {pattern.entity}; ask by one of them, or keep a copy of the others in {pattern.entity}"
        )
    return parents[0], ways[0][parents[0]]


def _parents_found(facts: Facts, parent: str, inputs: tuple[str, ...]) -> float:
    return 1.0 if _is_unique(facts, parent, inputs) else matching(facts, parent, inputs)


def _is_unique(facts: Facts, parent: str, inputs: tuple[str, ...]) -> bool:
    entity = facts.spec.entities[parent]
    return any(set(group) <= set(inputs) for group in (*entity.unique, entity.id))


def _check(facts: Facts, pattern: PatternSpec, parent: str, inputs: tuple[str, ...]) -> None:
    place, several = f"access_patterns.{pattern.id}", not _is_unique(facts, parent, inputs)
    if several and (pattern.sort or pattern.limit is not None):
        raise DesignError(
            f"{place}: {' and '.join(inputs)} may belong to several items of {parent}, whose {pattern.entity} items"
            f" come without a common order. Say that it is unique (entities.{parent}.unique), or leave out sort and"
            " limit"
        )
    clash = [name for name in pattern.by if name not in inputs and name in facts.spec.entities[parent].attributes]
    if clash:
        raise DesignError(
            f"{place}.by: {', '.join(clash)} is an attribute of {parent} as well, which is read first for"
            f" {' and '.join(inputs)}; keep a copy of {' and '.join(inputs)} in {pattern.entity} and ask by that"
        )


TWO_STEPS = FormPlan(
    kind="through",
    text="{subject} by way of {attributes}",
    reason="only the parent has what is given, so it is found first and leads to its children",
    demands=_demand,
    apply=_go_through,
)
