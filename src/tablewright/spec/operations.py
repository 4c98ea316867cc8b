"""What a write does to each of its entities. A transaction may say it (`ops`); otherwise it is taken from the spec:

- an entity whose whole id the caller does not have is new;
- one that another write puts is there already, and is changed;
- so is the parent of another entity of the transaction that is named by its whole id (a like changes its post);
- every other one is new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.spec.model import PatternSpec, Spec

Operation: TypeAlias = Literal["put", "update", "delete"]
References: TypeAlias = "Mapping[str, Mapping[str, str]]"


def operation_in(spec: Spec, references: References, pattern: PatternSpec, entity: str) -> Operation:
    if pattern.op != "transact":
        return "put" if pattern.op is None else pattern.op
    said = pattern.ops.get(entity)
    if said is not None:
        return said
    return "put" if is_new(spec, references, pattern, entity) else "update"


def is_new(spec: Spec, references: References, pattern: PatternSpec, entity: str) -> bool:
    if not names_one(spec, pattern, entity):
        return True
    others = [each for each in spec.writes if each.id != pattern.id and entity in each.entities]
    if any(each.op == "put" or (each.op == "transact" and not names_one(spec, each, entity)) for each in others):
        return False
    return not any(
        other != entity and names_one(spec, pattern, other) and is_child(spec, references, other, entity)
        for other in pattern.entities
    )


def names_one(spec: Spec, pattern: PatternSpec, entity: str) -> bool:
    """Whether the caller has the whole id."""
    return set(spec.entities[entity].id) <= set(pattern.by)


def is_child(spec: Spec, references: References, child: str, parent: str) -> bool:
    return parent in references[child].values() or set(spec.entities[parent].id) < set(spec.entities[child].id)
