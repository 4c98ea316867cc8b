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
from tablewright.runtime.items.values import ABSENT
from tablewright.runtime.requests.changes import is_free, to_action
from tablewright.runtime.requests.draft import Draft, assemble
from tablewright.schema.keys import ComposedKey
from tablewright.schema.writers import Whole

if TYPE_CHECKING:
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.operations.update import Update

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


class _Shape(msgspec.Struct, frozen=True):
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


def shape_key(update: Update[Any]) -> Any:
    changes = tuple([(change.verb, change.path) for change in update.changes])
    remembered = update.remembered
    if not remembered:
        return changes, update.must_exist, tuple(update.known), ()
    absent = tuple([name for name, value in remembered.items() if value is ABSENT])  # they decide about indexes
    return changes, update.must_exist, tuple(update.known), (*remembered, None, *absent)


# ---- filling in --------------------------------------------------------------------------------------------------


def filled(update: Update[Any]) -> tuple[str, str, Placeholders] | None:
    """The texts of an update whose shape is known, with its values in place; None when it must be worked out."""
    shape: _Shape | None = update.layout.shapes.get(shape_key(update))
    if shape is None:
        return None
    values = shape.fixed.copy()
    changes = update.changes
    for placeholder, at in shape.given:
        change = changes[at]
        value = change.value
        if (value.__class__ not in REGULAR and _is_irregular(value)) or change.default is not ABSENT:
            return None
        values[placeholder] = value
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


REGULAR = frozenset({str, int, float, bool, bytes, list, dict})


def _is_irregular(value: Any) -> bool:
    """Absent values and empty sets are skipped, references to attributes are written out."""
    kind = value.__class__
    return value is ABSENT or (kind is set and not value) or kind is nodes.Name or kind is nodes.Value


def _vouched(update: Update[Any], name: str) -> Any:
    """What the caller, the item at hand or the key says of an attribute."""
    for source in (update.known, update.remembered, update.composites):
        if name in source:
            return source[name]
    return ABSENT


# ---- remembering -------------------------------------------------------------------------------------------------


def remember_shape(update: Update[Any], draft: Draft, exists: nodes.Condition | None) -> None:
    """Keep the texts of an update that was just worked out, if they would be the same for other values."""
    layout = update.layout
    sides = _composed_sides(layout, draft)
    if sides is None or not _is_regular(update, draft):
        return
    if len(layout.shapes) >= MOST_SHAPES:
        layout.shapes.clear()
    layout.shapes[shape_key(update)] = _to_shape(update, draft, sides, exists)


def _is_regular(update: Update[Any], draft: Draft) -> bool:
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
        if change.verb != "remove" and (_is_irregular(change.value) or change.default is not ABSENT):
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


def _to_shape(update: Update[Any], draft: Draft, sides: list[ComposedKey], exists: nodes.Condition | None) -> _Shape:
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
) -> _Shape:
    """The notes by kind."""
    notes = placeholders.values.items()
    kinds = (Given, _Composite, _Known, _Composed)
    return _Shape(
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
