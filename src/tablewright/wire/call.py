"""One request to DynamoDB as a value: the operation's name and its parameters in DynamoDB's typed JSON.

A reply is the JSON text that came back. Who asked knows best how to read it: into wire structs, into a dict, or hardly.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

Params: TypeAlias = dict[str, Any]
Reply: TypeAlias = bytes


class Call(msgspec.Struct, frozen=True):
    """`Call("GetItem", {"TableName": "app", "Key": {"pk": {"S": "a"}}})`."""

    action: str
    params: Params
    once: bool = False  # never sent again when nobody knows whether it was carried out
