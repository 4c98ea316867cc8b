"""Requests a second at peak by operation and place, and which operation a pattern sends: what thresholds rest on."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from tablewright.design.cost.units.entries import TABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.assembly.requests import ReadRequest
    from tablewright.architect.solution import Solution
    from tablewright.design.cost.lines import PatternCost
    from tablewright.design.cost.report import CostReport
    from tablewright.spec.model import PatternSpec

WRITES = {"put": "PutItem", "update": "UpdateItem", "delete": "DeleteItem", None: "PutItem"}


def patterns_of(solution: Solution) -> tuple[PatternSpec, ...]:
    """As they were written, and what is implied: all that the bill counts."""
    return (*solution.asked.spec.patterns, *solution.asked.implied)


def requests_of(solution: Solution, id_: str) -> list[ReadRequest]:
    """What a read sends, step by step."""
    first = [solution.requests[part.pattern] for part in solution.rewritten.parts(id_)]
    return [step for request in first for step in (request, request.then) if step is not None]


def written_as(solution: Solution, stored: str) -> str:
    """The pattern of the spec that a step belongs to."""
    found = (id_ for id_, parts in solution.rewritten.reads.items() if any(part.pattern == stored for part in parts))
    return next(found, stored)


def lines_of(cost: CostReport) -> Mapping[str, PatternCost]:
    return {each.pattern: each for each in cost.patterns}


def requests_by_operation(solution: Solution, cost: CostReport) -> dict[str, float]:
    """A second, all patterns at their peak; what a write looks up first is not counted."""
    lines, found = lines_of(cost), dict[str, float]()
    for pattern in patterns_of(solution):
        line = lines[pattern.id]
        for operation, times in operations_of(solution, pattern, line):
            found[operation] = found.get(operation, 0.0) + times * line.peak_per_second
    return found


def operations_of(solution: Solution, pattern: PatternSpec, line: PatternCost) -> list[tuple[str, float]]:
    """What one run of a pattern sends, and how often; the last step takes what the others leave of the requests."""
    if not pattern.is_read:
        operation = WRITES.get(pattern.op, "PutItem")
        return [("TransactWriteItems" if line.prediction.transactional else operation, 1.0)]
    steps = [(each.operation, float(partitions_asked(each))) for each in requests_of(solution, pattern.id)]
    *first, (last, times) = steps
    left = line.prediction.requests - sum(asked for _, asked in first)
    return [*first, (last, max(times, left))]


def partitions_asked(request: ReadRequest) -> int:
    """Shards, times the values of a fan-out."""
    if request.operation == "GetItem":
        return 1
    return request.shards * prod(len(each) for each in request.for_each.values() if each)


def requests_by_place(solution: Solution, cost: CostReport, kind: str) -> dict[str, float]:
    """Reads or writes a second that touch a place at peak: a write touches every index it keeps in step."""
    lines, found = lines_of(cost), dict[str, float]()
    for pattern in patterns_of(solution):
        line = lines[pattern.id]
        units = line.prediction.rcu_by_place if kind == "read" else line.prediction.wcu_by_place
        times = line.prediction.requests if pattern.is_read else 1.0
        for place in dict.fromkeys(metered(place) for place, each in units.items() if each):
            found[place] = found.get(place, 0.0) + times * line.peak_per_second
    return found


def metered(place: str) -> str:
    """The place under which CloudWatch counts it: a local index is part of its table."""
    return TABLE if place.startswith("lsi") else place
