"""Rules for attributes: their place in keys, their types, what they watch, where they are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from tablewright.schema.check.faults import meant, quoted, refuse
from tablewright.schema.check.patterns import WORDS, names_in, sides
from tablewright.schema.ordered import form_of, is_numeric
from tablewright.schema.templates import template_parts
from tablewright.schema.types import BINARY, Attribute, Enum, Free, ListOf, MapOf, OneOf, RecordOf, Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.schema.model import AccessPattern, Entity, KeySide

# How a faulty definition is explained; the loaders keep a type they cannot read as Free(its name).
UNREADABLE = {
    "map": ("a map without properties", "Describe them, or use the type any"),
    "set": ("a set whose items are no scalar", 'Give "items": "string", "number" or a list of constants'),
    "enum": ("an enum without choices", "Give the list of choices as the type"),
}
TYPE_NAMES = ("string", "number", "boolean", "list", "map", "set", "any", "custom", "static")


def check_places_in_keys(entity: Entity) -> None:
    """Attribute by attribute: is it fit for the keys it is part of, or that it is itself?"""
    composed = _composites(entity, composed=True)
    composites = composed | _composites(entity, composed=False)
    for attribute in entity.attributes:
        for pattern, side, key in _keys_stored_in(entity, attribute):
            _check_key_attribute(entity, attribute, pattern, side, key)
        _check_watch_form(entity, attribute, "")
        binary = attribute.name in composed and attribute.type == BINARY  # composed keys are text
        if binary or (attribute.name in composites and not isinstance(attribute.type, (Scalar, Enum))):
            remedy = "Key parts are strings, numbers, booleans or enums; use another attribute"
            refuse(entity, 1008, f"its type, {_type_word(attribute)}, cannot be part of a key", remedy, part=attribute)


def _type_word(attribute: Attribute) -> str:
    kind = attribute.type
    return (
        f'"{kind.name}"' if isinstance(kind, (Free, Scalar)) else f"a {type(kind).__name__.removesuffix('Of').lower()}"
    )


def _composites(entity: Entity, *, composed: bool) -> set[str]:
    """The attributes in keys: composed ones, or those of composite indexes, which are declared on the attributes."""
    patterns = [each for each in entity.patterns if (each.kind != "composite") is composed]
    return {name for pattern in patterns for _, key in sides(pattern) for name in names_in(key)}


def check_types(entity: Entity) -> None:
    for attribute in entity.attributes:
        _check_type(entity, attribute, "")
        _check_digits(entity, attribute)
        _check_escaped(entity, attribute)
        _check_signed(entity, attribute)


def _check_signed(entity: Entity, attribute: Attribute) -> None:
    if attribute.signed and (form_of(attribute) is None or attribute.padding is None):
        problem = "it is signed, which is for numbers that are padded with zeros"
        refuse(entity, 1008, problem, 'Give it padding=(16, "0"), or drop signed', part=attribute)


def _check_escaped(entity: Entity, attribute: Attribute) -> None:
    """An escape is a sign and a letter or two, which letter case must leave alone."""
    if not attribute.escaped:
        return
    if is_numeric(attribute.type) or attribute.padding is not None:
        problem = "it is escaped inside keys, which is for texts that are not padded"
        refuse(entity, 1008, problem, "Drop escaped, or the padding", part=attribute)
    for pattern in entity.patterns:
        for side, key in sides(pattern) if pattern.kind != "composite" else ():
            if attribute.name in names_in(key) and key.casing != "none":
                problem = f'it is escaped, but the {WORDS[side]} of "{pattern.name}" changes letter case'
                refuse(entity, 1008, problem, 'Declare casing="none" there', part=attribute)


def _check_digits(entity: Entity, attribute: Attribute) -> None:
    digits = attribute.digits
    if digits is None:
        return
    if not is_numeric(attribute.type) or attribute.padding is not None:
        problem = "it has digits, which are for numbers that are not padded"
        refuse(entity, 1008, problem, "Drop the digits, or the padding", part=attribute)
    if digits.whole < 1 or digits.decimals < 0:
        problem = f"it has {digits.whole} digits before the point and {digits.decimals} behind it"
        refuse(entity, 1008, problem, "Give at least one digit, such as 12 and 2", part=attribute)


def check_watched_names(entity: Entity) -> None:
    _check_watches(entity, entity.attributes, "")


def check_field_names(entity: Entity) -> None:
    _check_unique_fields(entity, entity.attributes, "")


def check_own_fields(entity: Entity) -> None:
    """No attribute in a field that holds something else, by which its value would be lost (typed style).

    ElectroDB takes such attributes and writes its identifier or key over them.
    """
    taken = _identifier_fields(entity)
    for attribute in entity.attributes:
        held = taken.get(attribute.field)
        for pattern, side, key in _keys_stored_in(entity, attribute):
            if names_in(key) != (attribute.name,):
                held = f'which holds the {WORDS[side]} of "{pattern.name}"'
        if held is not None:
            problem = f'it is stored in the field "{attribute.field}", {held}'
            refuse(entity, 1008, problem, "Give it another field=, name= or rename", part=attribute)


def _identifier_fields(entity: Entity) -> dict[str, str]:
    """The fields that say what an item is."""
    names = {entity.identifiers.version: "version", entity.identifiers.entity: "entity"}
    return {field: f"where the item says which {what} it is" for field, what in names.items() if field is not None}


def _keys_stored_in(entity: Entity, attribute: Attribute) -> Iterator[tuple[AccessPattern, str, KeySide]]:
    for pattern in entity.patterns:
        for side, key in sides(pattern):
            if key.field and key.field == attribute.field:
                yield pattern, side, key


def _check_key_attribute(entity: Entity, attribute: Attribute, pattern: AccessPattern, side: str, key: KeySide) -> None:
    """The attribute is the key field itself, so the key can hold nothing but its value."""
    own = f'the {WORDS[side]} of "{pattern.name}" is stored in the attribute\'s own field "{key.field}"'
    names = names_in(key)
    if len(names) > 1:
        remedy = f'Make "{attribute.name}" its only composite, or use another field'
        refuse(entity, 1018, f"{own} but made of {quoted(names)}", remedy, part=attribute)
    if key.template is None and names != (key.field,):
        remedy = f'Write its template as "${{{attribute.name}}}", or use another field'
        refuse(entity, 5001, f"{own} but made of {quoted(names)}", remedy, part=attribute)
    if not _takes_text(attribute) and any(text for _, text in template_parts(key.template or "")):
        remedy = "Only strings and enums can have text around them; drop the text or use another field"
        refuse(entity, 1018, f"{own} with the template {key.template!r}", remedy, part=attribute)
    if pattern.collection:
        remedy = "Use another field for the key: collections need their prefix in it"
        refuse(entity, 1019, f"{own}, which is in a collection", remedy, part=attribute)
    if attribute.padding is not None or attribute.digits is not None or attribute.escaped:
        remedy = "Drop the padding or escape, or use another field for the key"
        refuse(entity, 1008, f"{own}, so it cannot be padded or escaped", remedy, part=attribute)


def _takes_text(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Enum) or attribute.type == Scalar("string")


def _check_watch_form(entity: Entity, attribute: Attribute, parent: str) -> None:
    watch: Any = attribute.watch
    if isinstance(watch, str) and watch != "*":
        remedy = 'Give a list of attributes, or "*" for all'
        refuse(entity, 1016, f"it watches {watch!r}", remedy, part=_path(parent, attribute))


def _path(parent: str, attribute: Attribute) -> str:
    """Such as `dims.notes[*]`."""
    if not parent:
        return attribute.name
    return f"{parent}[*]" if attribute.name == "*" else f"{parent}.{attribute.name}"


def _check_type(entity: Entity, attribute: Attribute, parent: str) -> None:
    """The type, then everything about the attributes inside it, before the next attribute's type is looked at."""
    path = _path(parent, attribute)
    kind = attribute.type
    if isinstance(kind, Free) and kind.name not in ("any", "custom", "static"):
        _refuse_type(entity, kind.name, path)
    for siblings in _children(attribute):
        for each in siblings:
            _check_watch_form(entity, each, path)
        for each in siblings:
            _check_type(entity, each, path)
        _check_watches(entity, siblings, path)
        _check_unique_fields(entity, siblings, path)


