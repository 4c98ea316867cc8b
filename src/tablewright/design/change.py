"""What became of an earlier design: read off the two designs, key by key, and priced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.derive import stored_keys
from tablewright.design.model import DesignChange
from tablewright.wire.capacity import write_wcu

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.model import Design, ItemKeys, ItemType

Place = tuple[str, str | None]  # an item type and an index


def with_change(design: Design, earlier: Design) -> Design:
    return msgspec.structs.replace(design, change=_change_between(earlier, design))


def _change_between(earlier: Design, design: Design) -> DesignChange:
    before, after = _keys_by_place(earlier), _keys_by_place(design)
    moved = [each for each in before if each in after and _key_form(before[each]) != _key_form(after[each])]
    added = [each for each in after if each not in before]
    gone = [each for each in before if each not in after]
    return DesignChange(
        kept=_place_texts(each for each in before if each in after and each not in moved),
        added=_place_texts(added),
        moved=_place_texts(moved),
        gone=_place_texts(gone),
        idle=_place_texts(_idle_places(design)),
        usd_per_month=design.cost.usd_per_month - earlier.cost.usd_per_month,
        once_usd=_once_usd(earlier, design, added, moved),
        steps=tuple(_steps(earlier, design, added, moved, gone)),
    )


def _keys_by_place(design: Design) -> dict[Place, ItemKeys]:
    return {(item.name, keys.index): keys for item, keys in stored_keys(design.items)}


def _key_form(keys: ItemKeys) -> tuple[object, ...]:
    return keys.pk, keys.sk, keys.shards, keys.bucket, keys.when


def _place_texts(places: Iterable[Place]) -> tuple[str, ...]:
    return tuple(f"{item} in {index or 'the table'}" for item, index in places)


def _idle_places(design: Design) -> list[Place]:
    """Index keys that no request reads."""
    read = {(name, step.index) for each in design.patterns for step in each.reads for name in step.entities}
    found = ((item, keys.index) for item, keys in stored_keys(design.items) if keys.index is not None)
    return [(item.name, index) for item, index in found if (item.entity, index) not in read]


def _once_usd(earlier: Design, design: Design, added: list[Place], moved: list[Place]) -> float:
    """Every item that exists is written once more, with all index entries that are new or change."""
    before = {item.name for item in earlier.items}
    items = {item.name: item for item in design.items}
    touched = {name: [place for place in (*added, *moved) if place[0] == name] for name, _ in (*added, *moved)}
    units = sum(
        items[name].expected_count * _rewriting_units(items[name], places, is_new=name not in before)
        for name, places in touched.items()
        if name in before or items[name].kind != "entity"
    )
    return units * design.cost.prices.write_per_million / 1e6


def _rewriting_units(item: ItemType, places: list[Place], *, is_new: bool) -> float:
    """One write of the item and one for each entry; an item or entry that moves is deleted as well."""
    once = write_wcu(0, item.expected_bytes)
    moves = not is_new and (item.name, None) in places
    entries = len(item.keys) - 1 if moves else sum(index is not None for _, index in places)
    return once * ((2 if moves else 1) + entries * (2 if moves else 1))


def _steps(earlier: Design, design: Design, added: list[Place], moved: list[Place], gone: list[Place]) -> Iterator[str]:
    tables = [each.name for each in design.tables if each.name not in {known.name for known in earlier.tables}]
    there = {(table.name, each.name) for table in earlier.tables for each in (*table.gsis, *table.lsis)}
    new = [
        each.name if len(design.tables) == 1 else f"{table.name}/{each.name}"
        for table in design.tables
        for each in (*table.gsis, *table.lsis)
        if table.name not in tables and (table.name, each.name) not in there
    ]
    if tables:
        yield f"create the table{'s' if len(tables) > 1 else ''} {', '.join(tables)}"
    if new:
        yield f"create {', '.join(new)}: empty at first, since no item has its key fields"
    if added or moved:
        yield f"deploy writers that also write {', '.join(_place_texts([*added, *moved]))}"
        yield "write every item that exists again, so that it gets the new keys"
        yield "deploy readers of the new keys"
    if moved or gone:
        yield f"remove the old keys of {', '.join(_place_texts([*moved, *gone]))} when nobody reads them"
