"""One request to DynamoDB as a value: the operation's name and its parameters in DynamoDB's typed JSON.

A reply is the JSON text that came back. Who asked knows best how to read it: into wire structs, into a dict, or hardly.
"""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import msgspec

Params: TypeAlias = dict[str, Any]
Reply: TypeAlias = bytes

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Params).decode


class Call(msgspec.Struct, frozen=True):
    """`Call("GetItem", {"TableName": "app", "Key": {"pk": {"S": "a"}}})`."""

    action: str
    params: Params
    once: bool = False  # never sent again when nobody knows whether it was carried out

    def text(self) -> bytes:
        """The parameters as they are sent."""
        return encode(self.params)


class Written(Call, frozen=True):
    """A call whose items were written as text before (`msgspec.Raw`), so that sending it takes little.

    Whoever looks at its parameters finds them as those of any other call; they are made for every look.
    """

    @property  # type: ignore[misc]
    def params(self) -> Params:  # pyright: ignore[reportIncompatibleVariableOverride]
        return decode(self.text())

    def text(self) -> bytes:
        return encode(given_params(self))


given_params = cast("Any", Call.params).__get__  # of a call, past any property
