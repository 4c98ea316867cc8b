"""What happens to items on their way out: whose they are, fields to names, getters, watchers, hidden attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tablewright.schema.types import STRING, Attribute, Enum, ListOf, MapOf, OneOf, RecordOf, SetOf

if TYPE_CHECKING:
    from tablewright.runtime.items.layout import Layout
    from tablewright.schema.keys import ComposedKey
from tablewright.runtime.types.values import is_list, is_map, is_set

RawItem = Mapping[str, Any]


def owns(layout: Layout, item: RawItem, *, by_key: bool, keys_optional: bool = False) -> bool:
    """Whether an item is this entity's: by its identifiers, or (when asked) by the shape of its table key.

    `keys_optional` takes an item without table keys on trust, as a projection may have left them out.
    """
    if all(item.get(field) == value for field, value in layout.identity.items()):
        return True
    if layout.upgrades and is_older(layout, item):
        return True
    if not by_key:
        return False
    if keys_optional and not any(field in item for field in layout.table_fields):
        return True
    return fits_key(layout, item)


def is_older(layout: Layout, item: RawItem) -> bool:
    """Whether the item is of an earlier version that there is an upgrade for."""
    identifiers = layout.entity.identifiers
    same_entity = item.get(identifiers.entity) == layout.entity.name
    return same_entity and version_of(layout, item) in layout.upgrades


def version_of(layout: Layout, item: RawItem) -> Any:
    """The version an item says it is of; None when the table keeps none."""
    field = layout.entity.identifiers.version
    return None if field is None else item.get(field)


def fits_key(layout: Layout, item: RawItem) -> bool:
    sides = (layout.primary.pk, layout.primary.sk)
    return all(side is None or side.fits(item.get(side.field)) for side in sides)


def present(
    layout: Layout, item: RawItem, *, include_keys: bool = False, only: Iterable[str] | None = None
) -> dict[str, Any]:
    """The item's attributes by name as a caller sees them."""
    named: dict[str, Any] = {}
    if layout.large is not None:
        item = layout.large.inline(item)
    for field, value in upgraded(layout, item).items():
        attribute = layout.by_field.get(field)
        if attribute is not None:
            named[attribute.name] = unwrap(layout, attribute, value)
        elif include_keys:
            named[field] = value
    result = _get_all(layout, named)
    if only is None:
        return result
    wanted = frozenset(only)
    return {name: value for name, value in result.items() if name in wanted}


def upgraded(layout: Layout, item: RawItem) -> RawItem:
    """A stored item of an older version brought up to today."""
    upgrade = layout.upgrades.get(version_of(layout, item)) if layout.upgrades else None
    return item if upgrade is None else upgrade(dict(item))


def unwrap(layout: Layout, attribute: Attribute, value: Any) -> Any:
    """An attribute that is itself a key field is stored with the key's literal text around it."""
    key = layout.attribute_keys.get(attribute.name)
    if key is None or key.numeric or not isinstance(value, str):
        return value
    if not layout.strict:
        return _without_fixings(attribute, key, value)
    found = key.split(value)
    return value if found is None else found[attribute.name]


def _without_fixings(attribute: Attribute, key: ComposedKey, value: str) -> Any:
    """As ElectroDB takes text off, each end for itself; it knows the front of fields named as their attribute only."""
    if attribute.type != STRING and not isinstance(attribute.type, Enum):
        return value
    lead = key.pieces[0].lead if attribute.field == attribute.name else ""
    if len(value) <= len(lead):
        return value
    lower = value.lower()
    start = len(lead) if lower.startswith(lead.lower()) else 0
    end = len(value) - (len(key.postfix) if lower.endswith(key.postfix.lower()) else 0)
    return value[start:end]


def _get_all(layout: Layout, named: dict[str, Any]) -> dict[str, Any]:
    """The values after the getters: plain attributes first, then watchers, then without the hidden."""
    result: dict[str, Any] = {}
    for name, value in named.items():
        attribute = layout.attributes.get(name)
        shown = value if attribute is None or _is_watching(attribute) else _show(attribute, value, named)
        if shown is not None or value is None:
            result[name] = shown
    before = dict(result)
    for attribute in layout.attributes.values():
        if _is_watching(attribute) and (attribute.watch == "*" or _watched(attribute, named)):
            shown = _show(attribute, named.get(attribute.name), before)
            if shown is not None:
                result[attribute.name] = shown
            else:
                result.pop(attribute.name, None)
    return {name: value for name, value in result.items() if not _is_hidden(layout, name)}


def _is_watching(attribute: Attribute) -> bool:
    return attribute.watch is not None and attribute.get is not None


def _watched(attribute: Attribute, named: Mapping[str, Any]) -> bool:
    return attribute.name in named or any(name in named for name in attribute.watch or ())


def _is_hidden(layout: Layout, name: str) -> bool:
    attribute = layout.attributes.get(name)
    return attribute is not None and attribute.hidden


def _show(attribute: Attribute, value: Any, item: Any) -> Any:
    """One value as a caller sees it: children first, then the attribute's own getter."""
    value = show_nested(attribute, value)
    return value if attribute.get is None else attribute.get(value, item)


def show_nested(attribute: Attribute, value: Any) -> Any:
    match attribute.type:
        case SetOf() if is_set(value):
            return sorted(value)
        case MapOf(properties) if is_map(value):
            return _show_map(properties, value)
        case ListOf(items) if items is not None and is_list(value):
            return [_show(items, each, value) for each in value]
        case RecordOf(values) if is_map(value):
            return {key: _show(values, each, value) for key, each in value.items()}
        case OneOf() as union if is_map(value):
            member = next((each for tag, each in union.members if tag == _tag_of(union, each, value)), None)
            return value if member is None else _show_map(member.properties, value)
        case _:
            return value


def _tag_of(union: OneOf, member: MapOf, value: Mapping[str, Any]) -> Any:
    property_ = member.property(union.tag)
    return value.get(property_.field if property_ else union.tag)


def _show_map(properties: tuple[Attribute, ...], value: Mapping[str, Any]) -> dict[str, Any]:
    shown = {
        each.name: _show(each, value[each.field], value)
        for each in properties
        if each.field in value and not each.hidden
    }
    return {name: each for name, each in shown.items() if each is not None or _value_is_null(properties, value, name)}


def _value_is_null(properties: tuple[Attribute, ...], value: Mapping[str, Any], name: str) -> bool:
    return any(each.name == name and value.get(each.field, ...) is None for each in properties)
