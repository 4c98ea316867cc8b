"""Assumed numbers: those that move the bill are asked for, the most influential first; and how uneven writes are.

Every number is tried with a tenth and with ten times of it, as somebody would write it into the spec.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.architect.explain.questions.asking import OpenQuestion, Reply
from tablewright.architect.influence import TEN_TIMES, TENTH, bill_with, with_influence
from tablewright.design.influence import least_told, moved_usd
from tablewright.design.serving.answers import answer_assumptions
from tablewright.design.wording import number
from tablewright.spec.numbers import assumptions_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.spec.model import PatternSpec
    from tablewright.spec.quantities import Assumption

MOST_NUMBERS = 4
"""Numbers that are asked for: whoever knows these can be asked for the next ones."""

# ---- how often ------------------------------------------------------------------------------------------------------


def _rates(solution: Solution) -> Iterator[OpenQuestion]:
    """Where nobody said any, all at once, for then the least cost begins to count."""
    silent = [each for each in solution.origin.patterns if each.rate is None]
    if silent and not solution.asked.has_rates:
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


# ---- how many, how large, how often ---------------------------------------------------------------------------------


def numbers_to_ask(solution: Solution) -> Iterator[OpenQuestion]:
    """Guesses that the bill rests on; without any rate the bill itself is one, and only its structure is asked about."""
    assumed = (*assumptions_of(solution.asked), *answer_assumptions(solution.facts))
    now = bill_with(solution.origin, (solution,), {})
    moving = [
        each
        for each in with_influence(solution.origin, (solution,), assumed)
        if moved_usd(each, now) > least_told(now) and _wording(solution, each.place) is not None
    ]
    if not solution.asked.has_rates:
        moving = [each for each in moving if not each.place.endswith(".rate")]
    yield from (_number(solution, each, moved_usd(each, now)) for each in moving[:MOST_NUMBERS])


def _number(solution: Solution, each: Assumption, usd: float) -> OpenQuestion:
    value, question = each.value or 0.0, _wording(solution, each.place)
    assert question is not None
    others = (_exact(each.place, value * times) for times in (TENTH, TEN_TIMES))
    return OpenQuestion(
        id=f"number:{each.place}",
        source="number",
        place=each.place,
        question=question,
        assumed=f"About {number(value)}",
        others=tuple(Reply(f"About {number(other)}", {each.place: other}) for other in others),
        kind="number",
        value=usd,
    )


def _exact(place: str, value: float) -> float | int:
    """Things are counted in whole numbers; rates and averages are not."""
    if place.endswith((".count", ".cardinality", ".size_bytes", ".items")):
        return max(1, round(value))
    return round(value) if value == round(value) else round(value, 6)


WORDINGS = {
    r"entities\.(.+)\.attributes\.(.+)\.cardinality": "How many different values has {1} of {0}?",
    r"entities\.(.+)\.count": "How many items of {0} are there?",
    r"entities\.(.+)\.size_bytes": "How many bytes has one {0}?",
    r"access_patterns\.(.+)\.rate": "How often a second is {0} used?",
    r"access_patterns\.(.+)\.items": "How many items does {0} answer with?",
    r"access_patterns\.(.+)\.selectivity": "Which share of what {0} reads passes its filter?",
}


def _wording(solution: Solution, place: str) -> str | None:
    """None where no field of a spec states the number."""
    of = re.fullmatch(r"relationships\[(\d+)\]\.avg", place)
    if of is not None:
        each = solution.origin.relationships[int(of[1])]
        return f"How many items of {each.via or each.target} has one {each.source}?"
    for pattern, wording in WORDINGS.items():
        found = re.fullmatch(pattern, place)
        if found is not None and _is_written(solution, place):
            return wording.format(*found.groups())
    return None


def _is_written(solution: Solution, place: str) -> bool:
    """Not of items that are stored beside those of the spec, nor of the steps that a pattern became."""
    section, _, rest = place.partition(".")
    names = solution.origin.entities if section == "entities" else [each.id for each in solution.origin.patterns]
    return any(rest.startswith(f"{name}.") for name in names)


def _rounded(value: float) -> float | int:
    return round(value) if value == round(value) else round(value, 6)


AMOUNTS: tuple[Callable[[Solution], Iterator[OpenQuestion]], ...] = (_rates, _hot_keys)
