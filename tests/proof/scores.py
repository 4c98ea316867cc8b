"""An application whose first places may be behind: scores of games, which only ever get better."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design

if TYPE_CHECKING:
    from tablewright.design.model import Design

SCORE: dict[str, Any] = {
    "id": ["gameId", "userId"],
    "attributes": {
        "gameId": {"required": True, "cardinality": 50},
        "userId": "string",
        "points": {"type": "number", "required": True},
        "at": {"type": "timestamp", "required": True},
        "seen": "number",
        "replay": {"size_bytes": 1500},
    },
    "count": "1M",
}
BEST: dict[str, Any] = {
    "id": "best",
    "kind": "query",
    "entity": "Score",
    "by": "gameId",
    "sort": "points desc",
    "limit": 5,
    "returns": ["userId", "points"],
    "stale": "10s",
    "rate": 500,
}
MINE: dict[str, Any] = {"id": "mine", "kind": "get", "entity": "Score", "by": ["gameId", "userId"], "rate": 50}
_WRITE: dict[str, Any] = {"kind": "write", "entity": "Score", "by": ["gameId", "userId"]}
BEGIN: dict[str, Any] = {"id": "begin", **_WRITE, "op": "put", "condition": "not exists", "rate": 20}
BETTER: dict[str, Any] = {
    "id": "score",
    **_WRITE,
    "op": "update",
    "changes": ["points", "at"],
    "condition": "points less than {points}",
    "rate": 1000,
}
WATCH: dict[str, Any] = {"id": "watch", **_WRITE, "op": "update", "changes": ["seen"], "rate": 10}
SCORES: dict[str, Any] = {
    "name": "games",
    "entities": {"Score": SCORE},
    "access_patterns": [BEST, MINE, BEGIN, BETTER, WATCH],
}


@cache
def scores_design(style: str = "plain") -> Design:
    return design({**SCORES, "constraints": {"key_style": style}}, explain=False)
