"""What predictions are made of: sizes, counts and shares, estimated from a spec.

Means give means: where items differ much in size, rounding up to whole units happens item by item. The proof predicts
single runs from the items they really touch, with the same arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.design.cost.units.entries import Entry, entries_of, place_of_view
from tablewright.design.serving.answers import named_items
from tablewright.design.serving.serving import partitions, read_at_edge, read_by_walk, read_for, read_under
from tablewright.design.serving.writes import Place, companion_needs, needed, with_timestamp
from tablewright.design.values.templates import DELIMITER
from tablewright.spec.volumes import matching

if TYPE_CHECKING:
    from tablewright.design.layout.layout import Layout, StoredRead
    from tablewright.design.serving.serving import Serving
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import AttributeSpec, PatternSpec

Items: TypeAlias = Mapping[str, float]  # by entity


class Volumes(msgspec.Struct, frozen=True, kw_only=True):
    """How many and how large."""

    counts: Items
    entries: tuple[Entry, ...]  # with their sizes and shares
    read_items: Mapping[str, Items]  # by pattern: items read under the key condition, before any filter
    located_items: Mapping[str, Items]  # by write: items read to find the key of what is written


def estimate(layout: Layout, *, counts: Items | None = None) -> Volumes:
    """Volumes as the spec tells them, or with other counts of items (in a year, at ten times the users)."""
    now = layout.facts
    then = now if counts is None else _with_counts(now, counts)
    entries = entries_of(layout)
    return Volumes(
        counts=then.counts,
        entries=entries,
        read_items={each.id: _items_read(layout, each, then, entries) for each in now.spec.reads},
        located_items={each.id: _items_located(layout, each, then) for each in now.writes},
    )


def _with_counts(facts: Facts, counts: Items) -> Facts:
    """Ids of an entity become more with it, also where the spec says how many there are now."""
    entities = {
        name: msgspec.structs.replace(
            entity,
            attributes={
                attr: _with_values(facts, each, facts.references.get(name, {}).get(attr), counts)
                for attr, each in entity.attributes.items()
            },
        )
        for name, entity in facts.spec.entities.items()
    }
    spec = msgspec.structs.replace(facts.spec, entities=entities)
    return msgspec.structs.replace(facts, spec=spec, counts=counts)


def _with_values(facts: Facts, attribute: AttributeSpec, referred: str | None, counts: Items) -> AttributeSpec:
    if attribute.cardinality is None or referred is None or referred not in counts or not facts.counts[referred]:
        return attribute
    more = counts[referred] / facts.counts[referred]
    return msgspec.structs.replace(attribute, cardinality=attribute.cardinality * more)


# ---- reads --------------------------------------------------------------------------------------------------------


def _items_read(layout: Layout, pattern: PatternSpec, facts: Facts, entries: tuple[Entry, ...]) -> Items:
    """Items under the key of every partition that is asked. A limit counts where nothing is filtered behind it."""
    read = layout.reads[pattern.id]
    if pattern.fetched_for:
        is_limited = layout.reads[pattern.fetched_for].limit is not None
        return {pattern.entity: named_items(facts, pattern, is_limited=is_limited)}
    if pattern.beside:
        return {name: read_at_edge(facts, pattern, name, read.shards) for name in pattern.entities}
    serving = read.servings[pattern.entity]
    own = {name: _under_key(facts, pattern, read.views[name].shape, each) for name, each in read.servings.items()}
    mixed = len(pattern.entities) > 1 or serving.by_type
    found = {**_strangers(facts, layout, read, serving), **own} if mixed else own
    if read.limit is None or serving.is_get or (read.filters and len(found) > 1):
        return found
    view, asked = read.views[pattern.entity], partitions_asked(layout, pattern)
    if serving.walks:
        return {pattern.entity: read_by_walk(facts, pattern, view.shape, serving, read.shards)}
    if len(found) == 1:
        (total,) = found.values()
        size = _entry_in(entries, place_of_view(view), pattern.entity, is_copy=view.is_copy).bytes
        return {pattern.entity: read_for(facts, pattern, view.shape, serving, total, asked, size)}
    share = min(1.0, read.limit * asked / sum(found.values()))
    return {name: count * share for name, count in found.items()}


def partitions_asked(layout: Layout, pattern: PatternSpec) -> float:
    """Shards, times the values of an attribute that is asked for value by value, times buckets of time."""
    read = layout.reads[pattern.id]
    view, serving = read.views[pattern.entity], read.servings[pattern.entity]
    return 1.0 if serving.is_get else float(read.shards * partitions(layout.facts, view.shape, serving))


def _under_key(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> float:
    if serving.is_get:
        return serving.read_items
    return read_under(facts, pattern, shape, serving)


def _strangers(facts: Facts, layout: Layout, read: StoredRead, serving: Serving) -> Items:
    """Items of other types that lie between those wanted: read, paid for and filtered out."""
    view = read.views[read.entities[0]]
    begin = _common_beginning(layout, read)
    return {
        each.entity: matching(facts, each.entity, (*each.shape.partition, *serving.equal))
        for each in layout.groups[view]
        if each.entity != view.entity and each.shape.signature == view.shape.signature
        if layout.keys[each].sk.template.stem.startswith(begin)
    }


def _common_beginning(layout: Layout, read: StoredRead) -> str:
    """What a collection is asked by: in ElectroDB's keys its name stands first, and those of others do not begin so."""
    if layout.style != "electrodb" or len(read.views) < 2:
        return ""
    stems = [layout.keys[each].sk.template.stem.split(DELIMITER) for each in read.views.values()]
    begin = list(takewhile(lambda parts: len(set(parts)) == 1, zip(*stems, strict=False)))
    return "".join(f"{parts[0]}{DELIMITER}" for parts in begin)


