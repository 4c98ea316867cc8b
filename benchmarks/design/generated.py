"""Generated applications of any size: a forest of entities, and access patterns of the kinds that real ones have."""

from __future__ import annotations

import random
from typing import Any

STATUSES = ["new", "open", "waiting", "done"]
LISTS = ("of-parent", "of-owner", "by-status", "of-category", "changed", "by-label", "of-parent-by-status", "tree")
WRITES = ("put", "update", "delete")
PLANNED = (
    "batch",
    "through",
    "beside",
    "newest",
    "with-parent",
    "count",
    "count-behind",
    "steps",
    "overlaps",
    "walk",
    "hot",
)
"""What is asked besides where all plans are on: each has a way of its own to be stored or read."""
KINDS = ("get", "of-parent", "put", "of-owner", "tree", "update", "by-status", "changed", "of-category")


def generated_spec(entities: int, patterns: int, seed: int = 0, *, plans: bool = False) -> dict[str, Any]:
    """Every entity is got by its id first; the further patterns are dealt out by kind."""
    kinds = (*LISTS, *WRITES, *(PLANNED if plans else ()))
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    parents = {number: chance.randrange(number) if number % 5 else None for number in range(entities)}
    wanted: list[dict[str, Any]] = []
    turn = 0
    while len(wanted) < patterns:
        number = turn % entities
        kind = KINDS[0] if turn < entities else chance.choice(kinds)
        pattern = pattern_of(kind, number, parents, chance, len(wanted))
        turn += 1
        if pattern is not None and not any(same(pattern, other) for other in wanted):
            wanted.append(pattern)
        elif turn > 50 * patterns:
            break  # all there is to ask has been asked
    return {
        "name": f"generated-{entities}-{patterns}",
        "entities": {name_of(number): entity_of(number, parents, plans=plans) for number in range(entities)},
        "relationships": [
            {"from": name_of(parent), "to": name_of(number), "kind": "one-to-many", "avg": 8}
            for number, parent in parents.items()
            if parent is not None
        ],
        "access_patterns": wanted,
    }


def name_of(number: int) -> str:
    return f"Thing{number:02}"


def id_of(number: int) -> str:
    return f"thing{number:02}Id"


def entity_of(number: int, parents: dict[int, int | None], *, plans: bool = False) -> dict[str, Any]:
    parent = parents[number]
    return {
        "id": [id_of(number)],
        "attributes": {
            id_of(number): "string",
            **({id_of(parent): {"type": "string", "required": True}} if parent is not None else {}),
            "ownerId": {"type": "string", "cardinality": 5000, "required": True},
            "status": {"type": "string", "values": STATUSES, "required": True},
            "category": {"type": "string", "cardinality": 40},
            "label": {"type": "string", "cardinality": 300},
            "createdAt": {"type": "timestamp", "required": True, "immutable": True},
            "changedAt": "timestamp",
            "amount": "number",
            **(_planned_attributes(number, len(parents)) if plans else {}),
        },
        "count": 20_000 if parent is None else 160_000,
    }


def _planned_attributes(number: int, entities: int) -> dict[str, Any]:
    return {
        "title": {"type": "string", "required": True, "immutable": number % 2 == 0, "size_bytes": 40},
        "aboutId": {"references": name_of((number + 1) % entities), "required": True, "immutable": True},
        "points": {"type": "number", "required": True, "validate": {"min": 0, "max": 1000}},
        "startsAt": {"type": "timestamp", "required": True},
        "endsAt": {"type": "timestamp", "required": True},
        f"added{number:02}At": {"type": "timestamp", "required": True, "immutable": True},
        "seenAt": {"type": "timestamp", "required": True, "immutable": True, "since": "2024-01-01"},
    }


def planned_forms(number: int, parents: dict[int, int | None]) -> dict[str, dict[str, Any] | None]:
    """Patterns for which there is a plan of their own."""
    parent = parents[number]
    own, name = id_of(number), name_of(number)
    under = id_of(parent) if parent is not None else None
    above, about = name_of(parent or 0), name_of((number + 1) % len(parents))
    newest = [{"attr": "createdAt", "order": "desc"}]
    added = [{"attr": f"added{number:02}At", "order": "desc"}]
    beside = {"entities": [above, name], "sort": added, "limit": {name: 10}}
    steps = {"aggregate": "count", "range": {"attr": "points", "op": "gt", "step": 50}, "stale": "20s"}
    overlaps = {"start": "startsAt", "end": "endsAt", "longest": "7d"}
    return {
        "batch": {"kind": "batch", "by": [own], "items": 30},
        "through": {"kind": "query", "entity": about, "through": f"{name}.aboutId", "by": ["ownerId"], "limit": 20},
        "beside": {"kind": "query", "by": [under], **beside} if under else None,
        "newest": {"kind": "get", "by": [under], "sort": newest} if under else None,
        "with-parent": {"kind": "query", "by": ["ownerId"], "limit": 20, "returns": [own, "status", f"{above}.title"]}
        if under
        else None,
        "count": {"kind": "get", "by": ["ownerId", "status"], "aggregate": "count"},
        "count-behind": {"kind": "get", "by": ["category"], "aggregate": "count", "stale": "10s"},
        "steps": {"kind": "query", "by": ["category"], **steps},
        "overlaps": {"kind": "query", "by": ["ownerId"], "overlaps": overlaps, "sort": "startsAt"},
        "walk": {"kind": "query", "by": [], "sort": [{"attr": "seenAt", "order": "desc"}], "limit": 50},
        "hot": {"kind": "get", "by": [own], "rate": {"avg": 40, "peak": 9000}, "skew": "hottest 90%"},
    }


def pattern_of(
    kind: str, number: int, parents: dict[int, int | None], chance: random.Random, serial: int
) -> dict[str, Any] | None:
    parent = parents[number]
    own, name = id_of(number), name_of(number)
    under = id_of(parent) if parent is not None else None
    newest = [{"attr": "createdAt", "order": "desc"}]
    common = {"id": f"AP{serial:03}", "rate": chance.choice([0.5, 2, 10, 40]), "entity": name}
    forms: dict[str, dict[str, Any] | None] = {
        "get": {"kind": "get", "by": [own]},
        "of-parent": {"kind": "query", "by": [under], "sort": newest, "limit": 25} if under else None,
        "of-owner": {"kind": "query", "by": ["ownerId"], "sort": newest, "limit": 25},
        "by-status": {"kind": "query", "by": ["ownerId", "status"], "sort": newest, "limit": 25},
        "of-category": {"kind": "query", "by": ["category"], "range": {"attr": "createdAt", "op": "between"}},
        "changed": {"kind": "query", "by": ["ownerId"], "range": {"attr": "changedAt", "op": "gte"}},
        "by-label": {"kind": "query", "by": ["label"], "limit": 10},
        "of-parent-by-status": {"kind": "query", "by": [under, "status"], "limit": 25} if under else None,
        "tree": {"kind": "query", "by": [under], "entities": [name_of(parent or 0), name]} if under else None,
        "put": {"kind": "write", "op": "put", "by": [own]},
        "update": {"kind": "write", "op": "update", "by": [own], "changes": ["status", "changedAt", "amount"]},
        "delete": {"kind": "write", "op": "delete", "by": [own]},
        **planned_forms(number, parents),
    }
    form = forms[kind]
    if not form:
        return None
    pattern = {**common, **form}
    if "entities" in pattern:
        del pattern["entity"]
    return pattern


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    hidden = ("id", "rate")
    return {k: v for k, v in one.items() if k not in hidden} == {k: v for k, v in other.items() if k not in hidden}
