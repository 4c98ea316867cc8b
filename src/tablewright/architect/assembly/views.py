"""The views of a choice, and which of them one query reads together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.layout.views import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.search.choose import Choice


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


def gathered_views(choice: Choice, pattern: str) -> list[View]:
    """What a pattern over several entities reads."""
    _, slot = choice.gatherings[pattern]
    return [
        View(name, slot, shape, is_copy=slot is None and shape != choice.base[name])
        for name, shape in choice.gathered(pattern).items()
    ]


def base_of(view: View, choice: Choice) -> View:
    return View(view.entity, None, choice.base[view.entity])
