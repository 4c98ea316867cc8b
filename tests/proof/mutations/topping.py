"""Faults of lists that the stream keeps: of what is in them, and of the function that keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from msgspec.structs import replace

from tablewright.design.steps import tops
from tests.proof.mutations.editing import NothingToBreakError, read
from tests.proof.mutations.fault import Fault
from tests.proof.mutations.paging import as_it_is

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from tablewright.design.model import Design
    from tablewright.spec.model import Top
    from tests.proof.mutations.editing import Edit

LISTED = "wrong list of first items"
UNKEPT = "list kept wrongly"


# ---- what single faults need ----------------------------------------------------------------------------------------


def top(**fields: Any) -> Edit:
    """Another list; a value that is a function gets the list and gives the new value."""

    def change(made: Design) -> Design:
        if all(each.top is None for each in made.items):
            raise NothingToBreakError("there is no list")
        items = (each if each.top is None else replace(each, top=_changed(each.top, fields)) for each in made.items)
        return replace(made, items=tuple(items))

    return change


def _changed(found: Top, fields: dict[str, Any]) -> Top:
    return replace(found, **{name: value(found) if callable(value) else value for name, value in fields.items()})


def the_other_way(found: Top) -> Any:
    first, *others = found.sort
    return (replace(first, order="asc"), *others)


def stream(view: str | None) -> Edit:
    return lambda made: replace(made, tables=tuple(replace(each, stream=view) for each in made.tables))


def with_put(put: Callable[..., None]) -> Callable[[], AbstractContextManager[object]]:
    return lambda: patch.object(tops, "_put", put)


def whatever_comes(known: Any, entries: Any, entry: Any) -> None:
    entries[tuple(entry[name] for name in known.id)] = entry


def whoever_was_first(known: Any, entries: Any, entry: Any) -> None:
    entries.setdefault(tuple(entry[name] for name in known.id), entry)


def each_by_itself(known: Any, entries: Any, entry: Any) -> None:
    """A player stands in the list once for every score."""
    entries[tuple(entry.values())] = entry


def with_nothing_from_before() -> AbstractContextManager[object]:
    right = tops._merged
    return patch.object(tops, "_merged", lambda known, _, more: right(known, {}, more))


def without_order() -> AbstractContextManager[object]:
    return patch.object(tops, "_compare", lambda *_: -1)


def only_of_new_items() -> AbstractContextManager[object]:
    return patch.object(tops, "_shows_the_same", lambda _, change: change.old is not None)


# ---- the catalogue --------------------------------------------------------------------------------------------------

TOPPING: tuple[Fault, ...] = (
    Fault(LISTED, "scores", "one fewer", top(most=3)),
    Fault(LISTED, "scores", "one more", top(most=5)),
    Fault(LISTED, "scores", "the last instead of the first", top(sort=the_other_way)),
    Fault(LISTED, "scores", "equal points in another order", top(sort=lambda found: found.sort[:1])),
    Fault(LISTED, "scores", "by time alone", top(sort=lambda found: found.sort[1:])),
    Fault(LISTED, "scores", "without the time", top(shows=("game", "player", "points"))),
    Fault(LISTED, "scores", "another map", top(inside="places")),
    Fault(LISTED, "scores", "the item instead of what is in it", read("best", unfold=None)),
    Fault(UNKEPT, "scores", "by no stream", stream(None)),
    Fault(UNKEPT, "scores", "by a stream that shows no items", stream("KEYS_ONLY")),
    Fault(UNKEPT, "scores", "the last record counts", as_it_is, with_put(whatever_comes)),
    Fault(UNKEPT, "scores", "the first record counts", as_it_is, with_put(whoever_was_first)),
    Fault(UNKEPT, "scores", "once for every score", as_it_is, with_put(each_by_itself)),
    Fault(UNKEPT, "scores", "each batch a new list", as_it_is, with_nothing_from_before),
    Fault(UNKEPT, "scores", "in no order", as_it_is, without_order),
    Fault(UNKEPT, "scores", "changes are not heard of", as_it_is, only_of_new_items),
)
