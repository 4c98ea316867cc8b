"""NextToken: the place in a statement's reads, bound to the statement and its parameters, opaque to everyone else."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Annotated, Any

import msgspec

from tablewright.engine.faults import validation


class Place(msgspec.Struct, frozen=True):
    """Which of the reads comes next, and the key it starts behind."""

    request: str
    read: Annotated[int, msgspec.Meta(ge=0)] = 0
    key: dict[str, Any] | None = None


decode_place = msgspec.json.Decoder(Place).decode


def _digest(statement: str, parameters: Any) -> str:
    return sha256(msgspec.json.encode([statement, parameters or []])).hexdigest()[:32]


def first_place(params: dict[str, Any]) -> Place:
    """Where a request begins, which its NextToken says."""
    request = _digest(params["Statement"], params.get("Parameters"))
    token = params.get("NextToken")
    if token is None:
        return Place(request)
    try:
        place = decode_place(urlsafe_b64decode(token.encode()))
    except (ValueError, msgspec.MsgspecError):
        raise validation("Invalid NextToken") from None
    if place.request != request:
        raise validation("NextToken does not match request")
    return place


def to_token(place: Place) -> str:
    return urlsafe_b64encode(msgspec.json.encode(place)).decode()
