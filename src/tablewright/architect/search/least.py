"""The design with the least bill: the program is asked for its next best points until none can be better.

What the program adds up is never more than the bill (`bill`). So its next best point bounds all designs that were not
seen yet: where that reaches the best bill so far, nothing better is left. A number of points, and never a clock, is the
limit; what is left open then is the gap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.plans.registry import PLACES
from tablewright.architect.plans.values import Choice, Variable
from tablewright.architect.search.model import Model
from tablewright.architect.search.stages import money, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.architect.search.program import Program

ALIKE = 0.001
"""Bills that differ by less are the same: ties decide, and not a few bytes of a key."""
PROVEN = 0.005
"""No other design costs less by more than this share, or the gap says how much it may be."""
EFFORT = 1_000
FEWEST, MOST = 2, 12
"""Points that are asked for: as many as this effort allows for the variables of the program, within bounds."""
NODES = 100
"""Of each of these searches."""
FEWER = 2
"""By so many indexes other designs have fewer that are looked at where the gap is open."""
_SHAPES = tuple(place.variable for place in PLACES)


class _Least(msgspec.Struct, frozen=True):
    """What is known so far: the best choice, its bill with what rules are worth, and what no other can be below.

    A point that was found on the way is kept as well, with the program that it is the best point of.
    """

    choice: Choice
    weight: float
    bound: float
    point: tuple[Model, frozenset[Variable]] | None = None

    @property
    def gap(self) -> float:
        share = 1.0 - self.bound / self.weight if self.weight > 0 else 0.0
        return share if share > PROVEN else 0.0


def least_bill(model: Model, first: Choice, bill: Callable[[Choice], float]) -> Choice:
    """The best of the program's next best points, beginning with one that is known; `bill` is micro-dollars a month.

    `model` is as it was before it was solved.
    """
    program, costs = model.program, money(model)
    found = _Least(first, bill(first) + first.rules, 0.0)
    exclude(program, first)
    for count in range(max(FEWEST, min(MOST, EFFORT // len(program.columns)))):
        point = program.minimise(costs, nodes=NODES)
        if point is None:
            found = msgspec.structs.replace(found, bound=found.weight)
            break
        value = program.value(costs, point.chosen)
        bound = model.constant + model.grain * (value - point.gap * abs(value))
        found = msgspec.structs.replace(found, bound=max(found.bound, bound))
        if bound >= found.weight * (1 - (ALIKE if count < FEWEST else PROVEN)):
            break
        found = _better(model, found, point.chosen, bill)
        exclude(program, model.choice(point.chosen))
    if found.gap:
        found = _with_fewer_indexes(model, found, bill)
    return msgspec.structs.replace(_without_ties(found, bill), gap=max(first.gap, found.gap))


def _with_fewer_indexes(model: Model, found: _Least, bill: Callable[[Choice], float]) -> _Least:
    """Where points are left that nobody looked at, some that are unlike those seen: the best with fewer indexes."""
    costs, most = money(model), len(found.choice.slots)
    for count in range(most - 1, max(-1, most - 1 - FEWER), -1):
        limited = model.copy()
        limited.program.settle([("used", slot) for slot in range(count, model.slots)], 0)
        point = limited.program.minimise(costs, nodes=NODES)
        if point is None:
            break
        found = _better(limited, found, point.chosen, bill)
    return found


def _better(model: Model, found: _Least, chosen: frozenset[Variable], bill: Callable[[Choice], float]) -> _Least:
    choice = model.choice(chosen)
    weight = bill(choice) + choice.rules
    alike = weight <= found.weight * (1 + ALIKE) and len(choice.slots) < len(found.choice.slots)
    if weight >= found.weight * (1 - ALIKE) and not alike:
        return found
    return msgspec.structs.replace(found, choice=choice, weight=weight, point=(model.copy(), chosen))


def _without_ties(found: _Least, bill: Callable[[Choice], float]) -> Choice:
    """Of the points that the program holds to be as good, the one everybody arrives at, if its bill is the same."""
    if found.point is None:  # the first choice was settled when it was found
        return found.choice
    choice = settle(*found.point)
    return choice if bill(choice) + choice.rules <= found.weight * (1 + ALIKE) else found.choice


def exclude(program: Program, choice: Choice) -> None:
    """No second point with the same keys, in whatever slots, read together in the same way."""
    taken = set(_keys(choice))
    terms: dict[Variable, float] = {}
    for name in program.columns:
        key = _key_of(name)
        if key is not None:
            terms[name] = -1.0 if key in taken else 1.0
    program.row(terms, lower=1.0 - len(taken))


def _keys(choice: Choice) -> Iterator[tuple[Any, ...]]:
    yield from (("base", shape) for shape in choice.base.values())
    for kind, members in (("gsi", choice.slots), ("lsi", choice.lsis)):
        yield from {(kind, shape) for slot in members for shape in slot.values()}
    yield from (("copy", shape) for shapes in choice.second_items.values() for shape in shapes)
    for at, slot in enumerate(choice.slots):
        kind = choice.projection(at).kind
        if kind != "ALL":
            yield from {("lean", shape, kind) for shape in slot.values()}


def _key_of(name: Variable) -> tuple[Any, ...] | None:
    """A variable of the program as a key, without the number of its index."""
    if name[0] in _SHAPES:
        return name[:2]
    if name[0] == "lean":
        return "lean", name[1], name[3]
    return None
