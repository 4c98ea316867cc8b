"""The views of a choice, and which of them one query reads together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.global_index import GLOBAL_INDEX
from tablewright.architect.plans.local_index import LOCAL_INDEX
from tablewright.architect.plans.readers import key_of, keys_together
from tablewright.architect.plans.second_item import SECOND_ITEM
from tablewright.architect.plans.table_key import TABLE_KEY
from tablewright.architect.plans.values import PlacedKey
from tablewright.design.layout.views import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.plans.values import Choice, ReadPlan
    from tablewright.spec.facts import Facts


class KeptKeys(msgspec.Struct, frozen=True, kw_only=True):
    """What a view was called in an earlier design."""

    tag: str
    label: str  # what its partition key begins with
    collections: tuple[str, ...] = ()
    shards: int = 1
    word: str = ""  # what its sort key calls it in plain keys, where nothing stands before that


class Edge(msgspec.Struct, frozen=True):
    """The children that a parent lies at the edge of: behind them, or before them."""

    children: View
    is_behind: bool


def _view_of_key(key: PlacedKey) -> View:
    return View(
        key.shape.entity,
        key.number if key.place == "index" else None,
        key.shape,
        is_copy=key.is_second_item,
        lsi=key.number if key.place == "lsi" else None,
        number=1 if key.shape.copies else 0,
    )


def key_of_view(view: View) -> PlacedKey:
    if view.is_copy:
        return PlacedKey(SECOND_ITEM.place, view.shape)
    if view.lsi is not None:
        return PlacedKey("lsi", view.shape, view.lsi)
    return PlacedKey("table", view.shape) if view.slot is None else PlacedKey("index", view.shape, view.slot)


def views_of(choice: Choice) -> Iterator[View]:
    """The table's first, then second items (each of several copies), global indexes and local ones."""
    for place in (TABLE_KEY, SECOND_ITEM, GLOBAL_INDEX, LOCAL_INDEX):
        for view in map(_view_of_key, place.keys(choice)):
            numbers = range(1, view.shape.copies + 1) if view.number else (0,)
            yield from (msgspec.structs.replace(view, number=number) for number in numbers)


def view_read(choice: Choice, plan: ReadPlan) -> View:
    """The view a plan reads; of several copies the first."""
    return _view_of_key(key_of(choice, plan))


def views_together(choice: Choice, pattern: str) -> list[View]:
    """What a pattern over several entities reads."""
    return [_view_of_key(key) for key in keys_together(choice, pattern)]


def edges_of(facts: Facts, choice: Choice) -> dict[View, Edge]:
    """By view of a parent: the edge that a pattern reads it from. No two patterns want it at different ones."""
    found: dict[View, Edge] = {}
    for pattern in facts.spec.reads:
        if pattern.beside:
            views = {view.entity: view for view in views_together(choice, pattern.id)}
            parent = views.pop(pattern.beside)
            (children,) = views.values()
            found[parent] = Edge(children, is_behind=pattern.sort[0].order == "desc")
    return found


def base_of(view: View, choice: Choice) -> View:
    return View(view.entity, None, choice.base[view.entity])
