"""Views: an entity in one place; and which views one query reads together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.shapes import Shape
from tablewright.design.templates import SHARD, KeyTemplate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.architect.search.choose import Choice

__all__ = ["SHARD", "KeptKeys", "Keys", "View"]


class Keys(msgspec.Struct, frozen=True):
    """The templates of a view: its partition key and its sort key."""

    pk: KeyTemplate
    sk: KeyTemplate


class View(msgspec.Struct, frozen=True):
    """An entity in one place: the table, a slot of the global or local indexes, or a copy in the table."""

    entity: str
    slot: int | None
    shape: Shape
    is_copy: bool = False
    lsi: int | None = None

    @property
    def index(self) -> str | None:
        """The index it is read from; None for the table."""
        if self.lsi is not None:
            return f"lsi{self.lsi + 1}"
        return None if self.slot is None else f"gsi{self.slot + 1}"


class KeptKeys(msgspec.Struct, frozen=True, kw_only=True):
    """What a view was called in an earlier design."""

    tag: str
    label: str  # what its partition key begins with
    collections: tuple[str, ...] = ()
    shards: int = 1


def views_of(choice: Choice) -> Iterator[View]:
    for entity, shape in sorted(choice.base.items()):
        yield View(entity, None, shape)
    for entity, shapes in sorted(choice.copies.items()):
        for shape in shapes:
            yield View(entity, None, shape, is_copy=True)
    for slot, members in enumerate(choice.slots):
        for entity, shape in sorted(members.items()):
            yield View(entity, slot, shape)
    for number, members in enumerate(choice.lsis):
        for entity, shape in sorted(members.items()):
            yield View(entity, None, shape, lsi=number)


# ---- groups -------------------------------------------------------------------------------------------------------


def groups_of(views: Iterable[View], choice: Choice) -> list[tuple[View, ...]]:
    """Views joined by a query that reads several of them; each of the others alone."""
    groups = [{view} for view in views]
    for pattern in sorted(choice.gatherings):
        wanted = set(gathered_views(choice, pattern))
        touched = [group for group in groups if group & wanted]
        groups = [group for group in groups if not group & wanted] + [set[View]().union(*touched)]
    ordered = [tuple(sorted(group, key=view_key)) for group in groups if group]
    return sorted(ordered, key=lambda group: [view_key(view) for view in group])


def gathered_views(choice: Choice, pattern: str) -> list[View]:
    """What a pattern over several entities reads."""
    _, slot = choice.gatherings[pattern]
    return [
        View(name, slot, shape, is_copy=slot is None and shape != choice.base[name])
        for name, shape in choice.gathered(pattern).items()
    ]


def local_groups(views: list[View], groups: list[tuple[View, ...]]) -> list[tuple[View, ...]]:
    """Views of a local index lie together where the table's views of their entities do."""
    found: list[tuple[View, ...]] = []
    for number in sorted({view.lsi for view in views if view.lsi is not None}):
        for group in groups:
            owners = {view.entity for view in group if view.index is None and not view.is_copy}
            found.append(tuple(view for view in views if view.lsi == number and view.entity in owners))
    return [group for group in found if group]


def base_of(view: View, choice: Choice) -> View:
    return View(view.entity, None, choice.base[view.entity])


def view_key(view: View) -> tuple[int, str, bool, Shape]:
    return (-1 if view.slot is None else view.slot, view.entity, view.is_copy, view.shape)


def key_fields(slot: int | None) -> tuple[str, str]:
    return index_fields(None if slot is None else f"gsi{slot + 1}")


def index_fields(index: str | None) -> tuple[str, str]:
    """The key fields of the table or an index; a local index has the table's partition key."""
    if index is None:
        return "pk", "sk"
    return ("pk", f"{index}sk") if index.startswith("lsi") else (f"{index}pk", f"{index}sk")
