"""Updates whose shape was seen before, written in typed JSON at once.

A shape (see `shapes.py`) holds the texts of an update. Here the caller's own condition joins it: what a condition says
depends on its outline, which fields it compares how, and not on the values. So the first update with an outline renders
it, and the next one fills in values, of which each is marshalled where it is put. The request is the one that
`to_wire(update.request())` gives, byte for byte; whatever is out of the ordinary is left to that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.expr import nodes
from tablewright.expr.render import Placeholders
from tablewright.runtime.items.values import ABSENT
from tablewright.runtime.options import DEFAULT, RESPONDING
from tablewright.runtime.requests.request import WRITE_PARAMS, Params, add_options, table_of
from tablewright.runtime.requests.shapes import Shape, fits, joined, make_room, shape_key
from tablewright.schema.writers import Whole
from tablewright.wire.values import UnstorableValueError, marshal, marshal_item

if TYPE_CHECKING:
    from tablewright.runtime.operations.update import Update


class _Prepared(msgspec.Struct, frozen=True):
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


def sent_update(update: Update[Any]) -> Params | None:
    """The request of an update in typed JSON; None when it must be worked out."""
    layout, options, condition = update.layout, update.options, update.condition
    if options is not DEFAULT and RESPONDING.get(options.response) is not options:
        return None
    tested: list[Any] = []
    outline = None if condition is None else _outline(condition, tested)
    if outline is None and condition is not None:
        return None
    key = shape_key(update), outline, options.response
    prepared: _Prepared | None = layout.shapes.get(key) or _remember(update, key)
    if prepared is None:
        return None
    params: Params = {"TableName": table_of(layout, options), "Key": marshal_item(layout.key(update.composites))}
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


def _values(update: Update[Any], prepared: _Prepared, tested: list[Any]) -> Params | None:
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


# ---- remembering -------------------------------------------------------------------------------------------------


def _remember(update: Update[Any], key: Any) -> _Prepared | None:
    """Keep the shape of an update together with its condition, if the shape is known by now."""
    shapes = update.layout.shapes
    shape: Shape | None = shapes.get(key[0])
    prepared = None if shape is None else _prepare(update, shape)
    if prepared is not None:
        make_room(shapes)
        shapes[key] = prepared
    return prepared


def _prepare(update: Update[Any], shape: Shape) -> _Prepared | None:
    filled = dict.fromkeys(shape.placeholders)
    placeholders = Placeholders(shape.names.copy(), dict(filled))
    texts: Params = {}
    add_options(texts, update.layout, update.options, WRITE_PARAMS)
    texts["UpdateExpression"] = shape.expression
    text = joined(shape.condition, update.condition, placeholders)
    if text:
        texts["ConditionExpression"] = text
    held = [*((placeholder, COMPOSITES, name) for placeholder, name in shape.composites)]
    held += [(placeholder, _source(update, name), name) for placeholder, name in shape.known]
    held_parts = tuple((name, _source(update, name)) for name, at in shape.parts if at is None)
    if any(source == NOWHERE for _, source, *_ in held) or any(source == NOWHERE for _, source in held_parts):
        return None
    return _Prepared(
        texts=texts,
        names=placeholders.names,
        fixed=marshal_item(shape.fixed),
        given=shape.given,
        held=tuple(held),
        composed=shape.composed,
        changed_parts=tuple((name, at) for name, at in shape.parts if at is not None),
        held_parts=held_parts,
        tested=tuple(name for name in placeholders.values if name not in filled),
    )


COMPOSITES, NOWHERE = 2, -1


def _source(update: Update[Any], name: str) -> int:
    """The first of the sources that has the name."""
    sources = (update.known, update.remembered, update.composites)
    return next((at for at, source in enumerate(sources) if name in source), NOWHERE)
