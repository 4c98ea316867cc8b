"""What a file says twice in two words, of which the model keeps one: both must say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.schema.form.kinds import NAMES, Reading
from tablewright.spec.amounts import BYTES, MANY
from tablewright.spec.faults.numbers import agree
from tablewright.spec.kinds import GROWTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.schema.form.kinds import Kind
    from tablewright.spec.faults.place import SpecFault

WORDS: tuple[tuple[str, str, Kind], ...] = (("count", "count_hint", MANY), ("size_bytes", "size_hint_bytes", BYTES))


def find_repeated(content: Mapping[str, Any]) -> Iterator[SpecFault]:
    """Of a spec whose parts could all be read."""
    name, other = content.get("name"), content.get("application")
    if name and other and name != other:
        yield "application", f"{other}, and name says {name}; leave out one of them."
    for called, entity in content["entities"].items():
        yield from _entity_faults(f"entities.{called}", entity)
    for at, pattern in enumerate(content["access_patterns"]):
        yield from _pattern_faults(f"access_patterns[{at}]", pattern)


def _entity_faults(place: str, entity: Mapping[str, Any]) -> Iterator[SpecFault]:
    for word, hint, kind in WORDS:
        if entity.get(word) is not None and entity.get(hint) is not None:
            one, other = kind.read(entity[word], Reading()), kind.read(entity[hint], Reading())
            if one != other:
                yield f"{place}.{hint}", f"{other:,.0f}, and {word} says {one:,.0f}; leave out one of them."
    if entity.get("growth") is not None and entity.get("growth_per_month") is not None:
        unit, amount = GROWTH.read(entity["growth"], Reading())
        other = MANY.read(entity["growth_per_month"], Reading())
        if unit == "items" and not agree(amount, other):
            yield (
                f"{place}.growth",
                f"{amount:,.0f} a month, and growth_per_month says {other:,.0f}; leave out one of them.",
            )


def _pattern_faults(place: str, pattern: Mapping[str, Any]) -> Iterator[SpecFault]:
    named, several = pattern.get("entity"), pattern.get("entities")
    if named and several and tuple(NAMES.read(several, Reading())) != (named,):
        yield f"{place}.entity", f"{named}, and entities says {', '.join(several)}; leave out one of them."
