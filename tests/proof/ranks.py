"""An application that asks how many are ahead, in steps and a little behind."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design
from tests.proof.scores import BEGIN, MINE, SCORE

if TYPE_CHECKING:
    from tablewright.design.model import Design

POINTS: dict[str, Any] = {"type": "number", "required": True, "validate": {"min": -100, "max": 10_000}}
RANKED: dict[str, Any] = {**SCORE, "attributes": {**SCORE["attributes"], "points": POINTS}}
AHEAD: dict[str, Any] = {
    "id": "ahead",
    "kind": "query",
    "entity": "Score",
    "by": "gameId",
    "range": {"attr": "points", "op": "gt", "step": 50},
    "aggregate": "count",
    "stale": "10s",
    "rate": 500,
}
_WRITE: dict[str, Any] = {"kind": "write", "entity": "Score", "by": ["gameId", "userId"]}
SAVE: dict[str, Any] = {**BEGIN, "id": "save", "condition": "", "rate": 10}
CHANGE: dict[str, Any] = {"id": "change", **_WRITE, "op": "update", "changes": ["points"], "rate": 50}
LEAVE: dict[str, Any] = {"id": "leave", **_WRITE, "op": "delete", "rate": 1}
RANKS: dict[str, Any] = {
    "name": "ranks",
    "entities": {"Score": RANKED},
    "access_patterns": [AHEAD, MINE, SAVE, CHANGE, LEAVE],
}


@cache
def ranks_design(style: str = "plain") -> Design:
    return design({**RANKS, "constraints": {"key_style": style}}, explain=False)
