"""Faults of lists that lead to items: what is gone, named twice, out of order, or not what was named."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest.mock import patch

from tablewright.design.model import Projection
from tablewright.design.steps import queries, sources
from tablewright.design.values.templates import KeyTemplate
from tests.proof.mutations.editing import flipped, index, one_less, one_more, read, steps
from tests.proof.mutations.fault import Fault
from tests.proof.mutations.paging import as_it_is
from tests.proof.mutations.reading import without_last

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tablewright.design.model import ReadStep
    from tablewright.design.steps.model import Flow, Inputs, Item, Read, Stored

GONE = "gone item"
NAMED = "wrong item named"
LISTED = "wrong list"
Meanwhile: TypeAlias = "Callable[[], AbstractContextManager[object]]"
RIGHT: Any = vars(queries)["_get_named"]
BATCHES: Any = vars(sources)["_Batches"]


# ---- what single faults need ----------------------------------------------------------------------------------------


def by_the_other_name(step: ReadStep) -> tuple[KeyTemplate, ...]:
    return tuple(KeyTemplate(each.field, each.template.rename({"itemId": "otherId"})) for each in step.pk)


def answering(change: Callable[[list[Item | None]], list[Item | None]]) -> Meanwhile:
    """What was found for the entries, changed before anybody sees it."""

    def careless(stored: Stored, step: Read, named: Sequence[Inputs]) -> Flow[list[Item | None]]:
        found = yield from RIGHT(stored, step, named)
        return change(found)

    return lambda: patch.object(queries, "_get_named", careless)


def as_they_came(found: list[Item | None]) -> list[Item | None]:
    """In the order of their keys, as a reply may have them."""
    there = sorted((each for each in found if each is not None), key=lambda each: str(each["pk"]))
    return [*there, *(None for each in found if each is None)]


def once(found: list[Item | None]) -> list[Item | None]:
    """What two entries name is given once."""
    seen: list[str] = []
    kept: list[Item | None] = []
    for each in found:
        key = "" if each is None else str(each["pk"])
        kept.append(None if key in seen else each)
        seen += [key] if key else []
    return kept


def in_place_of_the_gone(found: list[Item | None]) -> list[Item | None]:
    """Where there is no item, the one before it stands."""
    kept = list(found)
    for at in range(1, len(kept)):
        kept[at] = kept[at - 1] if kept[at] is None else kept[at]
    return kept


def ended_by_the_gone() -> AbstractContextManager[object]:
    """A page without any item is taken for the end."""
    right = BATCHES.next

    def careless(self: Any) -> Flow[Any]:
        found = yield from right(self)
        return None if found is not None and found.is_gone else found

    return patch.object(BATCHES, "next", careless)


# ---- the catalogue --------------------------------------------------------------------------------------------------

LISTING: tuple[Fault, ...] = (
    Fault(GONE, "feed", "does not count, so that more is given", read("newest", 1, counts_gone=False)),
    Fault(GONE, "feed", "ends the list", as_it_is, ended_by_the_gone),
    Fault(GONE, "feed", "another stands in its place", as_it_is, answering(in_place_of_the_gone)),
    Fault(GONE, "feed", "what has expired is shown", read("all", 1, unexpired=None)),
    Fault(NAMED, "feed", "by another attribute", read("newest", 1, pk=by_the_other_name)),
    Fault(NAMED, "feed", "the entries instead of their items", steps("all", "reads", without_last)),
    Fault(NAMED, "feed", "in the order of the reply", as_it_is, answering(as_they_came)),
    Fault(NAMED, "feed", "what two entries name is given once", as_it_is, answering(once)),
    Fault(NAMED, "feed", "the index lacks the name", index("of-topic", projection=Projection("KEYS_ONLY"))),
    Fault(NAMED, "feed", "items read eventually", read("seen", 1, consistent=False)),
    Fault(LISTED, "feed", "entries read eventually", read("seen", 0, consistent=False)),
    Fault(LISTED, "feed", "from the other end", read("newest", 0, backwards=flipped)),
    Fault(LISTED, "feed", "one more", read("newest", 0, limit=one_more)),
    Fault(LISTED, "feed", "one less", read("newest", 0, limit=one_less)),
    Fault(LISTED, "feed", "filter lost", read("shared", 0, filters=())),
)
