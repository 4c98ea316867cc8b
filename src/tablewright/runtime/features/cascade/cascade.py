"""`tw.cascade(Workspace.key("w1"))`: a job that deletes or archives an item with everything that belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tablewright.errors import RequestError
from tablewright.runtime.features.cascade.relations import relations_from
from tablewright.runtime.features.cascade.work import Cascade
from tablewright.runtime.features.jobs.job import Job
from tablewright.runtime.key import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.key import Key

E = TypeVar("E", bound="StoredItem")


def cascade(root: E | Key[E], *, archive: str | Callable[[Sequence[Any]], Any] | None = None) -> Job:
    """Delete an item and everything that belongs to it, as entities declare with `belongs_to`.

    With `archive` items are first copied to the table of that name, or given to a function, which may see an item
    again when the job goes on after a crash.
    """
    key = key_of(root)
    work = Cascade(key.layout, key.composites, relations_from(key.layout), archive)
    if isinstance(archive, str):
        _check_copies(work, archive)
    return Job(work)


def _check_copies(work: Cascade, archive: str) -> None:
    """Copies have the keys of their originals, and what is stored of them must be all there is."""
    for layout in work.layouts.values():
        if layout.large is not None:
            problem = f"{layout.name} has large attributes, which are compressed or kept elsewhere"
            raise RequestError(f"{problem}; archive with a function, which gets whole items", code=2002)
        if layout.home.table == archive:
            raise RequestError(f"the archive {archive!r} is the table of {layout.name} itself; name another", code=2002)
