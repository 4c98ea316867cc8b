"""Rules for entities of one service, and for the members of a collection: one query must be able to find them all.

Every violation is error 1013. A collection's first member sets the terms; each later one must agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import msgspec

from tablewright.schema.check.faults import refuse
from tablewright.schema.check.patterns import casing_of
from tablewright.schema.model import AccessPattern, Entity
from tablewright.schema.templates import template_parts

if TYPE_CHECKING:
    from tablewright.schema.model import KeySide
    from tablewright.schema.types import Attribute


class _Joined(msgspec.Struct, frozen=True):
    """An entity's part in one collection."""

    alias: str
    entity: Entity
    pattern: AccessPattern


Trait: TypeAlias = Callable[[_Joined], str]
Labels: TypeAlias = tuple[tuple[str, str], ...]


def check_collections(entities: Mapping[str, Entity]) -> None:
    _check_service_name(entities)
    members: dict[str, list[_Joined]] = {}
    slots: dict[str, int] = {}
    for alias, entity in entities.items():
        for pattern in entity.patterns:
            joined = _Joined(alias, entity, pattern)
            _check_nesting(joined, slots)
            for name in pattern.collection:
                _check_member(name, joined, members.setdefault(name, []))
                members[name].append(joined)


def _check_service_name(entities: Mapping[str, Entity]) -> None:
    first = next(iter(entities.values()), None)
    for alias, entity in entities.items():
        if first is not None and entity.service.lower() != first.service.lower():
            problem = f'it belongs to the service "{entity.service}", the others to "{first.service}"'
            refuse(f'Entity "{alias}"', 1013, problem, "Give all entities of a service the same service name")


def _check_nesting(joined: _Joined, slots: dict[str, int]) -> None:
    """Sub-collections need isolated indexes, and the same depth for a name wherever it occurs."""
    names = joined.pattern.collection
    if len(names) > 1 and joined.pattern.kind != "isolated":
        problem = f'a {joined.pattern.kind} index takes no sub-collections, but "{names[0]}" has some'
        _refuse(joined, problem, "Use a single collection name, or an isolated index")
    for slot, name in enumerate(names):
        if slots.setdefault(name, slot) != slot:
            problem = f'the collection "{name}" is at level {slot + 1}, elsewhere at level {slots[name] + 1}'
            _refuse(joined, problem, "List sub-collections in the same order everywhere, outermost first")


def _check_member(name: str, joined: _Joined, others: list[_Joined]) -> None:
    if not others:
        return
    first = others[0]
    for words, trait in TRAITS:
        if trait(joined) != trait(first):
            problem = (
                f'in the collection "{name}" its {words} differs from that of "{first.alias}": '
                f"{trait(joined) or 'none'} instead of {trait(first) or 'none'}"
            )
            _refuse(joined, problem, "Make them agree, or leave the collection")
    _check_shared_sort_labels(name, joined, first)
    for other in others:
        _check_shared_fields(name, joined, other)


def _check_shared_sort_labels(name: str, joined: _Joined, first: _Joined) -> None:
    """A clustered or composite collection is queried by its leading sort composites too."""
    if joined.pattern.kind == "isolated":
        return
    for (attribute, label), (_, established) in _shared_leading(joined, first):
        if label != established:
            problem = f'"{attribute}" is labelled {label!r} in the sort key of the collection "{name}"'
            _refuse(joined, problem, f'Label it {established!r} as for "{first.alias}"')


def _shared_leading(joined: _Joined, first: _Joined) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    mine, theirs = (_sort_labels(each) for each in (joined, first))
    return takewhile(lambda pair: pair[0][0] == pair[1][0], zip(mine, theirs, strict=False))


def _sort_labels(joined: _Joined) -> Labels:
    """Text after the last attribute does not matter; an empty label does (`#_value`)."""
    key = joined.pattern.sk
    if key is None:
        return ()
    if key.template is not None:
        return tuple(part for part in template_parts(key.template) if part[0])
    labels = ((name, _label(joined.entity, name)) for name in key.composite)
    return tuple((name, name if label is None else label) for name, label in labels)


def _partition_labels(joined: _Joined) -> Labels:
    """Each composite with the text before it; an empty label falls back to the attribute's name."""
    key = joined.pattern.pk
    if key.template is not None:
        return template_parts(key.template)
    return tuple((name, _label(joined.entity, name) or name) for name in key.composite)


def _label(entity: Entity, name: str) -> str | None:
    attribute = entity.attribute(name)
    return attribute.label if attribute else None


def _check_shared_fields(name: str, joined: _Joined, other: _Joined) -> None:
    """An attribute that several members have must be stored alike, or one filter could not name it."""
    fields = {each.name: each.field for each in other.entity.attributes}
    for attribute in joined.entity.attributes:
        if fields.get(attribute.name, attribute.field) != attribute.field:
            problem = f'its attribute "{attribute.name}" is stored as "{attribute.field}"'
            remedy = f'Store it as "{fields[attribute.name]}" like "{other.alias}", both are in "{name}"'
            _refuse(joined, problem, remedy)


def _templated(key: KeySide | None) -> str:
    return "a template" if key is not None and key.template is not None else "composites"


def _projection_kind(pattern: AccessPattern) -> str:
    return "list" if isinstance(pattern.projection, tuple) else pattern.projection


def _paddings(entity: Entity, key: KeySide) -> str:
    padded = [
        each
        for name in key.composite
        if (each := entity.attribute(name)) and (each.padding or each.digits or each.escaped)
    ]
    return ", ".join(f"{each.name} {_padded(each)}" for each in padded)


def _padded(attribute: Attribute) -> str:
    padding, digits = attribute.padding, attribute.digits
    if digits is not None:
        return f"in {digits.whole} and {digits.decimals} digits"
    if attribute.escaped:
        return "escaped"
    signed = ", signed" if attribute.signed else ""
    return f"to {padding.length} with {padding.char!r}{signed}" if padding is not None else ""


def _show_labels(labels: Labels) -> str:
    return " ".join(f"{label}_{{{name}}}" for name, label in labels)


# What all members must have in common, and how to say it. In this order the most telling difference comes first.
TRAITS: tuple[tuple[str, Trait], ...] = (
    ("index type", lambda each: each.pattern.kind),
    ("index", lambda each: each.pattern.index or "the table itself"),
    ("partition key field", lambda each: each.pattern.pk.field),
    ("use of a partition key template", lambda each: _templated(each.pattern.pk)),
    ("use of a sort key template", lambda each: _templated(each.pattern.sk)),
    ("list of partition key composites", lambda each: ", ".join(each.pattern.pk.composite)),
    ("labelling of the partition key", lambda each: _show_labels(_partition_labels(each))),
    ("partition key casing", lambda each: casing_of(each.pattern.pk)),
    ("sort key casing", lambda each: casing_of(each.pattern.sk)),
    ("scope", lambda each: each.pattern.scope),
    ("kind of projection", lambda each: _projection_kind(each.pattern)),
    ("padding of partition key composites", lambda each: _paddings(each.entity, each.pattern.pk)),
)


def _refuse(joined: _Joined, problem: str, remedy: str) -> NoReturn:
    refuse(f'Entity "{joined.alias}"', 1013, problem, remedy, part=joined.pattern)
