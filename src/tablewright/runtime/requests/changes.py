"""Changes to attributes: what an update is told to do, checked against the schema and turned into expression nodes.

A change names a path of attributes (not fields), so that setters, checks, renaming and index upkeep can see it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.errors import FieldFault, RequestError, ValidationError
from tablewright.expr import nodes
from tablewright.runtime.items.checks import as_called, inspect, inspect_type, refuse
from tablewright.runtime.items.intake import fill, store
from tablewright.runtime.types.values import ABSENT, is_list
from tablewright.schema.types import ANY, Attribute, Constant, Enum, Free, ListOf, MapOf, OneOf, RecordOf, Scalar, SetOf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tablewright.runtime.items.layout import Layout

Verb: TypeAlias = Literal["set", "remove", "add", "subtract", "append", "delete", "if_not_exists", "mention"]
PathParts: TypeAlias = tuple[str | int, ...]

STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


class Change(msgspec.Struct, frozen=True):
    """One verb applied to one path. The value is plain, or a node (`Name`, `Value`) that stands for one."""

    verb: Verb
    path: PathParts
    value: Any = ABSENT
    default: Any = ABSENT


class Target(msgspec.Struct, frozen=True):
    """A path of attribute names, found in the schema: the attribute at its end and the stored path that leads there."""

    path: PathParts
    root: Attribute
    attribute: Attribute
    name: nodes.Name


# ---- finding the attribute ---------------------------------------------------------------------------------------


def parse_path(layout: Layout, text: str) -> PathParts:
    """`"dims.notes[1]"` as parts; an attribute whose very name has dots wins."""
    if text in layout.attributes:
        return (text,)
    return tuple(int(index) if index else name for index, name in STEP.findall(text))


def find_target(attributes: Mapping[str, Attribute], path: PathParts) -> Target | None:
    """The attribute a path leads to; None when the schema knows no such thing."""
    root = attributes.get(str(path[0])) if path else None
    if root is None:
        return None
    attribute = root
    fields: list[str | int] = [root.field]
    for part in path[1:]:
        found = _step_into(attribute, part)
        if found is None:
            return None
        attribute = found
        fields.append(part if isinstance(part, int) else attribute.field)
    return Target(path, root, attribute, nodes.Name(tuple(fields)))


def _step_into(attribute: Attribute, part: str | int) -> Attribute | None:
    match attribute.type:
        case Free("any" | "custom"):
            return Attribute(name=str(part), type=ANY, field=str(part))
        case ListOf(items) if isinstance(part, int):
            return items or Attribute(name="*", type=ANY, field="*")
        case MapOf() as nested if isinstance(part, str):
            return nested.property(part)
        case RecordOf(values) if isinstance(part, str):
            return msgspec.structs.replace(values, name=part, field=part)
        case OneOf(members=members) if isinstance(part, str):
            found = (member.property(part) for _, member in members)
            return next((each for each in found if each is not None), None)
        case _:
            return None


# ---- what may be done to it ---------------------------------------------------------------------------------------


def check_change(layout: Layout, change: Change, target: Target) -> None:
    """Refuse changes to what must not change."""
    root, attribute = target.root, target.attribute
    if root.name in layout.table_composites:
        raise fault(layout, root.name, "is part of the table key and cannot be changed by an update")
    if any(each.name == root.name for each in layout.derived):
        raise fault(layout, root.name, "follows from other attributes and is filled in by every write")
    if root.read_only or attribute.read_only:
        place = path_text(target.path) if attribute.read_only else root.name
        raise fault(layout, place, "is read-only and cannot be changed by an update")
    if change.verb == "remove" and attribute.required:
        raise fault(layout, path_text(target.path), "is required and cannot be removed")
    if (
        layout.strict
        and change.verb == "remove"
        and root.name in layout.composed
        and isinstance(root.default, Constant)
    ):
        reason = "reads as its default when it is absent, which its index would not know; set the default instead"
        raise fault(layout, root.name, reason)


def check_value(layout: Layout, change: Change, target: Target) -> None:
    """Refuse what does not fit the attribute, as ElectroDB does where a clause is written.

    Of an amount and a value to begin with, the latter is the attribute's. Nested defaults count and are not written.
    """
    amount = _plain_value(change.value)
    if _has_start(change, target) and not isinstance(amount, nodes.Name):
        refuse(layout, inspect_type(target.attribute, amount, path_text(target.path), quiet=False))
    given = change.default if _has_start(change, target) else amount
    if isinstance(given, nodes.Name):
        return
    refuse(layout, inspect(target.attribute, fill(target.attribute, given), path_text(target.path)))


def check_verb(change: Change, target: Target) -> None:
    """Refuse verbs that make no sense for the attribute's type."""
    if not ALLOWED[change.verb](target.attribute):
        kind = _type_name(target.attribute)
        raise RequestError(
            f"{change.verb} cannot be used on {path_text(target.path)}, a {kind}; {REMEDY[change.verb]}", code=5002
        )


