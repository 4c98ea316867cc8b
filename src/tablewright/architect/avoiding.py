"""The choices of a search that stand behind something unwelcome: what to forbid so that it cannot come out again."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tablewright.architect.assembly.views import key_of_view
from tablewright.architect.plans.registry import PLACE_OF
from tablewright.architect.plans.values import Candidates, Variable
from tablewright.design.cost.units.entries import place_of_view
from tablewright.wire.limits import MAX_GSIS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.assembly.solution import Solution
    from tablewright.design.heat.load import PartitionHeat
    from tablewright.design.layout.views import View

Forbidden: TypeAlias = frozenset[Variable]
NO_LOCAL_INDEX: Forbidden = frozenset({("local", 0)})


def key_of(candidates: Candidates, view: View) -> Forbidden:
    """Keys of an entity in a place that have this partition, however they are sorted: they are as hot, and as large."""
    place = PLACE_OF[key_of_view(view).place]
    shape = view.shape
    return frozenset(
        (place.variable, each)
        for each in place.shapes(candidates, view.entity)
        if (each.partition, each.bucket, each.when) == (shape.partition, shape.bucket, shape.when)
    )


def reading_of(solution: Solution, candidates: Candidates, pattern: str) -> Forbidden:
    """Answering a pattern from the partitions that it is answered from."""
    choice = solution.choice
    if pattern in choice.collections:
        gathered, slot = choice.collections[pattern]
        slots = [None] if slot is None else range(MAX_GSIS)
        return frozenset(("gather", pattern, gathered.signature, each) for each in slots)
    if pattern not in choice.plans:
        return frozenset()
    plan = choice.plans[pattern]
    same = (each.shape for each in candidates.plans[pattern] if each.place == plan.place)
    return frozenset(("plan", pattern, plan.place, each) for each in same if each.partition == plan.shape.partition)


def reading_without_copies(solution: Solution, candidates: Candidates, pattern: str) -> Forbidden:
    """Answering a pattern from anything that lies in one place alone; and from as many copies as there are."""
    taken = solution.choice.plans[pattern].shape
    lean = {("plan", pattern, each.place, each.shape) for each in candidates.plans[pattern] if not each.shape.copies}
    return frozenset({*lean, *([("plan", pattern, "copy", taken)] if taken.copies else [])})


def views_in(solution: Solution, heat: PartitionHeat) -> list[View]:
    return [
        view
        for view, keys in solution.names.keys.items()
        if keys.pk.text == heat.partition_key and place_of_view(view) == heat.place
    ]


def look_up_of(solution: Solution, write: str, entity: str) -> Forbidden:
    """Finding the key of what is written in the index in which it is found."""
    plan = solution.choice.located[write, entity]
    return frozenset({("locate", write, plan.place, plan.shape)})


def together(parts: Iterable[Forbidden]) -> Forbidden:
    return frozenset[Variable]().union(*parts)
