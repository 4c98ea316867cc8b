"""How long answers are: what a pattern asks for, as far as a spec tells, and a page where nothing limits a list."""

from __future__ import annotations

from math import expm1, log1p, prod
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.serving.absent import demanded
from tablewright.design.serving.filters import compared_share, constants, even_filters, operator_of, passing
from tablewright.spec.intervals import ends_by
from tablewright.spec.listing import as_list, asked_reads
from tablewright.spec.quantities import Assumption
from tablewright.spec.volumes import (
    begun_share,
    distinct,
    is_enumerated,
    item_bytes,
    lasting_share,
    matching,
    presence,
    shortened,
)
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, Spec

BATCH_IDS = 25
"""Ids that are given at once, where nothing is said."""
RANGE_SHARE = 0.1
"""A range is taken to ask for a tenth of what lies under the key."""


def answer_items(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    """How many items of an entity an answer has."""
    if pattern.kind == "get":
        return 1.0
    if pattern.fetched_for:
        return named_items(facts, pattern)
    if pattern.kind == "batch":
        return float(pattern.items or facts.guess(f"access_patterns.{pattern.id}.items", BATCH_IDS))
    if pattern.items is not None:
        return max(1.0, pattern.items / len(pattern.entities))
    found = asked_length(facts, pattern, entity) * _having(facts, pattern, entity) * passing(facts, pattern, entity)
    if pattern.range is not None:
        found = found * range_share(facts, pattern)
    limit = limit_on(facts.spec, pattern, entity)
    if limit is not None:
        return max(1.0, shortened(facts, entity, pattern.by, found, float(limit)))
    return max(1.0, min(found, page_items(facts, pattern, entity) or found))


def asked_length(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    """How many items have what is asked by. Each value of an enumeration is taken to be as frequent as the others.

    That is a guess: callers often ask for the few that are open, not for the many that are done.
    """
    even, among = matching(facts, entity, pattern.by), _enumerated(facts, pattern, entity)
    if not among:
        return even
    taken = facts.guess(f"access_patterns.{pattern.id}.items", even)
    return min(taken, matching(facts, entity, set(pattern.by) - set(among)))


def _enumerated(facts: Facts, pattern: PatternSpec, entity: str) -> tuple[str, ...]:
    """The inputs of a list that have few values, of which nobody says how many items have each."""
    known, ids = facts.spec.entities[entity].attributes, set(facts.spec.entities[entity].id)
    found = tuple(name for name in pattern.by if name in known and is_enumerated(known[name]))
    if not found or pattern.kind != "query" or pattern.items is not None or len(pattern.entities) > 1:
        return ()
    said = facts.spec.pattern(pattern.id)
    return () if said is None or said.by != pattern.by or ids <= set(pattern.by) else found


def is_length_said(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether an answer is as long as somebody says, and not as items spread evenly over values.

    Of a range it is said how much of a list it takes, which is no more than the list has.
    """
    if len(pattern.entities) > 1 or pattern.range is not None:
        return False
    places = (f"access_patterns.{pattern.id}.items", f"access_patterns.{pattern.id}.selectivity")
    return pattern.items is not None or any(each in facts.taken for each in places)


def named_items(facts: Facts, batch: PatternSpec, *, is_limited: bool = True) -> float:
    """How many different items the entries of a list name; `is_limited`: up to the list's own limit.

    Each entry names another one where that is what tells the entries of a list apart. Else they are taken to be drawn
    evenly, so that of few items some are named twice, and fetched once.
    """
    said = facts.spec.pattern(batch.fetched_for)
    assert said is not None
    asked = as_list(facts.spec, said)
    entry = facts.spec.entities[asked.entity]
    entries = answer_items(facts, asked if is_limited else msgspec.structs.replace(asked, limit=None), entry.name)
    if set(entry.id) <= {*asked.by, *asked.returns}:
        return entries
    return max(1.0, different(facts.counts[batch.entity], entries))


def different(there: float, drawn: float) -> float:
    """How many different ones of those that are there are among so many that are drawn evenly."""
    return min(1.0, drawn) if there <= 1 else there * -expm1(drawn * log1p(-1.0 / there))


def parents_named(facts: Facts, pattern: PatternSpec, own: tuple[str, ...]) -> float:
    """How many different parents the items of an answer name by these attributes: each is taken to name any of them."""
    entity = pattern.entity
    known = set[str]() if pattern.kind == "batch" else {*pattern.by, *constants(pattern)} & set(own)
    naming = prod(presence(facts, entity, name) for name in own if name not in known)
    items = answer_items(facts, pattern, entity) * naming
    parents = max(1.0, distinct(facts, entity, own) / (distinct(facts, entity, known) if known else 1.0))
    return min(items, parents * (1 - (1 - 1 / parents) ** items)) if set(own) - known else min(1.0, items)


def range_share(facts: Facts, pattern: PatternSpec) -> float:
    """The part of what lies under a key that a range asks for."""
    if pattern.overlaps is not None:
        return begun_share(facts, pattern)
    return facts.guess(f"access_patterns.{pattern.id}.range", RANGE_SHARE)


def limit_on(spec: Spec, pattern: PatternSpec, entity: str) -> int | None:
    """The limit that counts items of an entity; those without what is sorted by are answered whole."""
    if pattern.limits:
        return pattern.limits.get(entity)
    return pattern.limit if entity in sorted_entities(spec, pattern) else None


def sorted_entities(spec: Spec, pattern: PatternSpec) -> tuple[str, ...]:
    """The entities that an order and a limit are about: those that have what is sorted by, without an order all."""
    names = {each.attr for each in pattern.sort[:1]}
    return tuple(each for each in pattern.entities if names <= spec.entities[each].attributes.keys())


def _having(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    """The share of items that have what an answer must have besides its inputs: the others are in none."""
    names = demanded(pattern) - {*pattern.by, *pattern.filter}
    known = facts.spec.entities[entity].attributes
    return prod(presence(facts, entity, name) for name in sorted(names) if name in known)


def page_items(facts: Facts, pattern: PatternSpec, entity: str) -> float | None:
    """A list without a limit, of items whose number is guessed, is taken to be read page by page; None for others."""
    is_limited = limit_on(facts.spec, pattern, entity) is not None or pattern.items is not None
    if is_limited or pattern.kind == "batch" or not _is_count_assumed(facts, entity):
        return None
    return MAX_PAGE_BYTES / len(pattern.entities) / item_bytes(facts, entity)


def _is_count_assumed(facts: Facts, entity: str) -> bool:
    place = f"entities.{entity}.count"
    return any(each.place == place and each.origin == "assumed" for each in facts.numbers)


def _overlap_assumptions(facts: Facts, pattern: PatternSpec) -> Iterator[Assumption]:
    if pattern.overlaps is not None and pattern.selectivity is None:
        share = lasting_share(facts, pattern)
        yield Assumption(
            f"access_patterns.{pattern.id}.overlaps",
            f"{share:.0%} of what may have begun early enough lasts long enough: what is asked for is as long as the"
            " longest, and half of that is usual",
            share,
        )


def _even_assumptions(facts: Facts, pattern: PatternSpec) -> Iterator[Assumption]:
    """Of an enumeration every value is taken to be as frequent as the others."""
    place, entity = f"access_patterns.{pattern.id}", pattern.entity
    among, filtered = _enumerated(facts, pattern, entity), even_filters(facts, pattern, entity)
    if among and page_items(facts, pattern, entity) is None:
        many = asked_length(facts, pattern, entity)
        items = f"{many:,.0f} item{'' if round(many) == 1 else 's'}"
        yield Assumption(f"{place}.items", f"{items}, as many for each {' and '.join(among)}", many)
    if filtered and pattern.items is None:
        share = passing(facts, pattern, entity)
        yield Assumption(f"{place}.selectivity", f"{share:.0%} pass, as many for each {' and '.join(filtered)}", share)


def even_assumptions(facts: Facts) -> Iterator[Assumption]:
    """The same of all reads. A number that is kept was chosen against reading what it counts, which rests on them."""
    for pattern in asked_reads(facts.spec):
        yield from _even_assumptions(facts, pattern)


def _compares(pattern: PatternSpec) -> bool:
    """Whether its filter has comparisons of which nobody knows how much passes."""
    return any(operator_of(value) != "=" and not ends_by(pattern, name) for name, value in pattern.filter.items())


def answer_assumptions(facts: Facts) -> Iterator[Assumption]:
    """How long answers are, where nobody said: of ids, ranges and comparisons, and lists longer than a page."""
    for pattern in asked_reads(facts.spec):
        place = f"access_patterns.{pattern.id}"
        if pattern.kind == "batch" and pattern.items is None and not pattern.fetched_for:
            many = facts.guess(f"{place}.items", BATCH_IDS)
            yield Assumption(f"{place}.items", f"{many:g} ids at once", many)
        if pattern.range is not None and pattern.items is None:
            share = range_share(facts, pattern)
            yield Assumption(f"{place}.range", f"asks for {share:.0%} of what lies under the key", share)
        yield from _overlap_assumptions(facts, pattern)
        if pattern.selectivity is None and _compares(pattern):
            share = compared_share(facts, pattern)
            yield Assumption(f"{place}.selectivity", f"a comparison lets {share:.0%} through", share)
        yield from _even_assumptions(facts, pattern)
        for entity in pattern.entities:
            most = page_items(facts, pattern, entity)
            if most is not None and matching(facts, entity, pattern.by) > most:
                yield Assumption(
                    f"access_patterns.{pattern.id}.items",
                    f"{most:,.0f} of {entity}: a page of 1 MB, although nothing limits the list",
                )
