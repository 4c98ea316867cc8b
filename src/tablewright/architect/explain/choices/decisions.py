"""Decisions: what was chosen, what it costs a month, and by how much the next best choice loses.

The next best choice is the best design in which the decision is forbidden: the entity under that partition key in that
place, or the pattern read from there. A key with the same partition and another order behind it is the same decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.views import key_of_view
from tablewright.architect.explain.choices.changes import alternative_words
from tablewright.architect.explain.choices.forms import OtherForm, other_forms
from tablewright.architect.explain.choices.patterns import asked_ids, stored_patterns, why
from tablewright.architect.explain.choices.readers import place_name, readers_of
from tablewright.architect.explain.choices.reasons import key_reasons, plan_sources
from tablewright.architect.explain.choices.resolve import (
    Ground,
    again,
    difference,
    entry_costs,
    ground,
    hopeless,
    read_usd,
)
from tablewright.architect.explain.choices.words import keyed
from tablewright.architect.plans.collection import slots_of, variable_of
from tablewright.architect.plans.projection import projection_reason
from tablewright.architect.plans.readers import key_of
from tablewright.architect.plans.registry import FORM_OF, PLACE_OF
from tablewright.architect.plans.shards import SHARD_SOURCES, shard_reason, without_shards
from tablewright.architect.search.keep import keys_of
from tablewright.design.advice import Decision, Difference
from tablewright.design.cost.prices import prices_of
from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.heat.partition import shards_for
from tablewright.design.wording import joined, sentence, sort_text
from tablewright.review.sources import SECONDARY_INDEXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.architect.assembly.requests import Request
    from tablewright.architect.explain.choices.resolve import Outcome
    from tablewright.architect.plans.values import PlacedKey, Variable
    from tablewright.architect.solution import Solution
    from tablewright.design.forms import Rewrite

NOT_TRIED = "Not looked for: so large a spec allows only so many second solutions."


def decisions(
    solution: Solution, *, start: Ground | None = None, forms: tuple[OtherForm, ...] | None = None
) -> tuple[Decision, ...]:
    """Table keys, index entries, second items, plans, projections, shards and rewrites."""
    begun = start or ground(solution)
    others = tuple(other_forms(begun)) if forms is None else forms
    found = [*key_decisions(begun), *projection_decisions(begun), *plan_decisions(begun), *look_up_decisions(begun)]
    return (*weighed(begun, found), *shard_decisions(begun), *rewrite_decisions(begun, others))


def weighed(start: Ground, found: list[tuple[Decision, list[Variable]]]) -> Iterator[Decision]:
    """In canonical order, as long as second solutions are allowed; what can be seen without one costs none."""
    left = start.allowed
    for decision, forbid in found:
        if hopeless(start.candidates, frozenset(forbid)):
            yield weighed_against(decision, start.now, None)
        elif left:
            left -= 1
            yield weighed_against(decision, start.now, again(start, forbid=forbid))
        else:
            yield msgspec.structs.replace(decision, alternative=NOT_TRIED)


def weighed_against(decision: Decision, now: Outcome, other: Outcome | None) -> Decision:
    return msgspec.structs.replace(decision, loses=difference(now, other), alternative=alternative_words(now, other))


# ---- keys -----------------------------------------------------------------------------------------------------------


def key_decisions(start: Ground) -> Iterator[tuple[Decision, list[Variable]]]:
    solution = start.solution
    readers = readers_of(solution.choice)
    costs = entry_costs(solution, estimate(solution.layout), prices_of(solution.spec))
    names = entry_names(solution)
    for key in keys_of(solution.choice):
        entity, kind = key.shape.entity, PLACE_OF[key.place].decision
        place = "" if key.place == "table" else f":{' + '.join(key.shape.partition)}"
        decision = Decision(
            id=f"{kind}:{entity}{f':{place_name(key)}' if kind == 'index' else place}",
            kind=kind,
            subject=entity,
            chosen=f"{entity} in {place_name(key)}: {key_text(solution, key)}",
            why=" ".join(sentence(each) for each in key_reasons(solution, key, readers[key])),
            usd_per_month=costs[names[key]],
            patterns=asked_ids(solution, readers[key]),
            sources=PLACE_OF[key.place].sources(solution.facts, solution.choice, key),
        )
        yield decision, same_partition(start, key)


def entry_names(solution: Solution) -> Mapping[PlacedKey, str]:
    """As the bill names them."""
    found: dict[PlacedKey, str] = {}
    copies: dict[str, int] = {}
    for view in solution.names.keys:
        copies[view.entity] = copies.get(view.entity, 0) + view.is_copy
        number = f"/copy{copies[view.entity]}" if view.is_copy else ""
        found[key_of_view(view)] = f"{place_of_view(view)}/{view.entity}{number}"
    return found


def key_text(solution: Solution, key: PlacedKey) -> str:
    keys = next(found for view, found in solution.names.keys.items() if key_of_view(view) == key)
    return f"{keys.pk.field} = {keys.pk.text}, {keys.sk.field} = {keys.sk.text}"


def same_partition(start: Ground, key: PlacedKey) -> list[Variable]:
    """The variables that stand for this decision."""
    place = PLACE_OF[key.place]
    shapes = place.shapes(start.candidates, key.shape.entity)
    return [(place.variable, each) for each in shapes if each.partition == key.shape.partition]


def projection_decisions(start: Ground) -> Iterator[tuple[Decision, list[Variable]]]:
    """Of indexes that do not hold whole items; whole items need no reason."""
    choice = start.now.choice
    readers = readers_of(choice)
    for slot, members in enumerate(choice.slots):
        projection = choice.projection(slot)
        if projection.kind == "ALL":
            continue
        patterns = sorted(
            {each for key in readers if (key.place, key.number) == ("index", slot) for each in readers[key]}
        )
        held = f" with {joined(projection.attributes)}" if projection.attributes else ""
        decision = Decision(
            id=f"projection:gsi{slot + 1}",
            kind="projection",
            subject=f"gsi{slot + 1}",
            chosen=f"{projection.kind}{held}",
            why=sentence(projection_reason(projection.kind, patterns)),
            patterns=asked_ids(start.solution, tuple(patterns)),
            sources=(SECONDARY_INDEXES,),
        )
        yield decision, [("lean", shape) for _, shape in sorted(members.items())]


# ---- plans ----------------------------------------------------------------------------------------------------------


def plan_decisions(start: Ground) -> Iterator[tuple[Decision, list[Variable]]]:
    solution, prices = start.solution, prices_of(start.solution.spec)
    for pattern in solution.origin.reads:
        steps = [each for each in stored_patterns(solution, pattern.id) if each in solution.requests]
        decision = Decision(
            id=f"plan:{pattern.id}",
            kind="plan",
            subject=pattern.id,
            chosen="; then ".join(request_text(solution.requests[each]) for each in steps),
            why=why(solution, pattern.id),
            usd_per_month=sum(read_usd(start.now, each, prices) for each in steps),
            patterns=(pattern.id,),
            sources=plan_sources(solution, steps),
        )
        yield decision, same_reading(start, steps[0]) if steps else []


def request_text(request: Request) -> str:
    sort = f" | {sort_text(request.sk)}" if request.sk else ""
    return f"{request.operation} on {request.index or 'the table'}: {request.pk}{sort}"


def same_reading(start: Ground, pattern: str) -> list[Variable]:
    """Reading the pattern from this place under this partition."""
    choice = start.solution.choice
    if pattern in choice.plans:
        chosen = choice.plans[pattern]
        return [
            ("plan", pattern, plan.place, plan.shape)
            for plan in start.candidates.plans[pattern]
            if plan.place == chosen.place and plan.shape.partition == chosen.shape.partition
        ]
    collection, _ = choice.collections[pattern]
    return [
        variable_of(each, slot)
        for each in start.candidates.collections[pattern]
        if each.place == collection.place and each.signature[0] == collection.signature[0]
        for slot in slots_of(each, start.max_gsis)
    ]


def look_up_decisions(start: Ground) -> Iterator[tuple[Decision, list[Variable]]]:
    """Writes that have to find the table key of what they write; the other way is a table key that they know."""
    solution = start.solution
    for (write, entity), plan in solution.choice.located.items():
        place = place_name(key_of(solution.choice, plan))
        decision = Decision(
            id=f"plan:{write}:{entity}",
            kind="plan",
            subject=write,
            chosen=f"{write} looks {entity} up in {place} by {keyed(plan.shape)}, then writes it",
            why=why(solution, write),
            usd_per_month=read_usd(start.now, write, prices_of(solution.spec)),
            patterns=(write,),
        )
        yield decision, [("locate", write, plan.place, plan.shape)]


# ---- shards and rewrites --------------------------------------------------------------------------------------------


def shard_decisions(start: Ground) -> Iterator[Decision]:
    solution = start.solution
    for view, shards in solution.names.shards.items():
        if shards < 2 or shards_for(solution.facts, view.shape) < shards:
            continue  # it only follows another view in whose partitions it lies
        key = key_of_view(view)
        patterns = asked_ids(solution, readers_of(solution.choice)[key])
        yield Decision(
            id=f"shards:{view.entity}:{place_name(key)}",
            kind="shards",
            subject=view.entity,
            chosen=f"{shards} shards in {place_name(key)}: {key_text(solution, key)}",
            why=shard_reason(solution.facts, view.shape),
            alternative=without_shards(shards, patterns),
            loses=Difference(possible=False),
            patterns=patterns,
            sources=SHARD_SOURCES,
        )


def rewrite_decisions(start: Ground, forms: Iterable[OtherForm]) -> Iterator[Decision]:
    """Forms that were chosen among several; the others are solved for with everything else as it is."""
    for form in forms:
        decision = Decision(
            id=f"rewrite:{' '.join(map(str, form.taken))}",
            kind="rewrite",
            subject=form.taken[0].subject,
            chosen=joined(rewrite_text(each) for each in form.taken),
            why=sentence(FORM_OF[form.taken[0].kind].reason),
        )
        yield weighed_against(decision, start.now, form.outcome)


def rewrite_text(rewrite: Rewrite) -> str:
    return FORM_OF[rewrite.kind].text.format(subject=rewrite.subject, attributes=joined(rewrite.attributes))
