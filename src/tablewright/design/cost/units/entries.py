"""Where the items of an entity lie: the table, indexes, copies, and sentinels that keep attributes unique.

An entry is what one write of an item has to keep in step in one place. Its size is what that place holds of the item;
its share is the part of the items that are there at all (an index holds no item without its partition and lead).
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import BUCKET
from tablewright.spec.model import KeyStyle, Packing, StoredKind
from tablewright.spec.volumes import TYPE_BYTES, attribute_bytes, presence, said_presence, share_when
from tablewright.spec.volumes import value_bytes as attribute_value_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View
    from tablewright.design.serving.shapes import Shape
    from tablewright.design.values.templates import KeyTemplate
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, Spec

Demand: TypeAlias = tuple[str, str]
"""An attribute, and as JSON the value that it must have; empty where any will do."""
EntryKind: TypeAlias = Literal[StoredKind, "item", "index", "copy", "unique"]
_CALLED: Mapping[StoredKind, EntryKind] = {"entity": "item", "sentinel": "unique"}
TABLE = "table"
SHARD_BYTES = 2
NUMBER_TEXT_BYTES: Mapping[KeyStyle, int] = {"electrodb": 16, "plain": 27}
"""What a number takes inside of a key, as `design.encoding` writes it."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """The items of one entity in one place; `place` is what is billed (the table, or an index by its name)."""

    name: str  # gsi1/Order, table/Order, table/Order/copy1, table/UserEmail
    kind: EntryKind
    place: str
    entity: str
    key_attributes: tuple[str, ...]  # a change of one of them moves the entry
    bytes: float  # of one entry on average, without the 100 bytes that storage adds
    share: float  # of the entity's items
    projected: tuple[str, ...] | None = None  # attributes it holds besides its keys; None for all
    demands: tuple[Demand, ...] = ()  # what an item must have to be there; empty where all are
    of: str = ""  # the entity whose writes keep it in step, where that is another
    packing: Packing | None = None  # it grows with every write, and has `bytes` when its period is over

    @property
    def owner(self) -> str:
        return self.of or self.entity


def entries_of(layout: Layout) -> tuple[Entry, ...]:
    """All entries, entity by entity, the item itself first."""
    return tuple(entry for entity in layout.spec.entities for entry in _view_entries(layout, entity))


def _view_entries(layout: Layout, entity: str) -> Iterator[Entry]:
    copies = 0
    for view in layout.keys:
        if view.entity != entity:
            continue
        copies += view.is_copy
        yield Entry(
            name=f"{place_of_view(view)}/{entity}" + (f"/copy{copies}" if view.is_copy else ""),
            kind=_kind_of(layout, view),
            place=place_of_view(view),
            entity=entity,
            key_attributes=view.shape.watched,
            bytes=_view_bytes(layout, view),
            share=_entry_share(layout, view),
            projected=_held_in(layout, view),
            demands=_demands_of(layout, view),
            of=layout.spec.entities[entity].of,
            packing=layout.spec.entities[entity].packed,
        )


def _kind_of(layout: Layout, view: View) -> EntryKind:
    if view.is_copy or view.index is not None:
        return "copy" if view.is_copy else "index"
    return _item_kind(layout.spec, view.entity)


def _item_kind(spec: Spec, entity: str) -> EntryKind:
    kind = spec.entities[entity].kind
    return _CALLED.get(kind, kind)


def _held_in(layout: Layout, view: View) -> tuple[str, ...] | None:
    """What lies in one place of an item: an index holds what is projected of it, or else all that it has."""
    projected = _projected_of(layout, view) if view.index else None
    return _held_by(layout.spec, view.entity) if projected is None else projected


def _held_by(spec: Spec, entity: str) -> tuple[str, ...] | None:
    """What lies in an item, where its entity has details elsewhere, or is itself written along with another."""
    own = spec.entities[entity]
    if own.top is not None:
        return own.top.shows
    if own.kind in ("total", "trailing"):
        return tuple(each.attr for each in own.totals.values() if each.attr)
    divided = any(each.kind == "detail" and each.of == entity for each in spec.entities.values())
    return tuple(own.attributes) if divided or own.kind != "entity" else None


def _entry_share(layout: Layout, view: View) -> float:
    """Of the items: those that are there. A sentinel is there for items that have all it keeps unique."""
    return _item_share(layout.facts, view.entity) * _share_of(layout.facts, view)


def _item_share(facts: Facts, entity: str) -> float:
    spec = facts.spec.entities[entity]
    return prod(presence(facts, spec.of, name) for name in spec.id) if spec.kind == "sentinel" else 1.0


def table_entry(facts: Facts, entity: str, size_bytes: float) -> Entry:
    """The items of an entity in the table, known before it is known what else they are keyed by."""
    spec = facts.spec.entities[entity]
    return Entry(
        name=f"{TABLE}/{entity}",
        kind=_item_kind(facts.spec, entity),
        place=TABLE,
        entity=entity,
        key_attributes=spec.id,
        bytes=size_bytes,
        share=_item_share(facts, entity),
        projected=_held_by(facts.spec, entity),
        of=spec.of,
        packing=spec.packed,
    )


def _demands_of(layout: Layout, view: View) -> tuple[Demand, ...]:
    spec = layout.spec.entities[view.entity]
    if spec.kind == "sentinel":
        return tuple((name, "") for name in spec.id)
    return () if view.index is None else demands_of(view.shape)


def demands_of(shape: Shape) -> tuple[Demand, ...]:
    """What an index demands of its items: partition, lead, and what `when` says."""
    return (*((name, "") for name in (*shape.partition, *shape.lead)), *shape.when)


def place_of_view(view: View) -> str:
    return view.index or TABLE


# ---- how large ----------------------------------------------------------------------------------------------------


def _view_bytes(layout: Layout, view: View) -> int:
    if view.is_copy:
        return _copy_bytes(layout, view)
    whole, projected = _stored_bytes(layout, view.entity), _projected_of(layout, view)
    base, facts = layout.base_view(view.entity), layout.facts
    if projected is None:
        return whole + round(_more_bytes(layout, view))
    keys = sum(_view_key_bytes(layout, each) / _share_of(facts, each) for each in (base, view))
    held = {*projected, *view.shape.attributes} if layout.keys[view].native else projected
    leading = {*view.shape.partition, *view.shape.lead}
    own = sum(
        attribute_bytes(facts, view.entity, name) * (1.0 if name in leading else presence(facts, view.entity, name))
        for name in held
    )
    fixed = layout.fixed(base) if layout.projections[view.index or ""] else {}  # with anything else, the type is, too
    return min(whole, round(keys + own) + _fixed_bytes(fixed))


def _fixed_bytes(fixed: Mapping[str, str]) -> int:
    return sum(len(name) + len(value.encode()) for name, value in fixed.items())


def _more_bytes(layout: Layout, view: View) -> float:
    """What the items of an index are larger by than others: they have its keys, and what those are made of."""
    facts = layout.facts
    if view.index is None or layout.spec.entities[view.entity].size_bytes:
        return 0.0
    share = _share_of(facts, view)
    keys = _view_key_bytes(layout, view) / share * (1.0 - share)
    leading = {*view.shape.partition, *view.shape.lead}
    return keys + sum(
        attribute_bytes(facts, view.entity, name) * (1.0 - presence(facts, view.entity, name))
        for name in sorted(leading)
    )


def _share_of(facts: Facts, view: View) -> float:
    return 1.0 if view.index is None else membership(facts, view.shape)


def _projected_of(layout: Layout, view: View) -> tuple[str, ...] | None:
    """What an index holds of an entity besides keys; None for everything."""
    chosen = layout.projections.get(view.index or "")
    if chosen is None:
        return None
    return tuple(name for name in chosen if name in layout.spec.entities[view.entity].attributes)


def _stored_bytes(layout: Layout, entity: str) -> int:
    """An item with the keys of the table and of every index it is in; a size said in the spec is taken as it is."""
    said = layout.spec.entities[entity].size_bytes
    views = [view for view in layout.keys if view.entity == entity and not view.is_copy]
    return said or _own_bytes(layout, entity) + round(sum(_view_key_bytes(layout, view) for view in views))


def _copy_bytes(layout: Layout, view: View) -> int:
    """A copy carries no index keys, or it would be in the indexes a second time."""
    said = layout.spec.entities[view.entity].size_bytes
    return said or _own_bytes(layout, view.entity) + round(_view_key_bytes(layout, view))


def _own_bytes(layout: Layout, entity: str) -> int:
    return attributes_bytes(layout.facts, entity, layout.fixed(layout.base_view(entity)))


def attributes_bytes(facts: Facts, entity: str, fixed: Mapping[str, str]) -> int:
    """The attributes of the spec, as far as they are there, and those that say the item's type."""
    spec = facts.spec.entities[entity]
    attributes = [name for name in spec.attributes if spec.packed is None or name in _series(spec)]
    total = sum(attribute_bytes(facts, entity, name) * presence(facts, entity, name) for name in attributes)
    total += 0.0 if spec.packed is None else spec.packed.entries * spec.packed.entry_bytes
    expiry = facts.spec.written_expiry(entity)
    return round(total) + _fixed_bytes(fixed) + (len(expiry.encode()) + TYPE_BYTES["number"] if expiry else 0)