def fault(layout: Layout, path: str, reason: str) -> ValidationError:
    return ValidationError([as_called(layout, FieldFault(path, reason))])


def path_text(path: PathParts) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)[1:]


TYPE_NAMES: dict[type, str] = {
    Enum: "constant",
    SetOf: "set",
    ListOf: "list",
    MapOf: "map",
    RecordOf: "map",
    OneOf: "map",
}


def _type_name(attribute: Attribute) -> str:
    kind = attribute.type
    return kind.name if isinstance(kind, Scalar | Free) else TYPE_NAMES[type(kind)]


def is_free(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Free) and attribute.type.name != "static"


def is_static(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Free) and attribute.type.name == "static"


def _is_number(attribute: Attribute) -> bool:
    return attribute.type == Scalar("number") or is_free(attribute)


def _is_set(attribute: Attribute) -> bool:
    return isinstance(attribute.type, SetOf) or is_free(attribute)


ALLOWED: dict[Verb, Callable[[Attribute], bool]] = {
    "set": lambda attribute: not is_static(attribute),
    "remove": lambda attribute: not is_static(attribute),
    "add": lambda attribute: _is_number(attribute) or _is_set(attribute),
    "subtract": _is_number,
    "append": lambda attribute: isinstance(attribute.type, ListOf) or is_free(attribute),
    "delete": _is_set,
    "if_not_exists": lambda _: True,
}
REMEDY: dict[Verb, str] = {
    "set": "static attributes are written once, by put",
    "remove": "static attributes are written once, by put",
    "add": "it works on numbers and sets; use set for the rest",
    "subtract": "it works on numbers",
    "append": "it works on lists; use set for the rest",
    "delete": "it works on sets; use remove to drop the attribute",
    "if_not_exists": "",
}


# ---- values and nodes ---------------------------------------------------------------------------------------------


def is_reference(value: Any) -> bool:
    return isinstance(value, nodes.Name | nodes.Value)


class _Prepared(msgspec.Struct, frozen=True):
    """A change with its value as it will be stored; `seen` by index keys, and `made` by the setter for watchers."""

    change: Change
    seen: Any
    made: Any


def prepared_change(layout: Layout, change: Change, target: Target, item: Mapping[str, Any]) -> _Prepared | None:
    """The change with its value checked and through the setter; None where that leaves nothing to do."""
    if _has_start(change, target) and not layout.strict:
        return _with_prepared_default(layout, change, target, item)
    if isinstance(change.value, nodes.Name):
        check_verb(change, target)
        return _Prepared(change, ABSENT, ABSENT)
    value, made = _prepared_value(layout, change, target, _plain_value(change.value), item)
    if value is ABSENT:
        return None
    stored = nodes.Value(value) if is_reference(change.value) else value
    return _Prepared(msgspec.structs.replace(change, value=stored), value, made)


