"""What makes an id and unique attributes unique, as far as anything does.

A second item with the same key is refused (attribute_not_exists) or replaces the first. A key may hold more than the id
only where that is immutable: callers promise that an id always comes with the same value of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.serving.writes import changed_by, operation_on
from tablewright.design.wording import concat, sentences, tally
from tablewright.spec.writes import effect_on
from tablewright.wire.capacity import write_wcu

if TYPE_CHECKING:
    from tablewright.design.cost.units.entries import Entry
    from tablewright.design.layout.layout import Layout
    from tablewright.review.case import Case
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def describe_uniqueness(case: Case, pattern: PatternSpec) -> str:
    return sentences(
        *(_of_id(case, name, pattern) for name in pattern.entities if is_put(case.facts, pattern, name)),
        *(_of_sentinel(case.facts, pattern, each) for each in case.entries if each.owner in pattern.entities),
    )


def is_put(facts: Facts, pattern: PatternSpec, entity: str) -> bool:
    return operation_on(facts, pattern, entity) == "put"


def only_creates(facts: Facts, pattern: PatternSpec, entity: str) -> bool:
    """Whether a put is refused where the id exists."""
    return effect_on(facts, pattern, entity).existence == "new"


def key_beyond_id(layout: Layout, entity: str) -> tuple[str, ...]:
    """What the table key holds besides the id; nothing where the key, or a sentinel, enforces the id."""
    ids = layout.spec.entities[entity].id
    along = (each for each in layout.spec.entities.values() if each.kind == "sentinel" and each.of == entity)
    if any(each.id == ids for each in along):
        return ()
    return tuple(name for name in layout.base(entity).attributes if name not in ids)


def _of_id(case: Case, entity: str, pattern: PatternSpec) -> str:
    layout = case.layout
    ids, more = concat(layout.spec.entities[entity].id), key_beyond_id(layout, entity)
    if not more and set(layout.base(entity).attributes) != set(layout.spec.entities[entity].id):
        return ""  # a sentinel keeps it, and is spoken of as one
    if not more:
        again = "is refused" if only_creates(case.facts, pattern, entity) else "replaces the first"
        return f"The table key of {entity} is its id ({ids}): a second put {again}, there are never two."
    price = write_wcu(0, SENTINEL_BYTES, transactional=True)
    return (
        f"The table key of {entity} holds {concat(more)} besides the id ({ids}), because it is immutable: a second put"
        f" of the same id replaces the first as long as it comes with the same {concat(more, 'or')}. With another one"
        " there would be two items. Random ids (UUID, ULID) make that harmless; ids that people choose need a sentinel"
        f" item, put in the same transaction with attribute_not_exists ({tally(price, 'unit')}, and the put itself"
        " counts twice)."
    )


SENTINEL_BYTES = 100


def _of_sentinel(facts: Facts, pattern: PatternSpec, entry: Entry) -> str:
    """What this write does about a unique attribute."""
    if entry.kind != "unique":
        return ""
    names = facts.spec.entities[entry.entity].id
    group = concat(names)
    match operation_on(facts, pattern, entry.owner):
        case "put":
            return f"{group} is unique: its sentinel is put in the same transaction with attribute_not_exists."
        case "delete":
            return f"The sentinel of {group} is deleted in the same transaction; its old value must be known."
        case _:
            changed = changed_by(facts, pattern, entry.owner) & set(names)
    if not changed:
        return ""
    return (
        f"A new {group} deletes the old sentinel and puts the new one in the same transaction: the old value is read"
        " first and stands in a condition."
    )
