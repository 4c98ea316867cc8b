"""What entities, attributes and patterns are apart from their names: numbers that two of them share only if nothing in
the spec tells them apart.

Wherever anything would do, these numbers decide and names do not, so that a design stays the same when things are
called otherwise. Every number begins with what is said of a thing itself and takes in, turn by turn, those of what it
is used with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

import msgspec

if TYPE_CHECKING:
    from tablewright.spec.model import EntitySpec, PatternSpec, RelationshipSpec, Spec

TURNS = 4
Numbers: TypeAlias = "Mapping[str, int]"


class Likeness(msgspec.Struct, frozen=True):
    """By name: attributes of any entity, entities, and patterns by id."""

    attributes: Numbers
    entities: Numbers
    patterns: Numbers


def likeness_of(spec: Spec) -> Likeness:
    return _KNOWN.get(spec)


def is_alike(spec: Spec, known: Likeness) -> None:
    """A spec with the same entities and patterns in another order has the same numbers."""
    _KNOWN.keep(spec, known)


class _Known:
    """The last specs that were asked for: every search asks for one many times."""

    def __init__(self) -> None:
        self.found: dict[int, tuple[Spec, Likeness]] = {}

    def get(self, spec: Spec) -> Likeness:
        known = self.found.get(id(spec))
        return known[1] if known is not None and known[0] is spec else self.keep(spec, _compare(spec))

    def keep(self, spec: Spec, known: Likeness) -> Likeness:
        if len(self.found) > 64:
            self.found.clear()
        self.found[id(spec)] = (spec, known)
        return known


_KNOWN = _Known()


def _number(*parts: object) -> int:
    return crc32(repr(parts).encode())


def _compare(spec: Spec) -> Likeness:
    names = {name for entity in spec.entities.values() for name in entity.attributes}
    now = Likeness(
        attributes=dict.fromkeys(names, 0),
        entities=dict.fromkeys(spec.entities, 0),
        patterns={each.id: 0 for each in spec.patterns},
    )
    lasting = _lasting(spec, names)
    for _ in range(TURNS):
        entities = {name: _entity(each, now, spec, lasting) for name, each in spec.entities.items()}
        patterns = {each.id: _pattern(each, now, lasting) for each in spec.patterns}
        attributes = {name: _attribute(name, now, lasting) for name in names}
        now = Likeness(attributes=attributes, entities=entities, patterns=patterns)
    return now


class _Lasting(msgspec.Struct, frozen=True):
    """What no turn changes: what entities say of each attribute, and what it is to each pattern that has to do with it.

    By attribute and by pattern the same roles, for both are asked for in every turn.
    """

    said: Mapping[str, Mapping[str, int]]  # by attribute and entity
    roles: Mapping[str, Mapping[str, str]]  # by attribute and pattern


def _lasting(spec: Spec, names: set[str]) -> _Lasting:
    entities, patterns = spec.entities.values(), {each.id: each for each in spec.patterns}
    used = {id_: _names_in(each) for id_, each in patterns.items()}
    return _Lasting(
        {name: {each.name: _said(each, name) for each in entities if name in each.attributes} for name in names},
        {
            name: {id_: _roles(each, name) for id_, each in patterns.items() if name in used[id_]}
            for name in {*names, *(name for each in used.values() for name in each)}
        },
    )


def _names_in(pattern: PatternSpec) -> set[str]:
    """Every attribute that has a role in a pattern."""
    return {
        *pattern.by,
        *([pattern.range.attr] if pattern.range is not None else ()),
        *(each.attr for each in pattern.sort),
        *pattern.filter,
        *pattern.returns,
        *(each.attr for each in pattern.changes or ()),
        *([pattern.tenant] if pattern.tenant is not None else ()),
    }


def _middle(relation: RelationshipSpec) -> tuple[float, ...]:
    """Nothing where nothing is said: ties of specs without it are broken as they always were."""
    return () if relation.p50 is None else (relation.p50,)


def _entity(entity: EntitySpec, now: Likeness, spec: Spec, lasting: _Lasting) -> int:
    related = [
        (each.kind, each.avg, *_middle(each), each.p99, each.max,
         each.source == entity.name, each.target == entity.name,
         now.entities.get(each.source, 0), now.entities.get(each.target, 0))
        for each in spec.relationships
        if entity.name in (each.source, each.target, each.via)
    ]  # fmt: skip
    return _number(
        entity.kind,
        entity.count,
        entity.growth_per_month,
        entity.size_bytes,
        [now.attributes[name] for name in entity.id if name in now.attributes],
        sorted((now.attributes[name], lasting.said[name][entity.name]) for name in entity.attributes),
        sorted(related, key=repr),
        sorted(now.patterns[each.id] for each in spec.patterns if entity.name in each.entities),
        now.entities.get(entity.of, 0),
    )


def _said(entity: EntitySpec, name: str) -> int:
    each = entity.attributes[name]
    place = entity.id.index(name) if name in entity.id else -1
    return _number(
        each.type,
        each.size_bytes,
        each.cardinality,
        each.required,
        each.immutable,
        each.presence,
        len(each.values),
        place,
        *(
            repr(said)
            for said in (each.default, each.validate, each.references_any or None, each.sorts_as and True)
            if said is not None
        ),
    )


def _attribute(name: str, now: Likeness, lasting: _Lasting) -> int:
    held = [(now.entities[entity], said) for entity, said in lasting.said[name].items()]
    asked = [(now.patterns[id_], role) for id_, role in lasting.roles[name].items()]
    return _number(sorted(held), sorted(each for each in asked if each[1]), len(name))


def _roles(pattern: PatternSpec, name: str) -> str:
    """What an attribute is to a pattern."""
    found = [
        "by" if name in pattern.by else "",
        f"range {pattern.range.op}" if pattern.range is not None and pattern.range.attr == name else "",
        *(f"sort {at} {each.order}" for at, each in enumerate(pattern.sort) if each.attr == name),
        "filter" if name in pattern.filter else "",
        "returns" if name in pattern.returns else "",
        *("changes" for each in pattern.changes or () if each.attr == name),
        "tenant" if name == pattern.tenant else "",
    ]
    return " ".join(each for each in found if each)


def _pattern(pattern: PatternSpec, now: Likeness, lasting: _Lasting) -> int:
    names = (*pattern.by, *(each.attr for each in pattern.sort), *pattern.filter, *pattern.returns)
    return _number(
        pattern.kind,
        pattern.op,
        pattern.rate,
        pattern.limit,
        pattern.items,
        pattern.consistency,
        pattern.condition and len(pattern.condition),
        sorted(now.entities.get(name, 0) for name in pattern.entities),
        sorted((now.attributes.get(name, 0), lasting.roles[name][pattern.id]) for name in set(names)),
        None if pattern.range is None else (pattern.range.op, now.attributes.get(pattern.range.attr, 0)),
    )