def _refuse_type(entity: Entity, name: str, path: str) -> NoReturn:
    remedy = f"Use {quoted(TYPE_NAMES)} or a list of constants{meant(name, TYPE_NAMES)}"
    problem, remedy = UNREADABLE.get(name, (f"the type {name!r} is not known", remedy))
    refuse(entity, 1008, problem, remedy, part=path)


def _children(attribute: Attribute) -> Iterator[tuple[Attribute, ...]]:
    kind = attribute.type
    if isinstance(kind, MapOf):
        yield kind.properties
    elif isinstance(kind, ListOf) and kind.items is not None:
        yield (kind.items,)
    elif isinstance(kind, RecordOf):
        yield (kind.values,)
    elif isinstance(kind, OneOf):
        yield from (member.properties for _, member in kind.members)


def _check_watches(entity: Entity, siblings: tuple[Attribute, ...], parent: str) -> None:
    """Watched attributes exist, and do not watch a list themselves (one watching everything may be watched)."""
    by_name = {each.name: each for each in siblings}
    pairs = [(each, name) for each in siblings if isinstance(each.watch, tuple) for name in each.watch]
    for attribute, name in pairs:
        if not _is_watchable(name, by_name):
            problem = f'it watches "{name}", which is no attribute beside it'
            remedy = f"Correct the name{meant(name, by_name)}"
            refuse(entity, 1016, problem, remedy, part=_path(parent, attribute))
    for attribute, name in pairs:
        if name in by_name and isinstance(by_name[name].watch, tuple):
            problem = f'it watches "{name}", which watches others itself'
            remedy = f'Watch the attributes that "{name}" watches'
            refuse(entity, 1016, problem, remedy, part=_path(parent, attribute))


def _is_watchable(name: str, siblings: dict[str, Attribute]) -> bool:
    """An attribute, or (beyond ElectroDB) a path such as `address.city` into one."""
    head, _, rest = name.partition(".")
    attribute = siblings.get(head)
    if attribute is None or not rest:
        return attribute is not None
    inside = attribute.type
    return isinstance(inside, MapOf) and _is_watchable(rest, {each.name: each for each in inside.properties})


def _check_unique_fields(entity: Entity, siblings: tuple[Attribute, ...], parent: str) -> None:
    owners: dict[str, Attribute] = {}
    for attribute in siblings:
        other = owners.setdefault(attribute.field, attribute)
        if other is not attribute:
            problem = f'its field "{attribute.field}" already holds "{other.name}"'
            refuse(entity, 1008, problem, "Give each attribute its own field", part=_path(parent, attribute))
