"""Patterns that go through a list: what the list is, which of its attributes name the items, and that all have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.places import nearest
from tablewright.spec.facts import may_lack_after_upsert
from tablewright.spec.faults.place import SpecFault, unknown_attributes
from tablewright.spec.listing import listing_of, split_through
from tablewright.spec.parents import is_of_parent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import EntitySpec, PatternSpec, Spec


def listing_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    """Of a read that says `through`."""
    assert pattern.through is not None
    entity, attribute = split_through(pattern.through)
    yield from _kind_faults(place, pattern, entity)
    if entity not in spec.entities:
        yield f"{place}.through", f'there is no entity "{entity}".{nearest(entity, spec.entities)}'
        return
    if len(pattern.entities) != 1 or pattern.entity not in spec.entities:
        return
    entry, item = spec.entities[entity], spec.entities[pattern.entity]
    listing = listing_of(spec, pattern)
    if listing is None:
        yield from _unnamed(f"{place}.through", entry, item, attribute)
        return
    for theirs, ours in listing.names.items():
        yield from _name_faults(f"{place}.through", spec, (entry, ours), (item, theirs))
    own = tuple(name for name in pattern.returns if not is_of_parent(item, name))
    yield from unknown_attributes(f"{place}.returns", own, item)


def _kind_faults(place: str, pattern: PatternSpec, entity: str) -> Iterator[SpecFault]:
    if pattern.kind != "query":
        yield (
            f"{place}.through",
            f"is for a query, which lists entries and answers with the items they name; a {pattern.kind} has no list.",
        )
    if len(pattern.entities) > 1:
        yield f"{place}.through", "the entries of a list name items of one entity; write a pattern for each."
    if pattern.limits:
        yield f"{place}.limit", f"counts the entries of {entity}; write a number."
    for name in ("aggregate", "search"):
        if getattr(pattern, name) is not None:
            yield f"{place}.{name}", f"is not for items behind a list; ask for it in a pattern of {entity} itself."


def _unnamed(place: str, entry: EntitySpec, item: EntitySpec, attribute: str) -> Iterator[SpecFault]:
    """Why nothing tells which attributes of an entry name its item."""
    if attribute and attribute not in entry.attributes:
        yield from unknown_attributes(place, (attribute,), entry)
    elif attribute:
        yield (
            place,
            (
                f"the id of {item.name} is {', '.join(item.id)}, which one attribute cannot name; give {entry.name}"
                f" attributes of these names, and write {entry.name}."
            ),
        )
    elif entry.name == item.name:
        yield (
            place,
            (
                f"a {item.name} does not name itself; write the attribute that names another one:"
                f" {entry.name}.attribute, or say `references: {item.name}` there."
            ),
        )
    else:
        missing = [name for name in item.id if name not in entry.attributes]
        remedy = (
            f"Write the attribute that names it ({entry.name}.attribute), or say `references: {item.name}` there."
            if len(item.id) == 1
            else "Give it attributes of these names."
        )
        yield place, f"{entry.name} has no {' and '.join(missing)}, which the id of {item.name} is made of. {remedy}"


def _name_faults(
    place: str, spec: Spec, ours: tuple[EntitySpec, str], theirs: tuple[EntitySpec, str]
) -> Iterator[SpecFault]:
    """What names an item is what its id is, and every entry has it."""
    (entry, name), (item, id_) = ours, theirs
    own, other = entry.attributes[name], item.attributes[id_]
    if own.type != other.type:
        yield place, f"{entry.name}.{name} is a {own.type}, and {item.name}.{id_} a {other.type}; correct one of them."
    lacking = own.required is False or (own.presence is not None and own.presence < 1)
    if name not in entry.id and (lacking or name in may_lack_after_upsert(spec, entry.name)):
        yield (
            place,
            (
                f"an entry without {name} would name no {item.name}; say `required: true` at {entry.name}.{name}, and"
                " give it in every write that makes one."
            ),
        )
