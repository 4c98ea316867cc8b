"""How long answers are: what a pattern asks for, as far as a spec tells, and a page where nothing limits a list."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from tablewright.design.serving.filters import passing
from tablewright.spec.facts import Assumption
from tablewright.spec.volumes import item_bytes, matching, presence
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

RANGE_SHARE = 0.1
"""A range is taken to ask for a tenth of what lies under the key."""


def answer_items(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    """How many items of an entity an answer has."""
    if pattern.kind == "get":
        return 1.0
    if pattern.items is not None:
        return max(1.0, pattern.items / len(pattern.entities))
    found = matching(facts, entity, pattern.by) * _having(facts, pattern, entity) * passing(facts, pattern, entity)
    if pattern.range is not None:
        found = found * RANGE_SHARE
    if pattern.limit:
        return max(1.0, min(found, float(pattern.limit)))
    return max(1.0, min(found, page_items(facts, pattern, entity) or found))


def _having(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    """The share of items that have what is sorted by and ranged over: the others are in no answer."""
    names = {each.attr for each in pattern.sort} | ({pattern.range.attr} if pattern.range else set[str]())
    known = facts.spec.entities[entity].attributes
    return prod(presence(facts, entity, name) for name in sorted(names) if name in known)


def page_items(facts: Facts, pattern: PatternSpec, entity: str) -> float | None:
    """A list without a limit, of items nobody has counted, is taken to be read a page at a time; None for others."""
    if pattern.limit is not None or pattern.items is not None or facts.spec.entities[entity].count is not None:
        return None
    return MAX_PAGE_BYTES / len(pattern.entities) / item_bytes(facts, entity)


def page_assumptions(facts: Facts) -> Iterator[Assumption]:
    """Of the patterns whose answers would be longer than a page."""
    for pattern in facts.spec.reads:
        for entity in pattern.entities:
            most = page_items(facts, pattern, entity)
            if most is not None and matching(facts, entity, pattern.by) > most:
                yield Assumption(
                    f"access_patterns.{pattern.id}.items",
                    f"{most:,.0f} of {entity}: a page of 1 MB, although nothing limits the list",
                )
