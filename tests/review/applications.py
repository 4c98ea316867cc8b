"""Small applications whose advice can be checked by hand. Keys are plain, sizes and counts are round."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.review.case import Case, cases_of

CASES = sorted((Path(__file__).parents[1] / "architect" / "cases").glob("*.yaml"))


def made(given: Any) -> Case:
    return published(given) if isinstance(given, Path) else fresh(given)


@cache
def published(path: Path) -> Case:
    return fresh(path)


def fresh(given: Any) -> Case:
    (case,) = cases_of(write_table(solve(given))).values()
    return case


def app(entities: dict[str, Any], *patterns: dict[str, Any], **top: Any) -> Case:
    constraints = {"key_style": "plain", **top.pop("constraints", {})}
    return made(
        {"name": "app", "entities": entities, "access_patterns": list(patterns), "constraints": constraints, **top}
    )


PROJECT: dict[str, Any] = {
    "id": "projectId",
    "attributes": {"projectId": "string", "ownerId": "string", "title": "string"},
    "count": 100,
    "size_bytes": 500,
}
TASK: dict[str, Any] = {
    "id": "taskId",
    "attributes": {
        "taskId": "string",
        "projectId": {"type": "string", "required": True, "immutable": True},
        "state": {"type": "string", "values": ["open", "done"], "required": True},
        "points": "number",
        "due": {"type": "timestamp", "required": True},
    },
    "count": 2000,
    "size_bytes": 1000,
}
HOLDS: dict[str, Any] = {"from": "Project", "to": "Task", "kind": "one-to-many", "avg": 20, "max": 150}
PROJECT_WITH_TASKS: dict[str, Any] = {
    "id": "board",
    "kind": "query",
    "entities": ["Project", "Task"],
    "by": "projectId",
    "rate": 10,
}
GET_TASK: dict[str, Any] = {"id": "task", "kind": "get", "entity": "Task", "by": "taskId", "rate": 5}
PUT_TASK: dict[str, Any] = {
    "id": "add",
    "kind": "write",
    "op": "put",
    "entity": "Task",
    "by": ["taskId", "projectId"],
    "rate": {"avg": 1, "peak": 4},
}


def board(*patterns: dict[str, Any], holds: dict[str, Any] | None = None, **top: Any) -> Case:
    """Projects with their tasks in one partition."""
    project, task = {**PROJECT, **top.pop("project", {})}, {**TASK, **top.pop("task", {})}
    relationships = [{**HOLDS, **(holds or {})}]
    entities = {"Project": project, "Task": task, **top.pop("entities", {})}
    return app(entities, PROJECT_WITH_TASKS, *patterns, relationships=relationships, **top)


# ---- events of devices ----------------------------------------------------------------------------------------------

EVENT: dict[str, Any] = {
    "id": ["device", "time"],
    "attributes": {"device": {"type": "string", "cardinality": 1000}, "time": "timestamp", "kind": "string"},
    "count": 1_000_000,
    "size_bytes": 500,
}
LAST: dict[str, Any] = {
    "id": "last",
    "kind": "query",
    "entity": "Event",
    "by": "device",
    "sort": "time desc",
    "limit": 10,
}
PUT_EVENT: dict[str, Any] = {"id": "put", "kind": "write", "op": "put", "entity": "Event", "by": ["device", "time"]}


def events(
    *,
    read: float = 100,
    wrote: float = 50,
    put: dict[str, Any] | None = None,
    last: dict[str, Any] | None = None,
    **top: Any,
) -> Case:
    """Events put and the last ten of a device read, five and four times as often at peak; one unit each."""
    return app(
        {"Event": EVENT},
        {**LAST, "rate": {"avg": read, "peak": 5 * read}, **(last or {})},
        {**PUT_EVENT, "rate": {"avg": wrote, "peak": 4 * wrote}, **(put or {})},
        **top,
    )
