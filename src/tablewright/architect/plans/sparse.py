"""Sparse indexes: entries only of items that have what every pattern read there asks for.

A pattern that asks for `status: open` finds nothing else in an index that holds only open items; one that wants no item
without a date finds none without it. Such an index is as much smaller and less often written as those items are fewer.
It is worth considering where that saves a dollar a month, or where an attribute comes and goes and no write has to look
at an item only for that; who asks for more items than these cannot use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import VariantPlan
from tablewright.architect.plans.prices import entry_cost, looked_up
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.serving.absent import demanded
from tablewright.design.serving.filters import constants, equalities, to_json
from tablewright.design.serving.serving import serve
from tablewright.spec.volumes import presence, share_when

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.plans.values import Shapes
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

WORTH = 1_000_000
"""Micro-dollars a month."""
MOST_SHARE = 0.5
"""Of the items: what more than half of them have does not make an index sparse."""


def _extend(facts: Facts, shapes: Shapes) -> Shapes:
    found = {each for shape in shapes.index for each in _sparse_forms(facts, shape) if _is_worth(facts, shape, each)}
    return msgspec.structs.replace(shapes, index=(*shapes.index, *sorted(found))) if found else shapes


def _sparse_forms(facts: Facts, shape: Shape) -> Iterator[Shape]:
    """The same key for what some pattern asks of all its items."""
    for pattern in facts.spec.reads if not shape.when else ():
        if pattern.entities != (shape.entity,):
            continue
        when = tuple(sorted(_demands(facts, pattern, shape)))
        form = msgspec.structs.replace(shape, when=when)
        if when and serve(facts, pattern, form, in_table=False) is not None:
            yield form


def _demands(facts: Facts, pattern: PatternSpec, shape: Shape) -> Iterator[tuple[str, str]]:
    known, fixed = facts.spec.entities[shape.entity].attributes, constants(pattern)
    for name in equalities(pattern) & fixed.keys() & known.keys() - set(shape.attributes):
        yield name, to_json(fixed[name])
    for name in (demanded(pattern) - pattern.filter.keys()) & set(shape.rest):
        if presence(facts, shape.entity, name) < 1.0 or _comes_and_goes(facts, shape.entity, name):
            yield name, ""


def _comes_and_goes(facts: Facts, entity: str, name: str) -> bool:
    """Whether an attribute may become absent, and nobody says how many items have it."""
    unsaid = facts.attribute(entity, name).presence is None
    return unsaid and name in facts.changing[entity] and name not in facts.present[entity]


def _is_worth(facts: Facts, shape: Shape, form: Shape) -> bool:
    """Fewer entries for less money; or as many as one likes to think, where it costs nothing."""
    if all(not value and _comes_and_goes(facts, shape.entity, name) for name, value in form.when):
        return not looked_up(facts, form)
    read = looked_up(facts, form) * US_EAST_1.read_per_million
    saved = entry_cost(facts, US_EAST_1, shape) - entry_cost(facts, US_EAST_1, form) - read
    return saved >= WORTH and share_when(facts, shape.entity, form.when) <= MOST_SHARE


SPARSE = VariantPlan(extend=_extend)
