"""An application whose counts and sums may be behind: votes on few polls, cast often."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design

if TYPE_CHECKING:
    from tablewright.design.model import Design

VOTE: dict[str, Any] = {
    "id": "voteId",
    "attributes": {
        "voteId": "string",
        "pollId": {"cardinality": 20, "presence": 0.9},
        "choice": {"values": ["a", "b", "c"], "required": True},
        "weight": {"type": "number"},
        "text": {"size_bytes": 1800},
    },
    "count": 100_000,
}
HOW_MANY: dict[str, Any] = {
    "id": "how-many",
    "kind": "query",
    "entity": "Vote",
    "by": "pollId",
    "aggregate": "count",
    "stale": "10s",
    "rate": 200,
}
WEIGHTS: dict[str, Any] = {
    "id": "weights",
    "kind": "query",
    "entity": "Vote",
    "by": ["pollId", "choice"],
    "aggregate": {"sum": "weight"},
    "stale": "1 min",
    "rate": 20,
}
CAST: dict[str, Any] = {"id": "cast", "kind": "write", "op": "put", "entity": "Vote", "by": "voteId", "rate": 300}
CHANGE: dict[str, Any] = {**CAST, "id": "change", "op": "update", "changes": ["pollId", "weight"], "rate": 10}
DROP: dict[str, Any] = {**CAST, "id": "drop", "op": "delete", "rate": 5}
ONE: dict[str, Any] = {"id": "one", "kind": "get", "entity": "Vote", "by": "voteId", "rate": 50}
VOTES: dict[str, Any] = {
    "name": "votes",
    "entities": {"Vote": VOTE},
    "access_patterns": [ONE, HOW_MANY, WEIGHTS, CAST, CHANGE, DROP],
}


@cache
def votes_design(style: str = "plain") -> Design:
    return design({**VOTES, "constraints": {"key_style": style}}, explain=False)
