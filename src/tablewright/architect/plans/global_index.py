"""Global indexes: an entity has at most one shape in each, and entities share them as they like.

Overloading needs no rule: an entity fills one shape a slot, and the number of indexes is the number of slots in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.plan import PlacePlan, SearchModel
from tablewright.architect.plans.prices import entry_cost, growth_rule
from tablewright.architect.plans.projection import lean_variables, whole_items
from tablewright.architect.plans.readers import is_read_together, members_beside
from tablewright.architect.plans.values import Candidates, Choice, PlacedKey, PlacedShapes, ReadPlan, Variable
from tablewright.design.wording import concat, some
from tablewright.review import sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.advice import Source
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts

_KIND = "gsi"


def add_slots(model: SearchModel) -> None:
    """Indexes are used from the first."""
    for slot in range(model.slots):
        model.variable(("used", slot))
    for slot in range(model.slots - 1):
        model.row({("used", slot): 1, ("used", slot + 1): -1}, lower=0)


def _shapes(candidates: Candidates, entity: str) -> tuple[Shape, ...]:
    return candidates.shapes[entity].index


def _add_shapes(model: SearchModel, entity: str) -> None:
    costs = {
        shape: (entry_cost(model.facts, model.prices, shape), growth_rule(model.facts, shape))
        for shape in _shapes(model.candidates, entity)
    }
    for slot in range(model.slots):
        for shape, (cost, rule) in costs.items():
            model.variable((_KIND, shape, slot), cost, rule)
        model.row({**{(_KIND, shape, slot): 1 for shape in costs}, ("used", slot): -1}, upper=0)


def _read_from(model: SearchModel, plan: ReadPlan) -> Mapping[Variable, float]:
    slots = range(model.slots)
    return whole_items(model, plan.shape, slots) if plan.projection == "ALL" else lean_variables(plan, slots)


def _keys(shapes: PlacedShapes) -> Iterator[PlacedKey]:
    for number, members in enumerate(shapes.slots):
        yield from (PlacedKey("index", shape, number) for _, shape in sorted(members.items()))


def index_reasons(facts: Facts, choice: Choice, key: PlacedKey, _: tuple[str, ...]) -> Iterator[str]:
    name = key.shape.entity
    others = [other.shape.entity for other in members_beside(choice, key) if other != key]
    if others:
        yield f"the same index ({_name_of(key)}) holds {some(others)}, so this needs none of its own"
    present = facts.present[name]
    absent = [attr for attr in (*key.shape.partition, *key.shape.lead) if attr not in present]
    if absent:
        yield f"items without {concat(absent)} are not in it and cost nothing there"
    moving = [attr for attr in key.shape.attributes if attr in facts.changing[name]]
    if moving:
        yield f"a change of {concat(moving, last='or')} moves the entry: two writes instead of one"


def _name_of(key: PlacedKey) -> str:
    return f"{'gsi' if key.place == 'index' else 'lsi'}{key.number + 1}"


def _sources(facts: Facts, choice: Choice, key: PlacedKey) -> tuple[Source, ...]:
    together = (sources.ITEM_COLLECTIONS,) if is_read_together(choice, key) else ()
    sparse = (sources.SPARSE_INDEXES,) if set(key.shape.partition) - facts.present[key.shape.entity] else ()
    is_shared = len(members_beside(choice, key)) > 1
    return (sources.GSI_OVERLOADING if is_shared else sources.GSI, *together, *sparse)


GLOBAL_INDEX = PlacePlan(
    place="index",
    variable=_KIND,
    numbered={"used": 1, _KIND: 2},
    shared=("used",),
    shapes=_shapes,
    add_shapes=_add_shapes,
    read_from=_read_from,
    keys=_keys,
    reasons=index_reasons,
    sources=_sources,
    decision="index",
    name="gsi{}",
    added="in a GSI",
    removed="GSI entry",
    query_text="the table keeps {entity} by {base}, which does not answer this; {place} keeps it by {keys}",
)
