"""Views: an entity in one place; and which views one query reads together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.serving.shapes import Shape
from tablewright.design.values.templates import KeyTemplate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Keys(msgspec.Struct, frozen=True):
    """The templates of a view: its partition key and its sort key.

    `native`: the key fields are attributes of the item themselves, so that the item has no text of the key besides.
    """

    pk: KeyTemplate
    sk: KeyTemplate
    native: bool = False


class View(msgspec.Struct, frozen=True):
    """An entity in one place: the table, a slot of the global or local indexes, or a copy in the table."""

    entity: str
    slot: int | None
    shape: Shape
    is_copy: bool = False
    lsi: int | None = None
    number: int = 0  # of a read copy, from 1 on

    @property
    def first(self) -> View:
        """Of read copies the first, which speaks for all of them; any other view is itself."""
        return msgspec.structs.replace(self, number=1) if self.number > 1 else self

    @property
    def index(self) -> str | None:
        """The index it is read from; None for the table."""
        if self.lsi is not None:
            return f"lsi{self.lsi + 1}"
        return None if self.slot is None else f"gsi{self.slot + 1}"


def _view_key(view: View) -> tuple[int, str, bool, Shape, int]:
    return (-1 if view.slot is None else view.slot, view.entity, view.is_copy, view.shape, view.number)


def groups_of(views: Iterable[View], together: Iterable[Iterable[View]]) -> list[tuple[View, ...]]:
    """Views joined by a query that reads several of them; each of the others alone. `together`: what queries read."""
    groups = [{view} for view in views]
    for read in together:
        wanted = set(read)
        touched = [group for group in groups if group & wanted]
        groups = [group for group in groups if not group & wanted] + [set[View]().union(*touched)]
    ordered = [tuple(sorted(group, key=_view_key)) for group in groups if group]
    return sorted(ordered, key=lambda group: [_view_key(view) for view in group])


def local_groups(views: Sequence[View], groups: Iterable[tuple[View, ...]]) -> list[tuple[View, ...]]:
    """Views of a local index lie together where the table's views of their entities do."""
    known = list(groups)
    found: list[tuple[View, ...]] = []
    for number in sorted({view.lsi for view in views if view.lsi is not None}):
        for group in known:
            owners = {view.entity for view in group if view.index is None and not view.is_copy}
            found.append(tuple(view for view in views if view.lsi == number and view.entity in owners))
    return [group for group in found if group]
