"""Prints a service's access patterns and the requests of its operations, readably: placeholders are filled in.

    show_service(taskapp, {"open tasks": Task.by_employee("e1", status="open")})

Nothing here is needed to use Tablewright; `operation.params()` is the request as it will be sent.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import tablewright as tw

WIDTH = 120
LABEL_WIDTH = 12
PLACEHOLDER = re.compile(r"[#:]\w+")
Rows = Iterator[tuple[str, str]]

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
EXPRESSIONS = {
    "KeyConditionExpression": "key",
    "FilterExpression": "filter",
    "UpdateExpression": "update",
    "ConditionExpression": "only if",
    "ProjectionExpression": "attributes",
}
SHOWN_ELSEWHERE = {"TableName", "IndexName", "ExpressionAttributeNames", "ExpressionAttributeValues"}


class Shown(Protocol):
    """Any operation."""

    def params(self) -> Any: ...


def show_service(service: tw.Service, asked: Mapping[str, Shown]) -> None:
    """The table of access patterns, then what each operation asks of DynamoDB."""
    print(service.describe())
    show_requests(asked)


def show_requests(asked: Mapping[str, Shown]) -> None:
    for question, operation in asked.items():
        print(f"\n{question}")
        print("-" * min(len(question), WIDTH))
        for label, text in rows(operation):
            print_row(label, text)


def print_row(label: str, text: str) -> None:
    indent = " " * (LABEL_WIDTH + 1)
    print(textwrap.fill(text, WIDTH, initial_indent=f"{label:<{LABEL_WIDTH}} ", subsequent_indent=indent, **WRAPPING))


WRAPPING: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}


def rows(operation: Shown) -> Rows:
    params = operation.params()
    action = ACTIONS[type(operation).__name__]
    if isinstance(params, list):
        for request in params:
            yield from batch_rows(action, request)
    elif "TransactItems" in params:
        yield "operation", f"{action}, all or nothing"
        for member in params["TransactItems"]:
            for kind, request in member.items():
                yield from request_rows(kind, request)
    else:
        yield from request_rows(action, params)


def batch_rows(action: str, request: Mapping[str, Any]) -> Rows:
    for table, held in request["RequestItems"].items():
        members = held["Keys"] if isinstance(held, dict) else held
        yield "operation", f"{action} on table {table}, {len(members)} at once"
        for member in members:
            yield "", spelled(member)


def request_rows(action: str, params: Mapping[str, Any]) -> Rows:
    index = params.get("IndexName")
    yield "operation", f"{action} on {'index ' + index + ' of ' if index else ''}table {params['TableName']}"
    for name, value in params.items():
        if name in EXPRESSIONS:
            yield EXPRESSIONS[name], filled(value, params)
        elif name not in SHOWN_ELSEWHERE:
            yield name if name not in ("Key", "Item") else name.lower(), spelled(value)


def filled(expression: str, params: Mapping[str, Any]) -> str:
    """An expression with names and values in place of their placeholders."""
    names: Mapping[str, str] = params.get("ExpressionAttributeNames", {})
    values: Mapping[str, Any] = params.get("ExpressionAttributeValues", {})

    def fill(found: re.Match[str]) -> str:
        placeholder = found[0]
        return names[placeholder] if placeholder.startswith("#") else spelled(values[placeholder])

    return PLACEHOLDER.sub(fill, expression)


def spelled(value: Any) -> str:
    """A value as it would be read aloud: quoted texts, sorted sets, maps without ceremony."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        parts: dict[str, Any] = value
        return ", ".join(f"{name} = {spelled(each)}" for name, each in parts.items())
    if isinstance(value, set | frozenset):
        members: list[Any] = sorted(value)
        return "{" + ", ".join(map(spelled, members)) + "}"
    if isinstance(value, list):
        elements: list[Any] = value
        return "[" + ", ".join(map(spelled, elements)) + "]"
    return str(value)


if __name__ == "__main__":
    print(__doc__)
