"""What makes an id and unique attributes unique, as far as anything does.

A second item with the same key is refused (attribute_not_exists) or replaces the first. That is the same id only where
the key holds nothing but the id: a key with more accepts the same id once for every value of the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.conditions import creates
from tablewright.design.wording import counted, joined, sentences
from tablewright.design.writes import changed_by, operation_on
from tablewright.wire.capacity import write_wcu

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution
    from tablewright.design.cost.units.entries import Entry
    from tablewright.spec.model import PatternSpec


def uniqueness(solution: Solution, pattern: PatternSpec, entries: tuple[Entry, ...]) -> str:
    return sentences(
        *(of_id(solution, name, pattern) for name in pattern.entities if is_put(solution, pattern, name)),
        *(of_sentinel(solution, pattern, each) for each in entries if each.owner in pattern.entities),
    )


def is_put(solution: Solution, pattern: PatternSpec, entity: str) -> bool:
    return operation_on(solution.facts, pattern, entity) == "put"


def only_creates(pattern: PatternSpec) -> bool:
    """Whether the design puts with attribute_not_exists: where the spec says so, and in transactions."""
    return pattern.op == "transact" or creates(pattern.condition, pattern.description)


def beyond_id(solution: Solution, entity: str) -> tuple[str, ...]:
    """What the table key holds besides the id; nothing where the key, or a sentinel, enforces the id."""
    ids = solution.spec.entities[entity].id
    along = (each for each in solution.spec.entities.values() if each.kind == "sentinel" and each.of == entity)
    if any(each.id == ids for each in along):
        return ()
    return tuple(name for name in solution.choice.base[entity].attributes if name not in ids)


def of_id(solution: Solution, entity: str, pattern: PatternSpec) -> str:
    ids, more = joined(solution.spec.entities[entity].id), beyond_id(solution, entity)
    if not more and set(solution.choice.base[entity].attributes) != set(solution.spec.entities[entity].id):
        return ""  # a sentinel keeps it, and is spoken of as one
    if not more:
        again = "is refused" if only_creates(pattern) else "replaces the first"
        return f"The table key of {entity} is its id ({ids}): a second put {again}, there are never two."
    price = write_wcu(0, SENTINEL_BYTES, transactional=True)
    return (
        f"The table key of {entity} holds {joined(more)} besides the id ({ids}): two items with the same id and another"
        f" {joined(more, 'or')} are both accepted. Random ids (UUID, ULID) make that harmless; ids that people choose"
        f" need a sentinel item, put in the same transaction with attribute_not_exists"
        f" ({counted(price, 'unit')}, and the put itself counts twice)."
    )


SENTINEL_BYTES = 100


def of_sentinel(solution: Solution, pattern: PatternSpec, entry: Entry) -> str:
    """What this write does about a unique attribute."""
    if entry.kind != "unique":
        return ""
    names = solution.spec.entities[entry.entity].id
    group = joined(names)
    match operation_on(solution.facts, pattern, entry.owner):
        case "put":
            return f"{group} is unique: its sentinel is put in the same transaction with attribute_not_exists."
        case "delete":
            return f"The sentinel of {group} is deleted in the same transaction; its old value must be known."
        case _:
            changed = changed_by(solution.facts, pattern, entry.owner) & set(names)
    if not changed:
        return ""
    return (
        f"A new {group} deletes the old sentinel and puts the new one in the same transaction: the old value is read"
        " first and stands in a condition."
    )
