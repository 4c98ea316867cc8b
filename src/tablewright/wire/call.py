"""One request to DynamoDB as a value: the operation's name and its parameters in DynamoDB's typed JSON."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

Params: TypeAlias = dict[str, Any]
Reply: TypeAlias = dict[str, Any]


class Call(msgspec.Struct, frozen=True):
    """`Call("GetItem", {"TableName": "app", "Key": {"pk": {"S": "a"}}})`."""

    action: str
    params: Params
