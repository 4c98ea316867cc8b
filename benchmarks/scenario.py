"""The work that every contender does, as plain values.

A task belongs to a project (table key) and to an employee (index gsi1: employee, then status and creation time).

- query: the open tasks of an employee on gsi1, sort key by prefix, filtered by points.
- update: status, title and points set, views added to, on condition that the task still belongs to the employee. The
  status is part of gsi1's sort key, so that key is written too.

Values differ from call to call, so that nobody gains by remembering the last answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

SCENARIOS = ("query", "update")
START = datetime(2026, 1, 1, tzinfo=UTC)
CASES = 100


@dataclass(frozen=True, slots=True)
class Case:
    """The values of one call; `created_at` is the text of `created`, for contenders that store text."""

    project: str
    task_id: str
    employee: str
    title: str
    points: int
    created: datetime
    created_at: str


def case(number: int) -> Case:
    created = START + timedelta(minutes=number)
    text = created.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return Case(f"project{number}", f"t{number}", f"e{number}", f"Title {number}", 3 + number % 5, created, text)


ALL_CASES = tuple(case(number) for number in range(CASES))


class Builder(Protocol):
    """Builds the parameters of one request, as they would be handed to a DynamoDB client."""

    def __call__(self, case: Case, /) -> dict[str, Any]: ...


class Contender(Protocol):
    """A library in the race."""

    @property
    def name(self) -> str: ...

    def cpu_us(self, scenario: str, calls: int) -> float:
        """CPU time of one call in microseconds, averaged over `calls` calls."""
        ...

    def example(self, scenario: str) -> dict[str, Any]:
        """The request of the first case, to see that all contenders do the same work."""
        ...
