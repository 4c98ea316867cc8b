"""Access patterns: why each is read as it is, what each costs the design, and which of them force its indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.keys import inputs, keyed, place_name, readers_of
from tablewright.architect.explain.resolve import Baseline, again, difference, elsewhere
from tablewright.architect.plans.readers import key_of, keys_together
from tablewright.architect.plans.registry import PLACE_OF, VARIANTS
from tablewright.architect.search.conflict import feasible, irreducible, with_patterns
from tablewright.architect.solution import more_than_ids
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.wording import concat, difference_text, in_order, number, sentence, tally

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.resolve import PricedSolution
    from tablewright.architect.plans.values import CollectionPlan, ReadPlan
    from tablewright.design.advice import Difference
    from tablewright.design.serving.serving import Serving
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

# ---- why so ---------------------------------------------------------------------------------------------------------


def why(solution: Solution, pattern_id: str) -> str:
    """Why a pattern is served the way it is, in a few sentences."""
    parts = solution.rewritten.reads.get(pattern_id)
    ids = [pattern_id] if parts is None else [each.pattern for each in parts]
    known = {each.id: each for each in (*solution.spec.patterns, *solution.facts.implied)}
    steps = [" ".join(map(sentence, _clauses(solution, known[id_]))) for id_ in ids if id_ in known]
    return steps[0] if len(steps) == 1 else " ".join(f"Step {at}: {step}" for at, step in enumerate(steps, 1))


def _clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    if not pattern.is_read:
        yield from _write_clauses(solution, pattern)
    elif pattern.id in solution.choice.plans:
        yield from _single_clauses(solution, pattern, solution.choice.plans[pattern.id])
    elif pattern.id in solution.choice.collections:
        yield from _collection_clauses(solution, pattern)


def _single_clauses(solution: Solution, pattern: PatternSpec, plan: ReadPlan) -> Iterator[str]:
    yield _where(solution, pattern, plan)
    yield from _key_clauses(pattern, plan.serving)
    yield from _variant_clauses(solution, pattern, plan)


def _where(solution: Solution, pattern: PatternSpec, plan: ReadPlan) -> str:
    key, entity = key_of(solution.choice, plan), plan.shape.entity
    strong = " and may be strongly consistent" if pattern.consistency == "strong" else ""
    place = PLACE_OF[key.place]
    if plan.serving.is_get:
        item = place.item_text.format(entity=entity)
        return f"the whole key of {item} is given ({inputs(pattern)}): one GetItem{strong}"
    base = keyed(solution.choice.base[entity])
    text = place.query_text.format(entity=entity, keys=keyed(plan.shape), base=base, place=place_name(key))
    return f"{text}{strong}" if place.is_item else text


def _key_clauses(pattern: PatternSpec, serving: Serving) -> Iterator[str]:
    """What the key does for the range, the order and the inputs, and what is left to a filter."""
    if serving.ranged and pattern.range is not None:
        yield f"the range on {pattern.range.attr} is part of the key condition, so nothing is read in vain"
    sorts = [each.attr for each in pattern.sort if each.attr not in pattern.by]
    if sorts:
        first = f", and reading stops after {tally(pattern.limit, 'item')}" if pattern.limit else ""
        direction = "backwards" if serving.backwards else "forwards"
        yield f"the sort key has them by {concat(sorts)}, read {direction}{first}"
    left = [name for name in serving.filters if not serving.is_get]
    if left:
        read, kept = number(serving.read_items), number(serving.returned_items)
        yield f"only a filter applies {concat(left)}: about {read} items are read for {kept} returned"
    later = [name for name in pattern.filter if name not in serving.keyed and not serving.is_get]
    if later:
        yield f"the filter on {concat(later)} comes after reading, so that what it leaves out is paid for all the same"
    if serving.by_type:
        yield "types share one order here, so the others are read and filtered out"


def _collection_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    collection, _ = solution.choice.collections[pattern.id]
    key = keys_together(solution.choice, pattern.id)[0]
    entities = concat(pattern.entities)
    place = place_name(key)
    one = " + ".join(collection.signature[0]) or "kind"
    yield (
        f"{entities} of one {one} lie in one partition of {place}: one Query instead of"
        f" {tally(len(pattern.entities), 'request')}"
    )
    serving = collection.parts[pattern.entity][solution.choice.shapes_together(pattern.id)[pattern.entity]]
    yield from _key_clauses(pattern, serving)
    yield from _variant_clauses(solution, pattern, collection)


def _variant_clauses(solution: Solution, pattern: PatternSpec, plan: ReadPlan | CollectionPlan) -> Iterator[str]:
    for variant in VARIANTS:
        yield from variant.explain(plan, solution.requests[pattern.id].shards)


def _write_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    found = [(entity, plan) for (write, entity), plan in solution.choice.located.items() if write == pattern.id]
    for entity, plan in found:
        key = key_of(solution.choice, plan)
        place = place_name(key)
        yield (
            f"the table key of {entity} ({keyed(solution.choice.base[entity])}) does not follow from {inputs(pattern)},"
            f" so it is looked up in {place} first: {number(plan.units)} read units, and a condition for the race"
        )
    if not found:
        yield _first_read(solution, pattern)
    yield from _upkeep_clauses(solution, pattern)


def _first_read(solution: Solution, pattern: PatternSpec) -> str:
    """What a write that knows the ids has to know besides."""
    seen = [each for each in estimate(solution.layout).located_items.get(pattern.id, {}) if each in pattern.entities]
    pointed = [each.subject for each in solution.rewrites if each.kind == "pointer" and each.subject in seen]
    if pointed:
        return f"a small item by its id says where {concat(pointed)} is, and is read first"
    if seen:
        return f"the key of {concat(seen)} is known; the item is read first, because other keys follow from it"
    return f"the whole table key of {concat(pattern.entities)} is known: nothing has to be read first"


def _upkeep_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    keys = [key for key in readers_of(solution.choice) if key.shape.entity in pattern.entities]
    places = sorted({place_name(key) for key in keys if key.is_index})
    if places:
        yield f"DynamoDB brings {concat(places)} in step a moment later"
    copied = sorted({key.shape.entity for key in keys if key.is_second_item})
    if copied:
        yield f"the second item of {concat(copied)} is written in the same transaction, at twice the units"


# ---- what each costs ------------------------------------------------------------------------------------------------


def without_patterns(start: Baseline) -> Mapping[str, PricedSolution]:
    """By read pattern: the design without it."""
    ids = [each.id for each in start.facts.spec.patterns]
    found: dict[str, PricedSolution] = {}
    for pattern in start.solution.origin.reads[: start.allowed]:
        own = start.solution.stored_ids(pattern.id)
        left = elsewhere(start, with_patterns(start.facts, [each for each in ids if each not in own]))
        if left is not None:
            found[pattern.id] = left
    return found


def pattern_prices(start: Baseline, without: Mapping[str, PricedSolution] | None = None) -> Mapping[str, Difference]:
    """By read pattern: what the design would save without it."""
    left = without_patterns(start) if without is None else without
    return {pattern: difference(each, start.now) for pattern, each in left.items()}


# ---- why not fewer indexes ------------------------------------------------------------------------------------------


def why_not_fewer(start: Baseline) -> str:
    now, fewer = start.now, start.now.gsis - 1
    if not now.gsis:
        copies = f" with {tally(now.copies, 'second item')}" if now.copies else ""
        return f"The table alone serves every pattern{copies}; there is no GSI to do without."
    exact = frozenset(more_than_ids(start.solution.rewritten, start.candidates))
    if feasible(start.candidates, fewer, exact):
        other = again(start, max_gsis=fewer, aim="cost")
        return sentence(
            f"{tally(fewer, 'GSI')} would do: {difference_text(difference(now, other), nothing='at no cost')}"
        )
    needed = irreducible(start.candidates, fewer, exact)
    asked = sorted(start.solution.asked_ids(tuple(needed)), key=in_order)
    verb = "needs" if len(asked) == 1 else "need"
    text = f"{_forcing(start.facts, needed)}{concat(asked)} alone {verb} {tally(now.gsis, 'GSI')}"
    return sentence(f"{text}, whatever else is left out")


def _forcing(facts: Facts, needed: Collection[str]) -> str:
    """The entity that all of them ask for in different ways, where there is one."""
    patterns = [each for each in facts.spec.reads if each.id in needed]
    common = [name for name in facts.spec.entities if all(name in each.entities for each in patterns)]
    if len(patterns) < 2 or not common:
        return ""
    wanted = list(dict.fromkeys(f"by {' + '.join(each.by)}" if each.by else "as a whole" for each in patterns))
    return f"{common[0]} is asked for {concat(wanted)}, and an index holds one key of an entity: "
