"""Plans from indexes that hold less than whole items.

INCLUDE     the attributes that the patterns read there return, as far as they say so
KEYS_ONLY   nothing but keys: the items themselves are fetched by BatchGetItem, each paid for by itself
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.architect.plans.candidates import Plan, asked_for
from tablewright.design.cost.selection import projected_bytes
from tablewright.design.shapes import Shape
from tablewright.spec.volumes import item_bytes
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import MAX_PROJECTED_ATTRIBUTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

LeanKind: TypeAlias = Literal["INCLUDE", "KEYS_ONLY"]


class Lean(msgspec.Struct, frozen=True):
    """A shape in an index that holds only these attributes, and the plans that can do with them."""

    shape: Shape
    kind: LeanKind
    attributes: tuple[str, ...]
    plans: tuple[Plan, ...]


def leans_of(facts: Facts, plans: Iterable[Plan]) -> Iterator[Lean]:
    """For every index shape that plans read: what a smaller projection of it could be."""
    by_shape: dict[Shape, list[Plan]] = {}
    for plan in plans:
        if plan.place == "index":
            by_shape.setdefault(plan.shape, []).append(plan)
    for shape, found in sorted(by_shape.items()):
        patterns = {each.id: each for each in facts.spec.reads}
        returning = [plan for plan in found if patterns[plan.pattern].returns]
        names = {name for plan in returning for name in needed(patterns[plan.pattern], plan)}
        if returning and names < set(facts.spec.entities[shape.entity].attributes):
            attributes = tuple(sorted(names))
            lean = (including(facts, plan, attributes) for plan in returning)
            if len(names) < MAX_PROJECTED_ATTRIBUTES:
                yield Lean(shape, "INCLUDE", attributes, tuple(lean))
        unfiltered = [plan for plan in found if can_fetch(patterns[plan.pattern], plan)]
        if unfiltered:
            fetching = (fetched(facts, patterns[plan.pattern], plan) for plan in unfiltered)
            yield Lean(shape, "KEYS_ONLY", (), tuple(fetching))


def needed(pattern: PatternSpec, plan: Plan) -> set[str]:
    """What a pattern reads of an item: what it returns and what is filtered by."""
    ranged = {pattern.range.attr} if pattern.range is not None else set[str]()
    return {*pattern.returns, *plan.serving.filters, *pattern.filter, *ranged}


def can_fetch(pattern: PatternSpec, plan: Plan) -> bool:
    """A filter would see nothing but keys; and a single item is not worth two requests one after the other."""
    excluding = pattern.range is not None and pattern.range.op == "lt"
    filtered = plan.serving.filters or pattern.filter or plan.serving.by_type or excluding
    return pattern.kind != "get" and not filtered


def including(facts: Facts, plan: Plan, attributes: tuple[str, ...]) -> Plan:
    size = projected_bytes(facts, plan.shape.entity, attributes)
    return msgspec.structs.replace(plan, units=units_for(facts, plan, size), projection="INCLUDE")


def fetched(facts: Facts, pattern: PatternSpec, plan: Plan) -> Plan:
    keys = units_for(facts, plan, projected_bytes(facts, plan.shape.entity, ()))
    items = min(plan.serving.returned_items, pattern.limit or plan.serving.returned_items)
    units = keys + items * read_rcu(item_bytes(facts, plan.shape.entity))
    return msgspec.structs.replace(plan, units=units, projection="KEYS_ONLY")


def units_for(facts: Facts, plan: Plan, size: int) -> float:
    asked = asked_for(facts, plan.shape, plan.serving)
    return asked * read_rcu(ceil(plan.serving.read_items * size / asked))
