"""Another design in words: what is keyed otherwise, and where that changes nothing, what is read otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.choices.readers import key_of, keys_of, place_name
from tablewright.architect.explain.choices.words import keyed
from tablewright.design.wording import counted, joined, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.explain.choices.resolve import Outcome
    from tablewright.architect.plans.candidates import Place
    from tablewright.design.shapes import Shape

MOST_CHANGES = 3
ADDED = {"table": "in the table", "copy": "as a second item", "index": "in a GSI", "lsi": "in a local index"}
GONE = {"table": "table key", "copy": "second item", "index": "GSI entry", "lsi": "local index entry"}


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
        yield f"{shape.entity} {ADDED[place]} by {keyed(shape)}"
    replaced = {(place, shape.entity) for place, shape in added}
    for place, shape in before:
        if (place, shape) not in after and (place, shape.entity) not in replaced:
            yield f"no {GONE[place]} of {shape.entity} by {keyed(shape)}"


def unnumbered(outcome: Outcome) -> list[tuple[Place, Shape]]:
    return [(key.place, key.shape) for key in keys_of(outcome.choice)]


def reading_changes(now: Outcome, other: Outcome) -> Iterator[str]:
    for pattern, before in now.choice.plans.items():
        after = other.choice.plans.get(pattern)
        if after is not None and (before.place, before.shape) != (after.place, after.shape):
            yield f"{pattern} from {place_name(key_of(other.choice, after))} by {keyed(after.shape)}"
    for pattern, (gathering, slot) in now.choice.gatherings.items():
        gathered, other_slot = other.choice.gatherings[pattern]
        if (gathering.signature, slot is None) != (gathered.signature, other_slot is None):
            place = "the table" if other_slot is None else f"gsi{other_slot + 1}"
            yield f"{pattern} from {place} by {' + '.join(gathered.signature[0])}"
