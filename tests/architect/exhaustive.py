"""The least cost of a design by trying everything: base keys, shapes in slots, copies. Slow, and plain to see."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tablewright.architect.cost.selection import concentration_cost, copy_cost, entry_cost, read_cost
from tablewright.architect.search.choose import TABLE_FIRST, locates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.candidates.plans import Candidates
    from tablewright.architect.candidates.shapes import Shape
    from tablewright.architect.cost.prices import Prices

Slots = tuple[dict[str, "Shape"], ...]


def least_cost(candidates: Candidates, prices: Prices, slots: int) -> int | None:
    """None when nothing serves all patterns."""
    names = list(candidates.shapes)
    best: int | None = None
    for bases in product(*(candidates.shapes[name].base for name in names)):
        base = dict(zip(names, bases, strict=True))
        for placed in placements(candidates, names, slots):
            for copies in copied(candidates, base):
                cost = cost_of(candidates, prices, base, placed, copies)
                if cost is not None and (best is None or cost < best):
                    best = cost
    return best


def placements(candidates: Candidates, names: list[str], slots: int) -> Iterator[Slots]:
    choices = [[None, *candidates.shapes[name].index] for name in names]
    for flat in product(*(product(*choices) for _ in range(slots))):
        yield tuple(
            {name: shape for name, shape in zip(names, slot, strict=True) if shape is not None} for slot in flat
        )


def copied(candidates: Candidates, base: dict[str, Shape]) -> Iterator[frozenset[Shape]]:
    every = [shape for shapes in candidates.copies.values() for shape in shapes if base[shape.entity] != shape]
    for chosen in product((False, True), repeat=len(every)):
        yield frozenset(shape for shape, taken in zip(every, chosen, strict=True) if taken)


def cost_of(
    candidates: Candidates, prices: Prices, base: dict[str, Shape], slots: Slots, copies: frozenset[Shape]
) -> int | None:
    facts = candidates.facts
    total = sum(concentration_cost(facts, shape) for shape in base.values())
    total += sum(
        entry_cost(facts, prices, shape) + concentration_cost(facts, shape) for slot in slots for shape in slot.values()
    )
    total += sum(copy_cost(facts, prices, shape) for shape in copies)

    def reads(plan, pattern) -> int | None:
        places = {
            "table": base[plan.shape.entity] == plan.shape,
            "copy": plan.shape in copies,
            "index": any(slot.get(plan.shape.entity) == plan.shape for slot in slots),
        }
        if not places[plan.place]:
            return None
        units = plan.units * (2.0 if plan.serving.by_type else 1.0)
        return read_cost(facts, prices, pattern, units) + (TABLE_FIRST if plan.place == "index" else 0)

    for id_, plans in candidates.plans.items():
        found = [cost for plan in plans if (cost := reads(plan, facts.spec.pattern(id_))) is not None]
        if not found:
            return None
        total += min(found)
    for id_, gatherings in candidates.gatherings.items():
        found = []
        for gathering in gatherings:
            places = [base] if gathering.place == "table" else slots
            if any(all(place.get(name) in parts for name, parts in gathering.parts.items()) for place in places):
                cost = read_cost(facts, prices, facts.spec.pattern(id_), gathering.units)
                found.append(cost + (TABLE_FIRST if gathering.place == "index" else 0))
        if not found:
            return None
        total += min(found)
    for locate in locates(candidates):
        pattern = facts.spec.pattern(locate.write)
        if set(pattern.by) >= set(base[locate.entity].attributes):
            continue
        found = [cost for plan in locate.plans if (cost := reads(plan, pattern)) is not None]
        if not found:
            return None
        total += min(found)
    return total
