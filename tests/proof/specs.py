"""Random specs with writes of every kind: conditional, partial, located, moving index entries, in transactions."""

from __future__ import annotations

import random
from typing import Any

from tests.architect.specs import NAMES, random_spec


def writing_spec(seed: int, *, entities: int = 2, patterns: int = 4, style: str = "plain") -> dict[str, Any]:
    chance = random.Random(seed)
    spec = random_spec(seed, entities=entities, patterns=patterns)
    names = list(spec["entities"])
    one_type_per_name(spec["entities"])
    spec["access_patterns"] += [write for name in names for write in writes_of(chance, name)]
    if chance.random() < 0.5 and len(names) > 1:
        spec["access_patterns"].append(together(chance, names))
    spec["constraints"] = {**spec.get("constraints", {}), "key_style": style}
    return spec


def one_type_per_name(entities: dict[str, Any]) -> None:
    """What is called the same in two entities is the same kind of value."""
    first, *others = entities.values()
    for each in others:
        for name in NAMES:
            each["attributes"][name]["type"] = first["attributes"][name]["type"]


def writes_of(chance: random.Random, name: str) -> list[dict[str, Any]]:
    about = {"kind": "write", "entity": name, "by": ["id"]}
    changed = chance.sample(NAMES, chance.choice([1, 2]))
    found: list[dict[str, Any]] = [
        {**about, "id": f"create-{name}", "op": "put", "condition": "not exists"},
        {**about, "id": f"delete-{name}", "op": "delete"},
        {**about, "id": f"set-{name}", "op": "update", "changes": changed},
        {**about, "id": f"edit-{name}", "op": "update"},
        {**about, "id": f"claim-{name}", "op": "update", "changes": changed[:1], "when": "attribute_exists(d)"},
    ]
    return chance.sample(found, 3)


def together(chance: random.Random, names: list[str]) -> dict[str, Any]:
    one, other = chance.sample(names, 2)
    return {
        "id": "together",
        "kind": "write",
        "op": "transact",
        "ops": {name: {"op": "update", "changes": chance.sample(NAMES, 2)} for name in (one, other)},
        "by": ["id"],
    }
