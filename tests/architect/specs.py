"""Specs to test with: published applications, and small random ones to compare with brute force and with proofs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
"""Published applications, each with an expert's design to be measured by."""

NAMES = ("a", "b", "c", "d")


def random_spec(seed: int, *, entities: int = 2, patterns: int = 4) -> dict[str, Any]:
    chance = random.Random(seed)
    names = [f"E{number}" for number in range(entities)]
    return {
        "name": f"random-{seed}",
        "entities": {name: random_entity(chance, name) for name in names},
        "access_patterns": [random_pattern(chance, number, names) for number in range(patterns)]
        + [{"id": f"put-{name}", "kind": "write", "op": "put", "entity": name, "by": ["id"]} for name in names],
    }


def random_entity(chance: random.Random, name: str) -> dict[str, Any]:
    attributes: dict[str, Any] = {"id": "string"}
    for attribute in NAMES:
        attributes[attribute] = {
            "type": chance.choice(["string", "timestamp", "number"]),
            "cardinality": chance.choice([2, 10, 200]),
            "required": chance.random() < 0.5,
        }
    return {"id": ["id"], "attributes": attributes, "count": chance.choice([100, 1000])}


def random_pattern(chance: random.Random, number: int, names: list[str]) -> dict[str, Any]:
    pattern: dict[str, Any] = {"id": f"P{number}", "kind": "query", "rate": chance.choice([0.1, 1, 20])}
    if chance.random() < 0.25 and len(names) > 1:
        pattern["entities"] = chance.sample(names, 2)
    else:
        pattern["entity"] = chance.choice(names)
    inputs = chance.sample(("id", *NAMES), chance.choice([1, 1, 2]))
    pattern["by"] = inputs
    others = [name for name in NAMES if name not in inputs]
    if "entity" in pattern and chance.random() < 0.5:
        attribute = chance.choice(others)
        if chance.random() < 0.5:
            pattern["range"] = {"attr": attribute, "op": chance.choice(["between", "gte", "lt", "gt", "lte"])}
        if chance.random() < 0.6:
            pattern["sort"] = [{"attr": attribute, "order": chance.choice(["asc", "desc"])}]
    return pattern


def rich_spec(seed: int, *, entities: int = 2, patterns: int = 3) -> dict[str, Any]:
    """Like `random_spec`, with ids of two parts, which may be copied, and writes that may not know the whole key."""
    chance = random.Random(1000 + seed)
    spec = random_spec(seed, entities=entities, patterns=patterns)
    for name, entity in spec["entities"].items():
        if chance.random() < 0.5:
            entity["id"] = ["id", "a"]
            del entity["attributes"]["a"]["required"]
        if chance.random() < 0.7:
            op = chance.choice(["update", "delete"])
            by = chance.choice([["id"], ["id", "a"], ["id", "b"]])
            spec["access_patterns"].append(
                {"id": f"{op}-{name}", "kind": "write", "op": op, "entity": name, "by": by, "changes": ["d"]}
                if op == "update"
                else {"id": f"{op}-{name}", "kind": "write", "op": op, "entity": name, "by": by}
            )
    for pattern in spec["access_patterns"]:
        if pattern["kind"] == "query" and chance.random() < 0.15:
            pattern["consistency"] = "strong"
    return with_overlaps(seed, with_listed(seed, spec))


def with_overlaps(seed: int, spec: dict[str, Any]) -> dict[str, Any]:
    """Some with a list of what overlaps with a window, in order or not, of times or of numbers."""
    chance = random.Random(f"overlaps {seed}")
    queries = [each for each in spec["access_patterns"] if each["kind"] == "query" and "entity" in each]
    plain = [each for each in queries if "through" not in each]
    if not plain or chance.random() < 0.6:
        return spec
    asked, (kind, longest) = chance.choice(plain), chance.choice([("timestamp", "3d"), ("number", 10)])
    lasting = {"type": kind, "required": chance.random() < 0.6}
    spec["entities"][asked["entity"]]["attributes"] |= {"begins": lasting, "ends": dict(lasting)}
    asked |= {"overlaps": {"start": "begins", "end": "ends", "longest": longest}}
    asked.pop("range", None)
    asked.pop("sort", None)
    asked |= chance.choice([{}, {"sort": "begins"}, {"sort": "begins desc", "limit": 5}, {"filter": {"d": "param"}}])
    if "d" in asked["by"]:
        asked.pop("filter", None)
    return spec


def with_listed(seed: int, spec: dict[str, Any]) -> dict[str, Any]:
    """Some with a list of one entity that answers with what its items name, of another one."""
    chance = random.Random(f"lists {seed}")
    queries = [each for each in spec["access_patterns"] if each["kind"] == "query" and "entity" in each]
    named = [name for name, entity in spec["entities"].items() if entity["id"] == ["id"]]
    if not queries or not named or chance.random() < 0.5:
        return spec
    pattern, item = chance.choice(queries), chance.choice(named)
    entry = pattern["entity"]
    spec["entities"][entry]["attributes"]["ref"] = {"required": True, "references": item}
    pattern |= {"entity": item, "through": f"{entry}.ref"}
    pattern |= {"limit": 10} if chance.random() < 0.5 else {}
    return spec