def _series(spec: EntitySpec) -> tuple[str, ...]:
    """What an item of packed ones has besides these: the period stands in its key alone."""
    return tuple(name for name in spec.id if spec.packed is None or name != spec.packed.attr)


def _view_key_bytes(layout: Layout, view: View) -> float:
    """What an item has of its own for the keys of a view: nothing, where its attributes are the keys themselves."""
    keys = layout.keys[view]
    if keys.native:
        return 0.0
    share = 1.0 if view.index is None else membership(layout.facts, view.shape)
    own = (keys.sk,) if view.lsi is not None else (keys.pk, keys.sk)  # a local index has the table's partition key
    return share * sum(_key_bytes(layout, view, template) for template in own)


def _key_bytes(layout: Layout, view: View, key: KeyTemplate) -> float:
    """A key field's name, its literal texts and the values between them, of which numbers have a fixed width.

    A key ends where its first absent attribute would stand, which only those of `rest` can be.
    """
    found, there = float(len(key.field)), 1.0
    for part in key.template.parts:
        if isinstance(part, str):
            found += there * len(part.encode())
            continue
        if part.name in view.shape.rest:
            there *= said_presence(layout.facts, view.entity, part.name)
        found += there * _part_bytes(layout, view, part.name)
    return found


def _part_bytes(layout: Layout, view: View, name: str) -> int:
    known = layout.spec.entities[view.entity].attributes
    if name in known and known[name].type == "number":
        return NUMBER_TEXT_BYTES[layout.style]
    if name == BUCKET and view.shape.bucket:
        return Bucket.parse(view.shape.bucket).length
    packed = layout.spec.entities[view.entity].packed
    if name == BUCKET and packed is not None:
        return packed.length
    return value_bytes(layout.facts, view.entity, name)


def value_bytes(facts: Facts, entity: str, name: str) -> int:
    known = facts.spec.entities[entity].attributes
    return attribute_value_bytes(facts, entity, name) if name in known else SHARD_BYTES


# ---- how many -----------------------------------------------------------------------------------------------------


def membership(facts: Facts, shape: Shape) -> float:
    """The share of items in an index: those with partition, lead and what `when` says, taken as independent."""
    there = prod(presence(facts, shape.entity, name) for name in (*shape.partition, *shape.lead))
    return there * share_when(facts, shape.entity, shape.when)
