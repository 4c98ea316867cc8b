"""The item types of a solution: what is stored, under which keys, and what every item of a type has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.plans.embedding import embedded_item
from tablewright.architect.plans.packing import packed_item
from tablewright.architect.plans.second_item import SECOND_ITEM
from tablewright.design.layout.names import index_fields
from tablewright.design.model import (
    Index,
    ItemAttribute,
    ItemKeys,
    ItemKind,
    ItemType,
    KeyField,
    Projection,
    TableDesign,
)
from tablewright.design.values.amounts import Total
from tablewright.design.values.buckets import Bucket
from tablewright.spec.conditions import require
from tablewright.spec.volumes import item_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.design.layout.forms import Embedded
    from tablewright.design.layout.views import View


RULED = ("entity", "detail")
"""What callers give values for; everything else follows from those."""


def items_of(solution: Solution) -> Iterator[ItemType]:
    for name in solution.spec.entities:
        own = [view for view in solution.names.keys if view.entity == name and not view.is_copy]
        item = _item_type(solution, name, solution.spec.entities[name].kind, own)
        yield item if solution.spec.entities[name].packed is None else _packed_type(solution, item)
        copies = [view for view in solution.names.keys if view.entity == name and view.is_copy]
        yield from (_item_type(solution, solution.names.tags[view], SECOND_ITEM.item_kind, [view]) for view in copies)
    yield from (_embedded_type(solution, name, inside) for name, inside in solution.rewritten.embedded.items())


def _item_type(solution: Solution, name: str, kind: ItemKind, views: list[View]) -> ItemType:
    entity = views[0].entity  # an entity of the spec as it is stored
    facts, spec = solution.facts, solution.spec.entities[entity]
    copies = solution.rewritten.copies.get(entity, {})
    return ItemType(
        name=name,
        entity=spec.of or entity,
        kind=kind,
        table=solution.spec.name,
        id=spec.id,
        attributes=tuple(
            ItemAttribute(
                name=each.name,
                type=each.type,
                required=each.name in facts.present[entity],
                changes=each.name in facts.changing[entity],
                immutable=bool(each.immutable),
                values=each.values,
                default=each.default if kind in RULED else None,
                validate=each.validate if kind in RULED else None,
                ends=each.ends if kind in RULED else None,
                step_of=each.step_of,
                copy_of=copies.get(each.name),
            )
            for each in spec.attributes.values()
        ),
        keys=tuple(_item_keys(solution, view) for view in views),
        fixed=_fixed_in(solution, views[0], kind),
        totals={attribute: Total(each.kind, each.attr) for attribute, each in spec.totals.items()},
        top=spec.top,
        inside="" if spec.top is None else spec.top.inside,
        newest_by=spec.newest_by,
        ttl_days=spec.ttl.days if spec.ttl else None,
        ttl_attribute=solution.spec.written_expiry(entity),
        expected_bytes=item_bytes(facts, entity),
        expected_count=facts.counts[entity],
        notes=spec.notes,
    )


def _fixed_in(solution: Solution, view: View, kind: ItemKind) -> dict[str, Any]:
    """What its name is, and the maps of those that lie in it, empty at first."""
    maps = [each.attribute for each in solution.rewritten.embedded.values() if each.parent == view.entity]
    return {**solution.names.fixed(view), **({name: {} for name in maps} if kind == "entity" else {})}


def _embedded_type(solution: Solution, name: str, inside: Embedded) -> ItemType:
    view = next(each for each in solution.names.keys if each.entity == inside.parent and each.index is None)
    return embedded_item(solution.asked, name, inside, _item_keys(solution, view), solution.spec.name)


def _packed_type(solution: Solution, item: ItemType) -> ItemType:
    packing = solution.spec.entities[item.entity].packed
    assert packing is not None
    return packed_item(solution.asked, item, packing)


def _item_keys(solution: Solution, view: View) -> ItemKeys:
    keys = solution.names.keys[view]
    found = ItemKeys(
        index=view.index,
        partition=view.shape.partition,
        lead=view.shape.lead,
        rest=view.shape.rest,
        pk=(keys.pk,),
        sk=(keys.sk,),
        shards=solution.names.shards[view],
        copies=max(1, view.shape.copies),
        copy=view.number,
        bucket=Bucket.parse(view.shape.bucket) if view.shape.bucket else None,
        when=require({name: msgspec.json.decode(value) if value else None for name, value in view.shape.when}),
        collections=solution.names.collections.get(view, ()),
    )
    own = solution.index_keys(view.index)
    return found if own is None else own.item_keys(found, solution.names.tags[view])


# ---- the physical table ---------------------------------------------------------------------------------------------


def table_of(solution: Solution) -> TableDesign:
    pk, sk = index_fields(None)
    choice = solution.choice
    return TableDesign(
        name=solution.spec.name,
        pk=KeyField(pk),
        sk=KeyField(sk),
        gsis=tuple(
            _index_of(solution, f"gsi{at + 1}", _projection_of(solution, at)) for at in range(len(choice.slots))
        ),
        lsis=tuple(_index_of(solution, f"lsi{number}") for number in range(1, len(choice.lsis) + 1)),
    )


def _index_of(solution: Solution, name: str, projection: Projection | None = None) -> Index:
    keys = solution.index_keys(name)
    if keys is not None:
        return keys.index(projection or Projection())
    pk, sk = index_fields(name)
    return Index(name=name, pk=(KeyField(pk),), sk=(KeyField(sk),), projection=projection or Projection())


def _projection_of(solution: Solution, slot: int) -> Projection:
    """What is included comes with what says which type an item is, and when it goes."""
    chosen = solution.choice.projection(slot)
    if chosen.kind != "INCLUDE":
        return Projection(chosen.kind)
    views = [view for view in solution.names.keys if view.slot == slot]
    fixed = {name for view in views for name in solution.names.fixed(view)}
    expiring = any(solution.spec.entities[view.entity].ttl is not None for view in views)
    until = {solution.spec.expiry_attribute} if expiring and solution.spec.expiry_attribute else set[str]()
    return Projection("INCLUDE", tuple(sorted({*chosen.attributes, *fixed, *until})))
