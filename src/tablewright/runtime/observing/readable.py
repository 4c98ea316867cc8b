"""Requests as people read them: expressions with names and values in place of their placeholders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

Params: TypeAlias = Mapping[str, Any]
Row: TypeAlias = tuple[str, str]  # a label, and what there is to say

PLACEHOLDER = re.compile(r"[#:]\w+")

EXPRESSIONS = {
    "KeyConditionExpression": "key",
    "FilterExpression": "filter",
    "UpdateExpression": "update",
    "ConditionExpression": "only if",
    "ProjectionExpression": "attributes",
}
NOT_SHOWN = frozenset(
    {
        "TableName",
        "IndexName",
        "ExpressionAttributeNames",
        "ExpressionAttributeValues",
        "ExclusiveStartKey",
        "ClientRequestToken",
        "ReturnConsumedCapacity",
        "ReturnValuesOnConditionCheckFailure",
    }
)


def request_rows(action: str, params: Params) -> Iterator[Row]:
    """What a request (with plain values) asks for, in rows: first what is done and where, then the details."""
    if "RequestItems" in params:
        yield from batch_rows(action, params)
    elif "TransactItems" in params:
        yield "operation", f"{action}, all or nothing"
        for member in params["TransactItems"]:
            for kind, request in member.items():
                yield from single_rows(kind, request)
    else:
        yield from single_rows(action, params)


def single_rows(action: str, params: Params) -> Iterator[Row]:
    index = params.get("IndexName")
    place = f"index {index} of table {params.get('TableName')}" if index else f"table {params.get('TableName')}"
    yield "operation", f"{action} on {place}"
    for name, value in params.items():
        if name in EXPRESSIONS:
            yield EXPRESSIONS[name], filled(value, params)
        elif name not in NOT_SHOWN:
            label, spell = SETTINGS.get(name, (name, spelled))
            yield label, spell(value)


def batch_rows(action: str, params: Params) -> Iterator[Row]:
    for table, held in params["RequestItems"].items():
        members = held["Keys"] if action == "BatchGetItem" else held
        yield "operation", f"{action} on table {table}, {len(members)} at once"
        for member in members:
            yield member_row(member)


def member_row(member: Params) -> Row:
    """A key to get, an item to put, or a key to delete."""
    if "PutRequest" in member:
        return "put", fields(member["PutRequest"]["Item"])
    if "DeleteRequest" in member:
        return "delete", fields(member["DeleteRequest"]["Key"])
    return "get", fields(member)


def filled(expression: str, params: Params) -> str:
    """An expression with names and values in place of their placeholders."""
    names: Mapping[str, str] = params.get("ExpressionAttributeNames", {})
    values: Params = params.get("ExpressionAttributeValues", {})

    def fill(found: re.Match[str]) -> str:
        placeholder = found[0]
        if placeholder.startswith("#"):
            return names.get(placeholder, placeholder)
        return spelled(values[placeholder]) if placeholder in values else placeholder

    return PLACEHOLDER.sub(fill, expression)


def spelled(value: object) -> str:
    """A value as it would be read aloud: quoted texts, sorted sets, maps without ceremony."""
    return SPELLINGS.get(type(value), str)(value)


def listed(values: Iterable[Any]) -> str:
    return ", ".join(map(spelled, values))


def fields(values: Params) -> str:
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
