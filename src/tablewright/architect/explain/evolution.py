"""What may be asked for tomorrow: plausible new patterns, and what each needs when no key of today is touched.

A pattern that a key of today answers fits for free. All others are solved for with today's keys kept: an entry in an
index that has room for the entity, a second item, a new GSI, or nothing at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.explain.keys import keyed, place_name
from tablewright.architect.explain.resolve import PricedSolution, elsewhere
from tablewright.architect.plans.candidates import read_plans, shape_candidates
from tablewright.architect.plans.registry import PLACE_OF
from tablewright.architect.plans.values import Shapes
from tablewright.architect.search.keep import moves
from tablewright.design.advice import NewPattern
from tablewright.design.wording import concat, money, number, sentence, tally
from tablewright.spec.listing import asked_reads
from tablewright.spec.model import PatternSpec, Rate, SortSpec
from tablewright.spec.quantities import PEAK_FACTOR, READ_RATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.resolve import Baseline
    from tablewright.architect.plans.values import Choice, PlacedKey
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, PatternKind

MOST_PATTERNS = 16
MOST_SOLVED = 10
LOOKUPS = ("email", "slug", "username", "handle", "phone", "sku", "code", "externalid", "token")
STATES = ("status", "state", "category", "role", "priority")


def evolution(start: Baseline) -> tuple[NewPattern, ...]:
    """What fits comes first, then what needs least."""
    found: list[NewPattern] = []
    solved = 0
    for description, pattern in plausible(start.solution):
        free = _from_todays_keys(start, pattern)
        if free is not None:
            found.append(msgspec.structs.replace(free, description=description))
        elif solved < min(MOST_SOLVED, start.allowed):
            solved += 1
            found.append(msgspec.structs.replace(_with_more(start, pattern), description=description))
        if len(found) == MOST_PATTERNS:
            break
    return tuple(sorted(found, key=lambda each: (not each.fits, each.gsis, each.usd_per_month)))


# ---- what may be asked ----------------------------------------------------------------------------------------------


def plausible(solution: Solution) -> Iterator[tuple[str, PatternSpec]]:
    """Nothing that is asked already, and nothing twice."""
    seen = {(each.entities, frozenset(each.by), each.sort) for each in asked_reads(solution.origin)}
    for entity in solution.origin.entities.values():
        for description, by, sort in (*_relations(solution, entity), *_lookups(entity), *_states(entity)):
            key = ((entity.name,), frozenset(by), sort)
            if key not in seen and entity.name in solution.choice.base:
                seen.add(key)
                kind: PatternKind = "get" if set(by) >= set(entity.id) else "query"
                id_ = f"{entity.name} by {'+'.join(by)}{' newest first' if sort else ''}"
                yield description, PatternSpec(id=id_, kind=kind, entities=(entity.name,), by=by, sort=sort)


Wish = tuple[str, tuple[str, ...], tuple[SortSpec, ...]]


def _relations(solution: Solution, entity: EntitySpec) -> Iterator[Wish]:
    """One by its id; all of a parent, and the newest of them."""
    yield f"one {entity.name} by {concat(entity.id)}", entity.id, ()
    joins = any(each.via == entity.name for each in solution.origin.relationships)
    newest = _newest_first(entity)
    for attr in dict.fromkeys([*solution.asked.references[entity.name], *(entity.id if joins else ())]):
        if (attr,) == entity.id:
            continue
        yield f"{entity.name} by {attr}", (attr,), ()
        if newest:
            yield f"{entity.name} by {attr}, newest first", (attr,), newest


def _newest_first(entity: EntitySpec) -> tuple[SortSpec, ...]:
    times = [each.name for each in entity.attributes.values() if each.type == "timestamp"]
    made = [name for name in times if name.lower().startswith(("creat", "date", "time", "order", "post"))]
    return (SortSpec((made or times)[0], "desc"),) if times else ()


def _lookups(entity: EntitySpec) -> Iterator[Wish]:
    for name in entity.attributes:
        if name not in entity.id and name.lower().replace("_", "") in LOOKUPS:
            yield f"{entity.name} by {name}", (name,), ()


def _states(entity: EntitySpec) -> Iterator[Wish]:
    for name, attribute in entity.attributes.items():
        if name not in entity.id and (attribute.values or name.lower().endswith(STATES)):
            yield f"{entity.name} by {name}", (name,), ()


# ---- what it needs --------------------------------------------------------------------------------------------------


def _from_todays_keys(start: Baseline, pattern: PatternSpec) -> NewPattern | None:
    """The cheapest plan that reads what is there; None when nothing there answers."""
    facts, choice = _asked_too(start.facts, pattern), start.now.choice
    entity = pattern.entity
    shapes = {entity: Shapes(base=(choice.base[entity],), index=tuple(_whole_entries(choice, entity)))}
    plans = sorted(
        read_plans(shape_candidates(facts, shapes, {entity: choice.second_items.get(entity, ())}), pattern),
        key=lambda plan: (plan.units, plan.place != "table"),
    )
    if not plans:
        return None
    place = PLACE_OF[plans[0].place].today
    text = f"nothing: {place} has it by {keyed(plans[0].shape)}, {number(plans[0].units)} read units a run"
    return NewPattern(description=pattern.id, entity=entity, fits=True, needs=sentence(text))


def _whole_entries(choice: Choice, entity: str) -> Iterator[Shape]:
    for slot, members in enumerate(choice.slots):
        if entity in members and choice.projection(slot).kind == "ALL":
            yield members[entity]


def _asked_too(facts: Facts, pattern: PatternSpec) -> Facts:
    """The facts of a spec that asks for this as well, once a second."""
    rates = {**facts.rates, pattern.id: Rate(avg=READ_RATE, peak=READ_RATE * PEAK_FACTOR)}
    spec = msgspec.structs.replace(facts.spec, patterns=(*facts.spec.patterns, pattern))
    return msgspec.structs.replace(facts, spec=spec, rates=rates)


def _with_more(start: Baseline, pattern: PatternSpec) -> NewPattern:
    today = start.now.choice.shapes
    then = elsewhere(start, _asked_too(start.facts, pattern), prefer=today)
    if then is None or moves(today, then.choice).moved:
        needs = f"no design with at most {tally(start.max_gsis, 'GSI')} serves it beside the others"
        return NewPattern(description=pattern.id, entity=pattern.entity, fits=False, needs=sentence(needs))
    return NewPattern(
        description=pattern.id,
        entity=pattern.entity,
        fits=False,
        needs=sentence(_needed(start.now, then)),
        usd_per_month=then.usd_per_month - start.now.usd_per_month,
        gsis=then.gsis - start.now.gsis,
    )


def _needed(now: PricedSolution, then: PricedSolution) -> str:
    more = then.usd_per_month - now.usd_per_month
    added = [_describe_added(now, key) for key in moves(now.choice.shapes, then.choice).added]
    return f"{concat(added)}; {money(more)} a month at one read a second"


def _describe_added(now: PricedSolution, key: PlacedKey) -> str:
    if key.is_second_item:
        return f"a second item by {keyed(key.shape)}, written in one transaction with the first"
    if key.number < now.gsis:
        return f"an entry in {place_name(key)}, which has room for it, by {keyed(key.shape)}"
    return f"a new GSI by {keyed(key.shape)}"
