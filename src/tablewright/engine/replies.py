"""Replies as operations make them: what was stored is still text in them."""

from __future__ import annotations

from typing import Any

import msgspec

_decode = msgspec.json.Decoder().decode


def decode_reply(reply: Any) -> Any:
    """The reply, or a part of it, with every stored text read."""
    if isinstance(reply, msgspec.Raw):
        return _decode(reply)
    if isinstance(reply, dict):
        return {name: decode_reply(value) for name, value in reply.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(reply, list):
        members: list[Any] = reply  # pyright: ignore[reportUnknownVariableType]
        return [_decode(each) if each.__class__ is msgspec.Raw else decode_reply(each) for each in members]
    return reply