def _with_prepared_default(layout: Layout, change: Change, target: Target, item: Mapping[str, Any]) -> _Prepared:
    """Of an amount and a value to begin with, the latter is the attribute's: ElectroDB checks and sets that one."""
    value, made = _prepared_value(layout, change, target, change.default, item)
    return _Prepared(msgspec.structs.replace(change, default=value), value, made)


def _has_start(change: Change, target: Target) -> bool:
    """Whether a change says what a number is to begin with."""
    return change.default is not ABSENT and _is_number(target.attribute)


def _plain_value(value: Any) -> Any:
    return value.value if isinstance(value, nodes.Value) else value


def _prepared_value(
    layout: Layout, change: Change, target: Target, given: Any, item: Mapping[str, Any]
) -> tuple[Any, Any]:
    """A value as it will be stored, and what its setter made of it."""
    attribute = target.attribute
    if layout.strict:
        refuse(layout, inspect(attribute, given, path_text(target.path), quiet=True))
    check_verb(change, target)
    made = store(attribute, given, item)
    if made is ABSENT and not layout.strict:  # ElectroDB drops nothing that an update was told to set
        return (_as_set(given) if isinstance(attribute.type, SetOf) else given), ABSENT
    if layout.strict and change.verb == "delete" and is_free(attribute):
        return _as_set(made), made
    return made, made


def is_nothing(change: Change) -> bool:
    """Absent values and empty sets are skipped: there is nothing to do, and DynamoDB has no empty sets."""
    return change.verb != "remove" and change.value is ABSENT


def emptied(change: Change, target: Target) -> Change:
    """Setting None or an empty set leaves nothing behind: absent is what they are stored as."""
    is_empty = change.value is ABSENT or is_empty_set(target, change.value)
    return Change("remove", change.path) if change.verb == "set" and is_empty else change


def is_empty_set(target: Target, value: Any) -> bool:
    value = _plain_value(value)
    return isinstance(target.attribute.type, SetOf) and isinstance(value, set | frozenset | list) and not value


def to_action(change: Change, target: Target, value: Any) -> nodes.Action:
    """The node of one change whose value is ready."""
    path = target.name
    operand = value if is_reference(value) else nodes.Value(value)
    match change.verb:
        case "set":
            return nodes.Set(path, operand)
        case "remove":
            return nodes.Remove(path)
        case "delete":
            return nodes.Delete(path, operand)
        case "if_not_exists":
            return nodes.Set(path, nodes.IfNotExists(path, operand))
        case "append":
            return nodes.Set(path, nodes.ListAppend(nodes.IfNotExists(path, nodes.Value([])), operand))
        case "subtract":
            start = nodes.Value(0 if change.default is ABSENT else change.default)
            return nodes.Set(path, nodes.Minus(nodes.IfNotExists(path, start), operand))
        case "add":
            return _add_action(change, target, value, operand)
        case "mention":
            raise AssertionError("what is only mentioned is not changed")


def _add_action(change: Change, target: Target, value: Any, operand: Any) -> nodes.Action:
    """ADD, or a sum where the start is told or the operand is an expression; sets know no sums."""
    path = target.name
    if isinstance(target.attribute.type, SetOf) and not isinstance(value, nodes.Name):
        return nodes.Add(path, operand)
    if change.default is not ABSENT:
        return nodes.Set(path, nodes.Plus(nodes.IfNotExists(path, nodes.Value(change.default)), operand))
    if is_reference(value):
        return nodes.Set(path, nodes.Plus(path, operand))
    return nodes.Add(path, operand)


def _as_set(value: Any) -> Any:
    """Members as a set; what is no list is sent as it was given."""
    return set(value) if is_list(value) else value


def overlapping(actions: Iterable[nodes.Action]) -> tuple[str, str] | None:
    """Two paths of which one begins with the other; DynamoDB refuses to change both in one update."""
    seen: list[PathParts] = []
    for action in actions:
        parts = action.path.parts
        for other in seen:
            length = min(len(parts), len(other))
            if parts[:length] == other[:length]:
                return path_text(other), path_text(parts)
        seen.append(parts)
    return None
