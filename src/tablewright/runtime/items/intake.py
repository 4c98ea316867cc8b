"""What happens to values on their way in: defaults, checks, setters, renaming.

For put, create and upsert every attribute is visited in order of definition: default, type, validate, then the setters,
then the setters of watchers, which see what the others made of the item. An update takes the same steps for the
attributes it mentions, without defaults. In the callbacks None stands for an absent value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import FieldFault
from tablewright.runtime.items.checks import inspect, refuse
from tablewright.runtime.items.derive import derived
from tablewright.runtime.items.visibility import living
from tablewright.runtime.types.values import ABSENT, is_list, is_map, is_set, set_members
from tablewright.schema.types import Attribute, Constant, ListOf, MapOf, OneOf, RecordOf, SetOf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tablewright.runtime.items.layout import Layout, Values

# ---- whole items ------------------------------------------------------------------------------------------------


def complete(layout: Layout, supplied: Values, *, without: Iterable[str] = ()) -> dict[str, Any]:
    """An item's attributes by name, as they will be stored; `without` names attributes another clause takes care of."""
    skipped = frozenset(without)
    if layout.strict:
        return _complete_typed(layout, supplied, skipped)
    filled: dict[str, Any] = {}
    faults: list[FieldFault] = []
    for attribute in layout.attributes.values():
        if attribute.name in skipped:
            continue
        value = fill(attribute, supplied.get(attribute.name, ABSENT))
        faults += inspect(attribute, value, attribute.name)
        if faults:
            break
        if value is not ABSENT:
            filled[attribute.name] = value
    refuse(layout, faults)
    values = _set_all(layout, filled, [name for name in layout.attributes if name not in skipped])
    if layout.ttl is not None and layout.ttl.attribute not in skipped:
        values = living(layout.ttl, values)
    return derived(layout.derived, values) if layout.derived else values


def _complete_typed(layout: Layout, supplied: Values, skipped: frozenset[str]) -> dict[str, Any]:
    """As `complete`, for items of the typed style: defaults were given when the item was made, types were checked when
    it was encoded. What is left are required attributes, validators and setters, where there are any.
    """
    faults = [
        FieldFault(name, "is required") for name in layout.required if name not in supplied and name not in skipped
    ]
    for attribute in layout.mindful:
        if attribute.name in supplied and attribute.name not in skipped:
            faults += inspect(attribute, supplied[attribute.name], attribute.name, quiet=True)
    refuse(layout, faults)
    values = {name: value for name, value in supplied.items() if name not in skipped} if skipped else supplied
    if layout.mindful:
        values = _set_all(layout, values, [name for name in layout.attributes if name not in skipped])
    if layout.derived:
        values = derived(layout.derived, values)
    return {name: value for name, value in values.items() if value or not is_set(value)}


def _set_all(layout: Layout, values: Values, names: Iterable[str]) -> dict[str, Any]:
    """The values after the setters: first those of plain attributes, then those of watchers.

    ElectroDB runs the setters of all watchers when it writes a whole item, whatever was supplied.
    """
    result: dict[str, Any] = dict(values)
    for name in names:
        attribute = layout.attributes[name]
        if not is_watcher(attribute):
            place(result, name, store(attribute, values.get(name, ABSENT), values))
    before = dict(result)
    for attribute in layout.attributes.values():
        if is_watcher(attribute) and (not layout.strict or attribute.name in values or is_triggered(attribute, values)):
            place(result, attribute.name, store(attribute, values.get(attribute.name, ABSENT), before))
    return {name: result[name] for name in layout.attributes if name in result}


def is_watcher(attribute: Attribute) -> bool:
    """Watching only matters on the way in where there is a setter to run."""
    return attribute.watch is not None and attribute.set is not None


def is_triggered(attribute: Attribute, changed: Iterable[str]) -> bool:
    if attribute.watch == "*":
        return True
    return attribute.watch is not None and any(name in attribute.watch for name in changed)


def place(target: dict[str, Any], name: str, value: Any) -> None:
    if value is ABSENT:
        target.pop(name, None)
    else:
        target[name] = value


# ---- defaults ---------------------------------------------------------------------------------------------------


def fill(attribute: Attribute, value: Any) -> Any:
    """The value, or the default where it is absent; nested defaults apply where their parent is present."""
    if value is ABSENT and attribute.default is not None:
        value = _default_of(attribute.default)
    match attribute.type:
        case MapOf(properties) if is_map(value):
            return _fill_properties(properties, value)
        case ListOf(items) if items is not None and is_list(value):
            return [fill(items, each) for each in value if each is not ABSENT]
        case _:
            return value


def _default_of(default: Constant | Callable[[], Any]) -> Any:
    """A constant is what it is, even None; a function says with None that there is no value."""
    if isinstance(default, Constant):
        return default.value
    value = default()
    return ABSENT if value is None else value


def _fill_properties(properties: tuple[Attribute, ...], value: Mapping[str, Any]) -> dict[str, Any]:
    filled = dict(value)
    for each in properties:
        place(filled, each.name, fill(each, value.get(each.name, ABSENT)))
    return filled


# ---- setters ----------------------------------------------------------------------------------------------------


def store(attribute: Attribute, value: Any, item: Any) -> Any:
    """The stored form of a value: children first, then the attribute's own setter; nested names become fields.

    `item` is what the setter sees around the value: the item, or the map or list it stands in.
    """
    value = store_nested(attribute, value)
    if attribute.set is not None:
        value = attribute.set(None if value is ABSENT else value, item)
        value = ABSENT if value is None else value
    if isinstance(attribute.type, SetOf) and value is not ABSENT:
        members = set_members(value)
        return value if members is None else set(members)
    return value


def store_nested(attribute: Attribute, value: Any) -> Any:
    match attribute.type:
        case MapOf(properties) if is_map(value):
            return _store_map(properties, value)
        case ListOf(items) if items is not None and is_list(value):
            stored = [store(items, each, value) for each in value]
            return [each for each in stored if each is not ABSENT]
        case RecordOf(values) if is_map(value):
            return {key: store(values, each, value) for key, each in value.items()}
        case OneOf() as union if is_map(value):
            return _store_map(dict(union.members)[value[union.tag]].properties, value)
        case _:
            return value


def _store_map(properties: tuple[Attribute, ...], value: Mapping[str, Any]) -> dict[str, Any]:
    stored: dict[str, Any] = {}
    for each in properties:
        if each.name in value:
            place(stored, each.field, store(each, value[each.name], value))
    return stored
