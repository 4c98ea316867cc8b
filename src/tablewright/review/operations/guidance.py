"""How a caller pages through a pattern's answers, and which of its errors are worth another attempt."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.serving.packing import items_of_request
from tablewright.design.values.templates import BUCKET
from tablewright.design.wording import concat, number, sentences, tally
from tablewright.review.operations.traffic import partitions_asked
from tablewright.review.upkeep.retries import amounts_added
from tablewright.review.upkeep.uniqueness import only_creates
from tablewright.spec.writes import effects_of
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS, MAX_PAGE_BYTES

if TYPE_CHECKING:
    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.design.layout.layout import StoredRead
    from tablewright.review.case import Case
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

SCREEN = 100
"""Items a person or a caller takes at once, where the spec names no limit."""
FIRST_WAIT_MS = 50
LONGEST_WAIT_MS = 1000
ATTEMPTS = 5

TRANSIENT = "ThrottlingException, ProvisionedThroughputExceededException, RequestLimitExceeded, InternalServerError"
BACK_OFF = (
    f"up to {ATTEMPTS} attempts, a random wait of at most {FIRST_WAIT_MS} ms that doubles each time up to"
    f" {LONGEST_WAIT_MS / 1000:g} s"
)


PARENTS = (
    f"Those that items name follow by their keys, up to {MAX_BATCH_GET_ITEMS} a request; send UnprocessedKeys again."
)


COPIES = "ConditionalCheckFailed of what keeps copies, or of its number, is no answer: begin again by reading it."


class Guidance(msgspec.Struct, frozen=True):
    """What a caller should know about a pattern."""

    paging: str
    retries: str


def guidance(case: Case) -> dict[str, Guidance]:
    """For every pattern as it was written; a read in several steps has something to say for each."""
    known = {each.id: each for each in (*case.spec.patterns, *case.facts.implied)}
    found: dict[str, Guidance] = {}
    for id_, line in case.lines.items():
        parts = case.layout.form.parts(id_)
        steps = [known[part.pattern] for part in parts]
        pages = [PARENTS if part.takes and part.joins else _paging(case, known[part.pattern]) for part in parts]
        pages = pages if steps[0].is_read else []
        again = COPIES if any(part.refreshes for part in parts) else ""
        retries = sentences(_retries(case, steps[0], line.prediction), again)
        found[id_] = Guidance(" Then: ".join(pages), retries)
    return found


# ---- pages ----------------------------------------------------------------------------------------------------------


PACKED_CURSOR = "The cursor is the key of the item before, and how many of the next were shown."


def _paging(case: Case, pattern: PatternSpec) -> str:
    """Page size, cursor, and when to stop."""
    if not pattern.is_read:
        return ""
    read, found = case.layout.reads[pattern.id], case.predictions[pattern.id]
    if read.operation == "GetItem":
        return "One item: nothing to page."
    if read.operation == "BatchGetItem":
        return _batches(pattern)
    size, cursor = _size_of_page(pattern, read, found), _cursor(read, found)
    if case.layout.spec.entities[pattern.entity].packed is not None and read.limit is not None:
        size, cursor = _size_of_packed(case, read, found), PACKED_CURSOR
    return sentences(
        size,
        _partitions(read),
        cursor,
        _stop(read),
        f"The items follow by BatchGetItem, {MAX_BATCH_GET_ITEMS} keys a request; send UnprocessedKeys again."
        if read.fetches
        else "",
    )


def _batches(pattern: PatternSpec) -> str:
    """Items by their whole keys: of the ids given, or of what the entries of a list name."""
    asked = f"{MAX_BATCH_GET_ITEMS} keys a request, each key once; send UnprocessedKeys again after a pause."
    if pattern.fetched_for:
        return (
            f"What the entries of a page name, by BatchGetItem, {asked} The order and the cursor are the list's; an"
            " entry whose item is gone leaves its page shorter."
        )
    return f"BatchGetItem, {asked} Replies come in any order: go by the ids."


def _size_of_page(pattern: PatternSpec, read: StoredRead, found: Prediction) -> str:
    each = found.bytes_read / found.items if found.items else 0.0
    if read.limit is not None and pattern.beside:
        units = read_rcu(ceil(each * (read.limit + 1)), consistent=read.consistent)
        return (
            f"Ask with Limit {read.limit + 1}: {tally(units, 'read unit')}. {pattern.beside} comes first; where it is"
            f" not there, the last item is the first of the next page. Further pages have a Limit of {read.limit}."
        )
    if read.limit is not None and not read.filters:
        units = read_rcu(ceil(each * read.limit), consistent=read.consistent)
        return f"Ask with Limit {read.limit}: {tally(units, 'read unit')} a page."
    if found.items <= 1:
        return "Usually one item; no Limit needed."
    fit = max(1, floor(MAX_PAGE_BYTES / each)) if each else SCREEN
    size = min(SCREEN, fit)
    if found.items <= size:
        return f"About {tally(found.items, 'item')}, {_kilobytes(found.bytes_read)}: usually one page, no Limit needed."
    units = read_rcu(ceil(each * size), consistent=read.consistent)
    return (
        f"About {tally(found.items, 'item')} of {number(round(each))} bytes, and {number(fit)} fit the 1 MB of a page"
        f": ask with Limit {size} ({tally(units, 'read unit')}) and show page by page."
    )


def _size_of_packed(case: Case, read: StoredRead, found: Prediction) -> str:
    """An item has several of what is asked for."""
    packed = case.layout.spec.entities[read.entities[0]].packed
    assert packed is not None
    assert read.limit is not None
    asked = items_of_request(read.limit, packed.usual)
    return (
        f"{read.limit} lie in about {tally(read.limit / packed.entries, 'item')}: ask with Limit {asked}, for"
        f" {tally(found.rcu, 'read unit')}, and go on while some are missing."
    )


def _kilobytes(size: float) -> str:
    return f"{number(round(size / 1024, 1))} KB"


def _partitions(read: StoredRead) -> str:
    """Several partitions are asked for one answer: each has a cursor of its own."""
    asked = partitions_asked(read)
    walks = any(each.walks for each in read.servings.values())
    if BUCKET in read.for_each or walks:
        first = "newest" if read.backwards else "oldest"
        return sentences(
            f"Ask bucket after bucket, the {first} first, until enough is found; the cursor names its bucket.",
            f"Each has {asked} partitions, asked at once and merged by the sort key." if walks and asked > 1 else "",
        )
    if asked <= 1:
        return ""
    return (
        f"Ask all {asked} partitions at once, each with its own cursor, and merge by the sort key; a page of the answer"
        f" keeps {asked} cursors."
    )


def _cursor(read: StoredRead, found: Prediction) -> str:
    if read.limit is None and found.items <= 1:
        return ""
    return "The cursor is LastEvaluatedKey, handed back as ExclusiveStartKey."


def _stop(read: StoredRead) -> str:
    if read.filters:
        wanted = f"{read.limit} items are found or " if read.limit else ""
        return f"Limit counts before the filter, so pages can be short or empty: go on until {wanted}no cursor is left."
    if read.limit is not None:
        return "Stop when enough is found; no LastEvaluatedKey means the end, a short page does not."
    return "No LastEvaluatedKey means the end; an empty page does not."


# ---- retries --------------------------------------------------------------------------------------------------------


def _retries(case: Case, pattern: PatternSpec, found: Prediction) -> str:
    """Which errors to try again, how, and which not."""
    if pattern.is_read:
        return f"Safe to repeat. Retry {TRANSIENT}: {BACK_OFF}."
    if found.transactional:
        return (
            f"Keep the ClientRequestToken over all attempts. Retry {TRANSIENT}, TransactionInProgressException, and"
            " TransactionCanceledException whose reasons are only TransactionConflict or throttling:"
            f" {BACK_OFF}. Not ConditionalCheckFailed: that is an answer."
        )
    return sentences(
        f"Retry {TRANSIENT}: {BACK_OFF}.",
        "Not ConditionalCheckFailedException: that is an answer." if _has_condition(case.facts, pattern) else "",
        _again(case, pattern),
    )


def _has_condition(facts: Facts, pattern: PatternSpec) -> bool:
    return any(
        each.existence != "any" or each.when is not None or each.version or each.parents
        for each in effects_of(facts, pattern)
    )


def _again(case: Case, pattern: PatternSpec) -> str:
    """What a second attempt may meet when the first one was done and only its answer was lost."""
    match pattern.op:
        case "put" | None if only_creates(case.facts, pattern, pattern.entity):
            return "On a later attempt it may mean that the first one succeeded: compare the item."
        case "update" if not pattern.idempotent and (added := amounts_added(case.facts, pattern, pattern.entity)):
            return f"After a time-out do not send it again: it would add to {concat(added)} twice."
        case _:
            return ""
