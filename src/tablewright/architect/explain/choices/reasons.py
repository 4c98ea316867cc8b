"""Why a key is what it is: the patterns it serves, what is read together, what it enforces, how hot it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.choices.patterns import asked_ids
from tablewright.architect.explain.choices.words import keyed
from tablewright.architect.plans.readers import keys_together
from tablewright.architect.plans.registry import PLACE_OF
from tablewright.design.heat.partition import write_heat
from tablewright.design.wording import joined, number, some
from tablewright.review import sources
from tablewright.wire.limits import PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.plans.values import PlacedKey
    from tablewright.architect.solution import Solution
    from tablewright.design.advice import Source

NOTABLE_HEAT = 0.1


def key_reasons(solution: Solution, key: PlacedKey, patterns: tuple[str, ...]) -> Iterator[str]:
    """In the order in which they weigh; `patterns` are those of the spec as it is stored."""
    yield from together_reasons(solution, key, patterns)
    yield from reading_reasons(solution, key, patterns)
    yield from PLACE_OF[key.place].reasons(solution.facts, solution.choice, key, patterns)
    heat = write_heat(solution.facts, key.shape)
    if heat.units >= NOTABLE_HEAT * PARTITION_WCU:
        each = number(heat.units / heat.shards)
        shards = f", one of {heat.shards} shards," if heat.shards > 1 else ""
        yield f"its hottest partition{shards} takes {each} of {PARTITION_WCU:,} write units a second at peak"


def together_reasons(solution: Solution, key: PlacedKey, patterns: tuple[str, ...]) -> Iterator[str]:
    for each in patterns:
        if each in solution.choice.collections:
            entities = [other.shape.entity for other in keys_together(solution.choice, each)]
            others = [name for name in entities if name != key.shape.entity]
            one = " + ".join(key.shape.partition) or "kind"
            yield f"it lies with {joined(others)} of the same {one}: {each} is one Query instead of {len(entities)}"


def reading_reasons(solution: Solution, key: PlacedKey, patterns: tuple[str, ...]) -> Iterator[str]:
    plans = solution.choice.plans
    found = [each for each in patterns if each in plans]
    gets = asked_ids(solution, tuple(each for each in found if plans[each].serving.is_get))
    queries = asked_ids(solution, tuple(each for each in found if not plans[each].serving.is_get))
    if gets:
        yield f"{some(gets)} {'give' if len(gets) > 1 else 'gives'} the whole key, so one GetItem answers"
    if queries:
        yield f"{some(queries)} {'are each' if len(queries) > 1 else 'is'} one Query on {keyed(key.shape)}"
    strong = [each.id for each in solution.spec.reads if each.id in patterns and each.consistency == "strong"]
    if strong:
        yield f"{some(strong)} must see the last write, which no GSI promises"


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
