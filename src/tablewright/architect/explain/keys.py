"""Keys: which patterns read each, why it is what it is, and what the next best key would cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.assembly.plain_keys import any_copy
from tablewright.architect.assembly.views import key_of_view
from tablewright.architect.explain.resolve import Baseline, entry_costs
from tablewright.architect.plans.projection import projection_reason
from tablewright.architect.plans.readers import key_of, keys_together
from tablewright.architect.plans.registry import PLACE_OF
from tablewright.architect.plans.shards import SHARD_SOURCES, without_shards
from tablewright.architect.search.keep import keys_of
from tablewright.design.advice import Decision, Difference
from tablewright.design.cost.prices import prices_of
from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.heat.shards import heats_by_key, shard_sum
from tablewright.design.values.buckets import Bucket
from tablewright.design.wording import concat, in_order, number, sentence, some
from tablewright.review import sources
from tablewright.wire.limits import PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.plans.values import Choice, PlacedKey, Variable
    from tablewright.design.advice import Source
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.model import PatternSpec

NOTABLE_HEAT = 0.1
EVERYTHING = "kind (all of them in one partition)"


def keyed(shape: Shape) -> str:
    """`customerId, then date`: the attributes behind a key, without tags and labels."""
    together = f"kind (all of one {Bucket.parse(shape.bucket).period} in one partition)" if shape.bucket else EVERYTHING
    first = " + ".join(shape.partition) or together
    return f"{first}, then {', '.join(shape.sort)}" if shape.sort else first


def inputs(pattern: PatternSpec) -> str:
    return concat(pattern.by)


# ---- who reads them -----------------------------------------------------------------------------------------------


def place_name(key: PlacedKey) -> str:
    """`the table`, `gsi1`, `lsi1`."""
    return PLACE_OF[key.place].name_of(key.number)


def readers_of(choice: Choice) -> Mapping[PlacedKey, tuple[str, ...]]:
    """By key: the read patterns, and the writes that look up a table key there."""
    found: dict[PlacedKey, list[str]] = {key: [] for key in keys_of(choice)}
    for pattern, plan in choice.plans.items():
        found[key_of(choice, plan)].append(pattern)
    for pattern in choice.collections:
        for key in keys_together(choice, pattern):
            found[key].append(pattern)
    for (pattern, _), plan in choice.located.items():
        found[key_of(choice, plan)].append(pattern)
    return {key: tuple(sorted(set(patterns), key=in_order)) for key, patterns in found.items()}


# ---- why they are what they are -----------------------------------------------------------------------------------


def _key_reasons(solution: Solution, key: PlacedKey, patterns: tuple[str, ...]) -> Iterator[str]:
    """In the order in which they weigh; `patterns` are those of the spec as it is stored."""
    yield from _together_reasons(solution, key, patterns)
    yield from _reading_reasons(solution, key, patterns)
    yield from PLACE_OF[key.place].reasons(solution.facts, solution.choice, key, patterns)
    heat = next(found for view, found in heats_by_key(solution.layout).items() if key_of_view(view) == key)
    if heat.wcu_per_second >= NOTABLE_HEAT * PARTITION_WCU:
        each = number(round(heat.wcu_per_second, 1))
        shards = f", one of {heat.shards} shards," if heat.shards > 1 else ""
        yield f"its hottest partition{shards} takes {each} of {PARTITION_WCU:,} write units a second at peak"


def _together_reasons(solution: Solution, key: PlacedKey, patterns: tuple[str, ...]) -> Iterator[str]:
    for each in patterns:
        if each in solution.choice.collections:
            entities = [other.shape.entity for other in keys_together(solution.choice, each)]
            others = [name for name in entities if name != key.shape.entity]
            one = " + ".join(key.shape.partition) or "kind"
            asked = solution.asked_ids((each,))[0]
            whole = solution.requests[each].shards == 1 and solution.stored_ids(asked) == (each,)
            query = f"{asked} is one Query" if whole else f"{asked} asks for them at once"
            yield f"it lies with {concat(others)} of the same {one}: {query} instead of {len(entities)}"


def _reading_reasons(solution: Solution, key: PlacedKey, patterns: tuple[str, ...]) -> Iterator[str]:
    said: dict[str, list[str]] = {}
    for each in patterns:
        if each in solution.choice.plans:
            said.setdefault(_way_of(solution, each), []).append(each)
    for way, (one, many) in WAYS.items():
        found = solution.asked_ids(tuple(said.get(way, ())))
        if found:
            yield (many if len(found) > 1 else one).format(some(found), keyed(key.shape))
    strong = [each.id for each in solution.spec.reads if each.id in patterns and each.consistency == "strong"]
    if strong:
        yield f"{some(strong)} must see the last write, which no GSI promises"


WAYS = {
    "get": ("{} gives the whole key, so one GetItem answers", "{} give the whole key, so one GetItem answers"),
    "batch": (
        "{} gives whole keys, many at once: BatchGetItem",
        "{} give whole keys, many at once: BatchGetItem",
    ),
    "query": ("{} is one Query on {}", "{} are each one Query on {}"),
    "part": ("{} asks it by {}, in one request of several", "{} ask it by {}, in one request of several"),
}
"""By how a key is read: what is said of one pattern, and of several."""


def _way_of(solution: Solution, pattern: str) -> str:
    """`part`: of a pattern that takes more than this request."""
    request, (owner,) = solution.requests[pattern], solution.asked_ids((pattern,))
    often = request.shards > 1 and request.operation == "Query"
    if often or request.for_each or request.then or request.rest or len(solution.stored_ids(owner)) > 1:
        return "part"
    return {"GetItem": "get", "BatchGetItem": "batch", "Query": "query"}[request.operation]


# ---- the pages they rest on -----------------------------------------------------------------------------------------


def plan_sources(solution: Solution, steps: list[str]) -> tuple[Source, ...]:
    plans = [solution.choice.plans[each] for each in steps if each in solution.choice.plans]
    filtered = any(plan.serving.filters and not plan.serving.is_get for plan in plans)
    strong = any(solution.requests[each].consistent for each in steps)
    return (
        sources.QUERY_AND_SCAN,
        *([sources.FILTERS] if filtered else []),
        *([sources.READ_CONSISTENCY] if strong else []),
    )


# ---- decisions ------------------------------------------------------------------------------------------------------


def key_decisions(start: Baseline) -> Iterator[tuple[Decision, list[Variable]]]:
    solution = start.solution
    readers = readers_of(solution.choice)
    costs = entry_costs(solution, estimate(solution.layout), prices_of(solution.spec))
    names = _entry_names(solution)
    for key in keys_of(solution.choice):
        entity, kind = key.shape.entity, PLACE_OF[key.place].decision
        place = "" if key.place == "table" else f":{' + '.join(key.shape.partition)}"
        decision = Decision(
            id=f"{kind}:{entity}{f':{place_name(key)}' if kind == 'index' else place}",
            kind=kind,
            subject=entity,
            chosen=f"{entity} in {place_name(key)}{_copies_text(key)}: {_key_text(solution, key)}",
            why=" ".join(sentence(each) for each in _key_reasons(solution, key, readers[key])),
            usd_per_month=sum(costs[each] for each in names[key]),
            patterns=solution.asked_ids(readers[key]),
            sources=PLACE_OF[key.place].sources(solution.facts, solution.choice, key),
        )
        yield decision, _same_partition(start, key)


def _copies_text(key: PlacedKey) -> str:
    return f", in {key.shape.copies} copies" if key.shape.copies else ""


def _entry_names(solution: Solution) -> Mapping[PlacedKey, list[str]]:
    """As the bill names them; copies of a key are several."""
    found: dict[PlacedKey, list[str]] = {}
    copies: dict[str, int] = {}
    for view in solution.names.keys:
        copies[view.entity] = copies.get(view.entity, 0) + view.is_copy
        number = f"/copy{copies[view.entity]}" if view.is_copy else ""
        found.setdefault(key_of_view(view), []).append(f"{place_of_view(view)}/{view.entity}{number}")
    return found


def _key_text(solution: Solution, key: PlacedKey) -> str:
    view, keys = next(each for each in solution.names.keys.items() if key_of_view(each[0]) == key)
    pk = any_copy(keys.pk, view) if view.number else keys.pk.template
    return f"{keys.pk.field} = {pk}, {keys.sk.field} = {keys.sk.text}"


def _same_partition(start: Baseline, key: PlacedKey) -> list[Variable]:
    """The variables that stand for this decision."""
    place = PLACE_OF[key.place]
    shapes = place.shapes(start.candidates, key.shape.entity)
    return [(place.variable, each) for each in shapes if each.partition == key.shape.partition]


def projection_decisions(start: Baseline) -> Iterator[tuple[Decision, list[Variable]]]:
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
        held = f" with {concat(projection.attributes)}" if projection.attributes else ""
        decision = Decision(
            id=f"projection:gsi{slot + 1}",
            kind="projection",
            subject=f"gsi{slot + 1}",
            chosen=f"{projection.kind}{held}",
            why=sentence(projection_reason(projection.kind, patterns)),
            patterns=start.solution.asked_ids(tuple(patterns)),
            sources=(sources.SECONDARY_INDEXES,),
        )
        yield decision, [("lean", shape) for _, shape in sorted(members.items())]


def shard_decisions(start: Baseline) -> Iterator[Decision]:
    solution = start.solution
    heats = heats_by_key(solution.layout)
    for view, shards in solution.names.shards.items():
        if shards < 2 or not any(each.entity == view.entity for each in heats[view].terms):
            continue  # it only follows another view in whose partitions it lies
        key = key_of_view(view)
        patterns = solution.asked_ids(readers_of(solution.choice)[key])
        yield Decision(
            id=f"shards:{view.entity}:{place_name(key)}",
            kind="shards",
            subject=view.entity,
            chosen=f"{shards} shards in {place_name(key)}: {_key_text(solution, key)}",
            why=sentence(shard_sum(heats[view])),
            alternative=without_shards(shards, patterns),
            loses=Difference(possible=False),
            patterns=patterns,
            sources=SHARD_SOURCES,
        )
