"""Requests a second at peak by operation and place, and which operations a pattern sends: what thresholds rest on."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from tablewright.design.cost.traffic import metered_place

if TYPE_CHECKING:
    from tablewright.design.layout.layout import StoredRead
    from tablewright.review.case import Case
    from tablewright.spec.model import PatternSpec

WRITES = {"put": "PutItem", "update": "UpdateItem", "delete": "DeleteItem", None: "PutItem"}


def requests_by_operation(case: Case) -> dict[str, float]:
    """A second, all patterns at their peak; what a write looks up first is not counted."""
    found: dict[str, float] = {}
    for pattern in case.patterns:
        for operation, times in _operations_of(case, pattern):
            found[operation] = found.get(operation, 0.0) + times * case.lines[pattern.id].peak_per_second
    return found


def _operations_of(case: Case, pattern: PatternSpec) -> list[tuple[str, float]]:
    """What one run of a pattern sends, and how often; the last step takes what the others leave of the requests."""
    predicted = case.lines[pattern.id].prediction
    if not pattern.is_read:
        operation = WRITES.get(pattern.op, "PutItem")
        return [("TransactWriteItems" if predicted.transactional else operation, 1.0)]
    *first, (last, times) = _requests_of(case, pattern.id)
    left = predicted.requests - sum(asked for _, asked in first)
    return [*first, (last, max(times, left))]


def _requests_of(case: Case, pattern: str) -> list[tuple[str, float]]:
    """What a read sends, step by step: the operation, and how many partitions are asked."""
    found: list[tuple[str, float]] = []
    for part in case.layout.form.parts(pattern):
        read = case.layout.reads[part.pattern]
        found.append((read.operation, float(partitions_asked(read))))
        if read.fetches:
            found.append(("BatchGetItem", 1.0))
    return found


def partitions_asked(read: StoredRead) -> int:
    """Shards, times the values of a fan-out."""
    if read.operation == "GetItem":
        return 1
    return read.shards * prod(len(each) for each in read.for_each.values() if each)


def requests_by_place(case: Case, kind: str) -> dict[str, float]:
    """Reads or writes a second that touch a place at peak: a write touches every index it keeps in step."""
    found: dict[str, float] = {}
    for pattern in case.patterns:
        line = case.lines[pattern.id]
        units = line.prediction.rcu_by_place if kind == "read" else line.prediction.wcu_by_place
        times = line.prediction.requests if pattern.is_read else 1.0
        for place in dict.fromkeys(metered_place(place) for place, each in units.items() if each):
            found[place] = found.get(place, 0.0) + times * line.peak_per_second
    return found
