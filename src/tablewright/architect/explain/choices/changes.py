"""Another design in words: what is keyed otherwise, and where that changes nothing, what is read otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.choices.readers import place_name
from tablewright.architect.explain.choices.words import keyed
from tablewright.architect.plans.readers import key_of
from tablewright.architect.plans.registry import PLACE_OF
from tablewright.architect.search.keep import keys_of
from tablewright.design.wording import counted, joined, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.explain.choices.resolve import Outcome
    from tablewright.architect.plans.values import PlaceName
    from tablewright.design.shapes import Shape

MOST_CHANGES = 3


def alternative_words(now: Outcome, other: Outcome | None) -> str:
    if other is None:
        return "No design serves all patterns without it."
    changes = list(key_changes(now, other)) or list(reading_changes(now, other))
    if not changes and now.choice.projections != other.choice.projections:
        return "The same keys, and indexes that hold more of the items."
    more = len(changes) - MOST_CHANGES
    tail = [counted(more, "more change")] if more > 0 else []
    return sentence(joined([*changes[:MOST_CHANGES], *tail])) if changes else "The same keys, read in another order."


def key_changes(now: Outcome, other: Outcome) -> Iterator[str]:
    """New keys first, then what is gone; indexes have no numbers here, for these mean nothing across designs."""
    before, after = unnumbered(now), unnumbered(other)
    added = [each for each in after if each not in before]
    for place, shape in added:
        yield f"{shape.entity} {PLACE_OF[place].added} by {keyed(shape)}"
    replaced = {(place, shape.entity) for place, shape in added}
    for place, shape in before:
        if (place, shape) not in after and (place, shape.entity) not in replaced:
            yield f"no {PLACE_OF[place].removed} of {shape.entity} by {keyed(shape)}"


def unnumbered(outcome: Outcome) -> list[tuple[PlaceName, Shape]]:
    return [(key.place, key.shape) for key in keys_of(outcome.choice)]


def reading_changes(now: Outcome, other: Outcome) -> Iterator[str]:
    for pattern, plan in now.choice.plans.items():
        then = other.choice.plans.get(pattern)
        if then is not None and (plan.place, plan.shape) != (then.place, then.shape):
            yield f"{pattern} from {place_name(key_of(other.choice, then))} by {keyed(then.shape)}"
    for pattern, (before, slot) in now.choice.collections.items():
        after, other_slot = other.choice.collections[pattern]
        if (before.signature, slot is None) != (after.signature, other_slot is None):
            place = PLACE_OF[after.place].name_of(other_slot or 0)
            yield f"{pattern} from {place} by {' + '.join(after.signature[0])}"
