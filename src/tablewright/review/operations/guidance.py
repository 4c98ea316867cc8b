"""How a caller pages through a pattern's answers, and which of its errors are worth another attempt."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.predict import predict
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.templates import BUCKET
from tablewright.design.wording import counted, joined, number, sentences
from tablewright.review.operations.traffic import lines_of, partitions_asked
from tablewright.review.upkeep.retrying import numbers_changed
from tablewright.review.upkeep.uniqueness import only_creates
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS, MAX_PAGE_BYTES

if TYPE_CHECKING:
    from tablewright.architect.assembly.requests import ReadRequest
    from tablewright.architect.solution import Solution
    from tablewright.design.cost.report import CostReport
    from tablewright.design.cost.units.prediction import Prediction
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


class Guidance(msgspec.Struct, frozen=True):
    """What a caller should know about a pattern."""

    paging: str
    retries: str


def guidance(solution: Solution, cost: CostReport) -> dict[str, Guidance]:
    """For every pattern as it was written; a read in several steps has something to say for each."""
    known = {each.id: each for each in (*solution.spec.patterns, *solution.facts.implied)}
    volumes = estimate(solution.layout)
    found: dict[str, Guidance] = {}
    for id_, line in lines_of(cost).items():
        steps = [known[part.pattern] for part in solution.rewritten.parts(id_)]
        pages = [paging(solution, each, predict(solution.layout, each.id, volumes)) for each in steps]
        found[id_] = Guidance(" Then: ".join(pages), retries(solution, steps[0], line.prediction))
    return found


# ---- pages ----------------------------------------------------------------------------------------------------------


def paging(solution: Solution, pattern: PatternSpec, found: Prediction) -> str:
    """Page size, cursor, and when to stop."""
    if not pattern.is_read:
        return ""
    request = solution.requests[pattern.id]
    if request.operation == "GetItem":
        return "One item: nothing to page."
    return sentences(
        size_of_page(request, found),
        partitions(request),
        cursor(request, found),
        stop(request),
        f"The items follow by BatchGetItem, {MAX_BATCH_GET_ITEMS} keys a request; send UnprocessedKeys again."
        if request.then
        else "",
    )


def size_of_page(request: ReadRequest, found: Prediction) -> str:
    each = found.bytes_read / found.items if found.items else 0.0
    if request.limit is not None and not request.filters:
        units = read_rcu(ceil(each * request.limit), consistent=request.consistent)
        return f"Ask with Limit {request.limit}: {counted(units, 'read unit')} a page."
    if found.items <= 1:
        return "Usually one item; no Limit needed."
    fit = max(1, floor(MAX_PAGE_BYTES / each)) if each else SCREEN
    size = min(SCREEN, fit)
    if found.items <= size:
        return (
            f"About {counted(found.items, 'item')}, {kilobytes(found.bytes_read)}: usually one page, no Limit needed."
        )
    units = read_rcu(ceil(each * size), consistent=request.consistent)
    return (
        f"About {counted(found.items, 'item')} of {number(round(each))} bytes, and {number(fit)} fit the 1 MB of a page"
        f": ask with Limit {size} ({counted(units, 'read unit')}) and show page by page."
    )


def kilobytes(size: float) -> str:
    return f"{number(round(size / 1024, 1))} KB"


def partitions(request: ReadRequest) -> str:
    """Several partitions are asked for one answer: each has a cursor of its own."""
    asked = partitions_asked(request)
    if BUCKET in request.for_each:
        first = "newest" if request.backwards else "oldest"
        return f"Ask bucket after bucket, the {first} first, until enough is found; the cursor names its bucket."
    if asked <= 1:
        return ""
    return (
        f"Ask all {asked} partitions at once, each with its own cursor, and merge by the sort key; a page of the answer"
        f" keeps {asked} cursors."
    )


def cursor(request: ReadRequest, found: Prediction) -> str:
    if request.limit is None and found.items <= 1:
        return ""
    return "The cursor is LastEvaluatedKey, handed back as ExclusiveStartKey."


def stop(request: ReadRequest) -> str:
    if request.filters:
        wanted = f"{request.limit} items are found or " if request.limit else ""
        return f"Limit counts before the filter, so pages can be short or empty: go on until {wanted}no cursor is left."
    if request.limit is not None:
        return "Stop when enough is found; no LastEvaluatedKey means the end, a short page does not."
    return "No LastEvaluatedKey means the end; an empty page does not."


# ---- retries --------------------------------------------------------------------------------------------------------


def retries(solution: Solution, pattern: PatternSpec, found: Prediction) -> str:
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
        "Not ConditionalCheckFailedException: that is an answer." if has_condition(pattern) else "",
        again(solution, pattern),
    )


def has_condition(pattern: PatternSpec) -> bool:
    return pattern.op == "update" or bool(pattern.when) or only_creates(pattern)


def again(solution: Solution, pattern: PatternSpec) -> str:
    """What a second attempt may meet when the first one was done and only its answer was lost."""
    match pattern.op:
        case "put" | None if only_creates(pattern):
            return "On a later attempt it may mean that the first one succeeded: compare the item."
        case "update" if numbers := numbers_changed(solution, pattern, pattern.entity):
            return f"After a time-out do not send it again where it adds to {joined(numbers)}."
        case _:
            return ""
