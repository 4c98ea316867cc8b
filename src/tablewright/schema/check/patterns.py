"""Rules for access patterns: one after the other, each against those before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tablewright.schema.check.faults import meant, quoted, refuse
from tablewright.schema.model import AccessPattern, Entity, KeySide
from tablewright.schema.templates import template_names

if TYPE_CHECKING:
    from collections.abc import Iterator

SideName: TypeAlias = Literal["pk", "sk"]
Seen: TypeAlias = dict[str, tuple[AccessPattern, KeySide]]
WORDS = {"pk": "partition key", "sk": "sort key"}


def sides(pattern: AccessPattern) -> Iterator[tuple[SideName, KeySide]]:
    yield "pk", pattern.pk
    if pattern.sk is not None:
        yield "sk", pattern.sk


def names_in(side: KeySide) -> tuple[str, ...]:
    """The attributes a key is made of; a template counts more than the list beside it."""
    return side.composite if side.template is None else template_names(side.template)


def casing_of(key: KeySide | None) -> str:
    """The letter case a key ends up in; lower unless told otherwise."""
    return "lower" if key is None or key.casing == "default" else key.casing


def check_patterns(entity: Entity) -> None:
    fields: Seen = {}
    for position, pattern in enumerate(entity.patterns):
        earlier = entity.patterns[:position]
        _check_kind(entity, pattern)
        _check_index_name(entity, pattern, earlier)
        _check_templates_readable(entity, pattern)
        _check_repeated_composites(entity, pattern)
        _check_projection(entity, pattern)
        _check_collection_names(entity, pattern, earlier)
        _check_fields(entity, pattern, fields)
        _check_templates_agree(entity, pattern)


def check_primary(entity: Entity) -> None:
    if all(pattern.index is not None for pattern in entity.patterns):
        remedy = "Leave the index name out of the one that describes the table's own key"
        refuse(entity, 1007, "no access pattern describes the table's own key", remedy)


def check_projected_names(entity: Entity) -> None:
    identifiers = {entity.identifiers.entity, entity.identifiers.version or entity.identifiers.entity}
    known = {each.name for each in entity.attributes} | identifiers
    for pattern in entity.patterns:
        if isinstance(pattern.projection, tuple):
            _check_known(entity, pattern, pattern.projection, known, 1025, "projects")


def check_composites_known(entity: Entity) -> None:
    known = {each.name for each in entity.attributes}
    for pattern in entity.patterns:
        for side, key in sides(pattern):
            _check_known(entity, pattern, names_in(key), known, 1003, f"builds its {WORDS[side]} from")


def check_condition_names(entity: Entity) -> None:
    """What a sparse index says its condition depends on must exist (beyond ElectroDB, hence its code for models)."""
    known = {each.name for each in entity.attributes}
    for pattern in entity.patterns:
        _check_known(entity, pattern, pattern.depends_on or (), known, 1009, "has a condition that depends on")


def check_casing_and_cast(entity: Entity) -> None:
    fields: Seen = {}
    for pattern in entity.patterns:
        for side, key in sides(pattern):
            if key.cast == "number" and len(names_in(key)) > 1:
                problem = f'its {WORDS[side]} is cast to "number" but has several composites'
                refuse(entity, 1009, problem, "Keep one composite, or drop the cast", part=pattern)
        for side, key in sides(pattern):
            first, other = fields.setdefault(key.field, (pattern, key)) if key.field else (pattern, key)
            if casing_of(other) != casing_of(key):
                problem = (
                    f'its {WORDS[side]} "{key.field}" has casing "{key.casing}", '
                    f'but "{first.name}" gives that field "{other.casing}"'
                )
                refuse(entity, 1020, problem, "Use one casing for the field", part=pattern)


def _check_kind(entity: Entity, pattern: AccessPattern) -> None:
    if pattern.kind == "composite":
        _check_composite_kind(entity, pattern)
    elif any(not key.field for _, key in sides(pattern)):
        remedy = 'Name the fields that hold its keys, such as "gsi1pk" and "gsi1sk"'
        refuse(entity, 1026, f"an {pattern.kind} index needs a field for each key", remedy, part=pattern)
    if pattern.index is None and pattern.condition is not None:
        remedy = "Drop the condition; every item must be in the table"
        refuse(entity, 2011, "only a secondary index can have a condition", remedy, part=pattern)


def _check_composite_kind(entity: Entity, pattern: AccessPattern) -> None:
    for option, value in (("condition", pattern.condition), ("scope", pattern.scope)):
        if value:
            remedy = f"Drop the {option}: the index is declared on the attributes themselves"
            refuse(entity, 2011, f"a composite index takes no {option}", remedy, part=pattern)
    if pattern.index is None:
        remedy = "Give the table's own key fields, or name a secondary index"
        refuse(entity, 1026, "the table's own key cannot be a composite (multi-attribute) one", remedy, part=pattern)
    if any(key.field for _, key in sides(pattern)):
        remedy = "Drop the field: the attributes themselves are the key"
        refuse(entity, 1026, "a composite index has no key field", remedy, part=pattern)


def _check_index_name(entity: Entity, pattern: AccessPattern, earlier: tuple[AccessPattern, ...]) -> None:
    for other in earlier:
        if other.index == pattern.index:
            index = f'index "{pattern.index}"' if pattern.index else "the table's own key"
            remedy = "Give each access pattern its own index name, and leave it out once"
            refuse(entity, 1004, f'{index} is already described by "{other.name}"', remedy, part=pattern)
    if pattern.collection and pattern.sk is None:
        remedy = "Add a sort key (its list of composites may be empty)"
        refuse(entity, 1005, "it is in a collection but has no sort key", remedy, part=pattern)


def _check_templates_readable(entity: Entity, pattern: AccessPattern) -> None:
    for side, key in sides(pattern):
        template = key.template or ""
        names = template_names(template)
        if any(not name.strip() for name in names):
            problem = f"the template {template!r} of its {WORDS[side]} has empty braces"
            refuse(entity, 1003, problem, "Put an attribute's name into them", part=pattern)
        if template.count("${") != len(names):
            problem = f"the template {template!r} of its {WORDS[side]} has a brace that is not closed"
            refuse(entity, 1003, problem, "Write ${name}", part=pattern)


def _check_repeated_composites(entity: Entity, pattern: AccessPattern) -> None:
    sort = names_in(pattern.sk) if pattern.sk else ()
    repeated = [name for name in dict.fromkeys(sort) if name in names_in(pattern.pk)]
    if repeated and len(sort) > 1:
        problem = f"{quoted(repeated)} is in the partition key and in the sort key"
        remedy = "Keep it in one of them; only a sort key of that one attribute may repeat it"
        refuse(entity, 1015, problem, remedy, part=pattern)


def _check_projection(entity: Entity, pattern: AccessPattern) -> None:
    value: Any = pattern.projection
    if value not in ("all", "keys_only") and not (value and isinstance(value, tuple)):
        problem = f"its projection is {value!r}"
        refuse(entity, 1025, problem, 'Use "all", "keys_only" or a list of attributes', part=pattern)


def _check_collection_names(entity: Entity, pattern: AccessPattern, earlier: tuple[AccessPattern, ...]) -> None:
    taken = {name: other for other in earlier for name in other.collection}
    for name in pattern.collection:
        if not name:
            refuse(entity, 1009, "its collection has an empty name", "Name it, or leave it out", part=pattern)
        if name in taken:
            problem = f'the collection "{name}" is already on "{taken[name].name}"'
            refuse(entity, 1006, problem, "A collection lives on one index; use another name", part=pattern)
        taken[name] = pattern


def _check_fields(entity: Entity, pattern: AccessPattern, fields: Seen) -> None:
    _check_field_reuse(entity, pattern, "pk", pattern.pk, fields)
    if pattern.sk is None:
        return
    if pattern.sk.field and pattern.sk.field == pattern.pk.field:
        problem = f'its partition key and its sort key are both the field "{pattern.pk.field}"'
        refuse(entity, 1014, problem, "Give each its own field", part=pattern)
    _check_field_reuse(entity, pattern, "sk", pattern.sk, fields)


def _check_field_reuse(entity: Entity, pattern: AccessPattern, side: SideName, key: KeySide, fields: Seen) -> None:
    """A field has one value, so all access patterns that use it must compose it alike."""
    if not key.field:
        return
    first, other = fields.setdefault(key.field, (pattern, key))
    if names_in(other) != names_in(key):
        code = 1024 if side == "pk" else 1014
        problem = (
            f'its {WORDS[side]} "{key.field}" is made of {quoted(names_in(key))}, '
            f'but "{first.name}" makes that field of {quoted(names_in(other))}'
        )
        refuse(entity, code, problem, "Use the same composites, or another field", part=pattern)
    if other.template != key.template:
        problem = (
            f'its {WORDS[side]} "{key.field}" has the template {key.template!r}, '
            f'but "{first.name}" gives that field {other.template!r}'
        )
        refuse(entity, 1017, problem, "Use the same template, or another field", part=pattern)


def _check_templates_agree(entity: Entity, pattern: AccessPattern) -> None:
    for side, key in sides(pattern):
        if names_in(key) != key.composite:
            problem = (
                f"the template of its {WORDS[side]} names {quoted(names_in(key))}, "
                f"but its composites are {quoted(key.composite)}"
            )
            refuse(entity, 1017, problem, "List the same attributes in the same order, or one of the two", part=pattern)


def _check_known(
    entity: Entity, pattern: AccessPattern, names: tuple[str, ...], known: set[str], code: int, use: str
) -> None:
    for name in names:
        if name not in known:
            remedy = f"Declare the attribute or correct the name{meant(name, known)}"
            refuse(entity, code, f'it {use} "{name}", which is no attribute', remedy, part=pattern)
