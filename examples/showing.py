"""Prints what examples tell: access patterns, the requests of operations (placeholders filled in), steps of a story.

    show_service(taskapp, {"open tasks": Task.by_employee("e1", status="open")})

Nothing here is needed to use Tablewright; `operation.params()` is the request as it will be sent.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Protocol

from tablewright.runtime.observing.request_text import request_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import tablewright as tw

WIDTH = 120
LABEL_WIDTH = 12

ACTIONS = {
    "Check": "ConditionCheck",
    "Delete": "DeleteItem",
    "DeleteFound": "Query, then BatchWriteItem",
    "Gather": "Query",
    "Get": "GetItem",
    "GetMany": "BatchGetItem",
    "Put": "PutItem",
    "Query": "Query",
    "Scan": "Scan",
    "Snapshot": "TransactGetItems",
    "Transaction": "TransactWriteItems",
    "Update": "UpdateItem",
    "Upsert": "UpdateItem",
    "WriteMany": "BatchWriteItem",
}


class Shown(Protocol):
    """Any operation."""

    def params(self) -> Any: ...


def show_service(service: tw.Service, asked: Mapping[str, Shown]) -> None:
    """The table of access patterns, then what each operation asks of DynamoDB."""
    print(service.describe())
    for question, operation in asked.items():
        show_request(question, operation)


def heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


def tell(what: str, answer: object) -> None:
    """One step of a story and what came of it."""
    print(textwrap.fill(f"{what}: {answer}", WIDTH, initial_indent="  ", subsequent_indent="      ", **WRAPPING))


def names(found: Iterable[str]) -> str:
    return ", ".join(found) or "nobody and nothing"


def show_request(question: str, operation: Shown, *, code: str = "") -> None:
    """One operation: the question, how it is asked in Python, and the request that answers it."""
    print(f"\n{question}")
    print("-" * min(len(question), WIDTH))
    if code:
        print_row("Python", code)
    for label, text in rows(operation):
        print_row(label, text)


def print_row(label: str, text: str) -> None:
    indent = " " * (LABEL_WIDTH + 1)
    print(textwrap.fill(text, WIDTH, initial_indent=f"{label:<{LABEL_WIDTH}} ", subsequent_indent=indent, **WRAPPING))


WRAPPING: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}


def rows(operation: Shown) -> Iterator[tuple[str, str]]:
    params: Any = operation.params()
    for request in [params] if hasattr(params, "keys") else params:
        yield from request_rows(ACTIONS[type(operation).__name__], request)


if __name__ == "__main__":
    print(__doc__)
