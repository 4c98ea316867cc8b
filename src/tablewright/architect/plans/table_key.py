"""The table key: every entity has one, which identifies its items. It never changes, or a pointer follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.plan import PlacePlan, SearchModel
from tablewright.architect.plans.pointer import moved_attributes, pointer_cost, pointer_rule
from tablewright.architect.plans.prices import growth_rule
from tablewright.architect.plans.readers import is_read_together
from tablewright.architect.plans.values import Candidates, Choice, PlacedKey, PlacedShapes, ReadPlan, Variable
from tablewright.design.wording import concat, some
from tablewright.review import sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.advice import Source
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts

_KIND = "base"


def _shapes(candidates: Candidates, entity: str) -> tuple[Shape, ...]:
    return candidates.shapes[entity].base


def _add_shapes(model: SearchModel, entity: str) -> None:
    shapes = _shapes(model.candidates, entity)
    for shape in shapes:
        rule = sum(each(model.facts, shape) for each in (growth_rule, pointer_rule))
        model.variable((_KIND, shape), pointer_cost(model.facts, model.prices, shape), rule)
    model.row({(_KIND, shape): 1 for shape in shapes}, lower=1, upper=1)


def _read_from(_: SearchModel, plan: ReadPlan) -> dict[Variable, float]:
    return {(_KIND, plan.shape): 1.0}


def _keys(shapes: PlacedShapes) -> Iterator[PlacedKey]:
    return (PlacedKey("table", shape) for _, shape in sorted(shapes.base.items()))


def _reasons(facts: Facts, choice: Choice, key: PlacedKey, patterns: tuple[str, ...]) -> Iterator[str]:
    name = key.shape.entity
    id_ = facts.spec.entities[name].id
    if not patterns:
        yield f"no pattern reads {name} from the table, so it is keyed by what tells it apart ({concat(id_)})"
    extra = [attr for attr in key.shape.attributes if attr not in id_]
    moved = moved_attributes(facts, key.shape)
    if moved:
        changing = [attr for attr in moved if attr not in facts.fixed[name]]
        why = f"moves when its {some(changing)} changes" if changing else f"is not found by {concat(id_)} alone"
        yield f"an item {why}; a small item by {concat(id_)} says where it is"
    elif extra:
        yield f"with {concat(extra)} in the key, the table itself does not stop two items with one {concat(id_)}"
    looked = sorted({write for write, entity in choice.located if entity == name})
    if looked:
        yield f"{some(looked)} cannot know this key and {'look' if len(looked) > 1 else 'looks'} it up first"


def _sources(_: Facts, choice: Choice, key: PlacedKey) -> tuple[Source, ...]:
    together = (sources.ITEM_COLLECTIONS,) if is_read_together(choice, key) else ()
    return (sources.PARTITION_KEYS, *together)


TABLE_KEY = PlacePlan(
    place="table",
    variable=_KIND,
    is_item=True,
    shapes=_shapes,
    add_shapes=_add_shapes,
    read_from=_read_from,
    keys=_keys,
    reasons=_reasons,
    sources=_sources,
    decision="table-key",
    added="in the table",
    removed="table key",
    today="the table",
    query_text="the table keeps {entity} by {keys}: one Query, no index",
)
