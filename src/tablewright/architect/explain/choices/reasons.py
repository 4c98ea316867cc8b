"""Why a key is what it is: the patterns it serves, what is read together, what it enforces, how hot it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.choices.patterns import asked_ids
from tablewright.architect.explain.choices.readers import gathered_keys, keys_of, place_name
from tablewright.architect.explain.choices.words import keyed
from tablewright.design.heat.partition import write_heat
from tablewright.design.wording import joined, number, some
from tablewright.review import sources
from tablewright.wire.limits import PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tablewright.architect.plans.candidates import Place
    from tablewright.architect.search.keep import Key
    from tablewright.architect.solution import Solution
    from tablewright.design.advice import Source

NOTABLE_HEAT = 0.1


def key_reasons(solution: Solution, key: Key, patterns: tuple[str, ...]) -> Iterator[str]:
    """In the order in which they weigh; `patterns` are those of the spec as it is stored."""
    yield from together_reasons(solution, key, patterns)
    yield from reading_reasons(solution, key, patterns)
    yield from OWN_REASONS[key.place](solution, key, patterns)
    heat = write_heat(solution.facts, key.shape)
    if heat.units >= NOTABLE_HEAT * PARTITION_WCU:
        each = number(heat.units / heat.shards)
        shards = f", one of {heat.shards} shards," if heat.shards > 1 else ""
        yield f"its hottest partition{shards} takes {each} of {PARTITION_WCU:,} write units a second at peak"


def together_reasons(solution: Solution, key: Key, patterns: tuple[str, ...]) -> Iterator[str]:
    for each in patterns:
        if each in solution.choice.gatherings:
            entities = [other.shape.entity for other in gathered_keys(solution.choice, each)]
            others = [name for name in entities if name != key.shape.entity]
            one = " + ".join(key.shape.partition) or "kind"
            yield f"it lies with {joined(others)} of the same {one}: {each} is one Query instead of {len(entities)}"


def reading_reasons(solution: Solution, key: Key, patterns: tuple[str, ...]) -> Iterator[str]:
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


def table_reasons(solution: Solution, key: Key, patterns: tuple[str, ...]) -> Iterator[str]:
    name = key.shape.entity
    id_ = solution.spec.entities[name].id
    if not patterns:
        yield f"no pattern reads {name} from the table, so it is keyed by what tells it apart ({joined(id_)})"
    extra = [attr for attr in key.shape.attributes if attr not in id_]
    if extra:
        yield f"with {joined(extra)} in the key, the table itself does not stop two items with one {joined(id_)}"
    looked = sorted({write for write, entity in solution.choice.located if entity == name})
    if looked:
        yield f"{some(looked)} cannot know this key and {'look' if len(looked) > 1 else 'looks'} it up first"


def index_reasons(solution: Solution, key: Key, _: tuple[str, ...]) -> Iterator[str]:
    name = key.shape.entity
    beside = [other for other in keys_of(solution.choice) if (other.place, other.number) == (key.place, key.number)]
    others = [other.shape.entity for other in beside if other != key]
    if others:
        yield f"the same index ({place_name(key)}) holds {some(others)}, so this needs none of its own"
    present = solution.facts.present[name]
    absent = [attr for attr in (*key.shape.partition, *key.shape.lead) if attr not in present]
    if absent:
        yield f"items without {joined(absent)} are not in it and cost nothing there"
    moving = [attr for attr in key.shape.attributes if attr in solution.facts.changing[name]]
    if moving:
        yield f"a change of {joined(moving, last='or')} moves the entry: two writes instead of one"


def copy_reasons(_: Solution, key: Key, patterns: tuple[str, ...]) -> Iterator[str]:
    yield (
        f"it saves {joined(patterns)} an index; every {key.shape.entity} and its second item are written in one"
        " transaction, so neither is there without the other"
    )


OWN_REASONS: Mapping[Place, Callable[[Solution, Key, tuple[str, ...]], Iterator[str]]] = {
    "table": table_reasons,
    "index": index_reasons,
    "lsi": index_reasons,
    "copy": copy_reasons,
}


# ---- the pages they rest on -----------------------------------------------------------------------------------------


def key_sources(solution: Solution, key: Key) -> tuple[Source, ...]:
    if key.place == "copy":
        return (sources.ADJACENCY_LISTS, sources.TRANSACTIONS)
    if key.place == "lsi":
        return (sources.LSI,)
    shared = sum(key in gathered_keys(solution.choice, each) for each in solution.choice.gatherings)
    together = (sources.ITEM_COLLECTIONS,) if shared else ()
    if key.place == "table":
        return (sources.PARTITION_KEYS, *together)
    others = [other for other in keys_of(solution.choice) if (other.place, other.number) == (key.place, key.number)]
    present = solution.facts.present[key.shape.entity]
    sparse = (sources.SPARSE_INDEXES,) if set(key.shape.partition) - present else ()
    return (sources.GSI_OVERLOADING if len(others) > 1 else sources.GSI, *together, *sparse)


def plan_sources(solution: Solution, steps: list[str]) -> tuple[Source, ...]:
    plans = [solution.choice.plans[each] for each in steps if each in solution.choice.plans]
    filtered = any(plan.serving.filters and not plan.serving.is_get for plan in plans)
    strong = any(solution.requests[each].consistent for each in steps)
    return (
        sources.QUERY_AND_SCAN,
        *([sources.FILTERS] if filtered else []),
        *([sources.READ_CONSISTENCY] if strong else []),
    )
