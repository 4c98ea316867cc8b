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
        yield from _batch_rows(action, params)
    elif "TransactItems" in params:
        yield "operation", f"{action}, all or nothing"
        for member in params["TransactItems"]:
            for kind, request in member.items():
                yield from _single_rows(kind, request)
    else:
        yield from _single_rows(action, params)


def _single_rows(action: str, params: Params) -> Iterator[Row]:
    index = params.get("IndexName")
    place = f"index {index} of table {params.get('TableName')}" if index else f"table {params.get('TableName')}"
    yield "operation", f"{action} on {place}"
    for name, value in params.items():
        if name in EXPRESSIONS:
            yield EXPRESSIONS[name], filled(value, params)
        elif name not in NOT_SHOWN:
            label, spell = SETTINGS.get(name, (name, _spelled))
            yield label, spell(value)


def _batch_rows(action: str, params: Params) -> Iterator[Row]:
    for table, held in params["RequestItems"].items():
        members = held["Keys"] if action == "BatchGetItem" else held
        yield "operation", f"{action} on table {table}, {len(members)} at once"
        for member in members:
            yield _member_row(member)


def _member_row(member: Params) -> Row:
    """A key to get, an item to put, or a key to delete."""
    if "PutRequest" in member:
        return "put", _fields(member["PutRequest"]["Item"])
    if "DeleteRequest" in member:
        return "delete", _fields(member["DeleteRequest"]["Key"])
    return "get", _fields(member)


def filled(expression: str, params: Params) -> str:
    """An expression with names and values in place of their placeholders."""
    names: Mapping[str, str] = params.get("ExpressionAttributeNames", {})
    values: Params = params.get("ExpressionAttributeValues", {})

    def fill(found: re.Match[str]) -> str:
        placeholder = found[0]
        if placeholder.startswith("#"):
            return names.get(placeholder, placeholder)
        return _spelled(values[placeholder]) if placeholder in values else placeholder

    return PLACEHOLDER.sub(fill, expression)


def _spelled(value: object) -> str:
    """A value as it would be read aloud: quoted texts, sorted sets, maps without ceremony."""
    return SPELLINGS.get(type(value), str)(value)


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(_spelled, values))


def _fields(values: Params) -> str:
    return ", ".join(f"{name} = {_spelled(each)}" for name, each in values.items())


SPELLINGS: dict[type, Callable[[Any], str]] = {
    str: lambda value: f'"{value}"',
    dict: lambda value: "{" + _fields(value) + "}",
    set: lambda value: "{" + _listed(sorted(value)) + "}",
    list: lambda value: "[" + _listed(value) + "]",
}

SETTINGS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "Key": ("key", _fields),
    "Item": ("item", _fields),
    "Limit": ("page", lambda limit: f"{limit} items at most"),
    "ScanIndexForward": ("order", lambda ascending: "ascending" if ascending else "descending"),
    "ConsistentRead": ("consistent", str),
    "ReturnValues": ("returns", str),
}