def _items_located(layout: Layout, pattern: PatternSpec, facts: Facts) -> Items:
    """What a write reads first: to find the key of what it writes, or to know the rest of keys that it changes."""
    located = {
        entity: _under_key(facts, pattern, found.view.shape, found.serving)
        for (write, entity), found in layout.located.items()
        if write == pattern.id
    }
    others = [entity for entity in pattern.entities if entity not in located]
    return {**located, **{entity: 1.0 for entity in others if looked_up(layout, pattern, entity)}}


_UNSEEING = ("trailing", "latest")
"""What is kept without a look at the item as it was."""


def looked_up(layout: Layout, pattern: PatternSpec, entity: str) -> set[str]:
    """The attributes that a write has to see of an item before it writes it."""
    facts = layout.facts
    along = [each for each in facts.spec.entities.values() if each.of == entity and each.kind not in _UNSEEING]
    own = {entity, *(each.name for each in along if each.kind == "detail")}
    places = [
        Place(
            index=view.index,
            partition=with_timestamp(view.shape.partition, view.shape.bucket),
            lead=view.shape.lead,
            sort=view.shape.sort,
            ids=facts.spec.entities[view.entity].id if layout.shards[view] > 1 else (),
            when=tuple(name for name, _ in view.shape.when),
        )
        for view, keys in layout.keys.items()
        if view.entity in own and not keys.native
    ]
    followed = [
        (set(each.id), {*(total.attr for total in each.totals.values() if total.attr), *each.said_expiry})
        for each in along
        if each.name not in own
    ]
    along_with = (companion_needs(facts, pattern, entity, keys, others) for keys, others in followed)
    return needed(facts, pattern, entity, places).union(*along_with)


def entry_at(volumes: Volumes, place: str, entity: str, *, is_copy: bool = False) -> Entry:
    """The entry of an entity that a request to a place reads."""
    return _entry_in(volumes.entries, place, entity, is_copy=is_copy)


def _entry_in(entries: tuple[Entry, ...], place: str, entity: str, *, is_copy: bool) -> Entry:
    return next(
        each for each in entries if each.place == place and each.entity == entity and (each.kind == "copy") == is_copy
    )
