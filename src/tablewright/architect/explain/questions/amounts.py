"""Assumed numbers: how often, how many, how uneven. Each is tried ten and a hundred times larger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.questions.asking import OpenQuestion, Reply
from tablewright.architect.search.keep import keys_of
from tablewright.design.wording import number
from tablewright.spec.quantities import CHILDREN
from tablewright.spec.volumes import TEXT_CARDINALITY, count_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.spec.model import PatternSpec

TIMES = (10, 100)

# ---- how often ------------------------------------------------------------------------------------------------------


def _rates(solution: Solution) -> Iterator[OpenQuestion]:
    """Of every pattern without one; where nobody said any, all at once, for then the least cost begins to count."""
    silent = [each for each in solution.origin.patterns if each.rate is None]
    if solution.asked.has_rates:
        for each in silent:
            question, rate = f"How often a second is {each.id} used?", solution.asked.rates[each.id].avg
            yield _volume(each.id, "rate", f"access_patterns.{each.id}.rate", question, rate)
    elif silent:
        yield OpenQuestion(
            id="rates",
            source="rate",
            place="access_patterns",
            question="How often is each pattern used?",
            assumed="Unknown, so the fewest indexes come first",
            others=tuple(_all_rates(solution, silent, times) for times in (1, 100)),
            kind="aim",
        )


def _all_rates(solution: Solution, patterns: list[PatternSpec], times: int) -> Reply:
    many = "" if times == 1 else f"{times} times "
    assumed = solution.asked.rates
    said = f"About {many}what is assumed (see the assumptions), and the least cost comes first"
    return Reply(said, {f"access_patterns.{each.id}.rate": _rounded(assumed[each.id].avg * times) for each in patterns})


HOT = 0.1


def _hot_keys(solution: Solution) -> Iterator[OpenQuestion]:
    """Writes of which nobody said how they spread."""
    for pattern in solution.origin.writes:
        if pattern.skew is None and not pattern.skews and pattern.rate is not None:
            place = f"access_patterns.{pattern.id}.skew"
            yield OpenQuestion(
                id=f"hottest:{pattern.id}",
                source="hottest",
                place=place,
                question=f"Which share of {pattern.id} can fall on one key at peak?",
                assumed="They spread evenly",
                others=(Reply(f"{HOT:.0%} on one key", {place: {"hottest": HOT}}),),
            )


# ---- how many -------------------------------------------------------------------------------------------------------


def _children(solution: Solution) -> Iterator[OpenQuestion]:
    for at, each in enumerate(solution.origin.relationships):
        child = each.via or each.target
        if each.avg is None and each.kind != "one-to-one" and _is_child(solution, each.source, child):
            question = f"How many items of {child} has one {each.source}?"
            yield _volume(f"{each.source}:{child}", "children", f"relationships[{at}].avg", question, CHILDREN)


def _is_child(solution: Solution, parent: str, child: str) -> bool:
    entities = solution.origin.entities
    return parent in entities and child in entities and parent != child and entities[child].count is None


def _counts(solution: Solution) -> Iterator[OpenQuestion]:
    """Of entities whose number does not follow from their parents."""
    spec = solution.origin
    derived = {each.via or each.target for each in spec.relationships if each.source in spec.entities}
    for name, entity in spec.entities.items():
        if entity.count is None and name not in derived:
            question = f"How many items of {name} are there?"
            yield _volume(name, "count", f"entities.{name}.count", question, solution.asked.counts[name])


def _kinds_of_values(solution: Solution) -> Iterator[OpenQuestion]:
    """Texts in partition keys, of which nobody said how many different ones there are."""
    asked: set[str] = set()
    for key in keys_of(solution.choice):
        entity = key.shape.entity
        for attr in key.shape.partition if entity in solution.origin.entities else ():
            place = f"entities.{entity}.attributes.{attr}.cardinality"
            if place not in asked and _is_guessed(solution, entity, attr):
                asked.add(place)
                question = f"How many different values has {attr} of {entity}?"
                yield _volume(f"{entity}.{attr}", "cardinality", place, question, TEXT_CARDINALITY)


def _is_guessed(solution: Solution, entity: str, attr: str) -> bool:
    known = solution.origin.entities[entity].attributes
    return attr in known and count_values(solution.asked, entity, attr).origin == "assumed"


def _volume(name: str, source: str, place: str, question: str, now: float) -> OpenQuestion:
    return OpenQuestion(
        id=f"{source}:{name}",
        source=source,
        place=place,
        question=question,
        assumed=f"About {number(now)}",
        others=tuple(Reply(f"About {number(now * times)}", {place: _rounded(now * times)}) for times in TIMES),
        kind="volume",
    )


def _rounded(value: float) -> float | int:
    return round(value) if value == round(value) else round(value, 6)


AMOUNTS: tuple[Callable[[Solution], Iterator[OpenQuestion]], ...] = (
    _rates,
    _hot_keys,
    _children,
    _counts,
    _kinds_of_values,
)
