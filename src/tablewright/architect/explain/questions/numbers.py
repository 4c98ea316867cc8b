"""Assumed numbers that the bill rests on, as questions: the most influential first, each with less and more of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.architect.explain.questions.asking import OpenQuestion, Reply
from tablewright.architect.influence import SHARES, TEN_TIMES, TENTH
from tablewright.design.influence import moved_usd, rests_on
from tablewright.design.serving.answers import asked_length
from tablewright.design.wording import number
from tablewright.spec.facts import assume
from tablewright.spec.volumes import item_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Spec
    from tablewright.spec.quantities import Assumption


SIZE, ITEMS = ".size_bytes", ".items"


def numbers_to_ask(made: Design, spec: Spec) -> Iterator[OpenQuestion]:
    """Guesses that the bill rests on and that a field of the spec can state.

    Where nobody said any rate, single rates are not asked for: that is one question for all of them.
    """
    facts = assume(spec)
    for each in rests_on(made):
        wording = _wording(spec, each.place)
        if wording is not None and (facts.has_rates or not each.place.endswith(".rate")):
            beside = _bytes_beside(facts, each) if each.place.endswith(SIZE) else 0.0
            yield _number(spec, each, wording, moved_usd(each, made.cost.usd_per_month), beside)


def _bytes_beside(facts: Facts, each: Assumption) -> float:
    """What is known of an item's size: only the rest of it was assumed, and a spec states the whole."""
    entity = each.place.removeprefix("entities.").removesuffix(SIZE)
    return item_bytes(facts, entity) - (each.value or 0.0)


def _number(spec: Spec, each: Assumption, question: str, usd: float, beside: float) -> OpenQuestion:
    guessed = each.value or 0.0
    value = beside + guessed
    tried = (_possible(spec, each.place, beside + guessed * times) for times in (TENTH, TEN_TIMES))
    others = [_exact(each.place, other) for other in tried if other != value]
    return OpenQuestion(
        id=f"number:{each.place}",
        source="number",
        place=each.place,
        question=question,
        assumed=f"About {number(value)}",
        others=tuple(Reply(f"About {number(other)}", {each.place: other}) for other in others),
        value=usd,
    )


def _possible(spec: Spec, place: str, value: float) -> float:
    """No more than the whole of a share, and than there are of what is asked for."""
    if place.endswith(SHARES):
        return min(1.0, value)
    pattern = (
        spec.pattern(place.removeprefix("access_patterns.").removesuffix(ITEMS)) if place.endswith(ITEMS) else None
    )
    if pattern is None or pattern.kind != "query":
        return value
    return asked_length(assume(spec, {place: value}), pattern, pattern.entity)


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


def _wording(spec: Spec, place: str) -> str | None:
    """None where no field of a spec states the number."""
    of = re.fullmatch(r"relationships\[(\d+)\]\.avg", place)
    if of is not None:
        each = spec.relationships[int(of[1])]
        return f"How many items of {each.via or each.target} has one {each.source}?"
    for pattern, wording in WORDINGS.items():
        found = re.fullmatch(pattern, place)
        if found is not None and _is_written(spec, place):
            return wording.format(*found.groups())
    return None


def _is_written(spec: Spec, place: str) -> bool:
    """Not of items that are stored beside those of the spec, nor of the steps that a pattern became."""
    section, _, rest = place.partition(".")
    names = spec.entities if section == "entities" else [each.id for each in spec.patterns]
    return any(rest.startswith(f"{name}.") for name in names)
