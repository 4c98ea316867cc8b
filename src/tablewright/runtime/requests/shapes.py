"""Updates of the same shape share their text.

What an update says depends on which attributes it changes and how, not on the values. So the first update of a shape is
worked out from the schema, and the text it led to is kept with a note for every placeholder of where its value comes
from; the next one of that shape only fills in values. Whatever makes the text depend on values (setters, validators,
watchers, sparse conditions, absent values, references to other attributes) is left to be worked out every time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition, render_update
from tablewright.runtime.items.intake import is_watcher
from tablewright.runtime.items.plain import is_plain
from tablewright.runtime.requests.changes import is_free, to_action
from tablewright.runtime.requests.draft import Draft, assemble
from tablewright.runtime.requests.prepared import Prepared, Shape, Shaped, fits, is_irregular, shape_key
from tablewright.runtime.requests.request import WRITE_PARAMS, Params, add_options
from tablewright.runtime.types.values import ABSENT
from tablewright.schema.keys import ComposedKey
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from tablewright.runtime.items.layout import Layout

MOST_SHAPES = 1000


class Given(msgspec.Struct, frozen=True):
    """The value of the change at this position."""

    at: int


class _Composite(msgspec.Struct, frozen=True):
    """A table composite of the item."""

    name: str


class _Known(msgspec.Struct, frozen=True):
    """A value the caller or the item at hand vouches for."""

    name: str


class _Composed(msgspec.Struct, frozen=True):
    """An index key."""

    side: ComposedKey


def make_room(shapes: dict[Any, Any]) -> None:
    """Forget all before there are too many."""
    if len(shapes) >= MOST_SHAPES:
        shapes.clear()


# ---- filling in --------------------------------------------------------------------------------------------------


def filled(update: Shaped) -> tuple[str, str, Placeholders] | None:
    """The texts of an update whose shape is known, with its values in place; None when it must be worked out."""
    shape: Shape | None = update.layout.shapes.get(shape_key(update))
    if shape is None:
        return None
    values = shape.fixed.copy()
    changes = update.changes
    for placeholder, at in shape.given:
        change = changes[at]
        if not fits(change):
            return None
        values[placeholder] = change.value
    for placeholder, name in shape.composites:
        values[placeholder] = update.composites[name]
    for placeholder, name in shape.known:
        value = _vouched(update, name)
        if value is ABSENT:
            return None
        values[placeholder] = value
    if shape.composed:
        parts = {name: _vouched(update, name) if at is None else changes[at].value for name, at in shape.parts}
        for placeholder, whole in shape.composed:
            values[placeholder] = whole(parts)
    return shape.expression, shape.condition, Placeholders(shape.names.copy(), values)


def joined(text: str, condition: nodes.Condition | None, placeholders: Placeholders) -> str:
    """The condition of a shape and that of the caller."""
    if condition is None:
        return text
    asked = render_condition(condition, placeholders)
    if not text:
        return asked
    return f"{text} AND ({asked})" if isinstance(condition, nodes.Or) else f"{text} AND {asked}"


def _vouched(update: Shaped, name: str) -> Any:
    """What the caller, the item at hand or the key says of an attribute."""
    for source in (update.known, update.remembered, update.composites):
        if name in source:
            return source[name]
    return ABSENT


# ---- remembering -------------------------------------------------------------------------------------------------


def remember_shape(update: Shaped, draft: Draft, exists: nodes.Condition | None) -> None:
    """Keep the texts of an update that was just worked out, if they would be the same for other values."""
    layout = update.layout
    sides = _composed_sides(layout, draft)
    if sides is None or not _is_regular(update, draft):
        return
    make_room(layout.shapes)
    layout.shapes[shape_key(update)] = _to_shape(update, draft, sides, exists)


def _is_regular(update: Shaped, draft: Draft) -> bool:
    """Whether nothing about the text depends on values."""
    layout = update.layout
    if draft.is_derived:
        return False
    if len(draft.pending) != len(update.changes) or any(is_watcher(each) for each in layout.attributes.values()):
        return False
    known = [*update.known.values(), *(update.remembered[name] for name in draft.used)]
    if any(value is ABSENT for value in known):
        return False
    for change, (_, target) in zip(update.changes, draft.pending, strict=True):
        if change.verb != "remove" and (is_irregular(change.value) or change.default is not ABSENT):
            return False
        if not is_plain(target.attribute) or target.root.name in layout.attribute_keys:
            return False
        if change.verb == "delete" and is_free(target.attribute):  # members that come as a list are made a set
            return False
    return not any(_touches_sparse(layout, change.path[0]) for change in update.changes)


def _touches_sparse(layout: Layout, name: Any) -> bool:
    sparse = (keys.pattern for keys in layout.secondary if keys.pattern.condition is not None)
    return any(name in (*pattern.composites, *(pattern.depends_on or ())) for pattern in sparse)


def _composed_sides(layout: Layout, draft: Draft) -> list[ComposedKey] | None:
    """The index keys the update sets, in order; None when one of them is cut short, which depends on values."""
    by_field = {side.field: side for keys in layout.secondary for side in (keys.pk, keys.sk) if side is not None}
    sides = [by_field[field] for field in draft.key_fields]
    gone = frozenset(draft.removed)
    return None if any(piece.name in gone for side in sides for piece in side.pieces) else sides


def _to_shape(update: Shaped, draft: Draft, sides: list[ComposedKey], exists: nodes.Condition | None) -> Shape:
    """Write the texts once more with notes in place of values."""
    layout = update.layout
    actions: list[nodes.Action] = [
        to_action(change, target, Given(at)) for at, (change, target) in enumerate(draft.pending)
    ]
    actions += [nodes.Set(nodes.Name((side.field,)), nodes.Value(_Composed(side))) for side in sides]
    actions += [nodes.Remove(nodes.Name((field,))) for field in draft.removed_keys]
    composites = [name for name in layout.table_composites if layout.attributes[name].field not in layout.table_fields]
    actions += [
        nodes.Set(nodes.Name((layout.attributes[name].field,)), nodes.Value(_Composite(name))) for name in composites
    ]
    actions += [nodes.Set(nodes.Name((field,)), nodes.Value(value)) for field, value in layout.identity.items()]
    placeholders = Placeholders()
    expression = render_update(assemble(layout, actions), placeholders)
    names = [name for name in dict.fromkeys((*draft.used, *update.known)) if name not in layout.table_composites]
    holds = [
        nodes.Compare("=", nodes.Name((layout.attributes[name].field,)), nodes.Value(_Known(name))) for name in names
    ]
    condition = nodes.all_of(exists, *holds)
    text = "" if condition is None else render_condition(condition, placeholders)
    changed = {str(change.path[0]): at for at, change in enumerate(update.changes) if len(change.path) == 1}
    pieces = dict.fromkeys(piece.name for side in sides for piece in side.pieces)
    parts = tuple((name, changed.get(name)) for name in pieces)
    return _sorted_out(layout, expression, text, placeholders, parts)


def _sorted_out(
    layout: Layout,
    expression: str,
    condition: str,
    placeholders: Placeholders,
    parts: tuple[tuple[str, int | None], ...],
) -> Shape:
    """The notes by kind."""
    notes = placeholders.values.items()
    kinds = (Given, _Composite, _Known, _Composed)
    return Shape(
        expression,
        condition,
        placeholders.names,
        {name: note for name, note in notes if not isinstance(note, kinds)},
        tuple((name, note.at) for name, note in notes if isinstance(note, Given)),
        tuple((name, note.name) for name, note in notes if isinstance(note, _Composite)),
        tuple((name, note.name) for name, note in notes if isinstance(note, _Known)),
        tuple((name, layout.writers[note.side.field].whole) for name, note in notes if isinstance(note, _Composed)),
        parts,
    )


# ---- together with a condition -----------------------------------------------------------------------------------


def remember_prepared(update: Shaped, key: Any) -> Prepared | None:
    """Keep the shape of an update together with its condition, if the shape is known by now."""
    shapes = update.layout.shapes
    shape: Shape | None = shapes.get(key[0])
    prepared = None if shape is None else _prepare(update, shape)
    if prepared is not None:
        make_room(shapes)
        shapes[key] = prepared
    return prepared


def _prepare(update: Shaped, shape: Shape) -> Prepared | None:
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
    return Prepared(
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


def _source(update: Shaped, name: str) -> int:
    """The first of the sources that has the name."""
    sources = (update.known, update.remembered, update.composites)
    return next((at for at, source in enumerate(sources) if name in source), NOWHERE)
