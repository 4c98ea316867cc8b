"""From facts to the best choice: enumerate, then solve with as many slots as it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.candidates import enumerate_candidates
from tablewright.architect.plans.likeness import is_alike, likeness_of
from tablewright.architect.plans.local_index import forbid_new
from tablewright.architect.plans.read_copies import read_copy_shapes
from tablewright.architect.plans.second_item import second_item_shapes
from tablewright.architect.plans.shapes import shapes_of
from tablewright.architect.plans.values import Candidates, Choice, PlacedShapes, Variable
from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.keep import keys_of, variable_of, with_kept, with_kept_second_items
from tablewright.architect.search.least import least_bill
from tablewright.architect.search.stages import Aim, best
from tablewright.design.cost.prices import US_EAST_1, Prices
from tablewright.spec.remember import recent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from tablewright.architect.search.model import Model
    from tablewright.architect.search.stages import BestChoice
    from tablewright.spec.facts import Facts

SPARE_SLOTS = 2


class _SearchOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a search besides the facts."""

    aim: Aim
    max_gsis: int
    prices: Prices = US_EAST_1
    forbid: frozenset[Variable] = frozenset()
    keep: tuple[Variable, ...] = ()
    least: int = 0  # slots that are there already, or needed in all likelihood
    nodes: int | None = None
    rules: bool = True
    settled: bool = True


def try_search(
    facts: Facts,
    *,
    aim: Aim | None = None,
    max_gsis: int | None = None,
    prices: Prices = US_EAST_1,
    forbid: Collection[Variable] = (),
    prefer: PlacedShapes | None = None,
    candidates: Candidates | None = None,
    nodes: int | None = None,
    rules: bool = True,
    settled: bool = True,
    likely: int = 0,
) -> Choice | None:
    """The best choice; None where the patterns cannot all be served (`solve` tells why).

    `forbid` names variables of the model that must not be chosen, or the beginnings of their names: `("gsi", shape)` is
    that shape in any slot, `("gsi",)` every index entry, `("plan", id, "table")` every plan that reads a pattern from
    the table. `prefer` are the keys of an earlier design, which stay where they can; `keep.moves` tells what became of
    them. `candidates` saves enumerating them again for the same facts. `rules`: what is held to be worth some money
    beside the bill is counted. Where the choice need not be `settled`, it is any of those that are best: quicker, where
    only its value counts. About as many indexes as are `likely` are tried first.
    """
    asked = _SearchOptions(
        aim=aim or ("cost" if facts.has_rates else "gsis"),
        max_gsis=facts.spec.constraints.max_gsis if max_gsis is None else max_gsis,
        prices=prices,
        forbid=frozenset((*forbid, *(forbid_new(len(prefer.lsis)) if prefer else ()))),
        keep=tuple(map(variable_of, keys_of(prefer))) if prefer else (),
        least=max(len(prefer.slots) if prefer else 0, likely - 1),
        nodes=nodes,
        rules=rules,
        settled=settled,
    )
    return _with_slots(candidates or candidates_of(facts, prefer), asked)


def search_further(
    first: Choice,
    bill: Callable[[Choice], float],
    *,
    candidates: Candidates,
    max_gsis: int,
    prices: Prices,
    forbid: Collection[Variable],
    rules: bool = True,
) -> Choice:
    """The choice with the least bill, from the one that was found on: see `least`."""
    asked = _SearchOptions(aim="cost", max_gsis=max_gsis, prices=prices, forbid=frozenset(forbid), rules=rules)
    model, _ = _prepare(candidates, asked, min(max_gsis, len(first.slots) + 1))
    return least_bill(model, first, bill)


@recent(64)
def candidates_of(facts: Facts, prefer: PlacedShapes | None = None) -> Candidates:
    """All candidates, in an order that does not depend on that of the spec."""
    facts = _in_order(facts)
    shapes = {name: shapes_of(facts, name) for name in facts.spec.entities}
    second_items = {
        name: (
            *second_item_shapes(facts, name, found.index),
            *read_copy_shapes(facts, name, (*found.base, *found.index)),
        )
        for name, found in shapes.items()
    }
    if prefer is not None:
        shapes = with_kept(facts, shapes, prefer)
        second_items = with_kept_second_items(facts, second_items, prefer)
    return enumerate_candidates(facts, shapes, second_items)


def _in_order(facts: Facts) -> Facts:
    """Entities and patterns in an order that follows from what they are; names tell apart what is alike."""
    known = likeness_of(facts.spec)
    spec = msgspec.structs.replace(
        facts.spec,
        entities=dict(sorted(facts.spec.entities.items(), key=lambda each: (known.entities[each[0]], each[0]))),
        patterns=tuple(sorted(facts.spec.patterns, key=lambda each: (known.patterns[each.id], each.id))),
    )
    is_alike(spec, known)
    return msgspec.structs.replace(facts, spec=spec, implied=tuple(sorted(facts.implied, key=lambda each: each.id)))


# ---- solving -------------------------------------------------------------------------------------------------------


def _with_slots(candidates: Candidates, asked: _SearchOptions) -> Choice | None:
    """Few slots make a quick search; more are given where nothing was found, or where they make it better."""
    slots = min(asked.max_gsis, max(_least_slots(candidates), asked.least) + SPARE_SLOTS)
    found = _best(candidates, asked, slots)
    while slots < asked.max_gsis and (found is None or (found.values and len(found.choice.slots) == slots)):
        more = min(asked.max_gsis, slots + SPARE_SLOTS)
        larger = _best(candidates, asked, more)
        if found is not None and (larger is None or larger.values >= found.values):
            break
        found, slots = larger, more
    if found is not None and asked.settled:
        found = _best(candidates, asked, slots, known=found)
    return None if found is None else found.choice


def _best(
    candidates: Candidates, asked: _SearchOptions, slots: int, known: BestChoice | None = None
) -> BestChoice | None:
    """Any of the best designs; with one that is `known`, the one of them that everybody arrives at."""
    model, kept = _prepare(candidates, asked, slots)
    return best(model, asked.aim, first=kept, nodes=asked.nodes, settled=known is not None, known=known)


def _prepare(candidates: Candidates, asked: _SearchOptions, slots: int) -> tuple[Model, dict[Variable, float]]:
    """The model without what is forbidden, and the keys that are to be kept, as many as possible, before all else."""
    model = _model(candidates, asked.prices, slots).copy()
    model.program.forbid(asked.forbid)
    if not asked.rules:
        model.rules.clear()
    return model, {name: -1.0 for name in asked.keep if name in model.program.columns}


@recent(64)
def _model(candidates: Candidates, prices: Prices, slots: int) -> Model:
    return billed_model(candidates, prices, slots)


def _least_slots(candidates: Candidates) -> int:
    """The patterns of the busiest entity that no two of them can share: a first guess, never trusted."""
    wanted: dict[str, set[tuple[str, ...]]] = {}
    for pattern in candidates.facts.spec.reads:
        for name in pattern.entities:
            wanted.setdefault(name, set()).add(tuple(sorted(pattern.by)))
    return max((len(found) - 1 for found in wanted.values()), default=0)
