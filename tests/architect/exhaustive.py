"""The least cost of a design by trying everything: base keys, shapes in slots, copies. Slow, and plain to see."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.plans.forms import rewrite
from tablewright.architect.plans.list_then_items import LIST_THEN_ITEMS
from tablewright.architect.plans.pointer import moved_attributes, pointer_cost, pointer_rule
from tablewright.architect.plans.prices import copy_cost, entry_cost, growth_rule, read_cost
from tablewright.architect.search.bill import ADDED
from tablewright.architect.search.model import locates
from tablewright.design.layout.forms import facts_of
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from tablewright.architect.plans.values import Candidates, CollectionPlan
    from tablewright.architect.search.model import Locate, Model
    from tablewright.design.cost.prices import Prices
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts

Slots = tuple[dict[str, "Shape"], ...]
STYLES = ("plain", "electrodb")


def in_styles(seeds: Iterable[int], shown: Collection[int]) -> list[Any]:
    """Every seed with a style of keys: some with both, and of the others, which take long together, each with one."""
    return [
        pytest.param(seed, style, marks=[] if seed in shown else [pytest.mark.slow])
        for seed in seeds
        for style in (STYLES if seed in shown else [STYLES[seed % 2]])
    ]


def stored(spec: dict[str, Any]) -> Facts:
    """Of a list that answers with what its entries name: the list and the batch, which the program sees."""
    facts = assume(read_spec(spec))
    ways = [each for (each,) in LIST_THEN_ITEMS.demands(facts)]
    return facts_of(rewrite(facts, ways))


def linear(model: Model) -> Model:
    """The program with nothing but what plans cost by themselves, to the micro-dollar."""
    for name in [each for each in model.costs if each[0] in ADDED]:
        del model.costs[name]
    model.grain, model.constant = 1.0, 0.0
    return model


def least_costs(candidates: Candidates, prices: Prices, slots: int) -> dict[int, int]:
    """By the number of indexes in use: the least cost; numbers with which nothing serves all patterns are missing."""
    names = list(candidates.shapes)
    best: dict[int, int] = {}
    for bases in product(*(candidates.shapes[name].base for name in names)):
        base = dict(zip(names, bases, strict=True))
        for placed in placements(candidates, names, slots):
            used = sum(bool(slot) for slot in placed)
            for copies in copied(candidates, base):
                cost = cost_of(candidates, prices, base, placed, copies)
                if cost is not None and cost < best.get(used, cost + 1):
                    best[used] = cost
    return best


def designs(candidates: Candidates, slots: int) -> int:
    """How many designs there are to try."""
    contents = prod(len(shapes.index) + 1 for shapes in candidates.shapes.values())
    copies = sum(len(found) for found in candidates.second_items.values())
    bases = prod(len(shapes.base) for shapes in candidates.shapes.values())
    return bases * comb(contents + slots - 1, slots) * 2**copies


def placements(candidates: Candidates, names: list[str], slots: int) -> Iterator[Slots]:
    """What may stand in the slots; their order does not matter."""
    contents = list(product(*([None, *candidates.shapes[name].index] for name in names)))
    for several in combinations_with_replacement(contents, slots):
        yield tuple(
            {name: shape for name, shape in zip(names, slot, strict=True) if shape is not None} for slot in several
        )


def copied(candidates: Candidates, base: dict[str, Shape]) -> Iterator[frozenset[Shape]]:
    every = [shape for shapes in candidates.second_items.values() for shape in shapes if base[shape.entity] != shape]
    for chosen in product((False, True), repeat=len(every)):
        yield frozenset(shape for shape, taken in zip(every, chosen, strict=True) if taken)


def cost_of(
    candidates: Candidates, prices: Prices, base: dict[str, Shape], slots: Slots, copies: frozenset[Shape]
) -> int | None:
    facts = candidates.facts
    rules = (growth_rule, pointer_rule)
    total = sum(pointer_cost(facts, prices, shape) for shape in base.values())
    total += sum(rule(facts, shape) for shape in base.values() for rule in rules)
    total += sum(
        entry_cost(facts, prices, shape) + growth_rule(facts, shape) for slot in slots for shape in slot.values()
    )
    total += sum(copy_cost(facts, prices, shape) + growth_rule(facts, shape) for shape in copies)

    def reads(plan, pattern) -> int | None:
        places = {
            "table": base[plan.shape.entity] == plan.shape,
            "copy": plan.shape in copies,
            "index": any(slot.get(plan.shape.entity) == plan.shape for slot in slots),
        }
        if not places[plan.place]:
            return None
        return read_cost(facts, prices, pattern, plan.units)

    for id_, plans in candidates.plans.items():
        found = [cost for plan in plans if (cost := reads(plan, facts.spec.pattern(id_))) is not None]
        if not found:
            return None
        total += min(found)
    items = {name: {shape, *(each for each in copies if each.entity == name)} for name, shape in base.items()}
    indexed = [{name: {shape} for name, shape in slot.items()} for slot in slots]
    for id_, gatherings in candidates.collections.items():
        found = []
        for gathering in gatherings:
            if any(gathered(gathering, place) for place in ([items] if gathering.place == "table" else indexed)):
                found.append(read_cost(facts, prices, facts.spec.pattern(id_), gathering.units))
        if not found:
            return None
        total += min(found)
    for locate in locates_of(candidates):
        pattern = facts.spec.pattern(locate.write)
        shape = base[locate.entity]
        ids = facts.spec.entities[locate.entity].id
        if set(pattern.by) >= set(ids if moved_attributes(facts, shape) else shape.attributes):
            continue
        found = [cost for plan in locate.plans if (cost := reads(plan, pattern)) is not None]
        if not found:
            return None
        total += min(found)
    return total


def gathered(gathering: CollectionPlan, place: dict[str, set[Shape]]) -> bool:
    """Whether all its entities are there, each once: an item and its copy must not lie together."""
    return all(
        place.get(name, set()) & set(parts)
        and sum(shape.signature == gathering.signature for shape in place[name]) == 1
        for name, parts in gathering.parts.items()
    )


def locates_of(candidates: Candidates) -> list[Locate]:
    """Worked out once for all designs of a spec."""
    if id(candidates) not in KNOWN:
        KNOWN.clear()
        KNOWN[id(candidates)] = (candidates, list(locates(candidates)))
    return KNOWN[id(candidates)][1]


KNOWN: dict[int, tuple[Candidates, list[Locate]]] = {}
