"""What a pattern's filter says: `param` and comparisons (`at least a number`) ask the caller, all else is a value.

What is compared for equality can as well be part of a key, where it reads only what passes; the rest is left to a
filter, which reads everything and drops what does not.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.serving.absent import demanded
from tablewright.spec.intervals import ends_by
from tablewright.spec.volumes import cardinality, is_enumerated, lasting_share

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

PARAMETER = "param"
PHRASES = {"at most": "lte", "at least": "gte", "more than": "gt", "less than": "lt", "fewer than": "lt"}
COMPARED_SHARE = 1 / 3
"""Of items, where a filter is more or less than something."""


def operator_of(value: Any) -> str:
    """`at most a number` means lte; a text without such words is itself, with blanks as well (`in progress`)."""
    said = f"{value.lower()} " if isinstance(value, str) else ""
    return next((operator for phrase, operator in PHRASES.items() if said.startswith(f"{phrase} ")), "=")


def _is_words(value: Any) -> bool:
    return operator_of(value) != "="


def constants(pattern: PatternSpec) -> dict[str, Any]:
    """The values that the spec itself says."""
    return {
        name: value for name, value in sorted(pattern.filter.items()) if value != PARAMETER and not _is_words(value)
    }


def equalities(pattern: PatternSpec) -> set[str]:
    return {name for name, value in pattern.filter.items() if operator_of(value) == "="}


def with_keyed(pattern: PatternSpec, names: Iterable[str]) -> PatternSpec:
    """The same question with some of its filter taken as inputs."""
    taken = tuple(name for name in sorted(names) if name not in pattern.by)
    if not taken:
        return pattern
    left = {name: value for name, value in pattern.filter.items() if name not in taken}
    return msgspec.structs.replace(pattern, by=(*pattern.by, *taken), filter=left)


def without_implied(pattern: PatternSpec, shape: Shape) -> PatternSpec:
    """The same question of an index that holds nothing but what passes some of its filter."""
    implied = {name for name, value in shape.when if value}
    if not implied:
        return pattern
    left = {name: value for name, value in pattern.filter.items() if name not in implied}
    return msgspec.structs.replace(pattern, filter=left)


def implies(pattern: PatternSpec, shape: Shape) -> bool:
    """Whether all items of an answer are in the index: what they must have or be, the pattern asks for anyway."""
    if not shape.when:
        return True
    said = {name: to_json(value) for name, value in constants(pattern).items()}
    asked = demanded(pattern)
    return all(said.get(name) == value if value else name in asked for name, value in shape.when)


def to_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def keyed_by(pattern: PatternSpec, shape: Shape) -> tuple[str, ...]:
    """The filtered attributes that a key takes by equality: in its partition, or in a row in its sort key.

    Not one that has a range as well: a key takes one of the two, and the other would be lost.
    """
    ranged = pattern.range.attr if pattern.range else None
    given = [name for name in equalities(pattern) if name != ranged]
    if not given:
        return ()
    found = [name for name in shape.partition if name in given]
    for name in shape.sort:
        if name not in given and name not in pattern.by:
            break
        found += [name] if name in given else []
    return tuple(found)


def passing(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    """The share of items that a filter lets through: as said, else as many as share a value."""
    if not pattern.filter:
        return 1.0
    if pattern.selectivity is not None:
        return max(pattern.selectivity, 1e-6)
    known = facts.spec.entities[entity].attributes
    even = prod(
        1 / cardinality(facts, entity, name) if operator_of(value) == "=" else _compared(facts, pattern, name)
        for name, value in sorted(pattern.filter.items())
        if name in known
    )
    if not even_filters(facts, pattern, entity):
        return even
    return min(1.0, facts.guess(f"access_patterns.{pattern.id}.selectivity", even))


def even_filters(facts: Facts, pattern: PatternSpec, entity: str) -> tuple[str, ...]:
    """What a list is filtered by that has few values, of which nobody says how many items have each.

    Not beside a comparison, of which another share is guessed that stands at the same place of a spec.
    """
    known = facts.spec.entities[entity].attributes
    found = tuple(name for name in sorted(pattern.filter) if name in known and is_enumerated(known[name]))
    if not found or pattern.selectivity is not None or len(pattern.entities) > 1:
        return ()
    said = facts.spec.pattern(pattern.id)
    is_whole = said is not None and said.filter == pattern.filter and equalities(pattern) == set(pattern.filter)
    return found if is_whole else ()


def _compared(facts: Facts, pattern: PatternSpec, name: str) -> float:
    return lasting_share(facts, pattern) if ends_by(pattern, name) else compared_share(facts, pattern)


def compared_share(facts: Facts, pattern: PatternSpec) -> float:
    """Of items, those that pass a comparison with more or less than something."""
    return facts.guess(f"access_patterns.{pattern.id}.selectivity", COMPARED_SHARE)
