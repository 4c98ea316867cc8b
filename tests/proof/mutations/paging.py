"""Faults of pages: the design is right, but whoever runs it goes on at the wrong place."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from tablewright.design.steps import lists, queries, sources
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import Design
    from tablewright.design.steps.model import Flow

PAGE = "wrong page"
QUERIES = queries.Queries
UNFOLDED: Any = vars(sources)["_Unfolded"]
CHAIN: Any = vars(lists)["_Chain"]


# ---- what single faults need ----------------------------------------------------------------------------------------


def as_it_is(made: Design) -> Design:
    return made


def placed(kind: Any, place: Callable[[Any, Any], Any]) -> Callable[[], AbstractContextManager[object]]:
    """Items of a kind of source with other places behind them: `place` gets the source and the right place."""
    right = kind.next

    def careless(self: Any) -> Flow[Any]:
        found = yield from right(self)
        return None if found is None else found._replace(place=place(self, found.place))

    return lambda: patch.object(kind, "next", careless)


def read_ahead(self: Any, place: list[Any]) -> list[Any]:
    """Behind all that was fetched, whether it was given away or not."""
    del place
    return [
        {name: each.waiting[-1][name] for name in self.keys.all} if each.waiting else each.position
        for each in self.open
    ]


def ties_passed(self: Any, place: list[Any]) -> list[Any]:
    """Behind all that is waiting with the same sort key, in whichever partition."""
    given = [each for each in place if each is not None]
    for at, each in enumerate(self.open):
        for item in each.waiting:
            key = {name: item[name] for name in self.keys.all}
            if any(all(key[name] == other[name] for name in self.keys.sort) for other in given):
                place[at] = key
    return place


def first_forgotten(self: Any, place: list[Any]) -> list[Any]:
    del self
    return [None, *place[1:]]


def begun_anew(self: Any, place: list[Any]) -> list[Any]:
    """The holder is found again, and nothing tells how many of its entries were given."""
    del self
    return [place[0], 0]


def in_the_first_list(self: Any, place: list[Any]) -> list[Any]:
    """Where among several lists is forgotten."""
    del self
    return [0, place[1]]


# ---- the catalogue --------------------------------------------------------------------------------------------------

PAGING: tuple[Fault, ...] = (
    Fault(PAGE, "ticks", "what was fetched is taken for given", as_it_is, placed(QUERIES, read_ahead)),
    Fault(PAGE, "ticks", "ties are passed over", as_it_is, placed(QUERIES, ties_passed)),
    Fault(PAGE, "ticks", "the place in one shard is forgotten", as_it_is, placed(QUERIES, first_forgotten)),
    Fault(PAGE, "phones", "the entries of a map begin anew", as_it_is, placed(UNFOLDED, begun_anew)),
    Fault(PAGE, "todo", "which of two lists is forgotten", as_it_is, placed(CHAIN, in_the_first_list)),
)
