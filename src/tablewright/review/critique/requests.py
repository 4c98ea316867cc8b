"""Rules about requests: scans, filters that discard, long answers, fan-outs, large transactions, stale look-ups."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.design.cost.units.entries import TABLE, place_of_view
from tablewright.design.serving.answers import answer_items
from tablewright.design.wording import number, tally
from tablewright.review.case import Remark
from tablewright.review.operations.traffic import partitions_asked
from tablewright.wire.limits import MAX_PAGE_BYTES, MAX_TRANSACTION_ACTIONS, MB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.review.case import Case
    from tablewright.spec.model import PatternSpec

READ_PER_RETURNED = 2.0
WIDE = 10
KEYED = ("GetItem", "Query", "BatchGetItem")


def scans(case: Case) -> Iterator[str]:
    for pattern in case.spec.reads:
        if pattern.id not in case.steps or case.steps[pattern.id].operation not in KEYED:
            yield f"{case.name(pattern.id)} has no key to ask by"


def over_reading(case: Case) -> Iterator[Remark]:
    for pattern in case.spec.reads:
        if not case.layout.reads[pattern.id].filters:
            continue
        found, returned = case.predictions[pattern.id], _returned_items(case, pattern)
        if found.items > READ_PER_RETURNED * returned:
            text = f"{case.name(pattern.id)} reads {tally(found.items, 'item')} to return {number(round(returned, 1))}"
            yield Remark(text=text, reads=(pattern.id,))


def _returned_items(case: Case, pattern: PatternSpec) -> float:
    """What is left behind the filter."""
    return sum(answer_items(case.facts, pattern, name) for name in pattern.entities)


def strong_from_index(case: Case) -> Iterator[str]:
    for pattern in case.spec.reads:
        index = case.layout.reads[pattern.id].index
        if pattern.consistency == "strong" and (index or TABLE).startswith("gsi"):
            yield f"{case.name(pattern.id)} must see the last write and reads {index}"


def long_answers(case: Case) -> Iterator[str]:
    for pattern in case.spec.reads:
        found, asked = case.predictions[pattern.id], partitions_asked(case.layout.reads[pattern.id])
        pages = ceil(found.bytes_read / asked / MAX_PAGE_BYTES)
        if pages > 1:
            size = number(round(found.bytes_read / MB, 1))
            count = tally(pages * asked, "page")
            yield f"{case.name(pattern.id)} reads {size} MB, {count}: give it a limit and a cursor"


def fan_outs(case: Case) -> Iterator[Remark]:
    for pattern in case.spec.reads:
        asked = partitions_asked(case.layout.reads[pattern.id])
        if asked > WIDE:
            text = f"{case.name(pattern.id)} asks {asked} partitions for one answer: as slow as the slowest of them"
            yield Remark(text=text, reads=(pattern.id,))


def large_transactions(case: Case) -> Iterator[str]:
    for pattern in case.facts.writes:
        found = case.predictions[pattern.id]
        if found.transactional and found.items > MAX_TRANSACTION_ACTIONS:
            yield f"{case.name(pattern.id)} writes {tally(found.items, 'item')} in one transaction"


def stale_look_ups(case: Case) -> Iterator[Remark]:
    for (write, entity), found in case.layout.located.items():
        place = place_of_view(found.view)
        if place.startswith("gsi"):
            text = f"{write} finds the key of {entity} in {place}, which lags: put what it found into the condition"
            yield Remark(text=text, look_ups=((write, entity),))
