"""Designing on top of a design that is in use: its keys and names stay, and the difference is priced.

The search is given the earlier shapes and keeps them where it can; names come from the earlier design wherever a shape
stayed. What differs in the end is read off the two designs, key by key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.naming import name_keys
from tablewright.architect.assembly.requests import read_requests
from tablewright.architect.assembly.views import KeptKeys, View
from tablewright.architect.plans.forms import form_options
from tablewright.architect.search.keep import Kept
from tablewright.architect.solution import solve
from tablewright.design.model import Change
from tablewright.design.serving.filters import written as written_value
from tablewright.design.shapes import Shape
from tablewright.design.templates import DELIMITER
from tablewright.errors import DesignError
from tablewright.spec.facts import assume
from tablewright.wire.capacity import write_wcu

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.architect.search.choose import Aim
    from tablewright.architect.solution import Solution
    from tablewright.design.forms import Rewrite
    from tablewright.design.model import Design, ItemKeys, ItemType
    from tablewright.spec.model import Spec

Place = tuple[str, str | None]  # an item type and an index


# ---- what is to be kept ---------------------------------------------------------------------------------------------


def kept_keys(design: Design) -> Kept:
    """The earlier shapes, as the search wants them."""
    table = design.tables[0]
    views = [view_of(item, keys) for item, keys in stored_keys(design)]
    return Kept(
        base={view.entity: view.shape for view in views if view.index is None and not view.is_copy},
        slots=tuple(shapes_in(views, each.name) for each in table.gsis),
        lsis=tuple(shapes_in(views, each.name) for each in table.lsis),
        copies={
            entity: tuple(view.shape for view in views if view.is_copy and view.entity == entity)
            for entity in sorted({view.entity for view in views if view.is_copy})
        },
    )


def shapes_in(views: list[View], index: str) -> dict[str, Shape]:
    return {view.entity: view.shape for view in views if view.index == index}


def kept_names(design: Design) -> dict[View, KeptKeys]:
    """What the earlier views were called."""
    return {
        view_of(item, keys): KeptKeys(
            tag=item.name,
            label=keys.pk[0].template.stem.partition(DELIMITER)[0],
            collections=keys.collections,
            shards=keys.shards,
        )
        for item, keys in stored_keys(design)
        if not keys.native
    }


def stored_keys(design: Design) -> Iterator[tuple[ItemType, ItemKeys]]:
    """What lies inside of other items has no keys of its own."""
    yield from ((item, keys) for item in design.items if item.kind != "embedded" for keys in item.keys)


def view_of(item: ItemType, keys: ItemKeys) -> View:
    entity = item.entity if item.kind == "copy" else item.name
    number = int("".join(filter(str.isdigit, keys.index))) - 1 if keys.index else None
    is_local = keys.index is not None and keys.index.startswith("lsi")
    return View(
        entity,
        None if is_local else number,
        Shape(entity, keys.partition, keys.lead, keys.rest, str(keys.bucket or ""), when_of(keys)),
        is_copy=item.kind == "copy",
        lsi=number if is_local else None,
    )


def when_of(keys: ItemKeys) -> tuple[tuple[str, str], ...]:
    required = keys.when.required if keys.when else {}
    return tuple((name, "" if value is None else written_value(value)) for name, value in required.items())


def kept_rewrites(spec: Spec, earlier: Design) -> list[Rewrite]:
    """Of every way to store the spec in another form the one that was taken; of new ones the plainest."""
    found: list[Rewrite] = []
    for options in form_options(assume(spec)):
        taken = [option for option in options if option and set(option) <= set(earlier.rewrites)]
        found += taken[0] if taken else options[0]
    return found


def solved_as_before(spec: Spec, earlier: Design, *, aim: Aim | None, max_gsis: int | None) -> Solution:
    """The best solution that keeps what it can: forms first, then keys, then names."""
    prefer = kept_keys(earlier)
    try:
        found = solve(spec, aim=aim, max_gsis=max_gsis, prefer=prefer, rewrites=kept_rewrites(spec, earlier))
    except DesignError:  # what is new may need another form
        found = solve(spec, aim=aim, max_gsis=max_gsis, prefer=prefer)
    return called_as_before(found, earlier)


def called_as_before(solution: Solution, earlier: Design) -> Solution:
    """The solution with the names of the earlier design, where its shapes stayed."""
    names = name_keys(solution.facts, solution.choice, solution.names.style, kept_names(earlier))
    requests = read_requests(solution.facts, solution.choice, names)
    return msgspec.structs.replace(solution, names=names, requests=requests)


# ---- what became of it ----------------------------------------------------------------------------------------------


def change_between(earlier: Design, design: Design) -> Change:
    before, after = keys_by_place(earlier), keys_by_place(design)
    moved = [each for each in before if each in after and written(before[each]) != written(after[each])]
    added = [each for each in after if each not in before]
    gone = [each for each in before if each not in after]
    return Change(
        kept=told(each for each in before if each in after and each not in moved),
        added=told(added),
        moved=told(moved),
        gone=told(gone),
        idle=told(idle_places(design)),
        usd_per_month=design.cost.usd_per_month - earlier.cost.usd_per_month,
        once_usd=once_usd(earlier, design, added, moved),
        steps=tuple(steps(earlier, design, added, moved, gone)),
    )


def keys_by_place(design: Design) -> dict[Place, ItemKeys]:
    return {(item.name, keys.index): keys for item, keys in stored_keys(design)}


def written(keys: ItemKeys) -> tuple[object, ...]:
    return keys.pk, keys.sk, keys.shards, keys.bucket, keys.when


def told(places: Iterable[Place]) -> tuple[str, ...]:
    return tuple(f"{item} in {index or 'the table'}" for item, index in places)


def idle_places(design: Design) -> list[Place]:
    """Index keys that no request reads."""
    read = {(name, step.index) for each in design.patterns for step in each.reads for name in step.entities}
    found = ((item, keys.index) for item, keys in stored_keys(design) if keys.index is not None)
    return [(item.name, index) for item, index in found if (item.entity, index) not in read]


def once_usd(earlier: Design, design: Design, added: list[Place], moved: list[Place]) -> float:
    """Every item that exists is written once more, with all index entries that are new or change."""
    before = {item.name for item in earlier.items}
    items = {item.name: item for item in design.items}
    touched = {name: [place for place in (*added, *moved) if place[0] == name] for name, _ in (*added, *moved)}
    units = sum(
        items[name].expected_count * rewriting_units(items[name], places, is_new=name not in before)
        for name, places in touched.items()
        if name in before or items[name].kind != "entity"
    )
    return units * design.cost.prices.write_per_million / 1e6


def rewriting_units(item: ItemType, places: list[Place], *, is_new: bool) -> float:
    """One write of the item and one for each entry; an item or entry that moves is deleted as well."""
    once = write_wcu(0, item.expected_bytes)
    moves = not is_new and (item.name, None) in places
    entries = len(item.keys) - 1 if moves else sum(index is not None for _, index in places)
    return once * ((2 if moves else 1) + entries * (2 if moves else 1))


def steps(earlier: Design, design: Design, added: list[Place], moved: list[Place], gone: list[Place]) -> Iterator[str]:
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
        yield f"deploy writers that also write {', '.join(told([*added, *moved]))}"
        yield "write every item that exists again, so that it gets the new keys"
        yield "deploy readers of the new keys"
    if moved or gone:
        yield f"remove the old keys of {', '.join(told([*moved, *gone]))} when nobody reads them"


def with_change(design: Design, earlier: Design) -> Design:
    return msgspec.structs.replace(design, change=change_between(earlier, design))
