"""Prints a service's access patterns and the requests of its operations, readably: placeholders are filled in.

    show_service(taskapp, {"open tasks": Task.by_employee("e1", status="open")})

Nothing here is needed to use Tablewright; `operation.params()` is the request as it will be sent.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Any, Protocol

from tablewright.schema.keys import key_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import tablewright as tw

WIDTH = 120
LABEL_WIDTH = 12
PLACEHOLDER = re.compile(r"[#:]\w+")

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
    for question, operation in asked.items():
        show_request(question, operation)


def show_patterns(service: tw.Service) -> None:
    """The access patterns with their keys, in 120 columns."""
    table = [("access pattern", "index", "partition key", "sort key")]
    for name, entity in service.schema.entities.items():
        for each in entity.patterns:
            pk, sk = key_pattern(entity, each, "pk"), key_pattern(entity, each, "sk")
            table.append((f"{name}.{each.name}", each.index or "table", pk, sk))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    table.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2], "-" * widths[3]))
    print(f"Service {service.name}, table {service.table.name}\n")
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


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
    params = operation.params()
    action = ACTIONS[type(operation).__name__]
    if action.startswith("Batch"):
        for request in params:
            yield from batch_rows(action, request)
    elif "TransactItems" in params:
        yield "operation", f"{action}, all or nothing"
        for member in params["TransactItems"]:
            for kind, request in member.items():
                yield from request_rows(kind, request)
    else:
        yield from request_rows(action, params)


def batch_rows(action: str, request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for table, held in request["RequestItems"].items():
        members = held["Keys"] if action == "BatchGetItem" else held
        yield "operation", f"{action} on table {table}, {len(members)} at once"
        for member in members:
            yield from member_rows(member)


def member_rows(member: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A key to get, an item to put, or a key to delete."""
    if "PutRequest" in member:
        yield "put", fields(member["PutRequest"]["Item"])
    elif "DeleteRequest" in member:
        yield "delete", fields(member["DeleteRequest"]["Key"])
    else:
        yield "get", fields(member)


def request_rows(action: str, params: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    index = params.get("IndexName")
    yield "operation", f"{action} on {'index ' + index + ' of ' if index else ''}table {params['TableName']}"
    for name, value in params.items():
        if name in EXPRESSIONS:
            yield EXPRESSIONS[name], filled(value, params)
        elif name not in SHOWN_ELSEWHERE:
            label, spell = SETTINGS.get(name, (name, spelled))
            yield label, spell(value)


def filled(expression: str, params: Mapping[str, Any]) -> str:
    """An expression with names and values in place of their placeholders."""
    names: Mapping[str, str] = params.get("ExpressionAttributeNames", {})
    values: Mapping[str, Any] = params.get("ExpressionAttributeValues", {})

    def fill(found: re.Match[str]) -> str:
        placeholder = found[0]
        return names[placeholder] if placeholder.startswith("#") else spelled(values[placeholder])

    return PLACEHOLDER.sub(fill, expression)


def spelled(value: object) -> str:
    """A value as it would be read aloud: quoted texts, sorted sets, maps without ceremony."""
    return SPELLINGS.get(type(value), str)(value)


def listed(values: Iterable[Any]) -> str:
    return ", ".join(map(spelled, values))


def fields(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {spelled(each)}" for name, each in values.items())


SPELLINGS: dict[type, Callable[[Any], str]] = {
    str: lambda value: f'"{value}"',
    dict: lambda value: "{" + fields(value) + "}",
    set: lambda value: "{" + listed(sorted(value)) + "}",
    list: lambda value: "[" + listed(value) + "]",
}

SETTINGS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "Key": ("key", fields),
    "Item": ("item", fields),
    "Limit": ("page", lambda limit: f"{limit} items at most"),
    "ScanIndexForward": ("order", lambda ascending: "ascending" if ascending else "descending"),
    "ConsistentRead": ("consistent", str),
    "ReturnValues": ("returns", str),
}


if __name__ == "__main__":
    print(__doc__)
