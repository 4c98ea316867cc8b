"""How often patterns are used where nobody said any rate, and how uneven writes are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.questions.asking import ALL_RATES, OpenQuestion, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.spec.model import PatternSpec


def _rates(solution: Solution) -> Iterator[OpenQuestion]:
    """Where nobody said any, all at once, for then the least cost begins to count."""
    silent = [each for each in solution.origin.patterns if each.rate is None]
    if silent and not solution.asked.has_rates:
        yield OpenQuestion(
            id=ALL_RATES,
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


def _rounded(value: float) -> float | int:
    return round(value) if value == round(value) else round(value, 6)


AMOUNTS: tuple[Callable[[Solution], Iterator[OpenQuestion]], ...] = (_rates, _hot_keys)
