"""What predictions are made of: sizes, counts and shares, estimated from a spec or measured on real data.

Means give means: where items differ much in size, rounding up to whole units happens item by item and only samples
(what single runs of a pattern really touched) predict exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.architect.candidates.serving import answer_items
from tablewright.architect.cost.units.entries import Entry, entries_of
from tablewright.architect.design.naming import View
from tablewright.architect.design.requests import place_of
from tablewright.architect.spec.volumes import cardinality, matching

if TYPE_CHECKING:
    from tablewright.architect.candidates.serving import Serving
    from tablewright.architect.candidates.shapes import Shape
    from tablewright.architect.solution import Solution
    from tablewright.architect.spec.assume import Facts
    from tablewright.architect.spec.model import PatternSpec

Items: TypeAlias = Mapping[str, float]  # by entity


class ReadSample(msgspec.Struct, frozen=True):
    """One run of a read: for every partition asked, the sizes of all items under the key condition, in order."""

    partitions: tuple[tuple[int, ...], ...]


class EntryChange(msgspec.Struct, frozen=True, kw_only=True):
    """What one write did to one entry: its sizes (None for not there), and whether its key or its view changed."""

    entry: str
    before_bytes: int | None = None
    after_bytes: int | None = None
    key_changed: bool = False
    view_changed: bool = True


class WriteSample(msgspec.Struct, frozen=True):
    """One run of a write: every entry it touched. A refused condition changes nothing: before and after are equal."""

    changes: tuple[EntryChange, ...]
    refused: bool = False


class Volumes(msgspec.Struct, frozen=True, kw_only=True):
    """How many and how large."""

    counts: Items
    entries: tuple[Entry, ...]  # with their sizes and shares
    read_items: Mapping[str, Items]  # by pattern: items read under the key condition, before any filter
    located_items: Mapping[str, Items]  # by write: items read to find the key of what is written
    read_samples: Mapping[str, tuple[ReadSample, ...]] = {}
    write_samples: Mapping[str, tuple[WriteSample, ...]] = {}


def estimate(solution: Solution, *, counts: Items | None = None) -> Volumes:
    """Volumes as the spec tells them, or with other counts of items (in a year, at ten times the users)."""
    now = solution.facts
    then = now if counts is None else msgspec.structs.replace(now, counts=counts)
    return Volumes(
        counts=then.counts,
        entries=entries_of(solution),
        read_items={each.id: items_read(solution, each, then) for each in now.spec.reads},
        located_items={each.id: items_located(solution, each, then) for each in now.spec.writes},
    )


# ---- reads --------------------------------------------------------------------------------------------------------


def items_read(solution: Solution, pattern: PatternSpec, facts: Facts) -> Items:
    """Items under the key of every partition that is asked; a limit counts only where nothing is filtered behind it."""
    request = solution.requests[pattern.id]
    view, servings, shapes = read_from(solution, pattern)
    own = {name: under_key(facts, pattern, shapes[name], serving) for name, serving in servings.items()}
    mixed = len(pattern.entities) > 1 or servings[pattern.entity].by_type
    found = {**strangers(facts, solution, view, servings[pattern.entity]), **own} if mixed else own
    if request.limit is None or request.filters or request.operation == "GetItem":
        return found
    most = float(request.limit * request.shards)
    total = sum(found.values())
    return {name: count * min(1.0, most / total) for name, count in found.items()}


def read_from(solution: Solution, pattern: PatternSpec) -> tuple[View, Mapping[str, Serving], Mapping[str, Shape]]:
    """The view of the first entity, and how and under which shape each entity is read there."""
    choice, first = solution.choice, pattern.entity
    if pattern.id in choice.plans:
        plan = choice.plans[pattern.id]
        return place_of(plan, choice), {first: plan.serving}, {first: plan.shape}
    gathering, slot = choice.gatherings[pattern.id]
    shapes = choice.base if slot is None else choice.slots[slot]
    servings = {name: gathering.parts[name][shapes[name]] for name in pattern.entities}
    return View(first, slot, shapes[first]), servings, shapes


def under_key(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> float:
    if serving.is_get:
        return 1.0
    found = matching(facts, shape.entity, (*shape.partition, *serving.equal))
    if not serving.filters and (pattern.items is not None or serving.ranged):
        whole = msgspec.structs.replace(pattern, limit=None)
        found = min(found, answer_items(facts, whole, shape.entity))
    return found * (1.0 if serving.fan_out is None else cardinality(facts, shape.entity, serving.fan_out))


def strangers(facts: Facts, solution: Solution, view: View, serving: Serving) -> Items:
    """Items of other types that lie between those wanted: read, paid for and filtered out."""
    return {
        each.entity: matching(facts, each.entity, (*each.shape.partition, *serving.equal))
        for each in solution.names.groups[view]
        if each.entity != view.entity and each.shape.signature == view.shape.signature
    }


def items_located(solution: Solution, pattern: PatternSpec, facts: Facts) -> Items:
    """What a write reads to find the key of what it writes."""
    return {
        entity: under_key(facts, pattern, plan.shape, plan.serving)
        for (write, entity), plan in solution.choice.located.items()
        if write == pattern.id
    }


def entry_at(volumes: Volumes, place: str, entity: str, *, is_copy: bool = False) -> Entry:
    """The entry of an entity that a request to a place reads."""
    kinds = ("copy",) if is_copy else ("item", "index")
    return next(
        each for each in volumes.entries if each.place == place and each.entity == entity and each.kind in kinds
    )
