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


class KeptKeys(msgspec.Struct, frozen=True, kw_only=True):
    """What a view was called in an earlier design."""

    tag: str
    label: str  # what its partition key begins with
    collections: tuple[str, ...] = ()
    shards: int = 1


def _view_of_key(key: PlacedKey) -> View:
    return View(
        key.shape.entity,
        key.number if key.place == "index" else None,
        key.shape,
        is_copy=key.is_second_item,
        lsi=key.number if key.place == "lsi" else None,
    )


def key_of_view(view: View) -> PlacedKey:
    if view.is_copy:
        return PlacedKey(SECOND_ITEM.place, view.shape)
    if view.lsi is not None:
        return PlacedKey("lsi", view.shape, view.lsi)
    return PlacedKey("table", view.shape) if view.slot is None else PlacedKey("index", view.shape, view.slot)


def views_of(choice: Choice) -> Iterator[View]:
    """The table's first, then second items, global indexes and local ones."""
    for place in (TABLE_KEY, SECOND_ITEM, GLOBAL_INDEX, LOCAL_INDEX):
        yield from map(_view_of_key, place.keys(choice))


def view_read(choice: Choice, plan: ReadPlan) -> View:
    """The view a plan reads."""
    return _view_of_key(key_of(choice, plan))


def views_together(choice: Choice, pattern: str) -> list[View]:
    """What a pattern over several entities reads."""
    return [_view_of_key(key) for key in keys_together(choice, pattern)]


def base_of(view: View, choice: Choice) -> View:
    return View(view.entity, None, choice.base[view.entity])
