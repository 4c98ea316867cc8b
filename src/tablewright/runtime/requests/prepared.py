"""Updates whose shape was seen before, written in typed JSON at once.

A shape (see `shapes.py`) holds the texts of an update. Here the caller's own condition joins it: what a condition says
depends on its outline, which fields it compares how, and not on the values. So the first update with an outline renders
it, and the next one fills in values, of which each is marshalled where it is put. The request is the one that
`to_wire(update.request())` gives, byte for byte; whatever is out of the ordinary is left to that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from tablewright.expr import nodes
from tablewright.runtime.options import DEFAULT, RESPONDING, Options
from tablewright.runtime.types.values import ABSENT
from tablewright.schema.writers import Whole
from tablewright.wire.values import UnstorableValueError, marshal, marshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Params: TypeAlias = dict[str, Any]


class Shaped(Protocol):
    """What of an update is looked at here."""

    @property
    def layout(self) -> Any: ...
    @property
    def composites(self) -> Mapping[str, Any]: ...
    @property
    def changes(self) -> tuple[Any, ...]: ...
    @property
    def must_exist(self) -> bool: ...
    @property
    def known(self) -> Mapping[str, Any]: ...
    @property
    def condition(self) -> nodes.Condition | None: ...
    @property
    def options(self) -> Options: ...
    @property
    def remembered(self) -> Mapping[str, Any]: ...


class Shape(msgspec.Struct, frozen=True):
    """The texts of an update, its names, and where the values of its placeholders come from."""

    expression: str
    condition: str
    names: dict[str, str]
    fixed: dict[str, Any]
    given: tuple[tuple[str, int], ...]
    composites: tuple[tuple[str, str], ...]
    known: tuple[tuple[str, str], ...]
    composed: tuple[tuple[str, Whole], ...]
    parts: tuple[tuple[str, int | None], ...]  # what composed keys consist of: names, and the changes that give them

    @property
    def placeholders(self) -> list[str]:
        """Those of all values, in order."""
        filled = (self.given, self.composites, self.known, self.composed)
        return [*self.fixed, *(placeholder for each in filled for placeholder, _ in each)]


def shape_key(update: Shaped) -> Any:
    """What all updates of a shape have in common."""
    changes = tuple([(change.verb, change.path) for change in update.changes])
    known, remembered = tuple(update.known) if update.known else (), update.remembered
    if not remembered:
        return changes, update.must_exist, known, ()
    absent = tuple([name for name, value in remembered.items() if value is ABSENT])  # they decide about indexes
    return changes, update.must_exist, known, (*remembered, None, *absent)


class Prepared(msgspec.Struct, frozen=True):
    """A shape with its condition: its texts, and for the placeholder of every value where that comes from.

    What the caller and the item at hand vouch for, and the key, are three sources; which of them has a name is the same
    for all updates of a shape.
    """

    texts: Params
    names: dict[str, str]
    fixed: Params
    given: tuple[tuple[str, int], ...]
    held: tuple[tuple[str, int, str], ...]  # placeholder, source, name
    composed: tuple[tuple[str, Whole], ...]
    changed_parts: tuple[tuple[str, int], ...]  # of composed keys: name, and the change that gives it
    held_parts: tuple[tuple[str, int], ...]  # the others: name, source
    tested: tuple[str, ...]


def sent_update(update: Shaped, table: str, remember: Callable[[Any, Any], Prepared | None]) -> Params | None:
    """The request of an update in typed JSON; None when it must be worked out.

    `remember` prepares what comes for the first time, if its shape is known.
    """
    layout, options, condition = update.layout, update.options, update.condition
    if options is not DEFAULT and RESPONDING.get(options.response) is not options:
        return None
    tested: list[Any] = []
    outline = None if condition is None else _outline(condition, tested)
    if outline is None and condition is not None:
        return None
    key = shape_key(update), outline, options.response
    prepared: Prepared | None = layout.shapes.get(key) or remember(update, key)
    if prepared is None:
        return None
    params: Params = {"TableName": table, "Key": marshal_item(layout.key(update.composites))}
    try:
        values = _values(update, prepared, tested)
    except (UnstorableValueError, KeyError):  # the long way says what is wrong, and where
        return None
    if values is None:
        return None
    params.update(prepared.texts)
    params["ExpressionAttributeNames"] = prepared.names.copy()
    params["ExpressionAttributeValues"] = values
    return params


def _values(update: Shaped, prepared: Prepared, tested: list[Any]) -> Params | None:
    """The values of all placeholders, in the order of `shapes.filled`."""
    changes, values = update.changes, prepared.fixed.copy()
    sources = (update.known, update.remembered, update.composites)
    for placeholder, at in prepared.given:
        change = changes[at]
        value = change.value
        if change.default is not ABSENT:
            return None
        if value.__class__ is str:
            values[placeholder] = {"S": value}
        elif fits(change):
            values[placeholder] = marshal(value)
        else:
            return None
    for placeholder, source, name in prepared.held:
        value = sources[source][name]
        if value is ABSENT:
            return None
        values[placeholder] = {"S": value} if value.__class__ is str else marshal(value)
    if prepared.composed:
        parts = {name: changes[at].value for name, at in prepared.changed_parts}
        for name, source in prepared.held_parts:
            parts[name] = sources[source][name]
        for placeholder, whole in prepared.composed:
            value = whole(parts)
            values[placeholder] = {"S": value} if value.__class__ is str else marshal(value)
    for placeholder, value in zip(prepared.tested, tested, strict=True):
        values[placeholder] = {"S": value} if value.__class__ is str else marshal(value)
    return values


REGULAR = frozenset({str, int, float, bool, bytes, list, dict})


def fits(change: Any) -> bool:
    """Whether a change can be filled into a shape: what else there is makes the text another one."""
    value = change.value
    return (value.__class__ in REGULAR or not is_irregular(value)) and change.default is ABSENT


def is_irregular(value: Any) -> bool:
    """Absent values and empty sets are skipped, references to attributes are written out."""
    kind = value.__class__
    return value is ABSENT or (kind is set and not value) or kind is nodes.Name or kind is nodes.Value


# ---- outlines ----------------------------------------------------------------------------------------------------

VALUE = "?"


def _outline(condition: Any, values: list[Any]) -> Any:
    """What a condition says without its values, which are collected as they are rendered; None for rare ones."""
    kind = condition.__class__
    if kind is nodes.Compare:
        right = condition.right
        if condition.left.__class__ is nodes.Name and right.__class__ is nodes.Value and not right.hint:
            values.append(right.value)
            return condition.operator, condition.left.parts
    elif kind is nodes.Function:
        arguments = [_argument(each, values) for each in condition.args]
        return None if None in arguments else (condition.name, *arguments)
    elif kind is nodes.And or kind is nodes.Or:
        parts = [_outline(each, values) for each in condition.parts]
        return None if None in parts else (kind, *parts)
    return None


def _argument(operand: Any, values: list[Any]) -> Any:
    if operand.__class__ is nodes.Name:
        return operand.parts
    if operand.__class__ is nodes.Value and not operand.hint:
        values.append(operand.value)
        return VALUE
    return None
