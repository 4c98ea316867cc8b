"""Projections and local indexes: the solver's optimum against trying everything, on small specs of one entity."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.plans.pointer import moved_attributes, pointer_cost, pointer_rule
from tablewright.architect.plans.prices import entry_cost, growth_rule, read_cost
from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.model import Model
from tablewright.architect.search.search import candidates_of
from tablewright.architect.search.stages import best
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.heat.collections import largest_bytes
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.wire.limits import MAX_ITEM_COLLECTION_BYTES
from tests.architect.exhaustive import linear, stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.plans.values import ReadPlan
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts


def random_spec(seed: int, *, lsis: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    attributes = {
        name: {"type": chance.choice(["string", "timestamp"]), "cardinality": chance.choice([5, 50]), "required": True}
        for name in ("a", "b", "c")
    }
    entity = {
        "id": ["a", "id"] if lsis else ["id"],
        "attributes": {"id": "string", **attributes, "body": {"type": "string", "size_bytes": 100}},
        "count": chance.choice([1000, 10_000_000]),
        "size_bytes": chance.choice([300, 3000, 30_000]),
    }
    patterns = [random_pattern(chance, number, lsis=lsis) for number in range(chance.choice([1, 2, 3]))]
    put = {
        "id": "put",
        "kind": "write",
        "op": "put",
        "entity": "E",
        "by": entity["id"],
        "rate": chance.choice([1, 100]),
    }
    change = {**put, "id": "change", "op": "update", "changes": ["body"]}
    return {
        "name": f"kinds-{seed}",
        "entities": {"E": entity},
        "access_patterns": [*patterns, put, change],
        "constraints": {"lsis": lsis},
    }


def random_pattern(chance: random.Random, number: int, *, lsis: bool) -> dict[str, Any]:
    by = ["a"] if lsis else [chance.choice(["a", "b"])]
    pattern: dict[str, Any] = {"id": f"P{number}", "kind": "query", "entity": "E", "by": by, "limit": 10}
    pattern["sort"] = chance.choice([name for name in ("b", "c") if name not in by])
    pattern["rate"] = chance.choice([0.1, 10, 300])
    if chance.random() < 0.5:
        pattern["returns"] = ["id", *by]
    if lsis and chance.random() < 0.5:
        pattern["consistency"] = "strong"
    return pattern


def least_cost(model: Model) -> int | None:
    shapes = model.candidates.shapes["E"]
    found = [
        cost
        for base in shapes.base
        for held in (None, *shapes.index)
        for kind in kinds_of(model, held)
        for local in local_sets(model, base)
        if (cost := cost_of(model, base, held, kind, local)) is not None
    ]
    return min(found) if found else None


def kinds_of(model: Model, held: Shape | None) -> list[str]:
    return ["ALL", *(each.kind for each in model.lean_entries if each.shape == held)]


def local_sets(model: Model, base: Shape) -> Iterator[tuple[Shape, ...]]:
    fitting = [each for each in model.candidates.local["E"] if each.partition == base.partition]
    for size in range(min(5, len(fitting)) + 1):
        for local in combinations(fitting, size):
            grown = largest_bytes(model.facts, base) + sum(largest_bytes(model.facts, each) for each in local)
            if not local or grown <= MAX_ITEM_COLLECTION_BYTES:
                yield local


def cost_of(model: Model, base: Shape, held: Shape | None, kind: str, local: tuple[Shape, ...]) -> int | None:
    facts = model.facts
    attributes = next((each.attributes for each in model.lean_entries if (each.shape, each.kind) == (held, kind)), None)
    total = pointer_cost(facts, US_EAST_1, base)
    total += sum(rule(facts, base) for rule in (growth_rule, pointer_rule))
    if held is not None:
        total += entry_cost(facts, US_EAST_1, held, attributes) + growth_rule(facts, held)
    total += sum(entry_cost(facts, US_EAST_1, each) for each in local)
    for id_, plans in needs(model, base):
        there = [plan for plan in plans if is_there(plan, base, held, kind, local)]
        if not there:
            return None
        total += min(plan_cost(model, id_, plan) for plan in there)
    return total


def needs(model: Model, base: Shape) -> Iterator[tuple[str, list[ReadPlan]]]:
    """Reads, and writes that have to find the item; each with all its plans."""
    for id_, plans in model.candidates.plans.items():
        yield id_, [*plans, *(plan for each in model.lean_entries for plan in each.plans if plan.pattern == id_)]
    for locate in model.locates:
        ids = model.facts.spec.entities[base.entity].id
        if not set(model.pattern(locate.write).by) >= set(
            ids if moved_attributes(model.facts, base) else base.attributes
        ):
            yield locate.write, list(locate.plans)


def is_there(plan: ReadPlan, base: Shape, held: Shape | None, kind: str, local: tuple[Shape, ...]) -> bool:
    places = {"table": plan.shape == base, "lsi": plan.shape in local, "copy": False}
    return places.get(plan.place, plan.shape == held and plan.projection == kind)


def plan_cost(model: Model, pattern: str, plan: ReadPlan) -> int:
    return read_cost(model.facts, US_EAST_1, model.pattern(pattern), plan.units)


def with_listed(spec: dict[str, Any]) -> dict[str, Any]:
    """The same lists, of entries that name other items of the same kind; an index need hold no more than the names."""
    entity = spec["entities"]["E"]
    attributes = {**entity["attributes"], "ref": {"references": "E", "required": True}}
    patterns = [{**each, "through": "E.ref"} if each["kind"] == "query" else each for each in spec["access_patterns"]]
    entities = {"E": {**entity, "id": ["id"], "attributes": attributes}}
    keyed = [{**each, "by": "id"} if each["kind"] == "write" else each for each in patterns]
    return {**spec, "entities": entities, "access_patterns": keyed}


@pytest.mark.parametrize(("seed", "lsis"), list(product(range(30), (False, True))))
def test_cost_is_least(seed: int, lsis: bool) -> None:
    compare(assume(read_spec(random_spec(seed, lsis=lsis))))


@pytest.mark.parametrize("seed", range(30))
def test_cost_is_least_of_lists_that_lead_to_items(seed: int) -> None:
    compare(stored(with_listed(random_spec(seed, lsis=False))))


def compare(facts: Facts) -> None:
    model = linear(billed_model(candidates_of(facts), US_EAST_1, 1))
    model.program.settle([name for name in model.program.columns if isinstance(name, tuple) and name[0] == "copy"], 0)
    found = best(model, "cost")
    assert (None if found is None else found.choice.cost + found.choice.rules) == least_cost(model)


def test_the_specs_bring_out_every_kind() -> None:
    kinds: set[str] = set()
    for seed, lsis in product(range(30), (False, True)):
        model = billed_model(candidates_of(assume(read_spec(random_spec(seed, lsis=lsis)))), US_EAST_1, 1)
        found = best(model, "cost")
        if found is not None:
            kinds.update(each.kind for each in found.choice.projections)
            kinds.update("LSI" for _ in found.choice.lsis)
    assert kinds == {"ALL", "INCLUDE", "KEYS_ONLY", "LSI"}
